// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include <filesystem>
#include <string>

namespace ep::store {

// Opens a file for writing, created if absent (0600), and updates it to the current version. Uses
// a write-ahead log, or a rollback journal if the file system has no memory to share.
Result<std::unique_ptr<Database>> openForWriting(const std::filesystem::path& file);

// Opens a file of the current or a newer version; nothing is written to it.
Result<std::unique_ptr<Database>> openForReading(const std::filesystem::path& file);

// The error with advice for a file that is not the run database in use, but imported or restored.
Error aboutAnother(const Error& error);

// A new database under a temporary name next to its final place: it appears there complete, or is
// removed with its helper files.
class DatabaseDraft {
public:
    explicit DatabaseDraft(const std::filesystem::path& target);
    ~DatabaseDraft();
    DatabaseDraft(const DatabaseDraft&) = delete;
    DatabaseDraft& operator=(const DatabaseDraft&) = delete;

    const std::filesystem::path& file() const { return m_file; }
    // Call once nobody has it open. `option` is the command line's option for another place.
    Status putInPlace(const std::string& option) const;

private:
    std::filesystem::path m_target;
    std::filesystem::path m_file;
};

} // namespace ep::store
