// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <string>
#include <string_view>

namespace ep::text {

// Converts a pattern from Oniguruma's Ruby syntax, as used in tokenizer.json, to PCRE2 syntax.
// These differ in: \s, \w, \h and their character classes, (?m), nested classes and &&,
// {n,m}+ (not possessive), {,n}, the scope of (?i), property names. The result is meant for the
// options UTF, UCP and MULTILINE with \n as the only newline.
Result<std::string> toPcre2Syntax(std::string_view pattern);

} // namespace ep::text
