// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/migrations.h"
#include "sqlite/opening.h"
#include "sqlite/schema.h"
#include "sqlite/statement.h"
#include "store_impl.h"
#include "tables/record_fields.h"
#include "tables/run_table.h"

#include "ep/core/calibration_record.h"
#include "ep/core/quality_record.h"
#include "ep/core/result.h"
#include "ep/core/safe_text.h"
#include "ep/json/record.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

constexpr const char* kQualityDoing = "store or read the quality of a model";
constexpr const char* kQualityColumns =
    "model_name, model_fingerprint, dtype, device, text_name, text_hash, tokens, scored_tokens, "
    "context, stride, nll, perplexity, kl_nats, top1_agreement, created_at_ms, app_version, "
    "nll_blocks";

std::vector<double> blocksIn(const std::string& text)
{
    std::vector<double> blocks;
    const auto json = json::parse(text);
    for (const auto& block : json && json->is_array() ? *json : json::Json::array()) {
        if (!block.is_number())
            return {};
        blocks.push_back(block.get<double>());
    }
    return blocks;
}

// Replaces an older record.
Status writeQuality(Database& database, const QualityRecord& record)
{
    Statement insert =
        database.prepare(std::string("INSERT OR REPLACE INTO model_quality (") + kQualityColumns
                             + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                         kQualityDoing);
    return insert
        .bind(record.model, record.fingerprint, record.dtype, record.device, record.text_name,
              record.text_hash, record.tokens, record.scored, record.context, record.stride,
              record.nll, record.perplexity, record.kl, record.top1, record.created_at_ms,
              record.app_version, json::textOf(json::Json(record.nll_blocks)))
        .run();
}

// Newest first.
Result<std::vector<QualityRecord>> readQualities(Database& database)
{
    return recordsOf<QualityRecord>(
        database, "model_quality",
        std::string("SELECT ") + kQualityColumns
            + " FROM model_quality ORDER BY created_at_ms DESC, id DESC",
        kQualityDoing, [](Statement& row, QualityRecord& record) {
            std::string parts;
            row.get(record.model, record.fingerprint, record.dtype, record.device, record.text_name,
                    record.text_hash, record.tokens, record.scored, record.context, record.stride,
                    record.nll, record.perplexity, record.kl, record.top1, record.created_at_ms,
                    record.app_version, parts);
            record.nll_blocks = blocksIn(parts);
        });
}

constexpr const char* kCalibrationDoing = "store or read a calibration";

// Replaces a record with the same id.
Status writeCalibration(Database& database, const CalibrationRecord& record)
{
    Statement insert = database.prepare(
        "INSERT OR REPLACE INTO calibrations (id, machine, device, dtype, model_fingerprint, "
        "measured_at_ms, record) VALUES (?, ?, ?, ?, ?, ?, ?)",
        kCalibrationDoing);
    return insert
        .bind(record.id, record.machine, record.device, record.dtype, record.fingerprint,
              record.measured_at_ms, json::textOf(json::MemberWriter::valueOf(record)))
        .run();
}

// Newest first.
Result<std::vector<CalibrationRecord>> readCalibrations(Database& database)
{
    const auto texts = recordsOf<std::string>(
        database, "calibrations",
        "SELECT record FROM calibrations ORDER BY measured_at_ms DESC, rowid DESC",
        kCalibrationDoing, [](Statement& row, std::string& text) { row.take(text); });
    if (!texts)
        return texts.error();
    std::vector<CalibrationRecord> records;
    for (const std::string& text : *texts) {
        CalibrationRecord record;
        if (json::MemberReader::read(json::OrderedValue(json::parsedOrNull(text)), record))
            records.push_back(std::move(record));
    }
    return records;
}

using DatabasePtr = std::unique_ptr<Database>;

Result<DatabasePtr> openAnother(const fs::path& file)
{
    auto opened = openForReading(file);
    if (!opened)
        return opened;
    if (const Status ours = checkHasOnlyOurSchema(**opened, migrations()); !ours)
        return ours.error();
    return opened;
}

Result<std::vector<std::string>> idsIn(Database& database)
{
    Statement query = database.prepare(
        "SELECT id FROM profiling_runs WHERE trash_pid IS NULL ORDER BY created_at_ms, rowid",
        "list the runs");
    return query.list<std::string>();
}

Result<Run> wholeRun(Database& database, const std::string& id, const CancelToken& cancel)
{
    Reading reading(database, cancel);
    if (const Status begun = reading.begin("read the run"); !begun)
        return begun.error();
    Result<Run> run = readRun(database, id);
    if (run && run->info.status == RunStatus::Running) // the process that recorded it has ended
        completeInterrupted(*run);
    return run;
}

// Ids from outside appear in file names, addresses and headers.
Status checkId(const std::string& id)
{
    if (isRunId(id))
        return {};
    constexpr std::size_t kShown = 60;
    return Error{ErrorCode::InvalidInput,
                 {"The id of a run must be a UUID, which \"%1\" is not; give it one (run.info.id "
                  "in its JSON) and import it again.",
                  terminalText(id.substr(0, kShown))}};
}

Result<bool> addAtOnce(Database& database, const Run& run)
{
    bool added = false;
    const Status done = changeAtOnce(database, "save the run", [&]() -> Status {
        const Result<bool> fresh = addRun(database, run);
        if (!fresh)
            return fresh.error();
        added = added || *fresh; // an earlier try may have added the run
        return {};
    });
    if (!done)
        return done.error();
    return added;
}

