// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Files of a run database: whether there is one, what was saved of a damaged one, and backups.
namespace ep::store {

// False: there is no such file. In a folder that may not be entered the system does not tell, and
// opening the database says so.
bool mayExist(const std::filesystem::path& database);

struct SalvageReport {
    std::filesystem::path file{}; // the new one
    std::int64_t saved = 0; // runs that are complete
    std::vector<std::string> partly{}; // ids of runs that lack tokens or details
    std::int64_t lost = 0; // runs of which only fragments were found
    std::int64_t lost_rows = 0;
    std::int64_t unreadable_pages = 0;

    // "137 runs, 2 of them only in part; 3 could not be saved"
    std::string sentence() const;
};

// Where salvage() puts what it finds: "runs.recovered.db" for "runs.db".
std::filesystem::path recoveredFile(const std::filesystem::path& database);

// Reads a damaged database page by page and writes what is there into a new file, which must not
// exist. The damaged file is not changed, except that its log is put into it if possible.
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
// For all stores of this process that are closed from now on. Off unless a program asks for it.
void setBackupPolicy(const BackupPolicy& policy);

// Newest first: daily backups and those from before a migration.
std::vector<Backup> backupsOf(const std::filesystem::path& database);

// Makes a copy beside the database, if its last is older than a day, and deletes the oldest ones
// beyond the policy's number. The copy is checked first. False: none was due.
Result<bool> backUpIfDue(const std::filesystem::path& database);

// Puts a copy of the backup in the place of the database, whose files stay beside it under the
// returned name. Programs that have the database open notice.
Result<std::filesystem::path> restoreBackup(const std::filesystem::path& database,
                                            const std::filesystem::path& backup);

} // namespace ep::store
