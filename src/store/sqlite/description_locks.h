// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

// Locks that nobody else in the process can drop.
//
// SQLite locks its files with POSIX locks, which belong to the process: when anything in it (a file
// dialog, a thumbnailer, a library) opens and closes such a file, the kernel drops all of them, and
// other programs take themselves for the only user. Locks of an open file description belong to
// the description and conflict with POSIX locks of others, so they replace them here: SQLite's unix
// VFS lets its callers replace the system calls that it makes. All descriptors that SQLite has of
// one file share one description for locks, since it counts on locks that belong to the process.
namespace ep::store {

// Takes effect for every file that SQLite opens from now on. POSIX locks stay if the system or the
// file system has no others. Any thread, any number of times.
void keepLocksOfSqlite();

// The file that SQLite opened under a name, which by now may be the name of another file. Only
// files that this thread opened after filesOpened() returned `count` are considered; absent: none,
// or unknown.
struct OpenedFile {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
};
std::uint64_t filesOpened();
std::optional<OpenedFile> openedSince(const std::filesystem::path& file, std::uint64_t count);

enum class OtherUsers {
    None,
    Some, // another process, or another connection of this one
    Unknown, // our own locks look like those of others
};
// Who else has the database open, besides one connection of this process.
OtherUsers otherUsersOf(const std::filesystem::path& database);

// Whether the log next to the database is used only by programs that do not have this database
// open. They have a previous file at this path open, so their log must not be read as the log of
// this one.
bool hasLogOfAnother(const std::filesystem::path& database);

} // namespace ep::store
