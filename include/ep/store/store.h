// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/machine_record.h"
#include "ep/core/quality_record.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/run_filter.h"
#include "ep/core/run_tree.h"
#include "ep/core/trace_lookup.h"
#include "ep/store/run_source.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::store {

// $EP_DB, otherwise runs.db in the program's folder in the platform's application data: macOS
// ~/Library/Application Support/Energy Profiler, otherwise $XDG_DATA_HOME (~/.local/share) +
// energy-profiler.
std::filesystem::path defaultDatabasePath();

// Whether the file begins like an SQLite database. Safe for a database in use, unlike reading its
// bytes (closing the file would drop this process's POSIX locks on it).
bool isDatabase(const std::filesystem::path& file);

// Fields that users can change later; absent: unchanged.
struct RunEdit {
    std::optional<std::string> title{};
    std::optional<std::string> notes{};
    std::optional<std::string> experiment{};
    std::optional<std::vector<std::string>> tags{}; // replaces all existing tags
    std::vector<std::string> add_tags{};
    std::vector<std::string> remove_tags{};
    std::optional<std::vector<Annotation>> annotations{}; // replaces all existing annotations
};

// Which runs a clean-up deletes: those that fulfil every given condition. Runs in progress are
// never deleted.
struct PruneRule {
    static constexpr int kMostKept = 1'000'000; // runs
    static constexpr int kMostDays = 36'500;

    std::optional<std::int64_t> keep_last{}; // keeps the N newest
    std::optional<std::int64_t> before_ms{}; // created before this time, wall clock
    bool only_untagged = false;

    bool empty() const { return !keep_last && !before_ms && !only_untagged; }
};

struct RunSize {
    std::string id;
    std::optional<std::int64_t> bytes; // absent while the run is in progress
};

struct StoreSize {
    std::int64_t file_bytes = 0; // including SQLite's helper files
    std::int64_t free_bytes = 0; // unused space in the file, returned by vacuum()
    std::vector<RunSize> runs; // runs outside of the trash; largest first
};

struct ImportReport {
    std::vector<std::string> imported; // ids
    std::vector<std::string> skipped; // ids of runs that already exist
};

// State of a step of a study that several processes share.
enum class StepClaim {
    Ours,
    Taken, // another process is running the step
    Done, // its run exists
};

// A run without its millions of spans, which is enough for the first display.
struct RunOverview {
    Run run; // without layers, components and operations
    std::vector<ComponentTotal> totals; // by layer, then component
};

// One SQLite file. A Store object is used by one thread at a time; open one per thread. Every
// failure is a Result with SQLite's message; nothing is half-written.
class Store {
public:
    enum class Mode { ReadWrite, ReadOnly };
    // Creates the file (0600) and its schema if absent, migrates older versions (keeping a copy),
    // and refuses files of other programs. A file of a newer version can only be opened ReadOnly.
    // Opening ReadWrite also marks runs of dead processes that are still "running" as interrupted.
    static Result<std::unique_ptr<Store>> open(const std::filesystem::path& file,
                                               Mode mode = Mode::ReadWrite);
    // ReadWrite if possible, otherwise ReadOnly; notice() then returns the reason.
    static Result<std::unique_ptr<Store>> openToRead(const std::filesystem::path& file);
    ~Store();

    // Empty, or a sentence for the user on why nothing can be changed.
    const Message& notice() const;

    // Recording: a row with status running, then batches during the run, then the final data. Times
    // of tokens and samples are on the monotonic clock, as in a trace.
    Status beginRun(const RunInfo& info);
    // Newly completed tokens and samples, for crash safety. One short transaction.
    Status appendProgress(const std::string& runId, const std::vector<TokenSpan>& tokens,
                          const std::vector<PowerSample>& samples);
    // Replaces the appended data by the complete run, in one transaction.
    Status saveRun(const Run& run);

