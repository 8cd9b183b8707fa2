// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/quality_record.h"
#include "ep/core/result.h"

#include <vector>

namespace ep::store {

// The table model_quality. In a database of an earlier version, reading returns nothing.
Result<std::vector<QualityRecord>> readQualities(Database& database); // newest first
Status writeQuality(Database& database, const QualityRecord& record); // replaces an older record

} // namespace ep::store
