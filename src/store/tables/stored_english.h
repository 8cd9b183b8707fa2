// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/run.h"

#include <string_view>

// Up to version 4 of the database and 18 of a run's JSON, the messages of a run were stored as
// English texts. This finds their patterns and arguments again.
namespace ep::store {

// The message that has this English text; the text itself if there is none.
Message messageOf(std::string_view english);

// Replaces the texts of a run that was read from an older file.
void findMessages(RunInfo& info, std::vector<SecondarySource>& secondary);

// The step of the schema: replaces the texts in all runs and calibrations.
Status findStoredMessages(Database& database);

} // namespace ep::store
