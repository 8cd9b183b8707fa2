// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/quality_record.h"
#include "ep/core/result.h"

#include <vector>

namespace ep::store {

// The table model_quality. Reading is empty in a database of an earlier version.
Result<std::vector<QualityRecord>> readQualities(Database& database); // newest first
Status writeQuality(Database& database, const QualityRecord& record); // replaces an older one

} // namespace ep::store
