// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/token_flow.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace ep::viz {

void TokenFlow::clear()
{
    m_chips.clear();
    m_rowStart.clear();
    m_cursor = 0.0;
    m_newRow = true;
    m_paragraph = TextDirection::Neutral;
}

void TokenFlow::setMetrics(double width, double rowHeight, double spacing, double margin)
{
    m_width = width;
    m_rowHeight = rowHeight;
    m_spacing = spacing;
    m_margin = margin;
    std::vector<Chip> chips = std::move(m_chips);
    clear();
    m_chips.reserve(chips.size());
    for (const Chip& chip : chips)
        place(chip);
}

void TokenFlow::append(double chipWidth, bool breakAfter, TextDirection direction)
{
    place({.asked = chipWidth, .break_after = breakAfter, .direction = direction});
}

double TokenFlow::room() const
{
    return std::max(1.0, m_width - 2.0 * m_margin);
}

void TokenFlow::place(Chip chip)
{
    chip.width = std::min(chip.asked, room());
    if (m_newRow)
        m_paragraph = TextDirection::Neutral;
    if (m_paragraph == TextDirection::Neutral)
        m_paragraph = chip.direction;
    if (m_newRow || m_cursor + chip.width > m_margin + room()) {
        m_rowStart.push_back(m_chips.size());
        m_cursor = m_margin;
        m_ordered = true;
    }
    chip.x = m_cursor;
    chip.row = m_rowStart.size() - 1;
    m_cursor += chip.width + m_spacing;
    m_newRow = chip.break_after;
    m_ordered = m_ordered && m_paragraph != TextDirection::RightToLeft
        && chip.direction != TextDirection::RightToLeft;
    m_chips.push_back(chip);
    if (!m_ordered)
        orderLastRow();
}

// Rules N1, N2 and L2 of UAX #9: a chip without letters goes with equal neighbours, otherwise with
// the paragraph; then runs are reversed, from the innermost to the paragraph itself.
void TokenFlow::orderLastRow()
{
    const int base = m_paragraph == TextDirection::RightToLeft ? 1 : 0;
    const auto row = std::span(m_chips).subspan(m_rowStart.back());
    const auto level = [base](TextDirection direction) {
        return direction == TextDirection::RightToLeft ? 1
            : direction == TextDirection::LeftToRight  ? 2 * base
                                                       : base;
    };
    std::vector<int> levels;
    for (std::size_t i = 0; i < row.size(); ++i) {
        std::size_t next = i;
        while (next < row.size() && row[next].direction == TextDirection::Neutral)
            ++next;
        const int before = i > 0 ? levels.back() : base;
        const int after = next < row.size() ? level(row[next].direction) : base;
        levels.push_back(next == i ? after : before == after ? before : base);
    }
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int reversed = 2; reversed > 0; --reversed) {
        for (std::size_t begin = 0; begin < row.size(); ++begin) {
            std::size_t end = begin;
            while (end < row.size() && levels[order[end]] >= reversed)
                ++end;
            std::reverse(order.begin() + static_cast<std::ptrdiff_t>(begin),
                         order.begin() + static_cast<std::ptrdiff_t>(end));
            begin = end;
        }
    }
    double x = m_margin + (base > 0 ? room() - (m_cursor - m_spacing - m_margin) : 0.0);
    for (const std::size_t index : order) {
        row[index].x = x;
        x += row[index].width + m_spacing;
    }
}

double TokenFlow::height() const
{
    if (m_chips.empty())
        return 0.0;
    return 2.0 * m_margin + static_cast<double>(m_rowStart.size()) * m_rowHeight;
}

Rect TokenFlow::chip(std::size_t index) const
{
    const Chip& chip = m_chips[index];
    return {chip.x, m_margin + static_cast<double>(chip.row) * m_rowHeight, chip.width,
            m_rowHeight - m_spacing};
}

std::optional<std::size_t> TokenFlow::hit(Point point) const
{
    const double row = std::floor((point.y - m_margin) / m_rowHeight);
    if (row < 0.0 || row >= static_cast<double>(m_rowStart.size()))
        return std::nullopt;
    const std::size_t nearest = nearestInRow(static_cast<std::size_t>(row), point.x);
    return chip(nearest).contains(point) ? std::optional(nearest) : std::nullopt;
}

std::pair<std::size_t, std::size_t> TokenFlow::visible(double top, double bottom) const
{
    if (m_chips.empty() || bottom <= top)
        return {0, 0};
    const auto rowAt = [&](double y) {
        const double row = std::floor((y - m_margin) / m_rowHeight);
        return static_cast<std::size_t>(
            std::clamp(row, 0.0, static_cast<double>(m_rowStart.size() - 1)));
    };
    return {m_rowStart[rowAt(top)], lastOfRow(rowAt(bottom)) + 1};
}

std::optional<std::size_t> TokenFlow::above(std::size_t index) const
{
    const Chip& chip = m_chips[index];
    if (chip.row == 0)
        return std::nullopt;
    return nearestInRow(chip.row - 1, chip.x + chip.width / 2.0);
}

std::optional<std::size_t> TokenFlow::below(std::size_t index) const
{
    const Chip& chip = m_chips[index];
    if (chip.row + 1 >= m_rowStart.size())
        return std::nullopt;
    return nearestInRow(chip.row + 1, chip.x + chip.width / 2.0);
}

std::size_t TokenFlow::lastOfRow(std::size_t row) const
{
    return (row + 1 < m_rowStart.size() ? m_rowStart[row + 1] : m_chips.size()) - 1;
}

std::size_t TokenFlow::nearestInRow(std::size_t row, double x) const
{
    // The last chip that begins at or before x; if there is none, the first chip.
    const auto nearer = [x](const Chip& a, const Chip& b) {
        const bool before = a.x <= x;
        if (before != (b.x <= x))
            return before;
        return before ? a.x > b.x : a.x < b.x;
    };
    std::size_t nearest = m_rowStart[row];
    for (std::size_t index = nearest + 1; index <= lastOfRow(row); ++index) {
        if (nearer(m_chips[index], m_chips[nearest]))
            nearest = index;
    }
    return nearest;
}

} // namespace ep::viz
