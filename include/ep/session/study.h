// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/quality_record.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/energy/group_test.h"
#include "ep/session/levers.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

// A study: every combination of models, prompts and settings, several times each
// (docs/studies.md, resources/schema/study.schema.json). Plain values; any thread.
namespace ep::session {

struct StudyPrompt {
    std::string name; // short, for tables
    std::string text; // of conversations: the question of the first
    std::vector<Conversation> conversations{}; // instead of the text; several are a batch

    bool operator==(const StudyPrompt&) const = default;
};

// A server that runs on this machine, measured beside the models (docs/attach.md).
struct StudyServer {
    std::string address; // "http://127.0.0.1:11434"
    std::string model; // empty: its only one
    std::string dialect{}; // empty: the one in which it states most

    bool operator==(const StudyServer&) const = default;
    std::string label() const; // "qwen3:0.6b at http://127.0.0.1:11434"
};

// Interleaved: round r runs every cell once, in a new random order for each round. Random: all runs
// are shuffled together. Listed: in the order of the file, with the repeats of a cell in
// succession.
enum class StudyOrder : std::uint8_t { Interleaved, Random, Listed };
std::string_view name(StudyOrder order);

// A text on which the quality of every model and number format of a study is measured, once.
struct StudyQuality {
    std::filesystem::path text; // file
    std::int64_t context = 0; // tokens; 0: as QualityRequest
    std::int64_t stride = 0;

    bool operator==(const StudyQuality&) const = default;
};

struct StudySpec {
    std::string name{}; // also the name of the runs' experiment
    std::vector<std::string> models{}; // folders, or names of known models
    // Together with the models at least one. Depths, devices, dtypes and batch sizes are those of
    // the models only.
    std::vector<StudyServer> servers{};
    std::vector<StudyPrompt> prompts{};
    std::vector<Depth> depths{Depth::Module};
    std::vector<std::string> devices{"auto"};
    std::vector<std::string> dtypes{"auto"};
    std::vector<int> batch_sizes{1};
    std::vector<int> output_tokens{64};
    int repeats = 3;
    StudyOrder order = StudyOrder::Interleaved;
    std::uint64_t seed = 1; // of the random order
    bool fixed_length = true; // an end token does not end a generation
    int warmup_tokens = 64; // maximum, before every run
    double warmup_settled = 0.05; // coefficient of variation that ends the warm-up
    double baseline_seconds = 0.0; // idle power measurement; 0: none
    double baseline_expires_minutes = 30.0; // then it is measured again
    double cool_down_seconds = 0.0; // between two runs
    std::string power = "auto";
    int interval_ms = 100;
    int threads = 0;
    Levers levers{}; // of every cell; the draft is a folder or the name of a known model
    SamplingSettings sampling{};
    std::vector<std::string> tags{};
    std::optional<StudyQuality> quality{};

    bool operator==(const StudySpec&) const = default;
};

// Errors name the place. Relative paths of prompt files are resolved in `folder`.
Result<StudySpec> parseStudy(const std::string& text, const std::filesystem::path& folder);
std::string studyToJson(const StudySpec& spec); // readable by parseStudy()

// One combination.
struct StudyCell {
    std::string id; // 12 hex digits of a hash over everything below and the study's settings
    std::string label; // what varies in the study: "f32, batch 4"
    std::string model; // of a server: its label
    std::optional<StudyServer> server{};
    StudyPrompt prompt;
    Depth depth = Depth::Module;
    std::string device;
    std::string dtype;
    int batch_size = 1;
    int output_tokens = 0;
    Levers levers{};
    std::vector<std::string> command{}; // instead of a model: recorded; only of `pays`
};

struct StudyStep {
    std::size_t cell = 0; // index
    int repeat = 0; // from 1
    std::string tag; // "cell:0123456789ab#1", stored with the run
};

struct StudyPlan {
    std::vector<StudyCell> cells;
    std::vector<StudyStep> steps; // in the order in which they run
};

// Every `count`-th step starting with the `index`-th (from 1), in the order of the study.
struct StudyShard {
    int index = 1;
    int count = 1;
};
Result<StudyShard> parseShard(const std::string& text); // "2/5"

StudyPlan planStudy(const StudySpec& spec, const StudyShard& shard = {});

// Which steps of the plan have a complete run in the list.
std::vector<bool> doneSteps(const StudyPlan& plan, const std::vector<RunSummary>& runs);

// n, mean and standard deviation.
struct StudyFigure {
    int count = 0;
    double mean = 0.0;
    double sd = 0.0; // 0 with fewer than two values
};

// The complete runs of one cell on one machine with one power source.
struct StudyGroup {
    std::size_t cell = 0;
    std::string machine; // "node1: AMD EPYC 7763, Linux"
    std::string source; // "rapl"
    bool modelled = false;
    StudyFigure joules_per_token;
    StudyFigure joules_per_total_token; // of input and output
    StudyFigure tokens_per_second;
    StudyFigure duration_s;
    std::vector<std::string> runs; // ids
    bool baseline = false; // the first cell of the study for its machine and source
    // J/token compared with the baseline, or duration if there are no energies; p-values are
    // corrected over all cells of the machine and source. Absent for the baseline.
    std::optional<energy::GroupTest> test{};
    std::optional<QualityRecord> quality{}; // the newest of the cell's model and format

    // Cells can be ranked within one machine and source only.
    bool comparesWith(const StudyGroup& other) const;
};

struct StudyReport {
    std::string name;
    std::vector<StudyCell> cells;
    std::vector<StudyGroup> groups; // by machine and source, then J/token (or time) ascending
    std::size_t steps = 0; // of the whole study
    std::size_t done = 0;
    std::vector<std::string> cautions; // restrictions on the conclusions, one sentence each
};
// The groups of the report that can be ranked against each other; views into it.
std::vector<std::span<const StudyGroup>> rankedTogether(const StudyReport& report);
// qualities: newest first
StudyReport reportStudy(const StudySpec& spec, const std::vector<RunSummary>& runs,
                        const std::vector<QualityRecord>& qualities = {});

} // namespace ep::session
