// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::jinja {

// Splits at runs of white space, ignoring those at the ends.
// limit: maximum number of splits; negative: no limit
std::vector<std::string> splitAtSpace(std::string_view text, std::int64_t limit, bool fromRight);
std::vector<std::string> splitAt(std::string_view text, const std::string& separator,
                                 std::int64_t limit, bool fromRight);

} // namespace ep::text::jinja
