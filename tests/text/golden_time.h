// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>

namespace ep::test {

// The time of the goldens of Jinja: Thursday, 5 March 2026, 14:07:09.
inline std::tm goldenTime()
{
    std::tm time{};
    time.tm_year = 126;
    time.tm_mon = 2;
    time.tm_mday = 5;
    time.tm_hour = 14;
    time.tm_min = 7;
    time.tm_sec = 9;
    time.tm_wday = 4;
    time.tm_yday = 63;
    return time;
}

} // namespace ep::test
