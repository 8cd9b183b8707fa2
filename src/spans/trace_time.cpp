// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_time.h"

#include <charconv>
#include <cstdint>

namespace ep::spans {

namespace {

constexpr std::int64_t kMost = 9'000'000'000'000'000'000; // nanoseconds
constexpr int kMostShift = 1000; // larger exponents change nothing

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

} // namespace

std::optional<Nanoseconds> nanosecondsIn(std::string_view microseconds)
{
    constexpr int kToNanoseconds = 3; // decimal places
    const char* at = microseconds.data();
    const char* const end = at + microseconds.size();
    const bool negative = at != end && *at == '-';
    at += negative ? 1 : 0;
    const char* const digits = at;
    while (at != end && isDigit(*at))
        ++at;
    const char* const point = at;
    if (point == digits)
        return std::nullopt;
    if (at != end && *at == '.') {
        do {
            ++at;
        } while (at != end && isDigit(*at));
        if (!isDigit(at[-1]))
            return std::nullopt;
    }
    const char* const behind = at;
    int exponent = 0;
    if (at != end && (*at == 'e' || *at == 'E')) {
        ++at;
        const bool plus = at != end && *at == '+' && at + 1 != end && isDigit(at[1]);
        const auto read = std::from_chars(at + (plus ? 1 : 0), end, exponent);
        if (read.ec == std::errc::result_out_of_range)
            exponent = *at == '-' ? -kMostShift : kMostShift;
        else if (read.ec != std::errc())
            return std::nullopt;
        at = read.ptr;
    }
    if (at != end)
        return std::nullopt;
    std::int64_t value = 0;
    const auto add = [&](char digit) { // false: too large
        constexpr int kBase = 10;
        if (value > (kMost - (digit - '0')) / kBase)
            return false;
        value = value * kBase + (digit - '0');
        return true;
    };
    // Digits of whole nanoseconds; those behind are cut off.
    std::int64_t wanted = (point - digits) + std::int64_t{exponent} + kToNanoseconds;
    for (const char* one = digits; one != behind && wanted > 0; ++one) {
        if (*one == '.')
            continue;
        if (!add(*one))
            return std::nullopt;
        --wanted;
    }
    for (; wanted > 0 && value != 0; --wanted) {
        if (!add('0'))
            return std::nullopt;
    }
    return negative ? -value : value;
}

} // namespace ep::spans
