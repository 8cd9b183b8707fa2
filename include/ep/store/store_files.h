// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Files of a run database: whether it exists, what was saved of a damaged one, and backups.
namespace ep::store {

// False only if the file certainly does not exist. If its folder may not be entered, only opening
// the database can tell.
bool mayExist(const std::filesystem::path& database);

// Whether the file has no content, and no program is giving it some: waits a third of a second for
// that. Opening it for writing would make a database of it.
bool isEmptyFile(const std::filesystem::path& database);

// Call before output goes to a file. An error if that would destroy runs: the file is the database,
// one of SQLite's files beside it, or one of its backups, by whatever name.
Status checkReplaceable(const std::filesystem::path& file, const std::filesystem::path& database);

struct SalvageReport {
    std::filesystem::path file{}; // the new database
    std::int64_t saved = 0; // number of complete runs
    std::vector<std::string> partly{}; // ids of runs that lack tokens or details
    std::int64_t lost = 0; // number of runs of which only fragments were found
    std::int64_t lost_rows = 0;
    std::int64_t unreadable_pages = 0;

    // "137 runs, 2 of them only in part; 3 could not be saved"
    std::string sentence() const;
};

// Where salvage() writes what it finds: "runs.recovered.db" for "runs.db".
std::filesystem::path recoveredFile(const std::filesystem::path& database);

// Reads a damaged database page by page and writes its content into a new file, which must not
// exist. The damaged file is not changed, except that its log is merged into it if possible.
Result<SalvageReport> salvage(const std::filesystem::path& damaged,
                              const std::filesystem::path& target);

struct Backup {
    std::filesystem::path file;
    std::int64_t written_ms = 0; // wall clock
    std::int64_t bytes = 0;
};

struct BackupPolicy {
    bool on = false;
    int kept = 3;
    std::int64_t most_bytes = 1'000'000'000; // larger databases are not copied
};
// Applies to all stores of this process that are closed from now on. Backups are off unless a
// program sets a policy.
void setBackupPolicy(const BackupPolicy& policy);

// Newest first: daily backups and those from before a migration.
std::vector<Backup> backupsOf(const std::filesystem::path& database);

// Copies the database to a backup next to it if the last one is older than a day, and deletes the
// oldest ones beyond the policy's number. The copy is checked first. False: none was due.
Result<bool> backUpIfDue(const std::filesystem::path& database);

// Replaces the database by a copy of the backup; its previous files stay next to it under the
// returned name. Programs that have the database open notice it.
Result<std::filesystem::path> restoreBackup(const std::filesystem::path& database,
                                            const std::filesystem::path& backup);

} // namespace ep::store
