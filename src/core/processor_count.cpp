// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/processor_count.h"

#include <algorithm>
#include <thread>

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

namespace ep {
namespace {

std::optional<int> performanceCores()
{
#ifdef __APPLE__
    int count = 0;
    std::size_t size = sizeof count;
    // Level 0 is the fastest kind of core. Intel's Macs do not have this key.
    if (sysctlbyname("hw.perflevel0.physicalcpu", &count, &size, nullptr, 0) == 0)
        return count;
#endif
    return std::nullopt;
}

} // namespace

int fastProcessors(std::optional<int> performanceCores, int logicalProcessors)
{
    return std::max(
        1, performanceCores && *performanceCores > 0 ? *performanceCores : logicalProcessors);
}

int fastProcessors()
{
    return fastProcessors(performanceCores(),
                          static_cast<int>(std::thread::hardware_concurrency()));
}

} // namespace ep
