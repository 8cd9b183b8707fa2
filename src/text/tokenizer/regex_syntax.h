// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <string>
#include <string_view>

namespace ep::text {

// Rewrites a pattern from Oniguruma's Ruby syntax, in which tokenizer.json files are written, to
// PCRE2's. What differs: \s, \w, \h and their classes of characters, (?m), nested classes and &&,
// {n,m}+ (not possessive), {,n}, the scope of (?i), property names. The result is meant for the
// options UTF, UCP and MULTILINE with \n as the only newline.
Result<std::string> toPcre2Syntax(std::string_view pattern);

} // namespace ep::text
