// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements of machines, and advice that was tried.
#include "sqlite/statement.h"
#include "store_impl.h"

#include <algorithm>

namespace ep::store {

namespace {

constexpr const char* kLimits = "store the machine's limits";
constexpr const char* kAdvice = "record the advice";

void append(Statement& statement, const std::optional<MeasuredConstant>& constant)
{
    statement.append(constant ? std::optional(constant->value) : std::nullopt);
    statement.append(constant ? std::optional(constant->sd) : std::nullopt);
}

void take(Statement& row, std::optional<MeasuredConstant>& constant)
{
    std::optional<double> value;
    std::optional<double> sd;
    row.take(value);
    row.take(sd);
    if (value)
        constant = MeasuredConstant{*value, sd.value_or(0.0)};
}

} // namespace

Status Store::saveMachine(const MachineRecord& record)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, kLimits, [&] {
        Statement insert = database.prepare(
            "INSERT OR REPLACE INTO machine_limits (machine, device, dtype, threads, source, "
            "measured_at_ms, flops_per_second, flops_per_second_sd, bytes_per_second, "
            "bytes_per_second_sd, joules_per_flop, joules_per_flop_sd, joules_per_byte, "
            "joules_per_byte_sd, static_watts, static_watts_sd) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            kLimits);
        insert.bind(record.machine, record.device, record.dtype,
                    static_cast<std::int64_t>(record.threads), record.source, record.measured_at_ms,
                    record.flops_per_second.value, record.flops_per_second.sd,
                    record.bytes_per_second.value, record.bytes_per_second.sd);
        append(insert, record.joules_per_flop);
        append(insert, record.joules_per_byte);
        append(insert, record.static_watts);
        return insert.run();
    });
}

Result<std::vector<MachineRecord>> Store::machines() const
{
    std::vector<MachineRecord> records;
    // A file of an earlier version, opened for reading only, has no such table.
    const auto known = m_impl->database->queryInteger(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'machine_limits'", kLimits);
    if (!known)
        return known.error();
    if (*known == 0)
        return records;
    Statement query = m_impl->database->prepare(
        "SELECT machine, device, dtype, threads, source, measured_at_ms, flops_per_second, "
        "flops_per_second_sd, bytes_per_second, bytes_per_second_sd, joules_per_flop, "
        "joules_per_flop_sd, joules_per_byte, joules_per_byte_sd, static_watts, static_watts_sd "
        "FROM machine_limits ORDER BY machine, device, dtype",
        "read the machine's limits");
    const Status done = query.forEachRow([&](Statement& row) {
        MachineRecord& record = records.emplace_back();
        std::int64_t threads = 0;
        row.get(record.machine, record.device, record.dtype, threads, record.source,
                record.measured_at_ms, record.flops_per_second.value, record.flops_per_second.sd,
                record.bytes_per_second.value, record.bytes_per_second.sd);
        record.threads = static_cast<int>(threads);
        take(row, record.joules_per_flop);
        take(row, record.joules_per_byte);
        take(row, record.static_watts);
    });
    if (!done)
        return done.error();
    return records;
}

Result<std::optional<MachineRecord>> Store::machine(const std::string& machine,
                                                    const std::string& device,
                                                    const std::string& dtype) const
{
    const auto records = machines();
    if (!records)
        return records.error();
    const auto found = std::ranges::find_if(*records, [&](const MachineRecord& record) {
        return record.machine == machine && record.device == device && record.dtype == dtype;
    });
    return found == records->end() ? std::optional<MachineRecord>() : std::optional(*found);
}

Status Store::saveAdvice(const AdviceRecord& record)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, kAdvice, [&] {
        Statement insert = database.prepare(
            "INSERT OR REPLACE INTO advice (experiment, machine, run_id, lever, setting, of_time, "
            "share, share_sd, created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            kAdvice);
        insert.bind(record.experiment, record.machine, record.run, record.lever, record.setting,
                    static_cast<std::int64_t>(record.of_time ? 1 : 0), record.share.value,
                    record.share.sd, record.created_at_ms);
        return insert.run();
    });
}

Result<std::vector<AdviceRecord>> Store::advice(const std::string& machine) const
{
    std::vector<AdviceRecord> records;
    const auto known = m_impl->database->queryInteger(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'advice'", kAdvice);
    if (!known)
        return known.error();
    if (*known == 0)
        return records;
    Statement query = m_impl->database->prepare(
        "SELECT experiment, machine, run_id, lever, setting, of_time, share, share_sd, "
        "created_at_ms FROM advice WHERE machine = ? ORDER BY created_at_ms",
        "read the advice");
    const Status done = query.bind(machine).forEachRow([&](Statement& row) {
        AdviceRecord& record = records.emplace_back();
        std::int64_t ofTime = 0;
        row.get(record.experiment, record.machine, record.run, record.lever, record.setting, ofTime,
                record.share.value, record.share.sd, record.created_at_ms);
        record.of_time = ofTime != 0;
    });
    if (!done)
        return done.error();
    return records;
}

} // namespace ep::store
