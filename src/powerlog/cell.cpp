// SPDX-License-Identifier: GPL-3.0-or-later
#include "cell.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

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

constexpr Nanoseconds kSecondNs = 1'000'000'000;
constexpr Nanoseconds kDayNs = 86'400 * kSecondNs;
// The last accepted instant, in 2255: nanoseconds in 64 bits end seven years later.
constexpr Nanoseconds kLastNs = 9'000'000'000'000'000'000;

// Consumes text from the front.
struct Scanner {
    std::string_view rest;

    bool skip(char c)
    {
        if (rest.empty() || rest.front() != c)
            return false;
        rest.remove_prefix(1);
        return true;
    }
    bool skipOneOf(std::string_view chars)
    {
        if (rest.empty() || chars.find(rest.front()) == std::string_view::npos)
            return false;
        rest.remove_prefix(1);
        return true;
    }
    void blanks()
    {
        while (skipOneOf(" \t")) { }
    }
    // Reads at most `most` digits; returns the number of digits, 0 if there are none.
    int number(int most, std::int64_t& value)
    {
        int count = 0;
        value = 0;
        while (count < most && !rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
            value = value * 10 + (rest.front() - '0');
            rest.remove_prefix(1);
            ++count;
        }
        return count;
    }
};

std::optional<Nanoseconds> dayNs(std::int64_t year, std::int64_t month, std::int64_t day)
{
    if (year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok())
        return std::nullopt;
    return std::chrono::sys_days(date).time_since_epoch().count() * kDayNs;
}

// Reads the digits after a decimal sign as nanoseconds.
Nanoseconds fractionNs(Scanner& scan)
{
    Nanoseconds ns = 0;
    Nanoseconds unit = kSecondNs / 10;
    while (!scan.rest.empty() && scan.rest.front() >= '0' && scan.rest.front() <= '9') {
        ns += (scan.rest.front() - '0') * unit;
        unit /= 10;
        scan.rest.remove_prefix(1);
    }
    return ns;
}

// "hh:mm", "hh:mm:ss", "hh:mm:ss.fff", "hh:mm:ss,fff", "hh:mm:ss:fff", with AM or PM.
std::optional<Nanoseconds> timeOfDay(Scanner& scan)
{
    std::int64_t hour = 0;
    std::int64_t minute = 0;
    std::int64_t second = 0;
    if (scan.number(2, hour) == 0 || !scan.skip(':') || scan.number(2, minute) == 0)
        return std::nullopt;
    Nanoseconds fraction = 0;
    if (scan.skip(':')) {
        if (scan.number(2, second) == 0)
            return std::nullopt;
        if (scan.skipOneOf(".,:"))
            fraction = fractionNs(scan);
    }
    scan.blanks();
    if (scan.rest.size() >= 2 && (scan.rest[1] == 'M' || scan.rest[1] == 'm')) {
        const char half = scan.rest[0];
        if (half == 'P' || half == 'p' || half == 'A' || half == 'a') {
            hour = hour % 12 + (half == 'P' || half == 'p' ? 12 : 0);
            scan.rest.remove_prefix(2);
        }
    }
    if (hour > 24 || minute > 59 || second > 60)
        return std::nullopt;
    return ((hour * 60 + minute) * 60 + second) * kSecondNs + fraction;
}

// "Z", "UTC", "+01:00", "-0700", "+02"; the offset to subtract. Absent: no zone.
std::optional<Nanoseconds> zoneNs(Scanner& scan)
{
    scan.blanks();
    if (scan.skipOneOf("Zz"))
        return 0;
    for (const std::string_view word : {"UTC", "GMT"}) {
        if (scan.rest.starts_with(word)) {
            scan.rest.remove_prefix(word.size());
            return 0;
        }
    }
    if (scan.rest.empty() || (scan.rest.front() != '+' && scan.rest.front() != '-'))
        return std::nullopt;
    const bool minus = scan.rest.front() == '-';
    scan.rest.remove_prefix(1);
    std::int64_t hours = 0;
    std::int64_t minutes = 0;
    if (scan.number(2, hours) != 2)
        return std::nullopt;
    scan.skip(':');
    scan.number(2, minutes);
    const Nanoseconds ns = (hours * 60 + minutes) * 60 * kSecondNs;
    return minus ? -ns : ns;
}

