// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>
#include <string>

namespace ep::store {

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
