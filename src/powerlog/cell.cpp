// SPDX-License-Identifier: GPL-3.0-or-later
#include "cell.h"

#include <algorithm>
#include <array>

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
    for (std::size_t i = 0; i < lower.size(); ++i) {
        char& c = lower[i];
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
            continue;
        }
        if (i + 1 >= lower.size())
            continue;
        // É of Latin-1 and Д of Cyrillic, in UTF-8
        const auto next = static_cast<unsigned char>(lower[i + 1]);
        if (c == '\xC3' && next >= 0x80 && next <= 0x9E && next != 0x97) {
            lower[i + 1] = static_cast<char>(next + 0x20);
        } else if (c == '\xD0' && next >= 0x90 && next <= 0x9F) {
            lower[i + 1] = static_cast<char>(next + 0x20);
        } else if (c == '\xD0' && next >= 0xA0 && next <= 0xAF) {
            c = '\xD1';
            lower[i + 1] = static_cast<char>(next - 0x20);
        }
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

bool isUnavailable(std::string_view cell)
{
    cell = trimBlanks(cell);
    if (cell.empty() || (cell.front() == '[' && cell.back() == ']')
        || (cell.front() == '<' && cell.back() == '>')) // "<not counted>"
        return true;
    if (cell.size() > 24)
        return false;
    const std::string lower = lowerCase(cell);
    constexpr std::array<std::string_view, 16> kSpellings{"n/a",
                                                          "nan",
                                                          "-",
                                                          "--",
                                                          "na",
                                                          "unavailable",
                                                          "null",
                                                          "none",
                                                          "-nan",
                                                          "nan w",
                                                          "not available",
                                                          "unknown",
                                                          "unsupported",
                                                          "not found",
                                                          "not supported",
                                                          "inf"};
    return lower.starts_with("n/a") || lower.starts_with("unknown error")
        || std::ranges::find(kSpellings, lower) != kSpellings.end();
}

} // namespace ep::powerlog
