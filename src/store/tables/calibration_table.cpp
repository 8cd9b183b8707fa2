// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/calibration_table.h"

#include "sqlite/statement.h"
#include "store_impl.h"
#include "tables/record_members.h"

#include <string>

namespace ep::store {

namespace {

constexpr const char* kCalibrationDoing = "store or read a calibration";

} // namespace

Status writeCalibration(Database& database, const CalibrationRecord& record)
{
    Statement insert = database.prepare(
        "INSERT OR REPLACE INTO calibrations (id, machine, device, dtype, model_fingerprint, "
        "measured_at_ms, record) VALUES (?, ?, ?, ?, ?, ?, ?)",
        kCalibrationDoing);
    return insert
        .bind(record.id, record.machine, record.device, record.dtype, record.fingerprint,
              record.measured_at_ms, dumped(MemberWriter::valueOf(record)))
        .run();
}

Result<std::vector<CalibrationRecord>> readCalibrations(Database& database)
{
    // A database of an earlier version that is read-only lacks this table.
    const auto tables = database.queryInteger(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'calibrations'", kCalibrationDoing);
    if (!tables)
        return tables.error();
    std::vector<CalibrationRecord> records;
    if (*tables == 0)
        return records;
    Statement query =
        database.prepare("SELECT record FROM calibrations ORDER BY measured_at_ms DESC, rowid DESC",
                         kCalibrationDoing);
    const Status done = query.forEachRow([&](Statement& row) {
        std::string text;
        row.get(text);
        CalibrationRecord record;
        if (MemberReader::read(parsed(text), record))
            records.push_back(std::move(record));
    });
    if (!done)
        return done.error();
    return records;
}

Status Store::saveCalibration(const CalibrationRecord& record)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, kCalibrationDoing,
                        [&] { return writeCalibration(database, record); });
}

Result<std::vector<CalibrationRecord>> Store::calibrations() const
{
    return readCalibrations(*m_impl->database);
}

Result<std::optional<CalibrationRecord>> Store::calibration(const CalibrationKey& key) const
{
    auto records = readCalibrations(*m_impl->database);
    if (!records)
        return records.error();
    for (CalibrationRecord& record : *records) {
        if (mismatchOf(record, key).empty())
            return std::optional(std::move(record));
    }
    return std::optional<CalibrationRecord>();
}

} // namespace ep::store
