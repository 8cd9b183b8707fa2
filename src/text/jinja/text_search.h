// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ep::text::jinja {

// The first and the last position of a text in another one; npos: there is none. They take time in
// proportion to the two lengths for any texts; std::string's functions take their product.
std::size_t findFirst(std::string_view text, std::string_view sought, std::size_t from = 0);
std::size_t findLast(std::string_view text, std::string_view sought);

} // namespace ep::text::jinja
