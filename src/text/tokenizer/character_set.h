// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ep::text {

// A set of characters as PCRE2 text. PCRE2 has no nested classes, so a union stores the part that
// fits into one pair of brackets separately from parts that need their own alternative.
class CharacterSet {
public:
    static CharacterSet fromClassText(std::string_view inside); // "a-z\p{L}"
    static CharacterSet
    fromExpression(std::string_view expression); // matches exactly one character

    void add(const CharacterSet& other);
    CharacterSet negated() const;
    CharacterSet intersected(const CharacterSet& other) const;

    bool isEmpty() const { return m_inside.empty() && m_alternatives.empty(); }
    std::string expression() const; // matches exactly one character of the set

private:
    std::string m_inside;
    std::string m_alternatives; // "|x|y"
};

// Where a set stands in a pattern; some sets mean something else inside brackets.
enum class Place { Alone, InBrackets };

CharacterSet spaceSet(bool negate); // \s
CharacterSet wordSet(bool negate, Place place); // \w
CharacterSet digitSet(bool negate); // \d
CharacterSet hexDigitSet(bool negate); // \h

// \p{name}; unknown names are assumed to be scripts.
CharacterSet propertySet(std::string_view name, bool negate, Place place);
// [:name:]; empty for an unknown name.
std::optional<CharacterSet> posixSet(std::string_view name, bool negate);

std::string classCharacter(char32_t c); // safe inside and outside of brackets

} // namespace ep::text
