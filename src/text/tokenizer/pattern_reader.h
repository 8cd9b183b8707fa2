// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "character_set.h"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ep::text {

// What is wrong with a pattern. Thrown while it is read, and caught where that began.
struct SyntaxProblem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A place in a pattern of Oniguruma's Ruby syntax, and what stands for characters and sets of them
// there: escapes and classes in brackets.
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

    // After a backslash: a letter that stands for a set, in or out of a class.
    std::optional<CharacterSet> escapedSet(Place place);
    char32_t hexadecimal(std::size_t maximalDigits);
    char32_t escapedCharacter();
    char32_t octal();
    static char32_t codePoint(char32_t value);
    char32_t byteEscape();
    // After "[".
    CharacterSet bracket();
    CharacterSet classItem();
    bool rangeEndsInSet() const;
    char32_t classMember();

    std::string_view m_pattern;
    std::size_t m_at = 0;
    int m_depth = 0; // of groups and brackets
};

} // namespace ep::text
