// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/field_types.h"
#include "ep/core/result.h"
#include "ep/core/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

struct sqlite3_stmt;

namespace ep::store {

// The bytes of a BLOB. Bound: must live until the row is written. Taken: valid until the next row.
struct Blob {
    std::string_view bytes;
};

// One use of a compiled statement; reset and unbound at the end of its life.
//
// An error, from compiling on, is kept and returned by next() or run(), so that bind() and get()
// need no checks of their own. Enums are stored as words; NULL means an absent optional.
class Statement {
public:
    Statement(Database& database, const std::string& sql, std::string doing);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    // Sets all parameters, starting with the first.
    template <typename... Values>
    Statement& bind(const Values&... values)
    {
        m_parameter = 0;
        (append(values), ...);
        return *this;
    }
    // Sets the next parameter after the last one set.
    template <typename Value>
    void append(const Value& value);

    // Steps to the next row; false: there are no more, and bind() may be called again
    Result<bool> next();
    // Steps to the end.
    Status run();
    // Calls readRow(statement) for each row; take() starts at the first column.
    template <typename ReadRow>
    Status forEachRow(ReadRow&& readRow);
    // Calls read(statement, value) for each row, and returns the values.
    template <typename Value, typename Read>
    Result<std::vector<Value>> list(const Read& read);
    // The first column of each row.
    template <typename Value>
    Result<std::vector<Value>> list()
    {
        return list<Value>([](Statement& row, Value& value) { row.take(value); });
    }

    // Reads the current row, starting at its first column.
    template <typename... Values>
    void get(Values&... values)
    {
        m_column = 0;
        (take(values), ...);
    }
    // Reads the column after the last one that was read.
    template <typename Value>
    void take(Value& value);

private:
    void bindNull();
    void bindInteger(std::int64_t value);
    void bindReal(double value);
    void bindText(std::string_view value, bool lasting);
    void bindBlob(std::string_view bytes);
    void bound(int code);

    bool isNull() const;
    std::int64_t integer() const;
    double real() const;
    std::string_view text() const;
    std::string_view bytes() const;
    void unexpected(std::string_view content);

    Database& m_database;
    DatabaseUse m_use;
    sqlite3_stmt* m_handle = nullptr; // owned by the database's cache; null if compilation failed
    std::string m_doing;
    std::optional<Error> m_error;
    int m_parameter = 0;
    int m_column = 0;
};

template <typename ReadRow>
Status Statement::forEachRow(ReadRow&& readRow)
{
    while (true) {
        const Result<bool> row = next();
        if (!row)
            return row.error();
        if (!*row)
            return {};
        m_column = 0;
        readRow(*this);
    }
}

template <typename Value, typename Read>
Result<std::vector<Value>> Statement::list(const Read& read)
{
    std::vector<Value> values;
    const Status done = forEachRow([&](Statement& row) { read(row, values.emplace_back()); });
    if (!done)
        return done.error();
    return values;
}

// The records of a table; none if the file is of an earlier version, opened for reading only, which
// has no such table.
template <typename Record, typename Read, typename... Values>
Result<std::vector<Record>> recordsOf(Database& database, const std::string& table,
                                      const std::string& sql, const std::string& doing,
                                      const Read& read, const Values&... values)
{
    const auto known = database.queryInteger(
        "SELECT count(*) FROM sqlite_schema WHERE name = '" + table + "'", doing);
    if (!known)
        return known.error();
    if (*known == 0)
        return std::vector<Record>();
    Statement query = database.prepare(sql, doing);
    return query.bind(values...).template list<Record>(read);
}

template <typename Value>
void Statement::append(const Value& value)
{
    if constexpr (kIsA<Value, std::optional>) {
        if (value)
            append(*value);
        else
            append(nullptr);
    } else if constexpr (std::is_same_v<Value, std::nullptr_t>) {
        ++m_parameter;
        bindNull();
    } else if constexpr (kIsA<Value, Quantity>) {
        append(value.value);
    } else {
        ++m_parameter;
        if constexpr (std::is_enum_v<Value>)
            bindText(name(value), true);
        else if constexpr (std::is_integral_v<Value>)
            bindInteger(static_cast<std::int64_t>(value));
        else if constexpr (std::is_floating_point_v<Value>)
            bindReal(static_cast<double>(value));
        else if constexpr (std::is_same_v<Value, Blob>)
            bindBlob(value.bytes);
        else
            bindText(value, false);
    }
}

template <typename Value>
void Statement::take(Value& value)
{
    if constexpr (kIsA<Value, std::optional>) {
        if (isNull()) {
            value.reset();
            ++m_column;
        } else {
            take(value.emplace());
        }
    } else if constexpr (kIsA<Value, Quantity>) {
        take(value.value);
    } else {
        if constexpr (std::is_enum_v<Value>) {
            std::optional<Value> parsed;
            if (parseWord(text(), parsed))
                value = *parsed;
            else
                unexpected(text());
        } else if constexpr (std::is_same_v<Value, bool>) {
            value = integer() != 0;
        } else if constexpr (std::is_integral_v<Value>) {
            const std::int64_t stored = integer();
            value = static_cast<Value>(stored);
            if (static_cast<std::int64_t>(value) != stored)
                unexpected(std::to_string(stored));
        } else if constexpr (std::is_floating_point_v<Value>) {
            value = static_cast<Value>(real());
        } else if constexpr (std::is_same_v<Value, Blob>) {
            value.bytes = bytes();
        } else {
            value = text();
        }
        ++m_column;
    }
}

} // namespace ep::store
