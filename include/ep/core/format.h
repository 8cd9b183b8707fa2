// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Numbers for display: 3 significant digits with an SI prefix; an em dash for missing values.
namespace ep {

inline constexpr const char* kMissingText = "\u2014";

enum class EnergyUnit { Joules, WattHours };

// Number format of all functions below, independent of the locale of the C library. A preference
// of the whole process, which only the window changes; commands keep the default. Any thread.
// Output for other programs is not formatted here.
struct NumberStyle {
    char decimal_point = '.';
    EnergyUnit energy = EnergyUnit::Joules;
    // The words in "mJ/token" and "tokens/s"; they must live as long as the process.
    const char* token = "token";
    const char* tokens = "tokens";
};
void setNumberStyle(NumberStyle style);
NumberStyle numberStyle();
std::string formatUnit(std::string_view unit); // "tokens/s", with the words of the style

// "0.0123", "12.3"; "1.23 × 10⁻⁷" only below a millionth and from 10⁹ upwards.
std::string formatSignificant(double value, int digits = 3);
// Five digits, because number formats of one model may differ only in the fifth.
std::string formatPerplexity(double value);
std::string formatFixed(double value, int decimals); // "12.30"
std::string formatEnergy(std::optional<Millijoules> energy); // "12.3 mJ", "4.56 J", "1.27 mWh"
std::string formatEnergyDelay(double jouleSeconds); // "45.6 µJ·s"
std::string formatPower(std::optional<Milliwatts> power); // "850 mW", "12.3 W"
std::string formatDuration(Nanoseconds duration); // "12.3 µs", "4.56 ms", "1.23 s"
std::string formatBytes(std::int64_t bytes); // "14.9 GB" (powers of 1000)
std::string formatCount(std::int64_t count); // "6.9 M"
std::string formatPercent(double fraction); // "12.3 %"
// Adds a plus sign to the text of a positive value, unless it was rounded to zero or to a bound:
// "0 J", "< 0.1 %". value: the value that the text shows.
std::string withSign(std::string text, double value);
std::string formatSignedPercent(double fraction); // "+12.3 %", "-5.0 %", "+∞ %"
std::string formatProbability(double p); // "0.012", "< 0.001"
std::string formatMass(double grams); // "57.0 µg", "1.20 kg"
std::string formatMoney(double usd); // "0.0000123 USD", "0.0450 USD", "< 0.000001 USD"

// The meaning of ± everywhere: a normal 95 % interval, as the text states: "± 2.40 mJ (95 %)".
inline constexpr double kHalfInterval95 = 1.959963984540054; // half of it, in standard deviations
template <typename Format>
std::string formatInterval95(double standardDeviation, const Format& format)
{
    return "± " + format(kHalfInterval95 * standardDeviation) + " (95 %)";
}
std::string formatInterval95(Millijoules standardDeviation);

} // namespace ep
