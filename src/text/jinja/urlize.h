// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::jinja {

struct LinkStyle {
    std::optional<std::int64_t> trim{}; // number of characters of an address to show
    std::string rel{}; // escaped attributes; empty: none
    std::string target{};
    std::vector<std::string> schemes{}; // prefixes of additional addresses
};

// The text, escaped for a web page, with its addresses turned into links, as by Jinja's
// urlize().
std::string withLinks(std::string_view escaped, const LinkStyle& style);

// Whether a text may begin an address, such as "tel:" or "ftp://".
bool isSchemePrefix(std::string_view text);

} // namespace ep::text::jinja
