// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/run.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ep::store {

// $EP_DB, else runs.db in the folder of the program within the platform's application data:
// macOS ~/Library/Application Support/Energy Profiler, else $XDG_DATA_HOME (~/.local/share) +
// energy-profiler.
std::filesystem::path defaultDatabasePath();

// All conditions hold together; an empty one always holds.
struct RunFilter {
    std::string text{}; // in prompt, response, model name, experiment, tags; A-Z as a-z
    std::string model{}; // the model's name or its path
    std::string tag{};
    std::int64_t limit = 0; // 0: all
};

// One SQLite file. One Store object is used by one thread at a time; open one per thread.
// Every failure is a Result with SQLite's own words in it; nothing is half-written.
class Store {
public:
    enum class Mode { ReadWrite, ReadOnly };
    // Creates the file (0600) and its schema if absent, migrates older versions, refuses newer ones
    // and files that are no database of ours. Opening ReadWrite also marks runs left "running" by
    // dead processes as interrupted.
    static Result<std::unique_ptr<Store>> open(const std::filesystem::path& file,
                                               Mode mode = Mode::ReadWrite);
    ~Store();

    // Recording: a row with status running, then batches while it goes on, then everything final.
    // Times of tokens and samples are on the monotonic clock, as in a trace.
    Status beginRun(const RunInfo& info);
    // Tokens and samples that became complete; for crash safety. One short transaction.
    Status appendProgress(const std::string& runId, const std::vector<TokenSpan>& tokens,
                          const std::vector<PowerSample>& samples);
    // Replaces what was appended by the whole run, in one transaction. Also imports a foreign run.
    Status saveRun(const Run& run);

    // Newest first, without traces.
    Result<std::vector<RunSummary>> list(const RunFilter& filter = {}) const;
    Result<Run> load(const std::string& runId) const;
    // The only run whose id begins with the prefix; NotFound or InvalidInput (ambiguous) otherwise.
    Result<std::string> resolveId(const std::string& prefix) const;
    Status remove(const std::string& runId);

private:
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace ep::store
