// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/nodes.h"
#include "compare/quality_beside.h"

#include "ep/core/format.h"
#include "ep/energy/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace ep::energy {

namespace {

constexpr double kSignificance = 0.05;

struct WordOf {
    Verdict verdict;
    const char* word;
};
constexpr std::array<WordOf, 9> kVerdicts = {{{Verdict::Missing, "missing"},
                                              {Verdict::Baseline, "baseline"},
                                              {Verdict::Neutral, "neutral"},
                                              {Verdict::Described, "described"},
                                              {Verdict::Unclear, "unclear"},
                                              {Verdict::Derived, "derived"},
                                              {Verdict::Better, "better"},
                                              {Verdict::Worse, "worse"},
                                              {Verdict::Different, "different"}}};

MetricCell cellOf(RunFigure metric, const RunGroup& group, std::uint64_t seed)
{
    MetricCell cell;
    for (const ComparedRun& compared : group.runs) {
        const Run& run = *compared.run;
        const auto value = valueOf(metric, run.info, run.metrics);
        if (!value)
            continue;
        const Provenance provenance =
            needsEnergy(metric) ? run.metrics.energy.provenance : Provenance::Measured;
        cell.provenance = cell.values.empty() ? provenance : std::max(cell.provenance, provenance);
        cell.values.push_back(*value);
    }
    cell.statistics = describe(cell.values, seed);
    return cell;
}

MetricRow rowOf(RunFigure metric, const std::vector<RunGroup>& groups,
                const ComparisonOptions& options)
{
    MetricRow row;
    row.metric = metric;
    for (const RunGroup& group : groups)
        row.groups.push_back(cellOf(metric, group, options.seed));
    const MetricCell& baseline = row.groups[options.baseline];
    for (std::size_t g = 0; g < groups.size(); ++g) {
        MetricCell& cell = row.groups[g];
        if (g == options.baseline || cell.values.empty() || baseline.values.empty())
            continue;
        cell.test = compareGroups(baseline.values, cell.values);
        if (cell.test->p && !isTested(metric)) {
            cell.test->p.reset();
            cell.test->kind = GroupTestKind::None;
            cell.test->reason = "Not tested separately: it is derived from tested figures.";
        }
    }
    return row;
}

void correct(Comparison& comparison)
{
    std::vector<GroupTest*> tests;
    std::vector<double> p;
    for (MetricRow& row : comparison.rows) {
        for (MetricCell& cell : row.groups) {
            if (cell.test && cell.test->p) {
                tests.push_back(&*cell.test);
                p.push_back(*cell.test->p);
            }
        }
    }
    const std::vector<double> adjusted = holmAdjusted(p);
    for (std::size_t i = 0; i < tests.size(); ++i)
        tests[i]->p_holm = adjusted[i];
    comparison.tests = static_cast<std::int64_t>(tests.size());
}

Verdict judge(const MetricRow& row, std::size_t group, const ComparisonOptions& options)
{
    const MetricCell& cell = row.groups[group];
    if (cell.values.empty())
        return Verdict::Missing;
    if (group == options.baseline)
        return Verdict::Baseline;
    if (!cell.test)
        return Verdict::Missing;
    const GroupTest& test = *cell.test;
    const bool neutral =
        test.relative ? std::abs(*test.relative) <= options.neutral : test.difference == 0.0;
    if (neutral)
        return Verdict::Neutral;
    if (!test.p_holm) {
        const auto fewest = std::min(cell.statistics.n, row.groups[options.baseline].statistics.n);
        return fewest >= kMinToTest && !isTested(row.metric) ? Verdict::Derived
                                                             : Verdict::Described;
    }
    if (*test.p_holm >= kSignificance)
        return Verdict::Unclear;
    const Better direction = factsOf(row.metric).better;
    if (direction == Better::Neither)
        return Verdict::Different;
    return (test.difference < 0.0) == (direction == Better::Lower) ? Verdict::Better
                                                                   : Verdict::Worse;
}

// Energies in joules per token of the steps of one run that produced tokens after the first.
std::optional<SeriesInterval> tokenInterval(const Run& run, std::uint64_t seed)
{
    std::vector<double> joules;
    for (const TokenSpan& token : run.trace.tokens) {
        if (token.phase == Phase::Decode && token.energy.total_mj && token.sequences > 0)
            joules.push_back(token.energy.total_mj->value * 1e-3 / token.sequences);
    }
    return seriesInterval(joules, seed);
}

GroupFacts factsOf(const RunGroup& group, std::string label, std::uint64_t seed)
{
    GroupFacts facts;
    facts.label = std::move(label);
    facts.source = group.runs.front().run->info.power.source;
    facts.provenance = Provenance::Measured;
    for (const ComparedRun& run : group.runs) {
        facts.ids.push_back(run.run->info.id);
        facts.provenance = std::max(facts.provenance, run.run->metrics.energy.provenance);
    }
    facts.tokens = tokenInterval(*group.runs.front().run, seed);
    return facts;
}

// Causes of the difference between the baseline and the group.
std::optional<CauseDifference> causesOf(const RunGroup& baseline, const RunGroup& group,
                                        const std::string& label)
{
    if (&baseline == &group || baseline.runs.size() != 1 || group.runs.size() != 1)
        return {};
    const ComparedRun& before = baseline.runs.front();
    const ComparedRun& after = group.runs.front();
    if (!before.why || !after.why || before.why->of_time != after.why->of_time)
        return {};
    return differenceOf(*before.why, *after.why, before.run->info.output_tokens,
                        after.run->info.output_tokens, label);
}

std::string pText(double p)
{
    return p < 0.001 ? std::string("p < 0.001") : "p = " + formatSignificant(p, 2);
}

} // namespace

