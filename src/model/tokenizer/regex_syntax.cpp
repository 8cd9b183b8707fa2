// SPDX-License-Identifier: GPL-3.0-or-later
#include "regex_syntax.h"

#include "character_set.h"
#include "unicode.h"

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ep::model {

namespace {

constexpr int maximalDepth = 100;

// Leaves the recursion; does not leave this file.
struct SyntaxProblem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::string concat(std::initializer_list<std::string_view> parts)
{
    std::string text;
    for (const std::string_view part : parts)
        text += part;
    return text;
}

class Translator {
public:
    explicit Translator(std::string_view pattern)
        : m_pattern(pattern)
    {
    }

    std::string translate()
    {
        std::string result = alternation();
        if (!atEnd())
            throw SyntaxProblem("has a closing parenthesis too many");
        return result;
    }

private:
    bool atEnd() const { return m_at >= m_pattern.size(); }
    char peek() const { return atEnd() ? '\0' : m_pattern[m_at]; }
    bool lookingAt(std::string_view text) const
    {
        return m_pattern.substr(m_at, text.size()) == text;
    }

    bool accept(std::string_view text)
    {
        if (atEnd() || !lookingAt(text))
            return false;
        m_at += text.size();
        return true;
    }

    char32_t takeCodePoint()
    {
        if (atEnd())
            throw SyntaxProblem("ends too early");
        const CodePoint c = firstCodePoint(m_pattern.substr(m_at));
        m_at += c.length;
        return c.value;
    }

    std::string takeUntil(char end)
    {
        const std::size_t close = m_pattern.find(end, m_at);
        if (close == std::string_view::npos)
            throw SyntaxProblem(std::string("lacks a closing ") + end);
        std::string text(m_pattern.substr(m_at, close - m_at));
        m_at = close + 1;
        return text;
    }

    std::string alternation()
    {
        if (++m_depth > maximalDepth)
            throw SyntaxProblem("is nested too deeply");
        const bool extended = m_extended;
        std::string result = sequence();
        while (accept("|"))
            result.append("|").append(sequence());
        m_extended = extended;
        --m_depth;
        return result;
    }

    std::string sequence()
    {
        std::string result;
        while (!atEnd() && peek() != '|' && peek() != ')') {
            if (m_extended && skipExtended())
                continue;
            if (std::optional<std::string> rest = isolatedOptions()) {
                result += *rest;
                continue;
            }
            result += quantified(atom());
        }
        return result;
    }

    bool skipExtended()
    {
        if (isWhiteSpace(static_cast<unsigned char>(peek()))) {
            ++m_at;
            return true;
        }
        if (peek() != '#')
            return false;
        while (!atEnd() && peek() != '\n')
            ++m_at;
        return true;
    }

    struct Options {
        std::string pcre; // "i-s"
        bool extended = false;
        char end = ':';
    };

    // At "(?" with letters of options; nothing is consumed when it is something else.
    std::optional<Options> options()
    {
        const std::size_t begin = m_at;
        if (!accept("(?"))
            return std::nullopt;
        Options result;
        result.extended = m_extended;
        bool on = true;
        for (bool any = false;; any = true) {
            const char c = peek();
            if ((c == ')' || c == ':') && (any || c == ')')) {
                ++m_at;
                result.end = c;
                return result;
            }
            if (c == '-')
                on = false;
            if (c == 'x')
                result.extended = on;
            else if (c == 'i' || c == '-')
                result.pcre += c;
            else if (c == 'm')
                result.pcre += 's'; // there, m lets the dot match a newline
            else {
                m_at = begin;
                return std::nullopt;
            }
            ++m_at;
        }
    }

    // (?i) holds for the rest of the group around it, across its alternatives.
    std::optional<std::string> isolatedOptions()
    {
        const std::size_t begin = m_at;
        const std::optional<Options> found = options();
        if (!found || found->end != ')') {
            m_at = begin;
            return std::nullopt;
        }
        m_extended = found->extended;
        return concat({"(?", found->pcre, ":", alternation(), ")"});
    }

    std::string group()
    {
        if (const std::optional<Options> found = options()) {
            const bool outer = std::exchange(m_extended, found->extended);
            const std::string body = alternation();
            m_extended = outer;
            return close({"(?", found->pcre, ":", body});
        }
        if (accept("(?#")) {
            takeUntil(')');
            return "(?:)";
        }
        for (const std::string_view opening : {"(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!"}) {
            if (accept(opening))
                return close({opening, alternation()});
        }
        if (accept("(?<") || accept("(?'")) {
            const char end = m_pattern[m_at - 1] == '<' ? '>' : '\'';
            const std::string name = takeUntil(end);
            ++m_groups;
            return close({"(?<", name, ">", alternation()});
        }
        if (lookingAt("(?"))
            throw SyntaxProblem("uses the unsupported group "
                                + std::string(m_pattern.substr(m_at, 3)));
        accept("(");
        ++m_groups;
        return close({"(", alternation()});
    }

    // The text of a group, which ends here.
    std::string close(std::initializer_list<std::string_view> parts)
    {
        if (!accept(")"))
            throw SyntaxProblem("lacks a closing parenthesis");
        return concat(parts) + ")";
    }

    std::string atom()
    {
        switch (peek()) {
        case '(':
            return group();
        case '[':
            ++m_at;
            return bracket().expression();
        case '\\':
            ++m_at;
            return escape();
        case '^':
        case '$':
        case '.':
            return std::string(1, m_pattern[m_at++]);
        case '*':
        case '+':
        case '?':
            throw SyntaxProblem("repeats nothing at position " + std::to_string(m_at));
        default:
            return classCharacter(takeCodePoint());
        }
    }

    // Every atom is one unit to PCRE2, so that only a second quantifier needs a group; a group
    // around a plain class would make PCRE2 much slower.
    std::string quantified(std::string text)
    {
        for (bool unit = true;; unit = false) {
            while (m_extended && !atEnd() && skipExtended()) { }
            const char c = peek();
            if (!atEnd() && (c == '*' || c == '+' || c == '?')) {
                ++m_at;
                text = (unit ? text : concat({"(?:", text, ")"})) + c;
                if (accept("?"))
                    text += '?';
                else if (accept("+"))
                    text += '+';
            } else if (const std::optional<std::string> braces = interval()) {
                text = (unit ? text : concat({"(?:", text, ")"})) + *braces;
                const bool exact = braces->find(',') == std::string::npos;
                if (!exact && accept("?"))
                    text += '?';
            } else {
                return text;
            }
        }
    }

    std::string digits()
    {
        const std::size_t begin = m_at;
        while (peek() >= '0' && peek() <= '9')
            ++m_at;
        return std::string(m_pattern.substr(begin, m_at - begin));
    }

    // {n}, {n,}, {n,m} or {,m}; any other brace is a literal one.
    std::optional<std::string> interval()
    {
        const std::size_t begin = m_at;
        if (!accept("{"))
            return std::nullopt;
        std::string low = digits();
        const bool comma = accept(",");
        const std::string high = comma ? digits() : std::string();
        if (!accept("}") || (low.empty() && high.empty())) {
            m_at = begin;
            return std::nullopt;
        }
        if (low.empty())
            low += '0';
        return concat({"{", low, comma ? "," : "", high, "}"});
    }

    std::string escape()
    {
        const std::size_t begin = m_at;
        if (const std::optional<CharacterSet> set = escapedSet(Place::Alone))
            return set->expression();
        switch (peek()) {
        case 'A':
        case 'Z':
        case 'z':
        case 'G':
        case 'K':
        case 'R':
        case 'X':
            return std::string("\\") + m_pattern[m_at++];
        case 'N':
            ++m_at;
            return "(?-s:.)";
        case 'O':
            ++m_at;
            return "(?s:.)";
        case 'b':
        case 'B':
            return boundary(m_pattern[m_at++] == 'b');
        case 'k':
        case 'g':
            return reference();
        default:
            break;
        }
        if (peek() >= '1' && peek() <= '9') {
            const std::string number = digits();
            if (number.size() == 1 || std::stoul(number.substr(0, 6)) <= m_groups)
                return concat({"\\g{", number, "}"});
        }
        m_at = begin;
        return classCharacter(escapedCharacter());
    }

    static std::string boundary(bool positive)
    {
        const std::string word = wordSet(false, Place::Alone).expression();
        const std::string_view first = positive ? "(?!" : "(?=";
        const std::string_view second = positive ? "(?=" : "(?!";
        return concat({"(?:(?<=", word, ")", first, word, ")|(?<!", word, ")", second, word, "))"});
    }

    std::string reference()
    {
        const char kind = m_pattern[m_at++];
        const char open = peek();
        if (open != '<' && open != '\'')
            return classCharacter(static_cast<unsigned char>(kind));
        ++m_at;
        const std::string name = takeUntil(open == '<' ? '>' : '\'');
        const bool isNumber = name.find_first_not_of("-0123456789") == std::string::npos;
        if (kind == 'g')
            return concat({"\\g<", name, ">"});
        return isNumber ? concat({"\\g{", name, "}"}) : concat({"\\k<", name, ">"});
    }

    // After a backslash: a letter that stands for a set, in or out of a class.
    std::optional<CharacterSet> escapedSet(Place place)
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

    char32_t hexadecimal(std::size_t maximalDigits)
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

    char32_t escapedCharacter()
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

    char32_t octal()
    {
        char32_t value = 0;
        for (int i = 0; i < 3 && peek() >= '0' && peek() <= '7'; ++i)
            value = value * 8 + static_cast<char32_t>(m_pattern[m_at++] - '0');
        return value;
    }

    static char32_t codePoint(char32_t value)
    {
        if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
            throw SyntaxProblem("names a code point that does not exist");
        return value;
    }

    char32_t byteEscape()
    {
        const char32_t byte = hexadecimal(2);
        if (byte >= 0x80)
            throw SyntaxProblem("has \\x followed by a byte above 7F; write \\x{...}");
        return byte;
    }

    // After "[".
    CharacterSet bracket()
    {
        if (++m_depth > maximalDepth)
            throw SyntaxProblem("is nested too deeply");
        const bool negate = accept("^");
        std::optional<CharacterSet> left; // of &&
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

    CharacterSet classItem()
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
        const bool isRange = peek() == '-' && m_at + 1 < m_pattern.size()
            && m_pattern[m_at + 1] != ']' && !lookingAt("-[") && !rangeEndsInSet();
        if (!isRange)
            return CharacterSet::fromClassText(classCharacter(low));
        ++m_at;
        const char32_t high = classMember();
        if (high < low)
            throw SyntaxProblem("has an empty range in a class");
        return CharacterSet::fromClassText(classCharacter(low) + "-" + classCharacter(high));
    }

    bool rangeEndsInSet() const
    {
        constexpr std::string_view setLetters = "sSwWdDhHpP";
        return m_at + 2 < m_pattern.size() && m_pattern[m_at + 1] == '\\'
            && setLetters.find(m_pattern[m_at + 2]) != std::string_view::npos;
    }

    char32_t classMember()
    {
        if (!accept("\\"))
            return takeCodePoint();
        if (accept("b"))
            return '\b';
        return escapedCharacter();
    }

    std::string_view m_pattern;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::size_t m_groups = 0;
    bool m_extended = false;
};

} // namespace

Result<std::string> toPcre2Syntax(std::string_view pattern)
{
    try {
        return Translator(pattern).translate();
    } catch (const SyntaxProblem& problem) {
        return Error{ErrorCode::InvalidInput, problem.what()};
    }
}

} // namespace ep::model
