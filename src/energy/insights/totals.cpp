// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/totals.h"

#include "ep/core/enum_words.h"
#include "ep/core/format.h"
#include "ep/core/quantile.h"
#include "ep/core/stated_tokens.h"
#include "ep/energy/insights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace ep::energy {

namespace {

constexpr std::array<std::string_view, 4> kTotalsNames{"day", "month", "model", "server"};

std::string kindOfEnergy(const RunSummary& run)
{
    const std::string_view origin = energyOrigin(run);
    return std::string(origin.empty() ? "none" : origin);
}

std::string keyOfRun(const RunSummary& run, TotalsBy by,
                     const std::function<std::string(std::int64_t)>& dayOf)
{
    constexpr std::size_t kMonth = 7; // "2026-11"
    switch (by) {
    case TotalsBy::Day:
        return dayOf(run.info.created_at_ms);
    case TotalsBy::Month:
        return dayOf(run.info.created_at_ms).substr(0, kMonth);
    case TotalsBy::Model:
        return run.info.model.name;
    case TotalsBy::Server:
        break;
    }
    if (const auto& server = run.info.profiling.server)
        return server->engine + " at " + server->address;
    return run.info.profiling.command ? "recorded commands" : "this program";
}

struct RunShare {
    double joules = 0.0;
    double tokens = 0.0;
};

std::optional<PerToken> perTokenOf(const std::vector<RunShare>& shares)
{
    double joules = 0.0;
    double tokens = 0.0;
    for (const RunShare& share : shares) {
        joules += share.joules;
        tokens += share.tokens;
    }
    if (!(tokens > 0.0))
        return std::nullopt;
    PerToken figure{.joules = joules / tokens, .runs = static_cast<std::int64_t>(shares.size())};
    if (figure.runs < kMinToTest)
        return figure;
    const auto n = static_cast<double>(shares.size());
    double squares = 0.0;
    for (const RunShare& share : shares) {
        const double rest = share.joules - figure.joules * share.tokens;
        squares += rest * rest;
    }
    const double error = std::sqrt(squares / (n * (n - 1.0))) / (tokens / n);
    constexpr double kUpper = 0.975;
    const double half = studentQuantile(kUpper, n - 1.0) * error;
    figure.ci95 =
        Interval{.low = std::max(0.0, figure.joules - half), .high = figure.joules + half};
    return figure;
}

struct Collected {
    RunTotal total;
    std::vector<RunShare> output;
    std::vector<RunShare> all;
};

void addRun(Collected& into, const RunSummary& run)
{
    RunTotal& total = into.total;
    const RunMetrics& metrics = run.metrics;
    ++total.runs;
    addStated(total.input_tokens, inputTokens(run.info));
    addStated(total.output_tokens, outputTokens(run.info));
    total.energy.add(metrics.duration_ns, metrics.energy.total_mj, metrics.energy.provenance);
    if (!metrics.energy.total_mj) {
        ++total.without_energy;
        return;
    }
    const double joules = metrics.energy.total_mj->value / kMillijoulesPerJoule;
    const double output = run.info.output_tokens;
    const double all = output + run.info.input_tokens;
    if (output > 0.0)
        into.output.push_back({.joules = joules, .tokens = output});
    // A number of tokens that was not stated is not zero.
    if (all > 0.0 && inputTokens(run.info) && outputTokens(run.info))
        into.all.push_back({.joules = joules, .tokens = all});
}

} // namespace

std::string_view name(TotalsBy by)
{
    return wordOf(kTotalsNames, by);
}

std::optional<TotalsBy> totalsByFromName(std::string_view word)
{
    return enumOf<TotalsBy>(kTotalsNames, word);
}

std::vector<RunTotal> totalsOf(std::span<const RunSummary> runs, TotalsBy by,
                               const std::function<std::string(std::int64_t)>& dayOf)
{
    std::vector<const RunSummary*> all;
    for (const RunSummary& run : runs)
        all.push_back(&run);
    return totalsOf(all, by, dayOf);
}

std::vector<RunTotal> totalsOf(std::span<const RunSummary* const> runs, TotalsBy by,
                               const std::function<std::string(std::int64_t)>& dayOf)
{
    std::map<std::pair<std::string, std::string>, Collected> groups;
    for (const RunSummary* each : runs) {
        const RunSummary& run = *each;
        if (run.info.status == RunStatus::Running)
            continue;
        std::pair<std::string, std::string> key{keyOfRun(run, by, dayOf), kindOfEnergy(run)};
        Collected& group = groups[key];
        group.total.key = key.first;
        group.total.kind = key.second;
        addRun(group, run);
    }
    std::vector<RunTotal> totals;
    for (auto& [key, group] : groups) {
        group.total.per_output = perTokenOf(group.output);
        group.total.per_total = perTokenOf(group.all);
        totals.push_back(std::move(group.total));
    }
    if (by == TotalsBy::Model || by == TotalsBy::Server)
        std::ranges::stable_sort(totals, std::greater(), [](const RunTotal& total) {
            return total.energy.energy_mj ? total.energy.energy_mj->value : -1.0;
        });
    return totals;
}

Message millionTokensSentence(const RunTotal& total, const Tariff& tariff)
{
    if (!total.per_output)
        return {};
    constexpr double kMillion = 1e6;
    const auto energyOf = [](double joules) {
        return Millijoules{joules * kMillion * kMillijoulesPerJoule};
    };
    const auto money = [&](double joules) {
        return formatMoney(costUsd(energyOf(joules), tariff));
    };
    const double joules = total.per_output->joules;
    Message cost(money(joules));
    if (const auto& ci = total.per_output->ci95)
        cost = Message("%1 (%2 to %3, 95 %)", cost, money(ci->low), money(ci->high));
    const Message text("A million output tokens of %1 cost %2: %3 and %4 of CO2", total.key, cost,
                       formatEnergy(energyOf(joules)),
                       formatMass(emittedGrams(energyOf(joules), tariff)));
    return total.kind == "measured" ? Message("%1.", text)
                                    : Message("%1; the energies are %2.", text, total.kind);
}

} // namespace ep::energy
