// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/component_total.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/run_breakdown.h"
#include "ep/core/run_filter.h"
#include "ep/core/token_range.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::store {

// $EP_DB, else runs.db in the folder of the program within the platform's application data:
// macOS ~/Library/Application Support/Energy Profiler, else $XDG_DATA_HOME (~/.local/share) +
// energy-profiler.
std::filesystem::path defaultDatabasePath();

// Whether the file begins like an SQLite database. May be asked about one that is in use, which a
// look at its bytes may not (POSIX would drop the locks that this process holds on it).
bool isDatabase(const std::filesystem::path& file);

// What a person may change afterwards; absent: stays.
struct RunEdit {
    std::optional<std::string> title{};
    std::optional<std::string> notes{};
    std::optional<std::string> experiment{};
    std::optional<std::vector<std::string>> tags{}; // in place of those that are there
    std::vector<std::string> add_tags{};
    std::vector<std::string> remove_tags{};
};

// Which runs a clean-up takes: those for which every condition given holds. Runs that go on are
// never taken.
struct PruneRule {
    std::optional<std::int64_t> keep_last{}; // not the newest so many
    std::optional<std::int64_t> before_ms{}; // made before this moment, wall clock
    bool only_untagged = false;

    bool empty() const { return !keep_last && !before_ms && !only_untagged; }
};

struct RunSize {
    std::string id;
    std::optional<std::int64_t> bytes; // absent while it goes on
};

struct StoreSize {
    std::int64_t file_bytes = 0; // with what lies beside it
    std::int64_t free_bytes = 0; // in the file, given back by vacuum()
    std::vector<RunSize> runs; // without those in the trash; the largest first
};

struct ImportReport {
    std::vector<std::string> imported; // ids
    std::vector<std::string> skipped; // ids of runs that are there already
};

// Who makes a step of a study that several processes share.
enum class StepClaim {
    Ours,
    Taken, // another process makes it now
    Done, // its run is there
};

// A run without its millions of spans: what a window shows first.
struct RunOverview {
    Run run; // without layers, components and operations
    std::vector<ComponentTotal> totals; // by layer, then component
};

// One SQLite file. One Store object is used by one thread at a time; open one per thread.
// Every failure is a Result with SQLite's own words in it; nothing is half-written.
class Store {
public:
    enum class Mode { ReadWrite, ReadOnly };
    // Creates the file (0600) and its schema if absent, migrates older versions (a copy stays
    // beside), refuses files that are no database of ours. A file of a newer version can only be
    // opened ReadOnly. Opening ReadWrite also marks runs left "running" by dead processes as
    // interrupted.
    static Result<std::unique_ptr<Store>> open(const std::filesystem::path& file,
                                               Mode mode = Mode::ReadWrite);
    // ReadWrite where that can be, else ReadOnly; notice() then says why.
    static Result<std::unique_ptr<Store>> openToRead(const std::filesystem::path& file);
    ~Store();

    // Empty, or a sentence for the person: why nothing can be changed here.
    const std::string& notice() const;

    // Recording: a row with status running, then batches while it goes on, then everything final.
    // Times of tokens and samples are on the monotonic clock, as in a trace.
    Status beginRun(const RunInfo& info);
    // Tokens and samples that became complete; for crash safety. One short transaction.
    Status appendProgress(const std::string& runId, const std::vector<TokenSpan>& tokens,
                          const std::vector<PowerSample>& samples);
    // Replaces what was appended by the whole run, in one transaction.
    Status saveRun(const Run& run);

    // Newest first, without traces and without runs in the trash; at most `limit` (0: all).
    Result<std::vector<RunSummary>> list(const RunFilter& filter = {},
                                         std::int64_t limit = 0) const;
    Result<Run> load(const std::string& runId, const CancelToken& cancel = {}) const;
    Result<RunOverview> overview(const std::string& runId, const CancelToken& cancel = {}) const;
    // Sums over all layers, components and operations: reads each of them once.
    Result<RunBreakdown> breakdown(const std::string& runId, const CancelToken& cancel = {}) const;
    // The layers, components and operations of these steps; nothing else is filled in.
    Result<RunTrace> steps(const std::string& runId, TokenRange tokens,
                           const CancelToken& cancel = {}) const;
    // The only run whose id begins with the prefix; NotFound or InvalidInput (ambiguous) otherwise.
    Result<std::string> resolveId(const std::string& prefix) const;
    // Differs from its last value when another connection has changed the file since.
    Result<std::int64_t> dataVersion() const;
    // The file was moved, replaced or deleted: open() finds what is there now.
    bool hasMoved() const;

    Status edit(const std::string& runId, const RunEdit& changes);

    // Deleting. The trash belongs to this process: what it holds is gone for every list, can be
    // brought back as long as the process lives, and is emptied after that.
    Status remove(const std::string& runId); // for good
    Status moveToTrash(const std::vector<std::string>& runIds);
    Status restore(const std::vector<std::string>& runIds);
    // Deletes for good what ended processes left in their trash.
    Status emptyTrash(const CancelToken& cancel = {}, const ProgressFn& progress = {});
    Result<std::vector<std::string>> select(const PruneRule& rule) const; // newest first
    Result<StoreSize> size() const;
    // Gives free room back to the disk. Cancelling keeps what is done.
    Status vacuum(const CancelToken& cancel = {}, const ProgressFn& progress = {});

    // Dividing a study among any number of processes: a step belongs to whoever claims it first,
    // until it is settled or given up, or the process dies. A process of another machine counts as
    // dead when it has not called keepClaims() for two minutes. A step is named by the tag of its
    // run; claiming one deletes what dead processes left of it.
    Result<StepClaim> claimStep(const std::string& experiment, const std::string& step);
    Status keepClaims();
    // The complete run of the step is stored. False: another process's was there first, so that
    // this one is deleted again.
    Result<bool> settleStep(const std::string& experiment, const std::string& step,
                            const std::string& runId);
    Status giveUpStep(const std::string& step);

    // False: a run with its id is there, and stays as it is.
    Result<bool> importRun(const Run& run);
    // All runs of another database that are not here; each wholly or not at all.
    Result<ImportReport> importDatabase(const std::filesystem::path& file,
                                        const CancelToken& cancel = {},
                                        const ProgressFn& progress = {});
    // Puts copies of runs into another database, which is made if absent.
    Result<ImportReport> copyTo(const std::filesystem::path& target,
                                const std::vector<std::string>& runIds,
                                const CancelToken& cancel = {}, const ProgressFn& progress = {});

private:
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace ep::store
