// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands.h"
#include "options.h"

#include "ep/core/safe_text.h"
#include "ep/energy/figures.h"
#include "ep/store/store.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Shared by the subcommands of `runs`.
namespace ep::app {

struct RunsOptions {
    CLI::App* command = nullptr; // the subcommand that these options belong to
    DatabaseOption database;
    RunFilter filter{};
    std::int64_t limit = 0; // rows of a list; 0: all
    std::string run{};
    std::vector<std::string> runs{};
    std::string format{};
    std::string out{};
    store::RunEdit edit{};
    std::vector<std::string> tags{}; // "+a", "-b"
    store::PruneRule rule{};
    std::int64_t older_than_days = -1;
    bool dry_run = false;
    std::string attribution{}; // for edit: recompute the energies; empty: do not
    bool no_align = false;
    bool no_baseline = false;
    std::string region = "US"; // for show
    double usd_per_kwh = -1.0; // below 0: the price of the region
    double grams_per_kwh = -1.0;
    bool json = false;
    bool full = false; // for show: everything as JSON; for export: all tables
    bool parts = false; // for show
    std::string answer_end{}; // for show: a rule for the end of an answer
    bool raw_cells = false; // for export
    std::string table{}; // for export
    bool append = false;
    bool all = false;

    CsvText formulas() const { return raw_cells ? CsvText::Raw : CsvText::Quoted; }
};

// Opens for reading and, if possible, marks runs of dead processes as interrupted. If the database
// cannot be changed, prints the reason on stderr.
Result<std::unique_ptr<store::Store>> openExisting(const std::filesystem::path& database);
// Opens for writing.
Result<std::unique_ptr<store::Store>> openToChange(const std::filesystem::path& database,
                                                   bool create = false);

// Resolves all prefixes to ids without duplicates, or returns an error.
Result<std::vector<std::string>> resolveAll(const store::Store& store,
                                            const std::vector<std::string>& prefixes);

// Stores an imported run unless it is a dry run, and prints it; returns the exit status.
int storeImport(const RunsOptions& options, const Run& run, const std::string& json,
                const std::string& text);

// `runs totals --by job`: the costs of the jobs whose id begins with `job`; `command` decides which
// are solved. Either may be empty.
int showJobs(const RunsOptions& options, const std::string& job, const std::string& command);

// Prints the problem; returns the exit status for an invalid command line.
int failUsage(const Message& problem);
// Calls failUsage() for an invalid input, and fail() for other errors.
int failAsked(const Error& error);

// Adds the subcommands of `runs`.
class RunsCommands {
public:
    using Action = std::function<int(const RunsOptions&)>;
    using Added = std::pair<CLI::App*, std::shared_ptr<RunsOptions>>;

    RunsCommands(CLI::App& runs, Invocation& invocation)
        : m_runs(runs)
        , m_invocation(invocation)
    {
    }
    Added add(const char* name, const char* what, Action action);

private:
    CLI::App& m_runs;
    Invocation& m_invocation;
};

void addRun(CLI::App& command, RunsOptions& options);
void addRuns(CLI::App& command, RunsOptions& options);
void addFilter(CLI::App& command, RunsOptions& options);

// --region, --usd-per-kwh, --grams-per-kwh
void addTariff(CLI::App& command, RunsOptions& options);
energy::Tariff tariffOf(const RunsOptions& options);

void addExportCommand(RunsCommands& commands);
void addImportCommand(RunsCommands& commands);
void addChangeCommands(RunsCommands& commands); // edit
void addDeleteCommand(RunsCommands& commands);
void addCompareCommand(RunsCommands& commands);
void addWhyCommand(RunsCommands& commands);
void addTotalsCommand(RunsCommands& commands);
void addReportCommand(CLI::App& runs, Invocation& invocation);

} // namespace ep::app