std::string_view name(Verdict verdict)
{
    return kVerdicts[static_cast<std::size_t>(verdict)].word;
}

std::string_view name(Normalisation normalisation)
{
    switch (normalisation) {
    case Normalisation::PerRun:
        return "per_run";
    case Normalisation::PerToken:
        return "per_token";
    case Normalisation::PerInputToken:
        return "per_input_token";
    case Normalisation::PerMillionParameters:
        return "per_million_parameters";
    }
    return "per_run";
}

std::string_view title(Normalisation normalisation)
{
    switch (normalisation) {
    case Normalisation::PerRun:
        return "of the whole run";
    case Normalisation::PerToken:
        return "per output token";
    case Normalisation::PerInputToken:
        return "per input token";
    case Normalisation::PerMillionParameters:
        return "per million parameters";
    }
    return "of the whole run";
}

std::optional<Normalisation> normalisationFromName(std::string_view word)
{
    for (const Normalisation one :
         {Normalisation::PerRun, Normalisation::PerToken, Normalisation::PerInputToken,
          Normalisation::PerMillionParameters}) {
        if (name(one) == word)
            return one;
    }
    return std::nullopt;
}

const MetricRow* Comparison::row(RunFigure metric) const
{
    for (const MetricRow& row : rows) {
        if (row.metric == metric)
            return &row;
    }
    return nullptr;
}

Comparison compare(const std::vector<RunGroup>& groups, const ComparisonOptions& options)
{
    Comparison comparison;
    comparison.options = options;
    if (groups.empty())
        return comparison;
    comparison.options.baseline = std::min(options.baseline, groups.size() - 1);
    const std::vector<Message> labels = labelsOf(groups);
    for (std::size_t g = 0; g < groups.size(); ++g)
        comparison.groups.push_back(factsOf(groups[g], labels[g], options.seed));
    const RunGroup& baseline = groups[comparison.options.baseline];
    for (std::size_t g = 0; g < groups.size(); ++g)
        comparison.groups[g].causes = causesOf(baseline, groups[g], labels[g]);
    for (const RunFigureFacts& facts : kRunFigures) {
        MetricRow row = rowOf(facts.figure, groups, comparison.options);
        if (std::any_of(row.groups.begin(), row.groups.end(),
                        [](const MetricCell& cell) { return !cell.values.empty(); }))
            comparison.rows.push_back(std::move(row));
    }
    correct(comparison);
    for (MetricRow& row : comparison.rows) {
        for (std::size_t g = 0; g < row.groups.size(); ++g)
            row.groups[g].verdict = judge(row, g, comparison.options);
    }
    compareNodes(groups, comparison);
    compareQuality(groups, comparison);
    if (groups.size() > 1) {
        comparison.warnings = warningsOf(groups);
        comparison.differs_in = differencesOf(groups);
    }
    return comparison;
}

Message sentenceOf(const Comparison& comparison, const MetricRow& row, std::size_t group)
{
    const MetricCell& cell = row.groups[group];
    if (cell.verdict == Verdict::Baseline)
        return "the baseline";
    if (!cell.test)
        return "not known on both sides";
    const GroupTest& test = *cell.test;
    Message text = test.relative ? Message(test.difference < 0.0 ? "%1 lower" : "%1 higher",
                                           formatPercent(std::abs(*test.relative)))
                                 : Message(formatFigure(row.metric, test.difference, true));
    if (test.ci95) {
        text = Message("%1 (95 % CI of the difference %2 to %3)", text,
                       formatFigure(row.metric, test.ci95->low, true),
                       formatFigure(row.metric, test.ci95->high, true));
    }
    const auto with = [&](const Message& clause) { return sequence({text, clause}, "; "); };
    const auto tested = [&](const char* pattern) {
        return with({pattern, pText(*test.p_holm), comparison.tests});
    };
    switch (cell.verdict) {
    case Verdict::Neutral:
        return with({"within the neutral zone of %1 to either side",
                     formatPercent(comparison.options.neutral)});
    case Verdict::Described:
        return with(sequence({"for these runs only.", test.reason}));
    case Verdict::Derived:
        return with("derived from the tested figures");
    case Verdict::Unclear:
        text = tested("may be chance, %1 corrected for %2 tests (Holm)");
        return test.repeats_needed
            ? with(
                {"a difference like this would need %1 repeats on each side", *test.repeats_needed})
            : text;
    case Verdict::Better:
        return tested("better, %1 corrected for %2 tests (Holm)");
    case Verdict::Worse:
        return tested("worse, %1 corrected for %2 tests (Holm)");
    case Verdict::Different:
        return tested("different, %1 corrected for %2 tests (Holm)");
    case Verdict::Missing:
    case Verdict::Baseline:
        break;
    }
    return text;
}

} // namespace ep::energy
