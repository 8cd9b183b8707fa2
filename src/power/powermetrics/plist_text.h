// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Text of property lists. Independent of the locale, which Qt sets to the user's, possibly with a
// decimal comma.
namespace ep::power {

// The whole text (white space around it allowed) as a number; absent if it is not a number, does
// not fit, or is not finite.
std::optional<std::int64_t> parseInteger(std::string_view text);
std::optional<double> parseReal(std::string_view text);

// Repairs text that powermetrics' task samplers write incorrectly: `&` outside of a reference
// becomes `&amp;`, control characters and invalid UTF-8 become `?`.
std::string repairPlistText(std::string_view xml);

} // namespace ep::power
