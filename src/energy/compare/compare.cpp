// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/properties.h"

#include "ep/core/enum_words.h"
#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/quality_record.h"
#include "ep/energy/comparison.h"
#include "ep/energy/group_test.h"
#include "ep/energy/paired_runs.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ep::energy {
namespace {

constexpr std::array<std::string_view, 4> kNormalisations{"per_run", "per_token", "per_input_token",
                                                          "per_million_parameters"};

const QualityRecord* onSameText(const RunGroup& group, const QualityRecord& record)
{
    const auto found =
        std::find_if(group.quality.begin(), group.quality.end(),
                     [&](const QualityRecord& other) { return other.sameText(record); });
    return found != group.quality.end() ? &*found : nullptr;
}

Message relativeText(double fraction, const char* lower, const char* higher)
{
    return {fraction < 0.0 ? lower : higher, formatPercent(std::abs(fraction))};
}

// Fills in GroupFacts::quality.
void compareQuality(const std::vector<RunGroup>& groups, Comparison& comparison)
{
    const QualityRecord* common = nullptr;
    std::ptrdiff_t most = 0;
    for (const RunGroup& group : groups) {
        for (const QualityRecord& record : group.quality) {
            const auto having =
                std::count_if(groups.begin(), groups.end(), [&](const RunGroup& other) {
                    return onSameText(other, record) != nullptr;
                });
            if (having > most) {
                most = having;
                common = &record;
            }
        }
    }
    for (std::size_t g = 0; common && g < groups.size(); ++g) {
        if (const QualityRecord* record = onSameText(groups[g], *common))
            comparison.groups[g].quality = *record;
    }
}

constexpr std::array kVerdicts{"missing", "baseline", "neutral", "described", "unclear",
                               "derived", "better",   "worse",   "different"};
constexpr std::array kVerdictTitles{"not known on both sides",
                                    "baseline",
                                    "no difference",
                                    "these runs only",
                                    "may be chance",
                                    "derived",
                                    "better",
                                    "worse",
                                    "different"};

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

// The figure that is compared: energies per token or, for commands without tokens, of the run; else
// times.
RunFigure comparedFigure(const std::vector<RunGroup>& groups)
{
    for (const RunFigure figure : {RunFigure::JoulesPerToken, RunFigure::Energy}) {
        if (std::ranges::all_of(groups, [&](const RunGroup& group) {
                return std::ranges::any_of(group.runs, [&](const ComparedRun& run) {
                    return valueOf(figure, run.run->info, run.run->metrics).has_value();
                });
            }))
            return figure;
    }
    return RunFigure::Duration;
}

// The runs of a group beside those of the baseline.
struct BesideBaseline {
    RunPairs pairs;
    SideValues of(RunFigure figure, const RunGroup& baseline, const RunGroup& group) const
    {
        SideValues values = sideValues(baseline.runs.size(), group.runs.size(), pairs,
                                       [&](bool ofA, std::size_t i) {
                                           const Run& run = *(ofA ? baseline : group).runs[i].run;
                                           return valueOf(figure, run.info, run.metrics);
                                       });
        values.figure = figure;
        return values;
    }
};

BesideBaseline besideBaseline(const RunGroup& baseline, const RunGroup& group)
{
    const auto infos = [](const RunGroup& one) {
        std::vector<const RunInfo*> all;
        for (const ComparedRun& run : one.runs)
            all.push_back(&run.run->info);
        return all;
    };
    return {.pairs = pairsOf(infos(baseline), infos(group))};
}

// Tests every figure of a group against the baseline. The figure that answers the question is
// tested first; if pairs were added until its verdict was known, the other figures use only the
// pairs up to that verdict.
void testGroup(const std::vector<RunGroup>& groups, std::size_t group, Comparison& comparison)
{
    const RunGroup& baseline = groups[comparison.options.baseline];
    const auto others = static_cast<double>(groups.size() - 1);
    const SideTestOptions options{.smallest_difference = comparison.options.smallest_difference,
                                  .error = comparison.options.error / others};
    BesideBaseline beside = besideBaseline(baseline, groups[group]);
    const auto test = [&](RunFigure figure) {
        SideValues values = beside.of(figure, baseline, groups[group]);
        values.decides = figure == comparison.compared;
        return values.a.empty() || values.b.empty() ? std::nullopt
                                                    : std::optional(testSides(values, options));
    };
    comparison.groups[group].answer = test(comparison.compared);
    if (auto& answer = comparison.groups[group].answer) {
        if (answer->p)
            answer->p_corrected = std::min(1.0, *answer->p * others);
        const auto used = static_cast<std::size_t>(answer->pairs_used);
        if (beside.pairs.until_known && used < beside.pairs.pairs.size())
            beside.pairs.pairs.resize(used);
    }
    for (MetricRow& row : comparison.rows) {
        MetricCell& cell = row.groups[group];
        cell.test =
            row.metric == comparison.compared ? comparison.groups[group].answer : test(row.metric);
        if (cell.test && row.metric != comparison.compared && !isTested(row.metric)) {
            cell.test->p.reset();
            cell.test->reason = "Not tested separately: it is derived from tested figures.";
        }
    }
}

// Holm's correction over the figures that do not answer the question.
void correct(Comparison& comparison)
{
    std::vector<SideTest*> tests;
    std::vector<double> p;
    for (MetricRow& row : comparison.rows) {
        for (MetricCell& cell : row.groups) {
            if (row.metric != comparison.compared && cell.test && cell.test->p) {
                tests.push_back(&*cell.test);
                p.push_back(*cell.test->p);
            }
        }
    }
    const std::vector<double> adjusted = holmAdjusted(p);
    for (std::size_t i = 0; i < tests.size(); ++i)
        tests[i]->p_corrected = adjusted[i];
    comparison.tests = static_cast<std::int64_t>(tests.size());
}

Verdict judge(const Comparison& comparison, const MetricRow& row, std::size_t group)
{
    const MetricCell& cell = row.groups[group];
    if (cell.values.empty())
        return Verdict::Missing;
    if (group == comparison.options.baseline)
        return Verdict::Baseline;
    if (!cell.test)
        return Verdict::Missing;
    const SideTest& test = *cell.test;
    if (!test.interval)
        return Verdict::Described;
    if (test.verdict == PairedVerdict::NoDifference)
        return Verdict::Neutral;
    if (row.metric != comparison.compared && !isTested(row.metric))
        return Verdict::Derived;
    const bool shown = test.p_corrected && row.metric != comparison.compared
        ? *test.p_corrected < kIntervalError
        : test.verdict != PairedVerdict::Unknown;
    if (!shown)
        return Verdict::Unclear;
    const Better direction = factsOf(row.metric).better;
    if (direction == Better::Neither)
        return Verdict::Different;
    return (*test.relative < 0.0) == (direction == Better::Lower) ? Verdict::Better
                                                                  : Verdict::Worse;
}

// Energies in joules per token of the steps of one run that produced tokens after the first.
std::optional<SeriesInterval> tokenInterval(const Run& run, std::uint64_t seed)
{
    std::vector<double> joules;
    for (const TokenSpan& token : run.trace.tokens) {
        if (const auto energy = decodedEnergy(token))
            joules.push_back(energy->value / kMillijoulesPerJoule);
    }
    return seriesInterval(joules, seed);
}

GroupFacts factsOf(const RunGroup& group, Message label, std::uint64_t seed)
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
                                        const Message& label)
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

} // namespace

