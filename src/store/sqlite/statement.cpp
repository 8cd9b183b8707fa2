// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/statement.h"

#include <sqlite3.h>

#include <limits>

namespace ep::store {

Statement::Statement(Database& database, const std::string& sql, std::string doing)
    : m_database(database)
    , m_use(database)
    , m_doing(std::move(doing))
{
    if (!m_use.status()) {
        m_error = m_use.status().error();
        return;
    }
    m_handle = m_database.compiled(sql);
    if (!m_handle)
        m_error = m_database.lastError(m_doing);
}

Statement::~Statement()
{
    if (!m_handle)
        return;
    sqlite3_reset(m_handle);
    sqlite3_clear_bindings(m_handle);
}

Result<bool> Statement::next()
{
    if (m_error)
        return *m_error;
    const int code = sqlite3_step(m_handle);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        m_error = m_database.lastError(m_doing);
    sqlite3_reset(m_handle);
    if (m_error)
        return *m_error;
    return false;
}

Status Statement::run()
{
    while (true) {
        const Result<bool> row = next();
        if (!row)
            return row.error();
        if (!*row)
            return {};
    }
}

void Statement::bound(int code)
{
    if (code != SQLITE_OK && !m_error)
        m_error = m_database.lastError(m_doing);
}

void Statement::bindNull()
{
    if (m_handle)
        bound(sqlite3_bind_null(m_handle, m_parameter));
}

void Statement::bindInteger(std::int64_t value)
{
    if (m_handle)
        bound(sqlite3_bind_int64(m_handle, m_parameter, value));
}

void Statement::bindReal(double value)
{
    if (m_handle)
        bound(sqlite3_bind_double(m_handle, m_parameter, value));
}

void Statement::bindText(std::string_view value, bool lasting)
{
    if (!m_handle)
        return;
    // SQLite treats a null pointer as NULL, and the data pointer of an empty view may be null.
    const char* bytes = value.data() ? value.data() : "";
    bound(sqlite3_bind_text64(m_handle, m_parameter, bytes, value.size(),
                              lasting ? SQLITE_STATIC : SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bindBlob(std::string_view bytes)
{
    if (m_handle)
        bound(sqlite3_bind_blob64(m_handle, m_parameter, bytes.data() ? bytes.data() : "",
                                  bytes.size(), SQLITE_STATIC));
}

bool Statement::isNull() const
{
    return sqlite3_column_type(m_handle, m_column) == SQLITE_NULL;
}

std::int64_t Statement::integer() const
{
    return sqlite3_column_int64(m_handle, m_column);
}

double Statement::real() const
{
    // SQLite stores NULL for NaN, which it does not have.
    if (isNull())
        return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(m_handle, m_column);
}

std::string_view Statement::text() const
{
    const unsigned char* bytes = sqlite3_column_text(m_handle, m_column);
    if (!bytes)
        return {};
    return {reinterpret_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(m_handle, m_column))};
}

std::string_view Statement::bytes() const
{
    const void* bytes = sqlite3_column_blob(m_handle, m_column);
    if (!bytes)
        return {};
    return {static_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(m_handle, m_column))};
}

void Statement::unexpected(std::string_view content)
{
    if (m_error)
        return;
    m_error = Error{ErrorCode::InvalidInput,
                    {"Cannot %1 in %2: column %3 holds \"%4\", which this version does not know; "
                     "use the version that wrote it.",
                     m_doing, m_database.file().string(), sqlite3_column_name(m_handle, m_column),
                     content}};
}

} // namespace ep::store
