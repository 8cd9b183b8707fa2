// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/own_use.h"

#include <ctime>
#include <sys/resource.h>

namespace ep::session {

std::optional<OwnUse> ownUse()
{
    rusage use{};
    timespec time{};
    if (::getrusage(RUSAGE_SELF, &use) != 0
        || ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0)
        return std::nullopt;
    constexpr Nanoseconds kPerSecond = 1'000'000'000;
    return OwnUse{kPerSecond * time.tv_sec + time.tv_nsec, use.ru_nivcsw};
}

} // namespace ep::session
