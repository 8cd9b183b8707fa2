// SPDX-License-Identifier: GPL-3.0-or-later
#include "cell.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace ep::powerlog {

namespace {

struct UnitName {
    std::string_view name; // lower case
    Unit unit;
};
constexpr double kHour = 3600.0;
constexpr double kMinute = 60.0;

constexpr std::array kUnitNames{
    UnitName{"w", {Unit::Of::Power, 1.0}},
    UnitName{"watt", {Unit::Of::Power, 1.0}},
    UnitName{"watts", {Unit::Of::Power, 1.0}},
    UnitName{"mw", {Unit::Of::Power, 1e-3}},
    UnitName{"milliwatt", {Unit::Of::Power, 1e-3}},
    UnitName{"milliwatts", {Unit::Of::Power, 1e-3}},
    UnitName{"uw", {Unit::Of::Power, 1e-6}},
    UnitName{"µw", {Unit::Of::Power, 1e-6}},
    UnitName{"μw", {Unit::Of::Power, 1e-6}},
    UnitName{"microwatts", {Unit::Of::Power, 1e-6}},
    UnitName{"microwatt", {Unit::Of::Power, 1e-6}},
    UnitName{"kw", {Unit::Of::Power, 1e3}},
    UnitName{"kilowatt", {Unit::Of::Power, 1e3}},
    UnitName{"kilowatts", {Unit::Of::Power, 1e3}},
    UnitName{"j", {Unit::Of::Energy, 1.0}},
    UnitName{"joule", {Unit::Of::Energy, 1.0}},
    UnitName{"joules", {Unit::Of::Energy, 1.0}},
    UnitName{"ws", {Unit::Of::Energy, 1.0}},
    UnitName{"mj", {Unit::Of::Energy, 1e-3}},
    UnitName{"millijoules", {Unit::Of::Energy, 1e-3}},
    UnitName{"uj", {Unit::Of::Energy, 1e-6}},
    UnitName{"µj", {Unit::Of::Energy, 1e-6}},
    UnitName{"μj", {Unit::Of::Energy, 1e-6}},
    UnitName{"microjoules", {Unit::Of::Energy, 1e-6}},
    UnitName{"nj", {Unit::Of::Energy, 1e-9}},
    UnitName{"kj", {Unit::Of::Energy, 1e3}},
    UnitName{"wh", {Unit::Of::Energy, kHour}},
    UnitName{"mwh", {Unit::Of::Energy, 1e-3 * kHour}},
    UnitName{"kwh", {Unit::Of::Energy, 1e3 * kHour}},
    UnitName{"wmin", {Unit::Of::Energy, kMinute}},
    UnitName{"s", {Unit::Of::Time, 1.0}},
    UnitName{"sec", {Unit::Of::Time, 1.0}},
    UnitName{"secs", {Unit::Of::Time, 1.0}},
    UnitName{"second", {Unit::Of::Time, 1.0}},
    UnitName{"seconds", {Unit::Of::Time, 1.0}},
    UnitName{"ms", {Unit::Of::Time, 1e-3}},
    UnitName{"milliseconds", {Unit::Of::Time, 1e-3}},
    UnitName{"us", {Unit::Of::Time, 1e-6}},
    UnitName{"µs", {Unit::Of::Time, 1e-6}},
    UnitName{"μs", {Unit::Of::Time, 1e-6}},
    UnitName{"ns", {Unit::Of::Time, 1e-9}},
    UnitName{"min", {Unit::Of::Time, kMinute}},
    UnitName{"v", {Unit::Of::Volts, 1.0}},
    UnitName{"mv", {Unit::Of::Volts, 1e-3}},
    UnitName{"a", {Unit::Of::Amperes, 1.0}},
    UnitName{"ma", {Unit::Of::Amperes, 1e-3}},
    UnitName{"%", {Unit::Of::Percent, 1.0}},
};

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}
bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Finds "..._mw" or "... mW" at a header's end; needs a separator, since "draw" has no unit.
std::optional<std::size_t> unitAtEnd(std::string_view header)
{
    const std::size_t at = header.find_last_of("_ /");
    if (at == std::string_view::npos || at == 0 || at + 1 == header.size())
        return std::nullopt;
    const std::string_view last = header.substr(at + 1);
    const auto unit = unitFrom(last);
    // A single letter after a blank or underscore is often a name: "time_s" and "power_w" have
    // units, "rail a" does not.
    if (!unit || unit->of == Unit::Of::Volts || unit->of == Unit::Of::Amperes) {
        return unit && (header[at] == '/' || header[at] == '_') ? std::optional(at) : std::nullopt;
    }
    return at;
}

