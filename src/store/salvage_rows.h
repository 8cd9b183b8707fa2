// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"
#include "sqlite/migrations.h"

#include "ep/store/store_files.h"

#include <span>

namespace ep::store {

inline constexpr const char* kSalvaging = "save what is in the damaged database";

// Copies all readable rows from the pages of a damaged file into an empty one, which gets the
// tables of its version. Sets the report's lost rows and unreadable pages.
Status salvageRows(Database& damaged, Database& fresh, std::span<const Migration> steps,
                   SalvageReport& report);

} // namespace ep::store