std::optional<std::int64_t> monthOf(std::string_view word)
{
    constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                       "jul", "aug", "sep", "oct", "nov", "dec"};
    const std::string lower = lowerCase(word.substr(0, 3));
    for (std::size_t i = 0; i < kMonths.size(); ++i) {
        if (kMonths[i] == lower)
            return static_cast<std::int64_t>(i) + 1;
    }
    return std::nullopt;
}

// Reads what follows the day of a date: time and zone, either of which may be absent.
std::optional<Instant> finishDate(Scanner scan, Nanoseconds day)
{
    Instant instant{.ns = day, .clock = Clock::Local};
    scan.skipOneOf("Tt_,");
    scan.blanks();
    if (scan.rest.empty())
        return instant;
    const auto time = timeOfDay(scan);
    if (!time)
        return std::nullopt;
    instant.ns += *time;
    if (const auto zone = zoneNs(scan)) {
        instant.ns -= *zone;
        instant.clock = Clock::Epoch;
    }
    scan.blanks();
    return scan.rest.empty() ? std::optional(instant) : std::nullopt;
}

// "Sat Nov  8 13:11:14 2025 -0700"
std::optional<Instant> readAsctime(std::string_view text)
{
    Scanner scan{text};
    if (scan.rest.size() < 4)
        return std::nullopt;
    if (!monthOf(scan.rest)) {
        const std::size_t blank = scan.rest.find(' ');
        if (blank == std::string_view::npos)
            return std::nullopt;
        scan.rest.remove_prefix(blank + 1);
    }
    const auto month = monthOf(scan.rest);
    const std::size_t blank = scan.rest.find(' ');
    if (!month || blank == std::string_view::npos)
        return std::nullopt;
    scan.rest.remove_prefix(blank + 1);
    scan.blanks();
    std::int64_t day = 0;
    std::int64_t year = 0;
    if (scan.number(2, day) == 0)
        return std::nullopt;
    scan.blanks();
    const auto time = timeOfDay(scan);
    scan.blanks();
    if (!time)
        return std::nullopt;
    if (scan.rest.empty()) {
        // `ts` writes no year, so the time is relative to the start of an unknown year.
        const auto inYear = dayNs(1972, *month, day);
        return inYear ? std::optional(
                   Instant{.ns = *inYear - *dayNs(1972, 1, 1) + *time, .clock = Clock::Own})
                      : std::nullopt;
    }
    if (scan.number(4, year) != 4)
        return std::nullopt;
    const auto ns = dayNs(year, *month, day);
    if (!ns)
        return std::nullopt;
    Instant instant{.ns = *ns + *time, .clock = Clock::Local};
    if (const auto zone = zoneNs(scan)) {
        instant.ns -= *zone;
        instant.clock = Clock::Epoch;
    }
    return instant;
}

