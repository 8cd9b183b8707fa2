// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/totals.h"

#include "ep/core/clock.h"
#include "ep/core/enum_words.h"
#include "ep/core/format.h"
#include "ep/core/quantile.h"
#include "ep/core/stated_tokens.h"
#include "ep/energy/insights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
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

std::string keyOfRun(const RunSummary& run, TotalsBy by)
{
    constexpr std::size_t kMonth = 7; // "2026-11"
    switch (by) {
    case TotalsBy::Day:
        return localDay(run.info.created_at_ms);
    case TotalsBy::Month:
        return localDay(run.info.created_at_ms).substr(0, kMonth);
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

std::optional<PerToken> perTokenOf(RunFigure figure, std::span<const RunSummary* const> runs)
{
    std::vector<RunShare> shares;
    for (const RunSummary* run : runs) {
        if (const auto tokens = countedTokens(figure, *run))
            shares.push_back({.joules = run->metrics.energy.total_mj->value / kMillijoulesPerJoule,
                              .tokens = *tokens});
    }
    return perTokenOf(shares);
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

std::optional<double> countedTokens(RunFigure figure, const RunSummary& run)
{
    const auto output = outputTokens(run.info).value_or(0);
    if (run.info.status == RunStatus::Running || !run.metrics.energy.total_mj || output <= 0)
        return std::nullopt;
    if (figure != RunFigure::JoulesPerTotalToken)
        return static_cast<double>(output);
    const auto input = inputTokens(run.info).value_or(0);
    return input > 0 ? std::optional(static_cast<double>(input + output)) : std::nullopt;
}

RunTotal totalOf(std::span<const RunSummary* const> runs)
{
    RunTotal total;
    for (const RunSummary* run : runs) {
        if (run->info.status == RunStatus::Running)
            continue;
        const EnergyValue& energy = run->metrics.energy;
        ++total.runs;
        addStated(total.input_tokens, inputTokens(run->info));
        addStated(total.output_tokens, outputTokens(run->info));
        total.energy.add(run->metrics.duration_ns, energy.total_mj, energy.provenance);
        total.without_energy += energy.total_mj ? 0 : 1;
    }
    total.per_output = perTokenOf(RunFigure::JoulesPerToken, runs);
    total.per_total = perTokenOf(RunFigure::JoulesPerTotalToken, runs);
    return total;
}

std::vector<RunTotal> totalsOf(std::span<const RunSummary> runs, TotalsBy by)
{
    std::vector<const RunSummary*> all;
    for (const RunSummary& run : runs)
        all.push_back(&run);
    return totalsOf(all, by);
}

std::vector<RunTotal> totalsOf(std::span<const RunSummary* const> runs, TotalsBy by)
{
    std::map<std::pair<std::string, std::string>, std::vector<const RunSummary*>> groups;
    for (const RunSummary* run : runs) {
        if (run->info.status != RunStatus::Running)
            groups[{keyOfRun(*run, by), kindOfEnergy(*run)}].push_back(run);
    }
    std::vector<RunTotal> totals;
    for (const auto& [key, members] : groups) {
        RunTotal& total = totals.emplace_back(totalOf(members));
        total.key = key.first;
        total.kind = key.second;
    }
    if (by == TotalsBy::Model || by == TotalsBy::Server)
        std::ranges::stable_sort(totals, std::greater(), [](const RunTotal& total) {
            return total.energy.energy_mj ? total.energy.energy_mj->value : -1.0;
        });
    return totals;
}

Message millionTokensText(const Message& of, const PerToken& figure, const Tariff& tariff)
{
    constexpr double kMillion = 1e6;
    const auto energyOf = [](double joules) {
        return Millijoules{joules * kMillion * kMillijoulesPerJoule};
    };
    const auto money = [&](double joules) {
        return formatMoney(costUsd(energyOf(joules), tariff));
    };
    Message cost(money(figure.joules));
    if (const auto& ci = figure.ci95)
        cost = Message("%1 (%2 to %3, 95 %)", cost, money(ci->low), money(ci->high));
    const Millijoules energy = energyOf(figure.joules);
    return {"A million output tokens of %1 cost %2: %3 and %4 of CO2", of, cost,
            formatEnergy(energy), formatMass(emittedGrams(energy, tariff))};
}

Message millionTokensSentence(const RunTotal& total, const Tariff& tariff)
{
    if (!total.per_output)
        return {};
    const Message text = millionTokensText(total.key, *total.per_output, tariff);
    return total.kind == "measured" ? Message("%1.", text)
                                    : Message("%1; the energies are %2.", text, total.kind);
}

} // namespace ep::energy
