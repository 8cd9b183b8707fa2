// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace ep {

// A physical quantity in one unit. Defines only sums, differences and scaling; physical products
// are the named functions below.
template <typename Tag>
struct Quantity {
    double value = 0.0;

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity other)
    {
        value += other.value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other)
    {
        value -= other.value;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
    friend constexpr Quantity operator*(Quantity a, double k) { return {a.value * k}; }
    friend constexpr Quantity operator*(double k, Quantity a) { return {a.value * k}; }
    friend constexpr Quantity operator/(Quantity a, double k) { return {a.value / k}; }
    friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

using Milliwatts = Quantity<struct MilliwattsTag>;
using Millijoules = Quantity<struct MillijoulesTag>;

inline constexpr double kMillijoulesPerJoule = 1e3;
inline constexpr double kPicojoulesPerMillijoule = 1e9;

// Time on the one monotonic clock of the process (core/clock.h), or a duration, in nanoseconds.
using Nanoseconds = std::int64_t;
inline constexpr Nanoseconds kNsPerMs = 1'000'000;

// Sums and differences that wrap instead of overflowing: times in external files can have any
// value, and stored values must be preserved.
constexpr std::int64_t wrappingSum(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t wrappingDifference(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

constexpr double toSeconds(Nanoseconds ns)
{
    return static_cast<double>(ns) * 1e-9;
}
constexpr double toMilliseconds(Nanoseconds ns)
{
    return static_cast<double>(ns) * 1e-6;
}

// 1 mW for 1 s is 1 mJ.
constexpr Millijoules energyOf(Milliwatts power, Nanoseconds duration)
{
    return {power.value * toSeconds(duration)};
}

// Mean power of an energy over a duration; the duration must be positive.
constexpr Milliwatts meanPower(Millijoules energy, Nanoseconds duration)
{
    return {energy.value / toSeconds(duration)};
}

} // namespace ep
