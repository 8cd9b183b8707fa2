// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a line, and the headers of a table.
#include "lines.h"
#include "table_layout.h"

#include <algorithm>

namespace ep::powerlog {

char delimiterOf(std::string_view line)
{
    const auto count = [&](char c) { return std::count(line.begin(), line.end(), c); };
    if (line.starts_with('#') && count(',') == 0 && count(';') == 0)
        return kBlanks;
    if (count('\t') > 0)
        return '\t';
    if (count(';') > 0 && count(';') >= count(',') / 2)
        return ';';
    if (count(',') > 0)
        return ',';
    return count('|') > 0 ? '|' : kBlanks;
}

// What precedes a `#` is the prefix.
void readHeaders(std::string_view line, Layout& layout)
{
    const std::size_t hash = line.find('#');
    constexpr std::size_t kLongestPrefix = 40; // "2026-11-25 07:35:41.123456+00:00 "
    std::vector<std::string_view> cells;
    const bool leading = hash != std::string_view::npos
        && (hash == 0
            || (hash < kLongestPrefix && line[hash - 1] == ' '
                && line.find_first_of(",;\"") == std::string_view::npos));
    if (leading) {
        splitLine(line.substr(0, hash), kBlanks, cells);
        layout.prefix = cells.size();
        line.remove_prefix(hash + 1);
    }
    layout.delimiter = delimiterOf(line);
    splitLine(line, layout.delimiter, cells);
    layout.headers.clear();
    for (const std::string_view cell : cells) {
        Header header = readHeader(asUtf8(cell.substr(0, kLongestHeader)));
        header.name = header.name.substr(0, kLongestHeader);
        layout.headers.push_back(std::move(header));
    }
    // Removes an empty header after a trailing delimiter.
    if (layout.headers.size() > 1 && layout.headers.back().raw.empty())
        layout.headers.pop_back();
}

void splitLine(std::string_view line, char delimiter, std::vector<std::string_view>& cells)
{
    cells.clear();
    if (delimiter == kBlanks) {
        std::size_t i = 0;
        while (i < line.size()) {
            while (i < line.size() && (line[i] == ' ' || line[i] == '\t'))
                ++i;
            const std::size_t begin = i;
            while (i < line.size() && line[i] != ' ' && line[i] != '\t')
                ++i;
            if (i > begin)
                cells.push_back(line.substr(begin, i - begin));
        }
        return;
    }
    const bool quotes = line.find('"') != std::string_view::npos;
    std::size_t begin = 0;
    for (;;) {
        std::size_t end = begin;
        if (quotes) {
            bool inside = false;
            while (end < line.size() && (inside || line[end] != delimiter)) {
                inside = line[end] == '"' ? !inside : inside;
                ++end;
            }
        } else {
            end = std::min(line.find(delimiter, begin), line.size());
        }
        std::string_view cell = trimBlanks(line.substr(begin, end - begin));
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
            cell = trimBlanks(cell.substr(1, cell.size() - 2));
        cells.push_back(cell);
        if (end >= line.size())
            return;
        begin = end + 1;
    }
}

Layout headersAt(const std::vector<std::string>& head, std::size_t line)
{
    Layout layout;
    readHeaders(head[line], layout);
    layout.header_line = line;
    layout.header_text = head[line];
    return layout;
}

} // namespace ep::powerlog
