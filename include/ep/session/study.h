// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/quality_record.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/energy/sides.h"
#include "ep/session/run_settings.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A study: every combination of models, prompts and settings, each several times (docs/studies.md,
// resources/schema/study.schema.json). Plain values; any thread.
namespace ep::session {

struct StudyPrompt {
    std::string name; // short, for tables
    std::string text; // for conversations, the question of the first one
    std::vector<Conversation> conversations{}; // replace the text; several form a batch

    bool operator==(const StudyPrompt&) const = default;
};

// Interleaved: round r runs every cell once, in a new random order for each round. Random: all
// runs are shuffled together. Listed: in the order of the file, all repeats of a cell in
// succession.
enum class StudyOrder : std::uint8_t { Interleaved, Random, Listed };
std::string_view name(StudyOrder order);

// A text on which the quality of every model and number format of a study is measured once.
struct StudyQuality {
    std::filesystem::path text; // file
    std::int64_t context = 0; // tokens; 0: as in QualityRequest
    std::int64_t stride = 0;

    bool operator==(const StudyQuality&) const = default;
};

// A setting by which the cells of a study differ, and its values as users write them.
struct StudyList {
    std::string_view setting; // its name in the table of settings
    std::vector<std::string> values;

    bool operator==(const StudyList&) const = default;
};
// The lists of a study that does not name any: for each setting with a list (kInLists), its
// default. The last list varies fastest.
std::vector<StudyList> usualLists();

// Default settings for the runs of studies and pairs: generations go on after an end token, and a
// warm-up of at most 64 tokens ends once it has settled.
RunRequest usualOfStudies();

struct StudySpec {
    std::string name{}; // also the name of the runs' experiment
    std::vector<std::string> models{}; // folders, or names of known models
    // There must be at least one model or server. Of the lists, only those of settings that servers
    // take (kWithServers) apply to servers.
    std::vector<ServerTarget> servers{};
    std::vector<StudyPrompt> prompts{};
    std::vector<StudyList> lists = usualLists();
    StudyOrder order = StudyOrder::Interleaved;
    std::uint64_t seed = 1; // seed of the random order
    double baseline_expires_minutes = 30.0; // after this time the baseline is measured again
    RunRequest run = usualOfStudies(); // all other settings of every cell; the draft may be a name
    std::optional<StudyQuality> quality{};

    bool operator==(const StudySpec&) const = default;
    std::vector<std::string>& values(std::string_view setting); // returns one of the lists
    const std::vector<std::string>& values(std::string_view setting) const;
};

// A study whose only cell has the settings of a request, without its model and prompts. How its
// runs are measured is as usual in studies.
StudySpec studyLike(const RunRequest& run);

// Errors name the place. Relative paths of prompt files are relative to `folder`.
Result<StudySpec> parseStudy(const std::string& text, const std::filesystem::path& folder);
std::string studyToJson(const StudySpec& spec); // readable by parseStudy()

struct StudyStep {
    std::size_t cell = 0; // index of the cell
    int repeat = 0; // counted from 1
    std::string tag; // "cell:0123456789ab#1", stored with the run
};

struct StudyPlan {
    std::vector<NamedSettings> cells;
    std::vector<StudyStep> steps; // in the order of execution
};

// Every `count`-th step starting with the `index`-th (counted from 1), in the order of the study.
struct StudyShard {
    int index = 1;
    int count = 1;
};
Result<StudyShard> parseShard(const std::string& text); // "2/5"

StudyPlan planStudy(const StudySpec& spec, const StudyShard& shard = {});

// Which steps of the plan have a complete run in the list.
std::vector<bool> doneSteps(const StudyPlan& plan, const std::vector<RunSummary>& runs);

// The complete runs of one cell on one machine with one power source.
struct StudyGroup {
    std::size_t cell = 0;
    std::string machine; // "node1: AMD EPYC 7763, Linux"
    std::string source; // "rapl"
    bool modelled = false;
    energy::SampleStatistics joules_per_token;
    energy::SampleStatistics joules_per_total_token; // per input and output token
    energy::SampleStatistics tokens_per_second;
    energy::SampleStatistics duration_s;
    std::vector<std::string> runs; // ids
    // The cell with which this one is compared: the first of the study with the same model and
    // prompt; for a baseline, the cell itself.
    std::size_t baseline_cell = 0;
    // J/token compared with the baseline's, or duration without energies. The intervals of all
    // cells of the machine and source hold together. Absent for a baseline.
    std::optional<energy::SideTest> test{};
    std::int64_t comparisons = 0; // number of tests that share one error rate
    std::optional<QualityRecord> quality{}; // the newest one for the cell's model and format

    bool baseline() const { return cell == baseline_cell; }
    // Only cells with the same machine and source can be ranked.
    bool comparesWith(const StudyGroup& other) const;
};

struct StudyReport {
    std::string name;
    std::vector<NamedSettings> cells;
    std::vector<StudyGroup> groups; // by machine and source, then J/token (or time), ascending
    std::size_t steps = 0; // number of steps of the whole study
    std::size_t done = 0;
    // One sentence for each set of compared cells: which cell needs least, or that the runs do not
    // show it.
    std::vector<Message> winners;
    std::vector<Message> cautions; // caveats about the conclusions, one sentence each
};
// The groups of the report that can be ranked against each other, as views of the report.
std::vector<std::span<const StudyGroup>> rankedTogether(const StudyReport& report);
// qualities: newest first
StudyReport reportStudy(const StudySpec& spec, const std::vector<RunSummary>& runs,
                        const std::vector<QualityRecord>& qualities = {});

} // namespace ep::session
