// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/quality_record.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_tree.h"
#include "ep/energy/diagnosis.h"
#include "ep/energy/sides.h"
#include "ep/energy/statistics.h"
#include "ep/energy/tree_test.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Compares two to four runs, or groups of repeats. Pure functions of stored runs; spans of layers
// and components are passed as totals, so that little has to be read.
namespace ep::energy {

// "joules_per_token > +5%": a condition that a difference from the baseline must not fulfil.
// Without the percent sign, the limit is in the figure's unit.
struct DifferenceLimit {
    RunFigure metric = RunFigure::JoulesPerToken;
    bool above = true; // true: fails above the limit; false: below it
    double limit = 0.0; // a fraction when relative
    bool relative = true;

    bool operator==(const DifferenceLimit&) const = default;
};
Result<DifferenceLimit> parseLimit(std::string_view text);

enum class LimitCheck : std::uint8_t { Within, NotKnown, Exceeded };
// Within or exceeded only if the whole interval is. baseline: mean of the figure on side A.
LimitCheck checkLimit(const DifferenceLimit& limit, const std::optional<SideTest>& test,
                      double baseline);

struct ComparedRun {
    RunPtr run; // its trace may lack layers, components and operations
    std::shared_ptr<const std::vector<ComponentTotal>> totals; // by layer, then component, or null
    // Why the run used its energy, or took its time if times are compared; null: not requested, or
    // unknown.
    std::shared_ptr<const Diagnosis> why{};
};

// Repeats of one configuration; at least one.
struct RunGroup {
    std::string label; // empty: derived from the differences between the groups
    std::vector<ComparedRun> runs;
    std::vector<QualityRecord> quality{}; // for the first run's model and format, newest first
};

// Identifies repeats: equal for runs with the same model, text, settings, device and measurement.
std::string repeatKey(const RunInfo& info);
// Whether a run may stand for its setting in a mean: it is complete, and neither interruptions nor
// its samples make it poor.
bool isSound(const RunInfo& info);
// Indices of runs with equal keys, grouped in the order of each key's first run. Only complete runs
// count as repeats; others form groups of their own.
std::vector<std::vector<std::size_t>> groupRepeats(const std::vector<const RunInfo*>& runs);

// The divisor of the energies and times of the tree and of layers.
enum class Normalisation : std::uint8_t { PerRun, PerToken, PerInputToken, PerMillionParameters };
std::string_view name(Normalisation normalisation); // "per_token"
std::string_view title(Normalisation normalisation); // "per output token"
std::optional<Normalisation> normalisationFromName(std::string_view word);

struct ComparisonOptions {
    std::size_t baseline = 0; // index of a group
    double smallest_difference = kSmallestDifference; // differences up to this do not matter
    double error = kIntervalError; // of all intervals of one figure together
    Normalisation normalisation = Normalisation::PerToken;
    std::uint64_t seed = kStatisticsSeed;

    bool operator==(const ComparisonOptions&) const = default;
};

enum class Verdict : std::uint8_t {
    Missing, // a group has no such figure
    Baseline,
    Neutral, // no difference that matters
    Described, // describes only these runs; too few repeats for a test
    Unclear, // may be chance: not shown at an error of 5 %
    Derived, // derived from tested figures, so not tested itself
    Better,
    Worse,
    Different, // neither direction is better
};
std::string_view name(Verdict verdict); // "unclear"
std::string_view title(Verdict verdict); // "may be chance"

struct MetricCell {
    std::vector<double> values; // values of the runs that have one
    SampleStatistics statistics;
    Provenance provenance = Provenance::Missing; // the worst one; Measured for times
    std::optional<SideTest> test; // against the baseline; absent if a side is missing
    Verdict verdict = Verdict::Missing;

    bool operator==(const MetricCell&) const = default;
};

struct MetricRow {
    RunFigure metric = RunFigure::JoulesPerToken;
    std::vector<MetricCell> groups;

    bool operator==(const MetricRow&) const = default;
};

// Mean of a group's runs, and its difference from the baseline's mean.
struct NodeCell {
    std::optional<double> mean;
    std::optional<double> difference;
    std::optional<Interval> ci95; // interval of the difference; requires 3 repeats on each side

    bool operator==(const NodeCell&) const = default;
};

// One node of run > part > layer or phase, depth first. A part is a section or a kind of component
// over all layers, so every joule is in exactly one part; the rest is a remainder.
struct DifferenceNode {
    enum class Kind : std::uint8_t { Run, Section, Component, RestOfLayers, RestOfRun };
    Kind kind = Kind::Run; // kind of the part
    std::string word; // stored words: "run", "lm_head", "q_proj", "layer 3", "prefill"
    std::optional<Phase> phase{}; // for a section that occurs in one phase only
    std::optional<Section> section{};
    std::optional<int> layer{}; // for a component; row of LayerDifferences
    std::optional<Component> component{};
    int depth = 0; // 0 is the run
    int parent = -1; // index
    std::vector<NodeCell> energy_mj; // one for each group, normalised
    std::vector<NodeCell> time_ms;
    // One test per group, of Comparison::tested against the baseline. The run has the test of the
    // figure "energy per token".
    std::vector<NodeTest> tests;

