// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <span>

namespace ep {

namespace {

std::atomic<char> decimalPoint{NumberStyle().decimal_point};
std::atomic<EnergyUnit> energyUnit{NumberStyle().energy};
std::atomic<const char*> tokenWord{NumberStyle().token};
std::atomic<const char*> tokensWord{NumberStyle().tokens};

// The C library uses the decimal point of the process's locale.
std::string withPoint(std::string number)
{
    constexpr const char* kOthers = "+-0123456789e";
    const std::size_t point = number.find_first_not_of(kOthers);
    if (point != std::string::npos) {
        const std::size_t end = std::min(number.find_first_of(kOthers, point), number.size());
        number.replace(point, end - point, 1, decimalPoint.load(std::memory_order_relaxed));
    }
    return number;
}

struct Prefix {
    double factor;
    const char* unit;
};

// Picks the largest prefix not above the value; the list runs from small to large. `zero` is the
// unit of a value of zero.
std::string withPrefix(double value, std::span<const Prefix> prefixes, const char* zero)
{
    if (!std::isfinite(value))
        return kMissingText;
    // Less than half of the last digit that the smallest prefix can show is a rounding error.
    if (std::abs(value) < 0.0005 * prefixes.front().factor)
        return std::string("0 ") + zero;
    const Prefix* chosen = &prefixes.front();
    // 999.5 shows as 1000 with three digits, so it already belongs to the next prefix.
    for (const Prefix& prefix : prefixes) {
        if (std::abs(value) >= 0.9995 * prefix.factor)
            chosen = &prefix;
    }
    return formatSignificant(value / chosen->factor) + ' ' + chosen->unit;
}

// "1.23 × 10⁻⁷"
std::string withPowerOfTen(double mantissa, int exponent, int digits)
{
    static constexpr std::array<const char*, 10> kRaised{"⁰", "¹", "²", "³", "⁴",
                                                         "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = formatFixed(mantissa, digits - 1) + " × 10";
    for (const char c : std::to_string(exponent))
        text += c == '-' ? "⁻" : kRaised[static_cast<std::size_t>(c - '0')];
    return text;
}

} // namespace

void setNumberStyle(NumberStyle style)
{
    decimalPoint.store(style.decimal_point, std::memory_order_relaxed);
    energyUnit.store(style.energy, std::memory_order_relaxed);
    tokenWord.store(style.token, std::memory_order_release);
    tokensWord.store(style.tokens, std::memory_order_release);
}

NumberStyle numberStyle()
{
    return {.decimal_point = decimalPoint.load(std::memory_order_relaxed),
            .energy = energyUnit.load(std::memory_order_relaxed),
            .token = tokenWord.load(std::memory_order_acquire),
            .tokens = tokensWord.load(std::memory_order_acquire)};
}

std::string formatUnit(std::string_view unit)
{
    constexpr std::string_view kToken = "token";
    const std::size_t at = unit.find(kToken);
    if (at == std::string_view::npos)
        return std::string(unit);
    std::string_view rest = unit.substr(at + kToken.size());
    const bool many = rest.starts_with('s');
    if (many)
        rest.remove_prefix(1);
    const NumberStyle style = numberStyle();
    return std::string(unit.substr(0, at)) + (many ? style.tokens : style.token)
        + std::string(rest);
}

std::string formatFixed(double value, int decimals)
{
    if (!std::isfinite(value))
        return kMissingText;
    constexpr double kMax = 1e15; // larger values have no exact decimals
    if (std::abs(value) >= kMax)
        return formatSignificant(value);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", std::clamp(decimals, 0, 30), value);
    const std::string_view number(text);
    const bool minusZero =
        number.front() == '-' && number.find_first_of("123456789") == std::string_view::npos;
    return withPoint(text + (minusZero ? 1 : 0));
}

std::string formatPerplexity(double value)
{
    return formatSignificant(value, 5);
}

std::string formatSignificant(double value, int digits)
{
    if (!std::isfinite(value))
        return kMissingText;
    if (value == 0.0)
        return "0";
    char text[64];
    // Rounding may carry into a new digit (9.996 -> 10.0), so the magnitude is taken after it.
    std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
    double rounded = 0.0;
    std::sscanf(text, "%lf", &rounded);
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-12));
    if (magnitude < -6 || magnitude >= 9)
        return withPowerOfTen(rounded / std::pow(10.0, magnitude), magnitude, digits);
    return formatFixed(rounded, digits - 1 - magnitude);
}

