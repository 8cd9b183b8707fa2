// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>
#include <string>

namespace ep::store {

// A new database under a name beside the place where it is wanted: it appears there complete, and
// is removed with its helper files if it was not completed.
class DatabaseDraft {
public:
    explicit DatabaseDraft(const std::filesystem::path& target);
    ~DatabaseDraft();
    DatabaseDraft(const DatabaseDraft&) = delete;
    DatabaseDraft& operator=(const DatabaseDraft&) = delete;

    const std::filesystem::path& file() const { return m_file; }
    // Once nobody has it open. `option` of the command line names another place.
    Status putInPlace(const std::string& option) const;

private:
    std::filesystem::path m_target;
    std::filesystem::path m_file;
};

} // namespace ep::store
