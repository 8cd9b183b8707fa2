// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "import/recorded_energy.h"

#include "ep/session/import_power.h"

// Times of a power recording and of the requests answered during it.
namespace ep::session {

TimeRange hullOf(const std::vector<RunRail>& rails);
TimeRange hullOf(const powerlog::RequestLog& log);
TimeRange moved(const TimeRange& range, Nanoseconds by);

// The shift that converts times of the power to times of the requests: the stated or detected
// difference, plus the time zone if the recording has none. Sets the offset of `result` and adds
// notes. An error if the requests lie elsewhere, or if two shifts fit.
Result<Nanoseconds> findShift(const PowerImportOptions& options, const std::vector<RunRail>& rails,
                              PowerImport& result);

} // namespace ep::session