std::string formatEnergy(std::optional<Millijoules> energy)
{
    static constexpr std::array<Prefix, 5> kWattHours{
        {{3.6e-3, "nWh"}, {3.6, "µWh"}, {3.6e3, "mWh"}, {3.6e6, "Wh"}, {3.6e9, "kWh"}}};
    static constexpr std::array<Prefix, 8> kJoules{{{1e-9, "pJ"},
                                                    {1e-6, "nJ"},
                                                    {1e-3, "µJ"},
                                                    {1.0, "mJ"},
                                                    {1e3, "J"},
                                                    {1e6, "kJ"},
                                                    {1e9, "MJ"},
                                                    {1e12, "GJ"}}};
    if (!energy)
        return kMissingText;
    return numberStyle().energy == EnergyUnit::Joules
        ? withPrefix(energy->value, kJoules, "µJ")
        : withPrefix(energy->value, kWattHours, "nWh");
}

std::string formatEnergyDelay(double jouleSeconds)
{
    static constexpr std::array<Prefix, 6> kPrefixes{{{1e-9, "nJ·s"},
                                                      {1e-6, "µJ·s"},
                                                      {1e-3, "mJ·s"},
                                                      {1.0, "J·s"},
                                                      {1e3, "kJ·s"},
                                                      {1e6, "MJ·s"}}};
    return withPrefix(jouleSeconds, kPrefixes, "J·s");
}

std::string formatPower(std::optional<Milliwatts> power)
{
    static constexpr std::array<Prefix, 6> kPrefixes{
        {{1e-6, "nW"}, {1e-3, "µW"}, {1.0, "mW"}, {1e3, "W"}, {1e6, "kW"}, {1e9, "MW"}}};
    return power ? withPrefix(power->value, kPrefixes, "mW") : kMissingText;
}

std::string formatDuration(Nanoseconds duration)
{
    static constexpr std::array<Prefix, 5> kPrefixes{
        {{1.0, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}, {8.64e13, "d"}}};
    return withPrefix(static_cast<double>(duration), kPrefixes, "ns");
}

std::string formatBytes(std::int64_t bytes)
{
    static constexpr std::array<Prefix, 5> kPrefixes{
        {{1.0, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};
    return withPrefix(static_cast<double>(bytes), kPrefixes, "B");
}

std::string formatCount(std::int64_t count)
{
    if (std::abs(count) < 1000)
        return std::to_string(count);
    static constexpr std::array<Prefix, 5> kPrefixes{
        {{1.0, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "B"}, {1e12, "T"}}};
    return withPrefix(static_cast<double>(count), kPrefixes, "");
}

std::string formatPercent(double fraction)
{
    if (!std::isfinite(fraction))
        return kMissingText;
    constexpr double kMin = 0.001; // smallest share that one decimal can show
    if (fraction > 0.0 && fraction < kMin / 2.0)
        return "< " + formatFixed(kMin * 100.0, 1) + " %";
    return formatFixed(fraction * 100.0, 1) + " %";
}

std::string withSign(std::string text, double value)
{
    const std::size_t first = text.find_first_not_of("0.,");
    const bool nonzero = first != text.npos && text[first] >= '1' && text[first] <= '9';
    return value > 0.0 && nonzero ? '+' + text : text;
}

std::string formatSignedPercent(double fraction)
{
    return std::isinf(fraction) ? "+∞ %" : withSign(formatPercent(fraction), fraction);
}

std::string formatProbability(double p)
{
    return p < 0.001 ? "< 0.001" : formatSignificant(p, 2);
}

std::string formatMass(double grams)
{
    static constexpr std::array<Prefix, 7> kPrefixes{{{1e-12, "pg"},
                                                      {1e-9, "ng"},
                                                      {1e-6, "µg"},
                                                      {1e-3, "mg"},
                                                      {1.0, "g"},
                                                      {1e3, "kg"},
                                                      {1e6, "t"}}};
    return withPrefix(grams, kPrefixes, "µg");
}

std::string formatMoney(double usd)
{
    constexpr double kLeast = 1e-6; // smaller amounts are not shown
    if (usd != 0.0 && std::abs(usd) < kLeast)
        return "< 0.000001 USD";
    return formatSignificant(usd) + " USD";
}

std::string formatInterval95(Millijoules standardDeviation)
{
    return formatInterval95(standardDeviation.value,
                            [](double value) { return formatEnergy(Millijoules{value}); });
}

} // namespace ep
