// SPDX-License-Identifier: GPL-3.0-or-later
#include "regular_expression.h"

#include "character_set.h"
#include "unicode.h"

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <utility>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace ep::text {
namespace {

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

// Converts a pattern from Oniguruma's Ruby syntax, as used in tokenizer.json, to PCRE2 syntax.
// These differ in: \s, \w, \h and their character classes, (?m), nested classes and &&,
// {n,m}+ (not possessive), {,n}, the scope of (?i), property names. The result is meant for the
// options UTF, UCP and MULTILINE with \n as the only newline.
Result<std::string> toPcre2Syntax(std::string_view pattern)
{
    try {
        return Translator(pattern).translate();
    } catch (const SyntaxProblem& problem) {
        return Error{ErrorCode::InvalidInput, problem.what()};
    }
}

template <auto Function>
struct Free {
    template <typename T>
    void operator()(T* pointer) const
    {
        Function(pointer);
    }
};

using CodePointer = std::unique_ptr<pcre2_code, Free<pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Free<pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Free<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Free<pcre2_match_data_free>>;

constexpr std::size_t maximalPatternLength = 100'000;
constexpr std::uint32_t stepsForAnyText = 1'000'000; // per position where a match may begin
constexpr std::uint32_t stepsForEachByte = 16;
constexpr std::uint32_t maximalHeapKilobytes = 256 * 1024;
constexpr std::size_t placesBetweenClockReadings = 1024;
constexpr std::chrono::seconds maximalTime(20);

std::string messageOf(int code)
{
    std::array<PCRE2_UCHAR, 256> buffer{};
    pcre2_get_error_message(code, buffer.data(), buffer.size());
    return {buffer.begin(), std::find(buffer.begin(), buffer.end(), PCRE2_UCHAR{0})};
}

PCRE2_SPTR toPcre(std::string_view text)
{
    return reinterpret_cast<PCRE2_SPTR>(text.data());
}

} // namespace

struct Regex::Code {
    CodePointer code;
};

Regex::Regex(std::shared_ptr<const Code> code)
    : m_code(std::move(code))
{
}

Result<Regex> Regex::compile(std::string_view pattern)
{
    const Result<std::string> translated = toPcre2Syntax(pattern);
    if (!translated)
        return translated.error();

    const CompileContext context(pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    pcre2_set_bsr(context.get(), PCRE2_BSR_UNICODE);
    pcre2_set_max_pattern_length(context.get(), maximalPatternLength);
    // No automatic possessification, which wrongly assumes that " +(?:1)?+ {2,}" cannot backtrack.
    constexpr std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_DUPNAMES
        | PCRE2_NO_AUTO_POSSESS | PCRE2_USE_OFFSET_LIMIT | PCRE2_NEVER_BACKSLASH_C;
    int error = 0;
    PCRE2_SIZE place = 0;
    CodePointer code(pcre2_compile(toPcre(*translated), translated->size(), options, &error, &place,
                                   context.get()));
    if (!code)
        return Error{ErrorCode::InvalidInput, {"is not a valid pattern: %1", messageOf(error)}};
    // Without a just-in-time compiler on this platform, the search is only slower.
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);

    auto shared = std::make_shared<Code>();
    shared->code = std::move(code);
    return Regex(std::move(shared));
}

struct RegexSearch::Memory {
    MatchData data;
    MatchContext context;
};

RegexSearch::RegexSearch(const Regex& regex)
    : m_code(regex.m_code)
    , m_memory(std::make_unique<Memory>())
    , m_deadline(std::chrono::steady_clock::now() + maximalTime)
{
    m_memory->data.reset(pcre2_match_data_create(1, nullptr));
    m_memory->context.reset(pcre2_match_context_create(nullptr));
    pcre2_set_heap_limit(m_memory->context.get(), maximalHeapKilobytes);
}

RegexSearch::~RegexSearch() = default;
RegexSearch::RegexSearch(RegexSearch&&) noexcept = default;
RegexSearch& RegexSearch::operator=(RegexSearch&&) noexcept = default;

Status RegexSearch::findNext(std::string_view text, std::size_t from, Span& match, bool& found)
{
    found = false;
    for (std::size_t begin = from; begin <= text.size();) {
        std::size_t last = std::min(text.size(), begin + placesBetweenClockReadings);
        pcre2_set_offset_limit(m_memory->context.get(), last);
        int result = pcre2_match(m_code->code.get(), toPcre(text), text.size(), begin,
                                 PCRE2_NO_UTF_CHECK, m_memory->data.get(), m_memory->context.get());
        if (result == PCRE2_ERROR_JIT_STACKLIMIT) {
            result = pcre2_match(m_code->code.get(), toPcre(text), text.size(), begin,
                                 PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, m_memory->data.get(),
                                 m_memory->context.get());
        }
        if (result >= 0) {
            const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(m_memory->data.get());
            match = {std::min<std::size_t>(ends[0], ends[1]), ends[1], true};
            found = true;
            return {};
        }
        if (result != PCRE2_ERROR_NOMATCH)
            return Error{ErrorCode::InvalidInput,
                         {"A pattern of the tokenizer cannot be applied to this text: %1.",
                          messageOf(result)}};
        if (std::chrono::steady_clock::now() > m_deadline)
            return Error{ErrorCode::InvalidInput,
                         "A pattern of the tokenizer takes too long on this text; "
                         "shorten the text or repair the pattern."};
        begin = last + 1;
        while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xc0U) == 0x80U)
            ++begin;
    }
    return {};
}

Status RegexSearch::findSpans(std::string_view text, std::vector<Span>& spans)
{
    spans.clear();
    if (text.empty()) {
        spans.push_back({0, 0, false});
        return {};
    }
    const auto size = static_cast<std::uint32_t>(
        std::min<std::size_t>(text.size(), (UINT32_MAX - stepsForAnyText) / stepsForEachByte));
    pcre2_set_match_limit(m_memory->context.get(), stepsForAnyText + size * stepsForEachByte);

    std::size_t from = 0;
    std::size_t previousEnd = 0;
    bool afterMatch = false;
    while (from <= text.size()) {
        Span match;
        bool found = false;
        if (Status status = findNext(text, from, match, found); !status)
            return status;
        if (!found)
            break;
        // An empty match directly after a match does not count; continue one character further.
        if (match.begin == match.end && afterMatch && match.end == previousEnd) {
            if (from >= text.size())
                break;
            from += firstCodePoint(text.substr(from)).length;
            continue;
        }
        from = match.end;
        if (match.begin > previousEnd)
            spans.push_back({previousEnd, match.begin, false});
        match.begin = std::max(match.begin, previousEnd);
        spans.push_back(match);
        previousEnd = match.end;
        afterMatch = true;
    }
    if (previousEnd != text.size())
        spans.push_back({previousEnd, text.size(), false});
    return {};
}

} // namespace ep::text
