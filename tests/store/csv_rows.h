// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace ep::test {

using Rows = std::vector<std::vector<std::string>>;

// A strict reader for RFC 4180; returns no rows if anything deviates from it.
inline Rows csvRows(const std::string& text)
{
    Rows rows{{""}};
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& cell = rows.back().back();
        const char c = text[i];
        if (quoted) {
            if (c != '"')
                cell += c;
            else if (i + 1 < text.size() && text[i + 1] == '"')
                cell += text[++i];
            else
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            rows.back().emplace_back();
        } else if (c == '\r') {
            if (i + 1 >= text.size() || text[i + 1] != '\n')
                return {};
            ++i;
            rows.push_back({""});
        } else if (c == '\n') {
            return {};
        } else {
            cell += c;
        }
    }
    if (quoted || rows.back() != std::vector<std::string>{""})
        return {};
    rows.pop_back();
    return rows;
}

// The cell in a row (0: the header) and in the column with this name.
inline std::string cell(const Rows& rows, std::size_t row, const std::string& column)
{
    const auto& header = rows.at(0);
    const auto place = std::find(header.begin(), header.end(), column);
    if (place == header.end())
        return "no column " + column;
    return rows.at(row).at(static_cast<std::size_t>(place - header.begin()));
}

} // namespace ep::test
