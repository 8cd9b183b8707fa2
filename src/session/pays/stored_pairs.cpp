// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/tally.h"
#include "ep/energy/comparison.h"
#include "ep/energy/paired_runs.h"
#include "ep/energy/statistics.h"
#include "ep/session/pays_runner.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ep::session {

namespace {

std::optional<double> positiveValue(std::optional<double> value)
{
    return value && *value > 0.0 ? value : std::nullopt;
}

// A recorded command that sends no tokens has energy and time only for the whole run.
bool hasTokens(const RunSummary& run)
{
    return !run.info.profiling.command || run.info.output_tokens > 0;
}

std::optional<double> energyPerToken(const RunSummary& run)
{
    const auto joules = run.metrics.joules_per_token;
    if (!joules || !(*joules > 0.0))
        return std::nullopt;
    return *joules * kMillijoulesPerJoule;
}

std::optional<double> timePerToken(const RunSummary& run)
{
    if (run.info.output_tokens < 1 || run.metrics.duration_ns < 1)
        return std::nullopt;
    return toMilliseconds(run.metrics.duration_ns) / run.info.output_tokens;
}

std::optional<double> energyPerRun(const RunSummary& run)
{
    const auto& energy = run.metrics.energy.total_mj;
    return positiveValue(energy ? std::optional(energy->value) : std::nullopt);
}

std::optional<double> timePerRun(const RunSummary& run)
{
    return positiveValue(toMilliseconds(run.metrics.duration_ns));
}

// 95 % of Student's t over the differences of the parts of the text, which both predicted.
std::optional<energy::Interval> perplexityInterval(const QualityRecord& a, const QualityRecord& b)
{
    if (a.nll_blocks.size() != b.nll_blocks.size() || a.scored != b.scored)
        return std::nullopt;
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.nll_blocks.size(); ++i)
        differences.push_back(b.nll_blocks[i] - a.nll_blocks[i]);
    const auto interval = energy::studentInterval(differences);
    return interval ? std::optional(energy::Interval{.low = std::expm1(interval->low),
                                                     .high = std::expm1(interval->high)})
                    : std::nullopt;
}

} // namespace

StoredPairs pairsOf(std::span<const RunSummary> runs)
{
    std::vector<const RunSummary*> a;
    std::vector<const RunSummary*> b;
    for (const RunSummary& run : runs) {
        if (run.info.status == RunStatus::Complete && energy::isSideTagged(run.info, true))
            a.push_back(&run);
        else if (run.info.status == RunStatus::Complete && energy::isSideTagged(run.info, false))
            b.push_back(&run);
    }
    std::vector<const RunInfo*> infosA;
    std::vector<const RunInfo*> infosB;
    std::ranges::transform(a, std::back_inserter(infosA),
                           [](const auto* run) { return &run->info; });
    std::ranges::transform(b, std::back_inserter(infosB),
                           [](const auto* run) { return &run->info; });
    const energy::RunPairs pairs = energy::pairsOf(infosA, infosB);
    StoredPairs stored;
    stored.until_known = pairs.until_known;
    const auto haveTokens = [](const RunSummary* run) { return hasTokens(*run); };
    const bool tokens = std::ranges::all_of(a, haveTokens) && std::ranges::all_of(b, haveTokens);
    if (tokens)
        stored.table.figures = {std::string(powerlog::kPairEnergy), "ms_per_token"};
    else
        stored.table.figures = {"mj_per_run", "ms_per_run"};
    const auto energyOf = tokens ? energyPerToken : energyPerRun;
    const auto timeOf = tokens ? timePerToken : timePerRun;
    Tally energies;
    for (const energy::RunPairs::Pair& both : pairs.pairs) {
        const RunSummary& first = *a[both.a];
        const RunSummary& second = *b[both.b];
        powerlog::RecordedPair pair{.number = both.number, .order = both.order};
        pair.values = {{.a = energyOf(first), .b = energyOf(second)},
                       {.a = timeOf(first), .b = timeOf(second)}};
        if (!pair.values[0].a || !pair.values[0].b)
            stored.table.findings.push_back(
                {powerlog::Weight::Doubtful,
                 Message("pair %1: a run has no energy, so the pair does not count.",
                         both.number)});
        for (const RunSummary* run : {&first, &second}) {
            energies.add(run->metrics.duration_ns, run->metrics.energy.total_mj,
                         run->metrics.energy.provenance);
            stored.runs.push_back(run->info.id);
        }
        stored.table.pairs.push_back(std::move(pair));
    }
    if (!infosA.empty() && !infosB.empty()) {
        std::vector<const RunInfo*> all = infosA;
        all.insert(all.end(), infosB.begin(), infosB.end());
        const std::vector<Message> names = energy::differingSettings(all, {});
        stored.a = names.front();
        stored.b = names[infosA.size()];
    }
    stored.provenance = energies.provenance;
    if (stored.provenance == Provenance::Modelled)
        stored.table.findings.push_back(
            {powerlog::Weight::Doubtful,
             "The energies are modelled from the load of the machine, not measured: the verdict "
             "compares only time and load."});
    return stored;
}

void addQuality(std::span<const RunSummary> runs, const std::vector<QualityRecord>& qualities,
                PaysDecision& decision)
{
    const auto recordsOf = [&](bool a) {
        for (const RunSummary& run : runs) {
            if (energy::isSideTagged(run.info, a))
                return energy::qualityOf(qualities, run.info);
        }
        return std::vector<QualityRecord>();
    };
    const std::vector<QualityRecord> ofB = recordsOf(false);
    for (const QualityRecord& one : recordsOf(true)) {
        const auto same = std::ranges::find_if(
            ofB, [&](const QualityRecord& other) { return other.sameText(one); });
        if (same == ofB.end())
            continue;
        PaysFigure figure{.name = "perplexity"};
        figure.test.relative = std::expm1(same->nll - one.nll);
        figure.test.interval = perplexityInterval(one, *same);
        decision.figures.push_back(std::move(figure));
        return;
    }
}

} // namespace ep::session