// Runs in progress in the source are left out, since they are incomplete.
Result<ImportReport> copyRuns(Database& from, Database& to, const std::vector<std::string>& ids,
                              const CancelToken& cancel, const ProgressFn& progress)
{
    const auto recorded = runsThatGoOn(from);
    if (!recorded)
        return recorded.error();
    ImportReport report;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::string& id = ids[i];
        if (cancel.cancelled())
            return Error{ErrorCode::Cancelled,
                         "Copying runs was stopped; completely copied runs are kept."};
        if (progress) {
            progress(static_cast<double>(i) / static_cast<double>(ids.size()),
                     "Run " + std::to_string(i + 1) + " of " + std::to_string(ids.size()));
        }
        const auto present = isPresent(to, id, "look up the run");
        if (!present)
            return present.error();
        if (*present || std::count(recorded->begin(), recorded->end(), id) > 0) {
            report.skipped.push_back(id);
            continue;
        }
        const auto run = wholeRun(from, id, cancel);
        if (!run)
            return run.error();
        const auto added = addAtOnce(to, *run);
        if (!added)
            return added.error();
        (*added ? report.imported : report.skipped).push_back(id);
    }
    return report;
}

// Copies measured qualities; if both databases have one, the newer stays.
Status copyQualities(Database& from, Database& to)
{
    const auto theirs = readQualities(from);
    if (!theirs)
        return theirs.error();
    const auto ours = readQualities(to);
    if (!ours)
        return ours.error();
    for (const QualityRecord& record : *theirs) {
        const bool newer = std::any_of(ours->begin(), ours->end(), [&](const QualityRecord& known) {
            return known.model == record.model && known.fingerprint == record.fingerprint
                && known.dtype == record.dtype && known.device == record.device
                && known.sameText(record) && known.created_at_ms >= record.created_at_ms;
        });
        if (newer)
            continue;
        if (const Status written = writeQuality(to, record); !written)
            return written;
    }
    return {};
}

Status copyCalibrations(Database& from, Database& to)
{
    const auto theirs = readCalibrations(from);
    if (!theirs)
        return theirs.error();
    for (const CalibrationRecord& record : *theirs) {
        if (const Status written = writeCalibration(to, record); !written)
            return written;
    }
    return {};
}

Result<ImportReport> importFrom(const fs::path& file, Database& own, const CancelToken& cancel,
                                const ProgressFn& progress)
{
    const auto opened = openAnother(file);
    if (!opened)
        return opened.error();
    Database& source = **opened;
    const auto ids = idsIn(source);
    if (!ids)
        return ids.error();
    for (const std::string& id : *ids) {
        if (const Status valid = checkId(id); !valid)
            return Error{valid.error().code, {"%1: %2", file.string(), valid.error().message}};
    }
    const auto report = copyRuns(source, own, *ids, cancel, progress);
    if (!report)
        return report.error();
    if (const Status copied = copyQualities(source, own); !copied)
        return copied.error();
    if (const Status copied = copyCalibrations(source, own); !copied)
        return copied.error();
    return report;
}

// An error about the copy, which has its own name and its own option.
Error aboutTheCopy(Error error, const fs::path& file, const fs::path& target)
{
    std::string text = error.message.english();
    const auto replace = [&](const std::string& from, const std::string& to) {
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
    };
    if (text.find(file.string()) == std::string::npos)
        return error; // an error about the file that is copied
    replace(file.string(), target.string());
    replace("--db", "--out");
    return {error.code, text};
}

} // namespace

Result<bool> Store::importRun(const Run& run)
{
    if (const Status valid = checkId(run.info.id); !valid)
        return valid.error();
    return addAtOnce(*m_impl->database, run);
}

Result<ImportReport> Store::importDatabase(const fs::path& file, const CancelToken& cancel,
                                           const ProgressFn& progress)
{
    Database& own = *m_impl->database;
    auto report = importFrom(file, own, cancel, progress);
    const bool isOurs = !report
        && report.error().message.english().find('(' + own.file().string() + ')')
            != std::string::npos;
    return report || isOurs ? report : aboutAnother(report.error());
}

Result<ImportReport> Store::copyTo(const fs::path& target, const std::vector<std::string>& runIds,
                                   const CancelToken& cancel, const ProgressFn& progress)
{
    const auto copyInto = [&](const fs::path& file) -> Result<ImportReport> {
        const auto database = openForWriting(file);
        if (!database)
            return database.error();
        if (const Status copied = copyCalibrations(*m_impl->database, **database); !copied)
            return copied.error();
        auto report = copyRuns(*m_impl->database, **database, runIds, cancel, progress);
        const bool isDraft = file != target;
        if (!report || !isDraft)
            return report;
        if (const Status one = (*database)->becomeOneFile(); !one)
            return one.error();
        return report;
    };
    std::error_code failed;
    if (fs::exists(target, failed)) {
        auto report = copyInto(target);
        return report ? report : aboutTheCopy(report.error(), target, target);
    }
    const DatabaseDraft draft(target);
    auto report = copyInto(draft.file());
    if (!report)
        return aboutTheCopy(report.error(), draft.file(), target);
    if (const Status put = draft.putInPlace("--out"); !put)
        return put.error();
    return report;
}

Status Store::saveQuality(const QualityRecord& record)
{
    Database& database = *m_impl->database;
    return changeAtOnce(database, kQualityDoing, [&] { return writeQuality(database, record); });
}

Result<std::vector<QualityRecord>> Store::qualities() const
{
    return readQualities(*m_impl->database);
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
