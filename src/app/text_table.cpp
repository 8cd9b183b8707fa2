// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_table.h"

#include "terminal.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ep::app {

namespace {

// Widths are in code points, each of which counts as one column; that suffices for our own words
// and figures.
constexpr std::size_t kGap = 2;
constexpr std::size_t kMin = 8; // width of a truncated column

// Returns the first characters and an ellipsis.
std::string shortened(const std::string& text, std::size_t width)
{
    std::string cut;
    std::size_t count = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80 && ++count == width)
            break;
        cut += c;
    }
    return cut + "\u2026";
}

} // namespace

TextTable::TextTable(std::vector<Column> columns)
    : m_columns(std::move(columns))
{
    std::vector<std::string> titles;
    for (const Column& column : m_columns)
        titles.push_back(column.title);
    m_rows.push_back(std::move(titles));
}

void TextTable::addRow(std::vector<std::string> cells)
{
    assert(cells.size() == m_columns.size());
    m_rows.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::fittedWidths() const
{
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (const auto& row : m_rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], codePointCount(row[i]));
    }
    const auto limit = static_cast<std::size_t>(std::max(0, outputWidth()));
    if (limit == 0)
        return widths;
    const auto excess = [&](bool cut) {
        std::size_t total = 0;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (widths[i] == 0)
                continue;
            const bool smaller = cut && m_columns[i].flexible;
            total += (total > 0 ? kGap : 0) + (smaller ? std::min(widths[i], kMin) : widths[i]);
        }
        return total > limit ? total - limit : 0;
    };
    while (excess(true) > 0) {
        std::size_t out = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const int spare = m_columns[i].spare;
            if (widths[i] > 0 && spare > 0
                && (out == widths.size() || spare > m_columns[out].spare))
                out = i;
        }
        if (out == widths.size())
            break;
        widths[out] = 0;
    }
    // Takes one character at a time from the widest, so that flexible columns share the loss.
    for (std::size_t left = excess(false); left > 0; --left) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (m_columns[i].flexible && widths[i] > kMin
                && (widest == widths.size() || widths[i] > widths[widest]))
                widest = i;
        }
        if (widest == widths.size())
            break;
        --widths[widest];
    }
    return widths;
}

std::string TextTable::toString() const
{
    const std::vector<std::size_t> widths = fittedWidths();
    std::string text;
    for (const auto& row : m_rows) {
        std::string line;
        bool first = true;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (widths[i] == 0)
                continue;
            const std::string cell =
                codePointCount(row[i]) > widths[i] ? shortened(row[i], widths[i]) : row[i];
            const std::string padding(widths[i] - codePointCount(cell), ' ');
            if (!std::exchange(first, false))
                line += std::string(kGap, ' ');
            line += m_columns[i].align == Align::Right ? padding + cell : cell + padding;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace ep::app
