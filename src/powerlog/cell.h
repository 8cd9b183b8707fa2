// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/number_text.h"
#include "ep/core/units.h"
#include "ep/powerlog/read.h"

#include <optional>
#include <string>
#include <string_view>

// Reads cells of a log: units, headers, times in any spelling. Pure.
namespace ep::powerlog {

// A unit as a factor to watts, joules or seconds.
struct Unit {
    enum class Of { Power, Energy, Time, Volts, Amperes, Percent, None };
    Of of = Of::None;
    double factor = 1.0;
};
// Ignores case except in "mW" and "MW"; absent: not a unit.
std::optional<Unit> unitFrom(std::string_view text);

// The unit inside a header: "power.draw [W]", "Actual Consumption/W", "cpu_power_mw".
struct Header {
    std::string raw; // without quotes and surrounding blanks
    std::string name; // lower case, without the unit
    std::string unit; // as spelt; empty: none
};
Header readHeader(std::string_view cell);

// "N/A", "[Not Supported]", "nan", "-" or empty: a missing value, which is not zero.
bool isUnavailable(std::string_view cell);

struct Instant {
    Nanoseconds ns = 0;
    Clock clock = Clock::Own;
    bool time_of_day = false; // a time without its day
    bool ambiguous = false; // day and month may be swapped
    unsigned signs = 0; // number::Sign of a bare number
};
// unitSeconds: unit of bare numbers that are too small for an epoch; 0: seconds.
std::optional<Instant> readInstant(std::string_view cell, DateOrder dates, double unitSeconds = 0.0,
                                   DecimalSign decimal = DecimalSign::Unknown);

std::string_view trimBlanks(std::string_view text);
std::string lowerCase(std::string_view text); // ASCII, Latin-1 letters and Cyrillic ones

} // namespace ep::powerlog
