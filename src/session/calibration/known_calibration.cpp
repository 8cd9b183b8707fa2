// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/known_calibration.h"

#include "ep/core/calibration_record.h"
#include "ep/store/store.h"

namespace ep::session {

std::optional<CalibrationRecord> knownCalibration(const std::filesystem::path& database,
                                                  const RunInfo& info)
{
    std::error_code ignored;
    if (database.empty() || !std::filesystem::exists(database, ignored))
        return std::nullopt;
    const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store)
        return std::nullopt;
    auto found = (*store)->calibration(calibrationKeyOf(info));
    return found ? *std::move(found) : std::nullopt;
}

} // namespace ep::session