    bool operator==(const DifferenceNode&) const = default;
};

enum class NodeQuantity : std::uint8_t { Energy, Time };

// Layers x components, row-major; values are normalised. Models of different depth are matched by
// relative position: several layers of the deeper one share a row.
struct LayerDifferences {
    int layers = 0;
    std::vector<std::string> labels{}; // of the rows: "3", or "6-7" for the deeper of two models
    std::vector<Component> components;
    std::vector<std::vector<NodeCell>> energy_mj; // [group][layer * components + column]
    std::vector<std::vector<NodeCell>> time_ms;

    bool operator==(const LayerDifferences&) const = default;
};

struct ComparisonWarning {
    enum class Weight : std::uint8_t { Note, Caution, Serious };
    Weight weight = Weight::Note;
    Message text; // one or two sentences on what differs and what can be concluded

    bool operator==(const ComparisonWarning&) const = default;
};

struct GroupFacts {
    Message label;
    std::vector<std::string> ids;
    Provenance provenance = Provenance::Missing; // the worst provenance of the energies
    std::string source; // power source
    // J/token over the decoded tokens of the first run; describes only that run.
    std::optional<SeriesInterval> tokens;
    std::optional<QualityRecord> quality{}; // on the text that most groups share
    // Answers which of the two needs less of the figure `compared`: the baseline (A) or this group
    // (B). Absent for the baseline, or if a side has no value.
    std::optional<SideTest> answer{};
    // The difference from the baseline, divided into its causes, if both are single runs.
    std::optional<CauseDifference> causes{};

    bool operator==(const GroupFacts&) const = default;
};

struct Comparison {
    ComparisonOptions options;
    std::vector<GroupFacts> groups;
    std::vector<MetricRow> rows; // without figures that no group has
    RunFigure compared = RunFigure::JoulesPerToken; // Energy or Duration without energies per token
    std::int64_t tests = 0; // number of p-values of other figures that are corrected together
    std::vector<DifferenceNode> tree;
    NodeQuantity tested = NodeQuantity::Energy; // Time if a group has no energies
    std::int64_t leaves = 0; // leaves of the tree's tests, for which p_adjusted is corrected
    LayerDifferences layers;
    std::vector<ComparisonWarning> warnings; // most serious first
    std::vector<std::string> differs_in; // "dtype", "batch size"

    bool operator==(const Comparison&) const = default;
    const MetricRow* row(RunFigure metric) const; // null if no group has the figure
    std::vector<std::size_t> others() const // the groups that are compared with the baseline
    {
        std::vector<std::size_t> others;
        for (std::size_t group = 0; group < groups.size(); ++group) {
            if (group != options.baseline)
                others.push_back(group);
        }
        return others;
    }
};

// Takes 1 to 4 groups, each with at least one run (a single group is not compared);
// options.baseline is the index of one of them.
Comparison compare(const std::vector<RunGroup>& groups, const ComparisonOptions& options = {});

// The verdict on a cell as a sentence: "5.1 % lower (95 % CI -0.2 to ...), p = ..., worse".
Message sentenceOf(const Comparison& comparison, const MetricRow& row, std::size_t group);

// The answer about a group in one sentence, in the names of the two; empty for the baseline.
Message answerOf(const Comparison& comparison, std::size_t group);

// The verdict on a node as a sentence:
// "q_proj: 5.1 % higher (+0.3 mJ by power, +0.9 mJ by time), p = ...".
Message sentenceOf(const Comparison& comparison, const DifferenceNode& node, std::size_t group);
// One paragraph on what the p-values of the tree test, and how they are corrected.
Message explainTree(const Comparison& comparison);

// Returns "36 % less energy, 0.4 % higher perplexity on tale.txt", or that quality was not measured
// on both sides; for the baseline, returns its perplexity.
Message qualitySentence(const Comparison& comparison, std::size_t group);
// Returns the records for the run's model and number format, in the order given.
std::vector<QualityRecord> qualityOf(const std::vector<QualityRecord>& all, const RunInfo& run);

// Returns only the warnings of a comparison of these groups, which are reasons to doubt it.
std::vector<ComparisonWarning> warningsOf(const std::vector<RunGroup>& groups);
// Names of the settings that differ between groups, and a short label for each group derived from
// these.
std::vector<std::string> differencesOf(const std::vector<RunGroup>& groups);
std::vector<Message> labelsOf(const std::vector<RunGroup>& groups);
// Returns for each run the settings that differ between the runs: "bf16, batch 8"; empty if none
// differ. Leaves out settings of the given names, which a caller shows elsewhere.
std::vector<Message> differingSettings(const std::vector<const RunInfo*>& runs,
                                       std::span<const std::string_view> without);

} // namespace ep::energy
