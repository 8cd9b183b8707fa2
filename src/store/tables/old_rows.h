// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

namespace ep::store {

// Part of the step to version 9: packs the sections, layers, components and operations that earlier
// versions stored as rows (now in old_sections, ...), and deletes those tables. Needs an open
// transaction.
Status packOldRows(Database& database);

} // namespace ep::store
