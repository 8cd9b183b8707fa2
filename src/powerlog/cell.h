// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"
#include "ep/powerlog/read.h"

#include <optional>
#include <string>
#include <string_view>

// Cells of a log: numbers in any locale, units, times in any spelling. Pure.
namespace ep::powerlog {

// A factor to watts, joules or seconds.
struct Unit {
    enum class Of { Power, Energy, Time, Volts, Amperes, Percent, None };
    Of of = Of::None;
    double factor = 1.0;
};
// Ignores case except in "mW" and "MW"; none: not a unit.
std::optional<Unit> unitFrom(std::string_view text);

// The unit inside a header: "power.draw [W]", "Actual Consumption/W", "cpu_power_mw".
struct Header {
    std::string raw; // without quotes and blanks around
    std::string name; // lower case, without the unit
    std::string unit; // as spelt; empty: none
};
Header readHeader(std::string_view cell);

struct Number {
    double value = 0.0;
    std::string_view unit{}; // text behind the number, trimmed
    int decimals = 0;
};
// Remembers whether the file writes decimal commas, so that "3.000" is read rightly.
class NumberReader {
public:
    // comma: commas inside a cell may be decimal signs, because they do not separate cells.
    explicit NumberReader(bool comma = false)
        : m_comma(comma)
    {
    }
    std::optional<Number> read(std::string_view cell);

private:
    bool m_comma;
    bool m_seenComma = false;
};

// "N/A", "[Not Supported]", "nan", "-", empty: there is no value, which is not zero.
bool isUnavailable(std::string_view cell);

struct Instant {
    Nanoseconds ns = 0;
    Clock clock = Clock::Own;
    bool time_of_day = false; // a time without its day
    bool ambiguous = false; // day and month could be exchanged
};
// unit_s: of bare numbers below those of an epoch; 0: seconds.
std::optional<Instant> readInstant(std::string_view cell, DateOrder dates,
                                   double unitSeconds = 0.0);

std::string_view trimBlanks(std::string_view text);
std::string lowerCase(std::string_view text);

} // namespace ep::powerlog
