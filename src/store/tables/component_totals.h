// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/component_total.h"

#include <string>
#include <vector>

namespace ep::store {

// Both functions require the row of the run; writing also requires an open transaction.
Status writeTotals(Database& database, const std::string& runId,
                   const std::vector<ComponentTotal>& totals);
Result<std::vector<ComponentTotal>> readTotals(Database& database, const std::string& runId);

} // namespace ep::store
