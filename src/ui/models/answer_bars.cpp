// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/answer_bars.h"

#include "text.h"

#include "ep/core/tally.h"
#include "ep/core/utf8.h"
#include "ep/viz/metric.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ep::ui {

namespace {

constexpr std::size_t kMaxRanked = 5;
constexpr std::size_t kTokenBytes = 12;
constexpr double kNanosecondsPerSecond = 1e9;

// Joules or seconds; absent unless completely known.
std::optional<double> amountOf(const Tally& sum, bool ofTime)
{
    if (ofTime)
        return static_cast<double>(sum.duration_ns) / kNanosecondsPerSecond;
    const auto energy = sum.complete();
    return energy ? std::optional(energy->value / kMillijoulesPerJoule) : std::nullopt;
}

struct Ranked {
    double amount;
    RankedBar bar;
};

Ranked ranked(double amount, const std::string& title, const energy::CausePlace& place)
{
    Ranked one{.amount = amount, .bar = {}};
    one.bar.bar.title = title;
    one.bar.bar.place = place;
    return one;
}

std::vector<Ranked> rankedPhases(const Run& run, bool ofTime)
{
    std::vector<Ranked> all;
    for (const PhaseSpan& span : run.trace.phases) {
        if (const auto amount = amountOf(tallyOf(span.time, span.energy), ofTime))
            all.push_back(ranked(*amount, std::string(viz::title(span.phase)),
                                 {.chart = "phases", .phase = span.phase}));
    }
    return all;
}

std::vector<Ranked> rankedLayers(const std::vector<ComponentTotal>& totals, bool ofTime)
{
    std::map<std::int32_t, Tally> layers;
    for (const ComponentTotal& total : totals) {
        if (total.layer != kNoLayer)
            layers[total.layer].add(total.sum);
    }
    std::vector<Ranked> all;
    for (const auto& [layer, sum] : layers) {
        const auto amount = amountOf(sum, ofTime);
        if (!amount)
            continue;
        all.push_back(
            ranked(*amount, said("Layer %1", std::to_string(layer)), {.chart = "heatmap"}));
        all.back().bar.layer = layer;
    }
    return all;
}

std::vector<Ranked> rankedTokens(const Run& run, bool ofTime)
{
    std::vector<Ranked> all;
    for (const TokenSpan& token : run.trace.tokens) {
        const auto amount = amountOf(tallyOf(token.time, token.energy), ofTime);
        if (!amount)
            continue;
        all.push_back(ranked(*amount,
                             said("Token %1 “%2”", std::to_string(token.index),
                                  previewUtf8(token.text, kTokenBytes)),
                             {.chart = "tokens"}));
        all.back().bar.token = token.index;
    }
    return all;
}

} // namespace

std::vector<RankedBar> rankedBars(const session::Explanation& explanation, const Run& run,
                                  const std::vector<ComponentTotal>& totals, AnswerBy by)
{
    std::vector<RankedBar> bars;
    if (by == AnswerBy::Part) {
        for (const session::AnswerBar& bar : explanation.bars)
            bars.push_back({.bar = bar, .layer = {}, .token = {}});
        return bars;
    }
    const energy::Spending spending = energy::spendingOf(explanation.diagnosis);
    std::vector<Ranked> all = by == AnswerBy::Phase ? rankedPhases(run, spending.of_time)
        : by == AnswerBy::Layer                     ? rankedLayers(totals, spending.of_time)
                                                    : rankedTokens(run, spending.of_time);
    std::ranges::stable_sort(all, std::ranges::greater(), &Ranked::amount);
    for (Ranked& one : all) {
        if (bars.size() == kMaxRanked || !(one.amount > 0.0) || !(spending.total > 0.0))
            break;
        one.bar.bar.amount = energy::formatAmount(spending, one.amount);
        one.bar.bar.share = std::min(1.0, one.amount / spending.total);
        bars.push_back(std::move(one.bar));
    }
    return bars;
}

} // namespace ep::ui
