// SPDX-License-Identifier: GPL-3.0-or-later
#include "cell.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace ep::powerlog {

namespace {

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
std::optional<Instant> readBareNumber(std::string_view text, double unitSeconds)
{
    if (text.find_first_not_of("0123456789.") != std::string_view::npos || text.empty()) {
        NumberReader reader;
        const auto number = reader.read(text);
        if (!number || !(unitFrom(number->unit) || number->unit.empty()))
            return std::nullopt;
        double unit = unitSeconds > 0.0 ? unitSeconds : 1.0;
        if (const auto own = unitFrom(number->unit); own && own->of == Unit::Of::Time)
            unit = own->factor;
        else if (!number->unit.empty())
            return std::nullopt;
        const double ns = number->value * unit * 1e9;
        if (!(std::abs(ns) < static_cast<double>(kLastNs)))
            return std::nullopt;
        return Instant{.ns = static_cast<Nanoseconds>(std::llround(ns)), .clock = Clock::Own};
    }
    Scanner scan{text};
    std::int64_t whole = 0;
    const int digits = scan.number(18, whole);
    if (scan.rest.size() > 0 && scan.rest.front() != '.')
        return std::nullopt; // more than 18 digits
    // Fraction in units of 1e-9 of the number's own unit.
    Nanoseconds fraction = 0;
    if (scan.skip('.'))
        fraction = fractionNs(scan);
    if (!scan.rest.empty())
        return std::nullopt;
    // Epochs since 2005 in s, ms and us; other running clocks reach such numbers only by chance.
    constexpr Nanoseconds kFirstEpochNs = 1'104'537'600 * kSecondNs;
    constexpr std::array<std::pair<int, Nanoseconds>, 3> kEpochs{
        {{10, kSecondNs}, {13, 1'000'000}, {16, 1'000}}};
    for (const auto& [length, unitNs] : kEpochs) {
        if (digits != length || whole < kFirstEpochNs / unitNs || whole > kLastNs / unitNs)
            continue;
        const double part = static_cast<double>(fraction) * static_cast<double>(unitNs) / 1e9;
        return Instant{.ns = whole * unitNs + std::llround(part), .clock = Clock::Epoch};
    }
    const double unit = unitSeconds > 0.0 ? unitSeconds : 1.0;
    const double seconds =
        (static_cast<double>(whole) + static_cast<double>(fraction) * 1e-9) * unit;
    if (!(seconds * 1e9 < static_cast<double>(kLastNs)))
        return std::nullopt;
    if (unit == 1.0)
        return Instant{.ns = whole * kSecondNs + fraction, .clock = Clock::Own};
    return Instant{.ns = static_cast<Nanoseconds>(std::llround(seconds * 1e9)),
                   .clock = Clock::Own};
}

std::optional<Instant> readNanoEpoch(std::string_view text)
{
    if (text.size() != 19 || text.find_first_not_of("0123456789") != std::string_view::npos
        || text < "1104537600" || text > std::to_string(kLastNs))
        return std::nullopt;
    std::int64_t ns = 0;
    for (const char c : text)
        ns = ns * 10 + (c - '0');
    return Instant{.ns = ns, .clock = Clock::Epoch};
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

std::optional<Instant> readInstant(std::string_view cell, DateOrder dates, double unitSeconds)
{
    cell = trimBlanks(cell);
    if (cell.empty())
        return std::nullopt;
    const char first = cell.front();
    if ((first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z'))
        return readAsctime(cell);
    if (cell.find_first_not_of("0123456789.") == std::string_view::npos
        && std::count(cell.begin(), cell.end(), '.') <= 1) {
        if (const auto nano = readNanoEpoch(cell))
            return nano;
        return readBareNumber(cell, unitSeconds);
    }
    if (const auto date = readDate(cell, dates))
        return date;
    Scanner scan{cell};
    if (const auto time = timeOfDay(scan); time && scan.rest.empty())
        return Instant{.ns = *time, .clock = Clock::Own, .time_of_day = true};
    return readBareNumber(cell, unitSeconds);
}

} // namespace ep::powerlog
