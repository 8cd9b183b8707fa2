// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <string>

namespace ep {

// The one monotonic clock for samples and spans. Any thread; about 30 ns per call.
Nanoseconds monotonicNow();

// Wall clock, milliseconds since 1970-01-01 UTC; only for dates, never for durations.
std::int64_t wallClockMs();

// "2026-01-31T12:34:56.789Z"
std::string isoTimestamp(std::int64_t wallClockMs);

// The date in the time zone of the machine: "2026-01-31".
std::string localDay(std::int64_t wallClockMs);

} // namespace ep
