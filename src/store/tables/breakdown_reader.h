// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/run_breakdown.h"

#include <string>

namespace ep::store {

Result<RunBreakdown> readBreakdown(Database& database, const std::string& runId);

} // namespace ep::store