// A decimal number from an integer and a power of ten; exact if both are exact as double.
double scaled(std::uint64_t digits, int exponent)
{
    static constexpr std::array kTens{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const auto size = static_cast<std::size_t>(std::abs(exponent));
    const auto value = static_cast<double>(digits);
    return exponent < 0 ? value / kTens[size] : value * kTens[size];
}

// Reads digits, a decimal point and an exponent; returns the number of bytes read, 0 if none.
std::size_t readDecimal(std::string_view text, double& value, int& decimals)
{
    std::size_t i = 0;
    const bool negative = !text.empty() && text[0] == '-';
    if (negative || (!text.empty() && text[0] == '+'))
        ++i;
    std::uint64_t digits = 0;
    int count = 0;
    bool any = false;
    bool point = false;
    decimals = 0;
    for (; i < text.size(); ++i) {
        if (isDigit(text[i])) {
            any = true;
            if (count < 19)
                digits = digits * 10 + static_cast<std::uint64_t>(text[i] - '0');
            count += digits > 0 ? 1 : 0;
            decimals += point ? 1 : 0;
        } else if (text[i] == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    if (!any)
        return 0;
    int exponent = 0;
    std::size_t end = i;
    if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        std::size_t j = i + 1;
        const bool minus = text[j] == '-';
        if (minus || text[j] == '+')
            ++j;
        int read = 0;
        bool anyExponent = false;
        for (; j < text.size() && isDigit(text[j]); ++j) {
            anyExponent = true;
            read = std::min(9999, read * 10 + (text[j] - '0'));
        }
        if (anyExponent) {
            exponent = minus ? -read : read;
            end = j;
        }
    }
    const int power = exponent - decimals;
    if (count <= 15 && std::abs(power) <= 22) {
        value = scaled(digits, power);
        if (negative)
            value = -value;
        return end;
    }
    value = std::strtod(std::string(text.substr(0, end)).c_str(), nullptr);
    return end;
}

} // namespace

std::string_view trimBlanks(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

std::optional<Unit> unitFrom(std::string_view text)
{
    text = trimBlanks(text);
    if (text == "MW")
        return Unit{Unit::Of::Power, 1e6};
    if (text == "MJ")
        return Unit{Unit::Of::Energy, 1e6};
    const std::string lower = lowerCase(text);
    for (const UnitName& known : kUnitNames) {
        if (known.name == lower)
            return known.unit;
    }
    return std::nullopt;
}

bool isUnit(std::string_view unit)
{
    const auto known = unitFrom(unit);
    return known && (known->of == Unit::Of::Power || known->of == Unit::Of::Energy);
}

Header readHeader(std::string_view cell)
{
    cell = trimBlanks(cell);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
        cell = trimBlanks(cell.substr(1, cell.size() - 2));
    Header header{.raw = std::string(cell), .name = {}, .unit = {}};
    std::string_view name = cell;
    const char close = name.empty() ? ' ' : name.back();
    if (close == ']' || close == ')') {
        const std::size_t open = name.rfind(close == ']' ? '[' : '(');
        if (open != std::string_view::npos) {
            const std::string_view unit = name.substr(open + 1, name.size() - open - 2);
            if (unitFrom(unit)) {
                header.unit = std::string(trimBlanks(unit));
                name = trimBlanks(name.substr(0, open));
            }
        }
    }
    if (header.unit.empty()) {
        if (const auto at = unitAtEnd(name)) {
            header.unit = std::string(name.substr(*at + 1));
            name = trimBlanks(name.substr(0, *at));
        } else if (unitFrom(name) && lowerCase(name).starts_with("watt")) {
            header.unit = std::string(name); // the column "Watts" is named after its unit
        }
    }
    header.name = lowerCase(name);
    return header;
}

std::optional<Number> NumberReader::read(std::string_view cell)
{
    cell = trimBlanks(cell);
    if (cell.empty())
        return std::nullopt;
    Number number;
    std::size_t used = 0;
    const bool comma = cell.find(',') != std::string_view::npos;
    const bool grouped = m_comma && (comma || m_seenComma);
    if (!comma && !grouped) {
        used = readDecimal(cell, number.value, number.decimals);
    } else {
        // If both signs occur, the last one is the decimal sign; the other one groups thousands.
        const std::size_t end = std::min(cell.find_first_not_of("+-0123456789.,"), cell.size());
        const std::string_view digits = cell.substr(0, end);
        const std::size_t lastComma = digits.rfind(',');
        const std::size_t lastPoint = digits.rfind('.');
        bool commaIsDecimal = lastComma != std::string_view::npos
            && (lastPoint == std::string_view::npos || lastComma > lastPoint);
        // "12,345,678" has no decimal comma, since there can be only one.
        if (commaIsDecimal && digits.find(',') != lastComma)
            commaIsDecimal = false;
        if (commaIsDecimal)
            m_seenComma = true;
        const bool pointGroups = commaIsDecimal
            || (m_seenComma && lastComma == std::string_view::npos
                && lastPoint != std::string_view::npos && digits.size() - lastPoint == 4);
        std::string plain;
        for (const char c : digits) {
            if (c == ',' && commaIsDecimal)
                plain += '.';
            else if (c == ',' || (c == '.' && pointGroups))
                continue;
            else
                plain += c;
        }
        const std::size_t length = plain.size();
        plain += cell.substr(end);
        const std::size_t read = readDecimal(plain, number.value, number.decimals);
        if (read < length)
            return std::nullopt;
        used = end + (read - length);
    }
    if (used == 0 || !std::isfinite(number.value))
        return std::nullopt;
    number.unit = trimBlanks(cell.substr(used));
    return number;
}

bool isUnavailable(std::string_view cell)
{
    cell = trimBlanks(cell);
    if (cell.empty() || (cell.front() == '[' && cell.back() == ']'))
        return true;
    if (cell.size() > 24)
        return false;
    const std::string lower = lowerCase(cell);
    constexpr std::array<std::string_view, 15> kSpellings{
        "n/a",       "nan",           "-",       "--",
        "na",        "null",          "none",    "-nan",
        "nan w",     "not available", "unknown", "unsupported",
        "not found", "not supported", "inf"};
    return lower.starts_with("n/a") || lower.starts_with("unknown error")
        || std::ranges::find(kSpellings, lower) != kSpellings.end();
}

} // namespace ep::powerlog
