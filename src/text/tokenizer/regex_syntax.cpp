// SPDX-License-Identifier: GPL-3.0-or-later
#include "regex_syntax.h"

#include "pattern_reader.h"
#include "unicode.h"

#include <initializer_list>
#include <optional>
#include <utility>

namespace ep::text {

namespace {

std::string concat(std::initializer_list<std::string_view> parts)
{
    std::string text;
    for (const std::string_view part : parts)
        text += part;
    return text;
}

class Translator : private PatternReader {
public:
    explicit Translator(std::string_view pattern)
        : PatternReader(pattern)
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

    // Reads "(?" followed by option letters; consumes nothing if it is something else.
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
                result.pcre += 's'; // in Ruby, m lets the dot match a newline
            else {
                m_at = begin;
                return std::nullopt;
            }
            ++m_at;
        }
    }

    // (?i) applies to the rest of the enclosing group, across its alternatives.
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
        if (accept("(?("))
            return conditional();
        if (lookingAt("(?"))
            throw SyntaxProblem("uses the unsupported group "
                                + std::string(m_pattern.substr(m_at, 3)));
        accept("(");
        ++m_groups;
        return close({"(", alternation()});
    }

    // (?(1)yes|no), (?(<name>)yes|no): depends on whether the group has matched.
    std::string conditional()
    {
        const std::string group = takeUntil(')');
        const bool quoted = group.size() > 2
            && ((group.front() == '<' && group.back() == '>')
                || (group.front() == '\'' && group.back() == '\''));
        const std::string name = quoted ? group.substr(1, group.size() - 2) : group;
        const bool isNumber =
            !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
        if (!isNumber && !quoted)
            throw SyntaxProblem("has a condition that is no group, " + group);
        return close({"(?(", isNumber ? name : concat({"<", name, ">"}), ")", alternation()});
    }

    // Returns the text of a group that ends here.
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

    // Every atom is one unit for PCRE2, so only a second quantifier needs a group; a group around a
    // plain class would make PCRE2 much slower.
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

    // {n}, {n,}, {n,m} or {,m}; any other brace is literal.
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

} // namespace ep::text
