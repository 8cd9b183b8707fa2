// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "character_set.h"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ep::text {

// A problem with a pattern. Thrown while it is being read, and caught where reading began.
struct SyntaxProblem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A position in a pattern in Oniguruma's Ruby syntax, with functions to read characters and sets:
// escapes and bracket classes.
class PatternReader {
public:
    explicit PatternReader(std::string_view pattern)
        : m_pattern(pattern)
    {
    }

protected:
    static constexpr int maximalDepth = 100;

    bool atEnd() const { return m_at >= m_pattern.size(); }
    char peek() const { return atEnd() ? '\0' : m_pattern[m_at]; }
    bool lookingAt(std::string_view text) const;
    bool accept(std::string_view text);
    char32_t takeCodePoint();
    std::string takeUntil(char end);
    std::string digits();

    // Call after a backslash: reads a letter that stands for a set, inside or outside of a class.
    std::optional<CharacterSet> escapedSet(Place place);
    char32_t hexadecimal(std::size_t maximalDigits);
    char32_t escapedCharacter();
    char32_t octal();
    static char32_t codePoint(char32_t value);
    char32_t byteEscape();
    // Call after "[".
    CharacterSet bracket();
    CharacterSet classItem();
    bool rangeEndsInSet() const;
    char32_t classMember();

    std::string_view m_pattern;
    std::size_t m_at = 0;
    int m_depth = 0; // nesting depth of groups and brackets
};

} // namespace ep::text
