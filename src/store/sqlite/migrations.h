// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include <span>
#include <string>

namespace ep::store {

// The application id in SQLite's header that marks a file as ours ("EPr1").
inline constexpr std::int64_t kApplicationId = 0x45507231;
// The application id of files from before the schema began at 1 ("EPrf").
inline constexpr std::int64_t kEarlyApplicationId = 0x45507266;

struct Migration {
    int version = 0; // version of the file after the step
    const char* sql = "";
    Status (*convert)(Database&) = nullptr; // runs after the SQL and does the rest
};

// 0: a file without our tables
Result<std::int64_t> versionOf(Database& database);

// Refuses files of other programs, and those from before the schema began at 1.
Status checkIsOurs(Database& database);

// "... was written before version 1 of the run database ...: convert it with ..."
Error isEarly(const std::filesystem::path& file);

// Refuses files with triggers, or with views or virtual tables that are not ours, since reading
// such a file could execute anything for any length of time.
Status checkHasOnlyOurSchema(Database& database, std::span<const Migration> steps);

// Refuses files of newer versions, which may be read but not written. The last of `steps` is the
// newest known version.
Status checkNotNewer(Database& database, std::span<const Migration> steps);

// The SQL of a step for the SQLite version in use; before 3.37, there were no STRICT tables.
std::string sqlFor(const Migration& step, int sqliteVersion);

// Updates the file to the newest version: all steps in one transaction. A file that already has a
// version is first copied to "<file>.v<version>.bak".
Status migrate(Database& database, std::span<const Migration> steps);

} // namespace ep::store
