// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays/pair_tag.h"

#include "ep/core/tally.h"
#include "ep/energy/comparison.h"
#include "ep/energy/statistics.h"
#include "ep/session/pays_runner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace ep::session {

namespace {

constexpr std::string_view kPairTag = "pays:";

struct PairTag {
    bool a = false;
    int pair = 0;
};

std::optional<PairTag> pairTagOf(const RunInfo& info)
{
    for (const std::string& tag : info.tags) {
        // "pays:a#12"
        constexpr std::size_t kNumber = kPairTag.size() + 2;
        if (!tag.starts_with(kPairTag) || tag.size() <= kNumber || tag[kNumber - 1] != '#')
            continue;
        const char side = tag[kPairTag.size()];
        PairTag read{.a = side == 'a'};
        const char* end = tag.data() + tag.size();
        const auto number = std::from_chars(tag.data() + kNumber, end, read.pair);
        if ((side == 'a' || side == 'b') && number.ec == std::errc() && number.ptr == end)
            return read;
    }
    return std::nullopt;
}

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
    constexpr double kMilli = 1e-6;
    return static_cast<double>(run.metrics.duration_ns) * kMilli / run.info.output_tokens;
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
        differences.push_back(a.nll_blocks[i] - b.nll_blocks[i]);
    const auto interval = energy::studentInterval(differences);
    return interval ? std::optional(
               energy::Interval{.low = std::exp(interval->low), .high = std::exp(interval->high)})
                    : std::nullopt;
}

} // namespace

std::string pairTag(bool a, int pair)
{
    return std::string(kPairTag) + (a ? "a#" : "b#") + std::to_string(pair);
}

StoredPairs pairsOf(std::span<const RunSummary> runs)
{
    struct Both {
        const RunSummary* a = nullptr;
        const RunSummary* b = nullptr;
    };
    std::map<int, Both> found;
    for (const RunSummary& run : runs) {
        const auto tag = pairTagOf(run.info);
        if (run.info.status == RunStatus::Complete && tag)
            (tag->a ? found[tag->pair].a : found[tag->pair].b) = &run;
    }
    StoredPairs stored;
    const bool tokens = std::ranges::all_of(found, [](const auto& entry) {
        const auto have = [](const RunSummary* run) { return run == nullptr || hasTokens(*run); };
        return have(entry.second.a) && have(entry.second.b);
    });
    if (tokens)
        stored.table.figures = {std::string(powerlog::kPairEnergy), "ms_per_token"};
    else
        stored.table.figures = {"mj_per_run", "ms_per_run"};
    const auto energyOf = tokens ? energyPerToken : energyPerRun;
    const auto timeOf = tokens ? timePerToken : timePerRun;
    Tally energies;
    for (const auto& [number, both] : found) {
        if (both.a == nullptr || both.b == nullptr)
            continue;
        powerlog::RecordedPair pair{.number = number};
        pair.order = both.a->info.created_at_ms <= both.b->info.created_at_ms
            ? energy::PairOrder::AFirst
            : energy::PairOrder::BFirst;
        pair.values = {{.a = energyOf(*both.a), .b = energyOf(*both.b)},
                       {.a = timeOf(*both.a), .b = timeOf(*both.b)}};
        if (!pair.values[0].a || !pair.values[0].b)
            stored.table.findings.push_back(
                {powerlog::Weight::Doubtful,
                 "pair " + std::to_string(number)
                     + ": a run has no energy, so the pair does not count."});
        for (const RunSummary* run : {both.a, both.b}) {
            energies.add(run->metrics.duration_ns, run->metrics.energy.total_mj,
                         run->metrics.energy.provenance);
            stored.runs.push_back(run->info.id);
        }
        stored.table.pairs.push_back(std::move(pair));
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
            const auto tag = pairTagOf(run.info);
            if (tag && tag->a == a)
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
        figure.estimate.emplace().ratio = std::exp(one.nll - same->nll);
        figure.estimate->interval = perplexityInterval(one, *same);
        decision.figures.push_back(std::move(figure));
        return;
    }
}

} // namespace ep::session
