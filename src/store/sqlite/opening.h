// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

namespace ep::store {

// A file, made if absent (0600), brought to the present version. In write-ahead mode, or with a
// rollback journal where the file system has no memory that processes can share.
Result<std::unique_ptr<Database>> openForWriting(const std::filesystem::path& file);

enum class OlderVersions { Refuse, Take };

// A file of the present version or a newer one; nothing is written to it.
Result<std::unique_ptr<Database>> openForReading(const std::filesystem::path& file,
                                                 OlderVersions older = OlderVersions::Refuse);

} // namespace ep::store
