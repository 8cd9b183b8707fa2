// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Text of property lists. Independent of the locale: Qt sets the user's, with its decimal comma.
namespace ep::power {

// The whole text (white space around it allowed) as a number; nothing when it is not one, does not
// fit, or is not finite.
std::optional<std::int64_t> parseInteger(std::string_view text);
std::optional<double> parseReal(std::string_view text);

// The text with what powermetrics' task samplers write wrongly put right: `&` outside of a
// reference becomes `&amp;`, control characters and bytes that are not UTF-8 become `?`.
std::string repairPlistText(std::string_view xml);

} // namespace ep::power