std::vector<QualityRecord> qualityOf(const std::vector<QualityRecord>& all, const RunInfo& run)
{
    std::vector<QualityRecord> found;
    for (const QualityRecord& record : all) {
        if (record.model == run.model.name && record.fingerprint == run.model.fingerprint
            && record.dtype == qualityFormat(run.dtype, run.execution.cache))
            found.push_back(record);
    }
    return found;
}

Message qualitySentence(const Comparison& comparison, std::size_t group)
{
    const auto& base = comparison.groups[comparison.options.baseline].quality;
    const auto& here = comparison.groups[group].quality;
    if (!here)
        return "quality not measured";
    if (group == comparison.options.baseline)
        return Message("perplexity %1 on %2", formatPerplexity(here->perplexity), here->text_name);
    const Message quality = base
        ? Message("%1 perplexity on %2",
                  relativeText(here->perplexity / base->perplexity - 1.0, "%1 lower", "%1 higher"),
                  here->text_name)
        : Message("quality of the baseline not measured");
    const MetricRow* row = comparison.row(RunFigure::JoulesPerToken);
    if (!row || !row->groups[group].test || !row->groups[group].test->relative)
        return quality;
    return {"%1 energy per token, %2",
            relativeText(*row->groups[group].test->relative, "%1 less", "%1 more"), quality};
}

