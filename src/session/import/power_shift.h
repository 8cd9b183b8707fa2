// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "import/recorded_energy.h"

#include "ep/session/import_power.h"

// Times of a recording of power and of the requests that were answered meanwhile.
namespace ep::session {

TimeRange hullOf(const std::vector<RunRail>& rails);
TimeRange hullOf(const powerlog::RequestLog& log);
TimeRange moved(const TimeRange& range, Nanoseconds by);

// What to add to the times of the power so that they are those of the requests: the difference that
// is stated or found, and the time zone of a recording without one. Sets the offset of `result` and
// adds notes. An error if the requests lie elsewhere, or if two answers fit.
Result<Nanoseconds> findShift(const PowerImportOptions& options, const std::vector<RunRail>& rails,
                              PowerImport& result);

} // namespace ep::session