    // Newest first, without traces and without runs in the trash; at most `limit` (0: all).
    Result<std::vector<RunSummary>> list(const RunFilter& filter = {},
                                         std::int64_t limit = 0) const;
    Result<Run> load(const std::string& runId, const CancelToken& cancel = {}) const;
    // For exports: the run in pieces, from one state of the database. The store must outlive it
    // and must not be used for anything else until then.
    Result<std::unique_ptr<RunSource>> source(const std::string& runId,
                                              const CancelToken& cancel = {}) const;
    Result<RunOverview> overview(const std::string& runId, const CancelToken& cancel = {}) const;
    // Sums over all layers, components and operations; reads each of them once.
    Result<RunBreakdown> breakdown(const std::string& runId, const CancelToken& cancel = {}) const;
    // The layers, components and operations of these steps, and nothing else.
    Result<RunTrace> steps(const std::string& runId, TokenRange tokens,
                           const CancelToken& cancel = {}) const;
    // The only run whose id begins with the prefix; NotFound or InvalidInput (ambiguous) otherwise.
    Result<std::string> resolveId(const std::string& prefix) const;
    // Changes if another connection has changed the file.
    Result<std::int64_t> dataVersion() const;
    // Whether the file was moved, replaced or deleted; open() uses the one at the path now.
    bool hasMoved() const;

    Status edit(const std::string& runId, const RunEdit& changes);

    // Deleting. The trash belongs to this process: its runs are hidden from all lists, can be
    // restored while the process lives, and are deleted afterwards.
    Status remove(const std::string& runId); // permanently
    Status moveToTrash(const std::vector<std::string>& runIds);
    Status restore(const std::vector<std::string>& runIds);
    // Permanently deletes the trash of processes that have ended.
    Status emptyTrash(const CancelToken& cancel = {}, const ProgressFn& progress = {});
    Result<std::vector<std::string>> select(const PruneRule& rule) const; // newest first
    Result<StoreSize> size() const;
    // Returns unused space to the disk. Cancelling keeps the progress so far.
    Status vacuum(const CancelToken& cancel = {}, const ProgressFn& progress = {});

    // Sharing a study among any number of processes: a step belongs to the first process that
    // claims it, until it is settled or released, or the process dies. A process on another
    // machine counts as dead if it has not called keepClaims() for two minutes. The tag of its run
    // identifies a step; claiming a step deletes the leftovers of dead processes.
    Result<StepClaim> claimStep(const std::string& experiment, const std::string& step);
    Status keepClaims();
    // Call when the step's complete run is stored. False: another process stored its run first, so
    // this run is deleted again.
    Result<bool> settleStep(const std::string& experiment, const std::string& step,
                            const std::string& runId);
    Status giveUpStep(const std::string& step);

    // Results of `energy-profiler calibrate`; replaces earlier ones.
    Status saveMachine(const MachineRecord& record);
    Result<std::optional<MachineRecord>>
    machine(const std::string& machine, const std::string& device, const std::string& dtype) const;
    // Results of `energy-profiler calibrate`: all of them, newest first, or the newest that applies
    // to runs with the key.
    Status saveCalibration(const CalibrationRecord& record);
    Result<std::vector<CalibrationRecord>> calibrations() const;
    Result<std::optional<CalibrationRecord>> calibration(const CalibrationKey& key) const;
    Result<std::vector<MachineRecord>> machines() const; // all, by machine, device and format
    // Advice that studies try. advice() returns the advice for one machine, oldest first.
    Status saveAdvice(const AdviceRecord& record);
    Result<std::vector<AdviceRecord>> advice(const std::string& machine) const;

    // Quality of models, which is measured independently of runs. A record replaces the one for
    // the same model, format, device, text and windows.
    Status saveQuality(const QualityRecord& record);
    Result<std::vector<QualityRecord>> qualities() const; // newest first
    // False: a run with this id already exists and is left unchanged.
    Result<bool> importRun(const Run& run);
    // Imports all runs of another database that do not exist here, each completely or not at all,
    // as well as its records of the quality of models and of machines.
    Result<ImportReport> importDatabase(const std::filesystem::path& file,
                                        const CancelToken& cancel = {},
                                        const ProgressFn& progress = {});
    // Copies runs into another database, creating it if absent.
    Result<ImportReport> copyTo(const std::filesystem::path& target,
                                const std::vector<std::string>& runIds,
                                const CancelToken& cancel = {}, const ProgressFn& progress = {});

private:
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace ep::store
