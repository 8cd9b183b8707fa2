// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/clock.h"

#include <chrono>
#include <cstdio>
#include <ctime>

namespace ep {

Nanoseconds monotonicNow()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::int64_t wallClockMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string isoTimestamp(std::int64_t wallClockMs)
{
    auto seconds = static_cast<std::time_t>(wallClockMs / 1000);
    auto milliseconds = static_cast<int>(wallClockMs % 1000);
    if (milliseconds < 0) {
        milliseconds += 1000;
        --seconds;
    }
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char date[32];
    const std::size_t length = std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    char fraction[16];
    std::snprintf(fraction, sizeof fraction, ".%03dZ", milliseconds);
    return std::string(date, length) + fraction;
}

std::string localDay(std::int64_t wallClockMs)
{
    const auto seconds = static_cast<std::time_t>(wallClockMs / 1000);
    std::tm local{};
    localtime_r(&seconds, &local);
    char date[32];
    return {date, std::strftime(date, sizeof date, "%Y-%m-%d", &local)};
}

} // namespace ep
