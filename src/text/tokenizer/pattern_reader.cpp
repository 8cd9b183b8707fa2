// SPDX-License-Identifier: GPL-3.0-or-later
#include "pattern_reader.h"

#include "unicode.h"

#include <utility>

namespace ep::text {

bool PatternReader::lookingAt(std::string_view text) const
{
    return m_pattern.substr(m_at, text.size()) == text;
}

bool PatternReader::accept(std::string_view text)
{
    if (atEnd() || !lookingAt(text))
        return false;
    m_at += text.size();
    return true;
}

char32_t PatternReader::takeCodePoint()
{
    if (atEnd())
        throw SyntaxProblem("ends too early");
    const CodePoint c = firstCodePoint(m_pattern.substr(m_at));
    m_at += c.length;
    return c.value;
}

std::string PatternReader::takeUntil(char end)
{
    const std::size_t close = m_pattern.find(end, m_at);
    if (close == std::string_view::npos)
        throw SyntaxProblem(std::string("lacks a closing ") + end);
    std::string text(m_pattern.substr(m_at, close - m_at));
    m_at = close + 1;
    return text;
}

std::string PatternReader::digits()
{
    const std::size_t begin = m_at;
    while (peek() >= '0' && peek() <= '9')
        ++m_at;
    return std::string(m_pattern.substr(begin, m_at - begin));
}

std::optional<CharacterSet> PatternReader::escapedSet(Place place)
{
    const char c = peek();
    ++m_at;
    switch (c) {
    case 's':
    case 'S':
        return spaceSet(c == 'S');
    case 'w':
    case 'W':
        return wordSet(c == 'W', place);
    case 'd':
    case 'D':
        return digitSet(c == 'D');
    case 'h':
    case 'H':
        return hexDigitSet(c == 'H');
    case 'p':
    case 'P':
        if (accept("{")) {
            const bool caret = accept("^");
            return propertySet(takeUntil('}'), (c == 'P') != caret, place);
        }
        break;
    default:
        break;
    }
    --m_at;
    return std::nullopt;
}

char32_t PatternReader::hexadecimal(std::size_t maximalDigits)
{
    char32_t value = 0;
    std::size_t count = 0;
    for (; count < maximalDigits && !atEnd(); ++count, ++m_at) {
        const char c = m_pattern[m_at];
        if (c >= '0' && c <= '9')
            value = value * 16 + static_cast<char32_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + static_cast<char32_t>(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            value = value * 16 + static_cast<char32_t>(c - 'A' + 10);
        else
            break;
    }
    if (count == 0)
        throw SyntaxProblem("has an escape without hexadecimal digits");
    return value;
}

char32_t PatternReader::escapedCharacter()
{
    if (peek() >= '0' && peek() <= '7')
        return octal();
    const char32_t c = takeCodePoint();
    switch (c) {
    case 't':
        return '\t';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 'f':
        return '\f';
    case 'v':
        return '\v';
    case 'a':
        return '\a';
    case 'e':
        return 0x1b;
    case 'u':
        return codePoint(hexadecimal(4));
    case 'x':
        if (accept("{")) {
            const char32_t value = hexadecimal(8);
            if (!accept("}"))
                throw SyntaxProblem("lacks a closing brace after \\x{");
            return codePoint(value);
        }
        return byteEscape();
    default:
        return c;
    }
}

char32_t PatternReader::octal()
{
    char32_t value = 0;
    for (int i = 0; i < 3 && peek() >= '0' && peek() <= '7'; ++i)
        value = value * 8 + static_cast<char32_t>(m_pattern[m_at++] - '0');
    return value;
}

char32_t PatternReader::codePoint(char32_t value)
{
    if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        throw SyntaxProblem("names a code point that does not exist");
    return value;
}

char32_t PatternReader::byteEscape()
{
    const char32_t byte = hexadecimal(2);
    if (byte >= 0x80)
        throw SyntaxProblem("has \\x followed by a byte above 7F; write \\x{...}");
    return byte;
}

CharacterSet PatternReader::bracket()
{
    if (++m_depth > maximalDepth)
        throw SyntaxProblem("is nested too deeply");
    const bool negate = accept("^");
    std::optional<CharacterSet> left; // left operand of &&
    CharacterSet set;
    for (bool first = true; first || peek() != ']' || atEnd(); first = false) {
        if (atEnd())
            throw SyntaxProblem("lacks a closing bracket");
        if (accept("&&")) {
            left = left ? left->intersected(set) : set;
            set = CharacterSet();
            continue;
        }
        set.add(classItem());
    }
    ++m_at;
    --m_depth;
    if (left)
        set = left->intersected(set);
    return negate ? set.negated() : set;
}

CharacterSet PatternReader::classItem()
{
    if (lookingAt("[:")) {
        const std::size_t end = m_pattern.find(":]", m_at);
        if (end != std::string_view::npos) {
            std::string_view name = m_pattern.substr(m_at + 2, end - m_at - 2);
            const bool negate = !name.empty() && name[0] == '^';
            if (const auto set = posixSet(name.substr(negate ? 1 : 0), negate)) {
                m_at = end + 2;
                return *set;
            }
        }
    }
    if (accept("["))
        return bracket();
    if (peek() == '\\') {
        ++m_at;
        if (std::optional<CharacterSet> set = escapedSet(Place::InBrackets))
            return *std::move(set);
        --m_at;
    }
    const char32_t low = classMember();
    const bool isRange = peek() == '-' && m_at + 1 < m_pattern.size() && m_pattern[m_at + 1] != ']'
        && !lookingAt("-[") && !rangeEndsInSet();
    if (!isRange)
        return CharacterSet::fromClassText(classCharacter(low));
    ++m_at;
    const char32_t high = classMember();
    if (high < low)
        throw SyntaxProblem("has an empty range in a class");
    return CharacterSet::fromClassText(classCharacter(low) + "-" + classCharacter(high));
}

bool PatternReader::rangeEndsInSet() const
{
    constexpr std::string_view setLetters = "sSwWdDhHpP";
    return m_at + 2 < m_pattern.size() && m_pattern[m_at + 1] == '\\'
        && setLetters.find(m_pattern[m_at + 2]) != std::string_view::npos;
}

char32_t PatternReader::classMember()
{
    if (!accept("\\"))
        return takeCodePoint();
    if (accept("b"))
        return '\b';
    return escapedCharacter();
}

} // namespace ep::text
