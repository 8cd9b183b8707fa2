// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/stop_request.h"

#include "ep/core/clock.h"

#include <atomic>

namespace ep {

namespace {

std::atomic<Nanoseconds> stopRequestedAt = 0; // 0: not requested

} // namespace

void requestStop() noexcept
{
    Nanoseconds none = 0;
    stopRequestedAt.compare_exchange_strong(none, monotonicNow());
}

bool stopIsDue() noexcept
{
    constexpr Nanoseconds kGrace = 500'000'000;
    const Nanoseconds at = stopRequestedAt.load();
    return at != 0 && monotonicNow() - at >= kGrace;
}

} // namespace ep
