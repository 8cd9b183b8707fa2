// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::jinja {

struct LinkStyle {
    std::optional<std::int64_t> trim{}; // characters of an address that are shown
    std::string rel{}; // escaped attributes; empty: none
    std::string target{};
    std::vector<std::string> schemes{}; // beginnings of further addresses
};

// The text, which is escaped for a web page, with its addresses as links, as Jinja's urlize() makes
// them.
std::string withLinks(std::string_view escaped, const LinkStyle& style);

// Whether a text may begin an address, such as "tel:" or "ftp://".
bool isSchemePrefix(std::string_view text);

} // namespace ep::text::jinja
