// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/energy/group_test.h"

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
    std::string text;

    bool operator==(const StudyPrompt&) const = default;
};

// Interleaved: round r runs every cell once, in an order drawn anew for each round. Random: all
// runs are shuffled together. Listed: as the file lists them, the repeats of a cell in a row.
enum class StudyOrder : std::uint8_t { Interleaved, Random, Listed };
std::string_view name(StudyOrder order);

struct StudySpec {
    std::string name{}; // also the experiment of its runs
    std::vector<std::string> models{}; // folders, or names of known models
    std::vector<StudyPrompt> prompts{};
    std::vector<Depth> depths{Depth::Module};
    std::vector<std::string> devices{"auto"};
    std::vector<std::string> dtypes{"auto"};
    std::vector<int> batch_sizes{1};
    std::vector<int> output_tokens{64};
    int repeats = 3;
    StudyOrder order = StudyOrder::Interleaved;
    std::uint64_t seed = 1; // of the order
    bool fixed_length = true; // an end token does not end a generation
    int warmup_tokens = 64; // at most, before every run
    double warmup_settled = 0.05; // coefficient of variation that ends it
    double baseline_seconds = 0.0; // idle power; 0: none
    double baseline_expires_minutes = 30.0; // then it is measured again
    double cool_down_seconds = 0.0; // between two runs
    std::string power = "auto";
    int interval_ms = 100;
    int threads = 0;
    SamplingSettings sampling{};
    std::vector<std::string> tags{};

    bool operator==(const StudySpec&) const = default;
};

// Errors name the place. Prompt files are read from `folder` where their names are relative.
Result<StudySpec> parseStudy(const std::string& text, const std::filesystem::path& folder);
std::string studyToJson(const StudySpec& spec); // what parseStudy() reads

// One combination.
struct StudyCell {
    std::string id; // 12 hex digits of a hash over everything below and the study's settings
    std::string label; // what varies in the study: "f32, batch 4"
    std::string model;
    StudyPrompt prompt;
    Depth depth = Depth::Module;
    std::string device;
    std::string dtype;
    int batch_size = 1;
    int output_tokens = 0;
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

// Every `count`-th step from the `index`-th on (from 1), of the one order of the study.
struct StudyShard {
    int index = 1;
    int count = 1;
};
Result<StudyShard> parseShard(const std::string& text); // "2/5"

StudyPlan planStudy(const StudySpec& spec, const StudyShard& shard = {});

// Which steps of the plan have a complete run among these.
std::vector<bool> doneSteps(const StudyPlan& plan, const std::vector<RunSummary>& runs);

// n, mean and standard deviation.
struct StudyFigure {
    int count = 0;
    double mean = 0.0;
    double sd = 0.0; // 0 below two values
};

// The complete runs of one cell that one machine made with one power source.
struct StudyGroup {
    std::size_t cell = 0;
    std::string machine; // "node1: AMD EPYC 7763, Linux"
    std::string source; // "rapl"
    bool modelled = false;
    StudyFigure joules_per_token;
    StudyFigure tokens_per_second;
    StudyFigure duration_s;
    std::vector<std::string> runs; // ids
    bool baseline = false; // the first cell of the study among those of its machine and source
    // J/token against the baseline's, of the duration where there are no energies; p-values are
    // corrected over all cells of the machine and source. Absent for the baseline.
    std::optional<energy::GroupTest> test{};

    // The sensors of one machine and source carry a ranking; those of two do not.
    bool comparesWith(const StudyGroup& other) const;
};

struct StudyReport {
    std::string name;
    std::vector<StudyCell> cells;
    std::vector<StudyGroup> groups; // by machine and source, then J/token (or time) ascending
    std::size_t steps = 0; // of the whole study
    std::size_t done = 0;
    std::vector<std::string> cautions; // what must not be concluded, a sentence each
};
// The groups of the report that may be ranked among each other; views into it.
std::vector<std::span<const StudyGroup>> rankedTogether(const StudyReport& report);
StudyReport reportStudy(const StudySpec& spec, const std::vector<RunSummary>& runs);

} // namespace ep::session