std::string_view name(Verdict verdict)
{
    return wordOf(kVerdicts, verdict);
}

std::string_view title(Verdict verdict)
{
    return wordOf(kVerdictTitles, verdict);
}

std::string_view name(Normalisation normalisation)
{
    return wordOf(kNormalisations, normalisation);
}

std::string_view title(Normalisation normalisation)
{
    constexpr std::array<std::string_view, kNormalisations.size()> kTitles{
        "of the whole run", "per output token", "per input token", "per million parameters"};
    return wordOf(kTitles, normalisation);
}

std::optional<Normalisation> normalisationFromName(std::string_view word)
{
    return enumOf<Normalisation>(kNormalisations, word);
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
    comparison.compared = comparedFigure(groups);
    for (const RunFigureFacts& facts : kRunFigures) {
        MetricRow row{.metric = facts.figure, .groups = {}};
        for (const RunGroup& group : groups)
            row.groups.push_back(cellOf(facts.figure, group, options.seed));
        if (std::any_of(row.groups.begin(), row.groups.end(),
                        [](const MetricCell& cell) { return !cell.values.empty(); }))
            comparison.rows.push_back(std::move(row));
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (g != comparison.options.baseline)
            testGroup(groups, g, comparison);
    }
    correct(comparison);
    for (MetricRow& row : comparison.rows) {
        for (std::size_t g = 0; g < row.groups.size(); ++g)
            row.groups[g].verdict = judge(comparison, row, g);
    }
    compareNodes(groups, comparison);
    compareQuality(groups, comparison);
    if (groups.size() > 1) {
        comparison.warnings = warningsOf(groups);
        comparison.differs_in = differencesOf(groups);
    }
    return comparison;
}

Message answerOf(const Comparison& comparison, std::size_t group)
{
    const auto& answer = comparison.groups[group].answer;
    if (group == comparison.options.baseline)
        return {};
    if (!answer)
        return "not known on both sides";
    return verdictSentence(*answer, comparison.groups[comparison.options.baseline].label,
                           comparison.groups[group].label);
}

Message sentenceOf(const Comparison& comparison, const MetricRow& row, std::size_t group)
{
    const MetricCell& cell = row.groups[group];
    if (cell.verdict == Verdict::Baseline)
        return "the baseline";
    if (!cell.test)
        return "not known on both sides";
    const SideTest& test = *cell.test;
    const Message text = test.relative ? differenceText(test)
                                       : Message(formatFigure(row.metric, test.difference, true));
    const auto with = [&](const Message& clause) { return sequence({text, clause}, "; "); };
    const auto tested = [&](const char* word) {
        if (!test.p_corrected)
            return with(word);
        const std::string p = pText(*test.p_corrected);
        return row.metric == comparison.compared || comparison.tests < 2
            ? with({"%1, %2", Message(word), p})
            : with({"%1, %2 corrected for %3 tests", Message(word), p, comparison.tests});
    };
    switch (cell.verdict) {
    case Verdict::Neutral:
        return with({"no difference above %1", formatPercent(test.smallest_difference)});
    case Verdict::Described:
        return with(sequence({"for these runs only.", test.reason}));
    case Verdict::Derived:
        return with("derived from the tested figures");
    case Verdict::Unclear:
        return tested("may be chance");
    case Verdict::Better:
        return tested("better");
    case Verdict::Worse:
        return tested("worse");
    case Verdict::Different:
        return tested("different");
    case Verdict::Missing:
    case Verdict::Baseline:
        break;
    }
    return text;
}

} // namespace ep::energy
