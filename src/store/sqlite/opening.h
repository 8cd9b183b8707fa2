// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

namespace ep::store {

// Opens a file for writing, created if absent (0600), and updates it to the current version. Uses
// a write-ahead log, or a rollback journal if the file system has no memory to share.
Result<std::unique_ptr<Database>> openForWriting(const std::filesystem::path& file);

// Opens a file of the current or a newer version; nothing is written to it.
Result<std::unique_ptr<Database>> openForReading(const std::filesystem::path& file);

} // namespace ep::store