// A bare number: an epoch in s, ms, us or ns, judged by its size, or a clock of its own.
std::optional<Instant> readBareNumber(std::string_view text, double unitSeconds,
                                      DecimalSign decimal)
{
    const auto number = readNumberText(text, decimal);
    if (!number)
        return std::nullopt;
    const auto own = unitFrom(number->rest);
    if (!number->rest.empty() && !(own && own->of == Unit::Of::Time))
        return std::nullopt;
    // Exact to the nanosecond if the number is written the way programs write numbers.
    const auto nanoseconds = [&](int power, double factor) -> Nanoseconds {
        const bool plain = (number->signs & (number::kCommaDecimal | number::kCommaEither)) == 0;
        const auto exact =
            plain && decimal != DecimalSign::Comma ? readScaled(text, power) : std::nullopt;
        return exact ? *exact : std::llround(number->value * factor);
    };
    // Epochs since 2005; other running clocks reach such numbers only by chance.
    constexpr double kFirstEpoch_s = 1'104'537'600.0;
    constexpr double kLast_s = 9'000'000'000.0;
    for (const int power : {9, 6, 3, 0}) {
        const double factor = std::pow(10.0, power);
        const double seconds = number->value * factor * 1e-9;
        if (!own && seconds >= kFirstEpoch_s && seconds < kLast_s)
            return Instant{
                .ns = nanoseconds(power, factor), .clock = Clock::Epoch, .signs = number->signs};
    }
    const double unit = own ? own->factor : unitSeconds > 0.0 ? unitSeconds : 1.0;
    const double ns = number->value * unit * 1e9;
    if (!(std::abs(ns) < static_cast<double>(kLastNs)))
        return std::nullopt;
    return Instant{.ns = unit == 1.0 ? nanoseconds(9, 1e9) : std::llround(ns),
                   .clock = Clock::Own,
                   .signs = number->signs};
}

// Dates that begin with a number: 2026-11-25, 2026/11/25, 20261125, 25.11.2026, 11/25/2026.
std::optional<Instant> readDate(std::string_view text, DateOrder dates)
{
    Scanner scan{text};
    std::int64_t first = 0;
    const int digits = scan.number(8, first);
    if (digits == 8) {
        const auto day = dayNs(first / 10'000, first / 100 % 100, first % 100);
        if (!day || scan.rest.empty() || (scan.rest[0] != ' ' && scan.rest[0] != 'T'))
            return std::nullopt;
        return finishDate(scan, *day);
    }
    if (scan.rest.empty())
        return std::nullopt;
    const char separator = scan.rest.front();
    if (separator != '-' && separator != '/' && separator != '.')
        return std::nullopt;
    scan.rest.remove_prefix(1);
    std::int64_t second = 0;
    std::int64_t third = 0;
    if (scan.number(2, second) == 0 || !scan.skip(separator))
        return std::nullopt;
    const int lastDigits = scan.number(4, third);
    if (digits == 4 && lastDigits > 0 && lastDigits <= 2) {
        const auto day = dayNs(first, second, third);
        return day ? finishDate(scan, *day) : std::nullopt;
    }
    if (digits > 2 || (lastDigits != 4 && lastDigits != 2))
        return std::nullopt;
    const std::int64_t year = lastDigits == 2 ? 2000 + third : third;
    bool dayFirst = dates != DateOrder::MonthFirst;
    bool ambiguous = dates == DateOrder::Unknown && separator != '.' && first <= 12 && second <= 12
        && first != second;
    if (separator == '.' || first > 12)
        dayFirst = true;
    else if (second > 12)
        dayFirst = false;
    const auto day = dayFirst ? dayNs(year, second, first) : dayNs(year, first, second);
    if (!day)
        return std::nullopt;
    auto instant = finishDate(scan, *day);
    if (instant)
        instant->ambiguous = ambiguous;
    return instant;
}

} // namespace

std::string_view trimBlanks(std::string_view text)
{
    return trimmed(text, " \t\r\n\v\f");
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

std::optional<Instant> readInstant(std::string_view cell, DateOrder dates, double unitSeconds,
                                   DecimalSign decimal)
{
    cell = trimBlanks(cell);
    if (cell.empty())
        return std::nullopt;
    const char first = cell.front();
    if ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z'))
        return readAsctime(cell);
    if (const auto number = readBareNumber(cell, unitSeconds, decimal))
        return number;
    if (const auto date = readDate(cell, dates))
        return date;
    Scanner scan{cell};
    if (const auto time = timeOfDay(scan); time && scan.rest.empty())
        return Instant{.ns = *time, .clock = Clock::Own, .time_of_day = true};
    return std::nullopt;
}

} // namespace ep::powerlog
