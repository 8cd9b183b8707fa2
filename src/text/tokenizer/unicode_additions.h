// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace ep::text {

// Characters added to Unicode after 14.0, up to 16.0. The libraries that we use support 14.0, 15.0
// or 16.0, depending on the system; ids must not depend on that.

// Their ranges as the content of a PCRE2 class, for a general category ("L" or "Lu").
std::string additionsText(std::string_view category);

// The general category of such a character; empty for any other.
std::string_view addedCategory(char32_t c);

// The lower case of a capital added to Unicode after 14.0, up to 17.0; 0 for any other.
char32_t addedLowerCase(char32_t c);

} // namespace ep::text
