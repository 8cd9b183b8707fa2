// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::powerlog {

// Finds the JSON objects in a text, whatever is between them: lines, a list, or other text.
class ObjectSplitter {
public:
    static constexpr std::size_t kLongestObject = 64'000'000;
    using Objects = std::vector<std::pair<std::int64_t, std::string>>; // objects with their rows

    // Adds the objects that this line completes.
    Status feed(std::string_view line, std::int64_t row, Objects& objects);
    bool open() const { return m_depth > 0; }
    std::int64_t row() const { return m_row; } // row in which the last object began

private:
    std::string m_text;
    int m_depth = 0;
    bool m_string = false;
    bool m_escaped = false;
    std::int64_t m_row = 0;
};

} // namespace ep::powerlog
