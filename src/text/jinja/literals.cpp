// SPDX-License-Identifier: GPL-3.0-or-later
#include "literals.h"

#include "characters.h"

#include "ep/json/document.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace ep::text::jinja {

namespace {

bool isAsciiDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::string withoutUnderscores(std::string_view text)
{
    std::string plain(text);
    plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
    return plain;
}

// Digits with single underscores between them.
std::size_t digitsAt(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size()
           && (isAsciiDigit(text[at])
               || (text[at] == '_' && at > 0 && isAsciiDigit(text[at - 1]) && at + 1 < text.size()
                   && isAsciiDigit(text[at + 1]))))
        ++at;
    return at;
}

// Base of a number that begins with 0x, 0o or 0b.
std::optional<int> baseOf(std::string_view text)
{
    if (text.size() < 3 || text[0] != '0')
        return std::nullopt;
    switch (text[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'o':
    case 'O':
        return 8;
    case 'b':
    case 'B':
        return 2;
    default:
        return std::nullopt;
    }
}

// Digits, each perhaps with an underscore before it.
std::size_t digitsOfBase(std::string_view text, int base)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto isDigitOf = [&](std::size_t at) {
        if (at >= text.size())
            return false;
        const char c =
            text[at] >= 'A' && text[at] <= 'F' ? static_cast<char>(text[at] + 32) : text[at];
        return kDigits.find(c) < static_cast<std::size_t>(base);
    };
    std::size_t at = 0;
    while (isDigitOf(at) || (at < text.size() && text[at] == '_' && isDigitOf(at + 1)))
        ++at;
    return at;
}

std::optional<char32_t> hexAt(std::string_view text, std::size_t digits)
{
    if (text.size() < digits)
        return std::nullopt;
    std::uint32_t value = 0;
    const char* const end = text.data() + digits;
    const auto [last, problem] = std::from_chars(text.data(), end, value, 16);
    if (problem != std::errc() || last != end)
        return std::nullopt;
    return value;
}

// Digits of hexadecimal escapes.
std::size_t hexDigitsOf(char escape)
{
    return escape == 'x' ? 2 : (escape == 'u' ? 4 : (escape == 'U' ? 8 : 0));
}

std::optional<char> simpleEscape(char escape)
{
    constexpr std::string_view escapes = "nrtabfv\\'\"";
    constexpr std::string_view meanings = "\n\r\t\a\b\f\v\\'\"";
    const std::size_t at = escapes.find(escape);
    if (at == std::string_view::npos)
        return std::nullopt;
    return meanings[at];
}

} // namespace

std::optional<NumberLiteral> numberAt(std::string_view text)
{
    NumberLiteral literal;
    if (const auto base = baseOf(text)) {
        literal.bytes = 2 + digitsOfBase(text.substr(2), *base);
        if (literal.bytes > 2) {
            const auto integer =
                parseInteger(withoutUnderscores(text.substr(2, literal.bytes - 2)), *base);
            literal.integer = integer.value_or(0);
            return integer ? std::optional(literal) : std::nullopt;
        }
    }
    std::size_t at = digitsAt(text);
    const auto fraction = [&](std::size_t from) -> std::size_t {
        if (from >= text.size() || text[from] != '.')
            return 0;
        const std::size_t digits = digitsAt(text.substr(from + 1));
        return digits == 0 ? 0 : digits + 1;
    };
    const auto exponent = [&](std::size_t from) -> std::size_t {
        if (from >= text.size() || (text[from] != 'e' && text[from] != 'E'))
            return 0;
        std::size_t sign = 1;
        if (from + 1 < text.size() && (text[from + 1] == '+' || text[from + 1] == '-'))
            ++sign;
        const std::size_t digits =
            from + sign < text.size() ? digitsAt(text.substr(from + sign)) : 0;
        return digits == 0 ? 0 : digits + sign;
    };
    const std::size_t whole = at;
    at += fraction(at);
    at += exponent(at);
    literal.bytes = at;
    literal.isFloat = at != whole;
    if (literal.isFloat) {
        const auto number = parseFloat(text.substr(0, at));
        if (!number)
            return std::nullopt;
        literal.number = *number;
        return literal;
    }
    const auto integer = parseInteger(text.substr(0, at));
    if (!integer)
        return std::nullopt;
    literal.integer = *integer;
    return literal;
}

std::size_t quotedBytes(std::string_view text)
{
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == text.front())
            return at + 1;
    }
    return 0;
}

std::string unescaped(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 >= text.size()) {
            result += text[at];
            continue;
        }
        const char escape = text[++at];
        if (const auto simple = simpleEscape(escape)) {
            result += *simple;
        } else if (const std::size_t digits = hexDigitsOf(escape);
                   digits > 0 && hexAt(text.substr(at + 1), digits)) {
            appendCodePoint(result, *hexAt(text.substr(at + 1), digits));
            at += digits;
        } else if (escape >= '0' && escape <= '7') {
            char32_t value = 0;
            std::size_t used = 0;
            for (; used < 3 && at + used < text.size() && text[at + used] >= '0'
                 && text[at + used] <= '7';
                 ++used)
                value = value * 8 + static_cast<char32_t>(text[at + used] - '0');
            appendCodePoint(result, value);
            at += used - 1;
        } else if (escape != '\n') { // an escaped newline is removed, other escapes are kept
            result += '\\';
            result += escape;
        }
    }
    return result;
}

std::optional<std::int64_t> parseInteger(std::string_view text, int base)
{
    text = strip(text);
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (text.empty() || text.front() == '-')
        return std::nullopt;
    const std::string plain = withoutUnderscores(text);
    if (plain.empty())
        return std::nullopt;
    std::int64_t value = 0;
    const char* const end = plain.data() + plain.size();
    const auto [last, problem] = std::from_chars(plain.data(), end, value, base);
    if (problem != std::errc() || last != end)
        return std::nullopt;
    return negative ? -value : value;
}

std::optional<double> parseFloat(std::string_view text)
{
    std::string plain = lower(strip(withoutUnderscores(text)));
    double sign = 1;
    if (!plain.empty() && (plain.front() == '-' || plain.front() == '+')) {
        sign = plain.front() == '-' ? -1 : 1;
        plain.erase(0, 1);
    }
    if (plain == "inf" || plain == "infinity")
        return sign * std::numeric_limits<double>::infinity();
    if (plain == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    // JSON does not allow ".5", "1." or "007".
    if (plain.empty() || (!isAsciiDigit(plain.front()) && plain.front() != '.'))
        return std::nullopt;
    const std::size_t point = plain.find('.');
    if (point != std::string::npos
        && (point + 1 == plain.size() || !isAsciiDigit(plain[point + 1])))
        plain.insert(point + 1, "0");
    if (plain.front() == '.') {
        if (plain == ".0")
            return std::nullopt;
        plain.insert(0, "0");
    }
    while (plain.size() > 1 && plain[0] == '0' && isAsciiDigit(plain[1]))
        plain.erase(0, 1);
    const auto parsed = json::parse(plain);
    if (!parsed || !parsed->is_number())
        return std::nullopt;
    return sign * parsed->get<double>();
}

} // namespace ep::text::jinja
