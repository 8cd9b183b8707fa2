// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

// Checks and permissions of the database file that SQLite leaves to its callers. None of these
// functions opens an existing file (see Database::open).
namespace ep::store {

// The system's message for an errno.
std::string systemMessage(int errorNumber);

// SQLite treats a file of one byte as an empty database.
inline constexpr std::uintmax_t kLeastDatabase = 512;

std::filesystem::path folderOf(const std::filesystem::path& file);

// Creates an empty file that only its owner may read and write, including parent folders.
// Returns false if the file already existed; it is unchanged then.
Result<bool> createPrivateFile(const std::filesystem::path& file);

// Whether it is a regular file that this process may read, with a valid size for a database.
Status checkReadable(const std::filesystem::path& file);

// Whether this process may write the file and SQLite's helper files next to it.
Status checkWritable(const std::filesystem::path& file);

// Reserves disk blocks for an empty log without changing its size, so that a change that makes the
// file smaller still has room for its pages when the disk is full.
void reserveForLog(const std::filesystem::path& log);

Error notADatabase(const std::filesystem::path& file);

} // namespace ep::store
