// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>
#include <string>

// Checks and rights of the database file that SQLite leaves to its user.
namespace ep::store {

// What the system says of an errno.
std::string systemMessage(int errorNumber);

// Makes an empty file that only its owner may read and write, with the folders above it.
// False: it was there already and is untouched.
Result<bool> createPrivateFile(const std::filesystem::path& file);

// Whether it is an ordinary file that is empty or begins like an SQLite database.
Status checkLooksLikeDatabase(const std::filesystem::path& file);

// Whether this process may write the file and, beside it, SQLite's helper files.
Status checkWritable(const std::filesystem::path& file);

} // namespace ep::store
