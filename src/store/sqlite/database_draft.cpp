// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database_draft.h"

#include "ep/core/uuid.h"

#include <system_error>

namespace ep::store {

namespace fs = std::filesystem;

DatabaseDraft::DatabaseDraft(const fs::path& target)
    : m_target(target)
    , m_file(target.string() + ".part-" + makeUuid().substr(0, 8))
{
}

DatabaseDraft::~DatabaseDraft()
{
    for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
        std::error_code ignored;
        fs::remove(m_file.string() + suffix, ignored);
    }
}

Status DatabaseDraft::putInPlace(const std::string& option) const
{
    std::error_code failed;
    fs::rename(m_file, m_target, failed);
    if (!failed)
        return {};
    return Error{ErrorCode::Io,
                 {"Cannot write %1: %2; choose another file with %3.", m_target.string(),
                  failed.message(), option}};
}

} // namespace ep::store
