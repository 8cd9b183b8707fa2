// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

// Locks that nobody else in the process can drop.
//
// SQLite locks its files with POSIX locks, which belong to the process: when anything in it (a file
// dialog, a thumbnailer, a library) opens and closes such a file, the kernel drops all of them, and
// other programs take themselves for the only user. Locks of an open file description belong to
// the description and conflict with POSIX locks of others, so they replace them here: SQLite's unix
// VFS lets its callers replace the system calls that it makes. All descriptors that SQLite has of
// one file share one description for locks, since it counts on locks that belong to the process.
namespace ep::store {

// From now on for every file that SQLite opens. Where the system or the file system has no such
// locks, POSIX locks stay. Any thread, any number of times.
void keepLocksOfSqlite();

enum class OtherUsers {
    None,
    Some, // another process, or another connection of this one
    Unknown, // its locks cannot be told apart
};
// Who else has a connection to the database, of which this process has one, open.
OtherUsers otherUsersOf(const std::filesystem::path& database);

// Whether the log beside the database is in use by programs none of which has this database open:
// they have another one open that was at its place before, and their log must not be read as the
// log of this one.
bool hasLogOfAnother(const std::filesystem::path& database);

} // namespace ep::store
