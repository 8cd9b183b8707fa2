// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>
#include <string>

// Checks and rights of the database file that SQLite leaves to its user. None of them opens a file
// that exists (see Database::open).
namespace ep::store {

// What the system says of an errno.
std::string systemMessage(int errorNumber);

std::filesystem::path folderOf(const std::filesystem::path& file);

// Makes an empty file that only its owner may read and write, with the folders above it.
// False: it was there already and is untouched.
Result<bool> createPrivateFile(const std::filesystem::path& file);

// Whether it is an ordinary file that this process may read, of a size that a database can have.
Status checkReadable(const std::filesystem::path& file);

// Whether this process may write the file and, beside it, SQLite's helper files.
Status checkWritable(const std::filesystem::path& file);

Error notADatabase(const std::filesystem::path& file);

} // namespace ep::store
