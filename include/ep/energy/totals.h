// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run.h"
#include "ep/core/run_figure.h"
#include "ep/core/tally.h"
#include "ep/energy/figures.h"
#include "ep/energy/statistics.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Total costs of many runs. Pure functions of summaries.
namespace ep::energy {

enum class TotalsBy : std::uint8_t { Day, Month, Model, Server };
std::string_view name(TotalsBy by); // "day"
std::optional<TotalsBy> totalsByFromName(std::string_view word);

// Energy per token over runs: sum of energies / sum of tokens, with the 95 % interval of a ratio
// of means (Cochran 1977, Sampling Techniques, 6.4), by Student's t over the runs.
struct PerToken {
    double joules = 0.0;
    std::optional<Interval> ci95{}; // requires 3 runs
    std::int64_t runs = 0; // runs with an energy and tokens

    bool operator==(const PerToken&) const = default;
};

// The tokens by which the energy of a run is divided for a figure of several runs: its output
// tokens, or for JoulesPerTotalToken its input and output tokens. Absent for a run that does not
// count: it is in progress, or lacks an energy, or one of the numbers of tokens is 0 or was not
// stated.
std::optional<double> countedTokens(RunFigure figure, const RunSummary& run);

// Runs with one key whose energies may be added: energies of different energyOrigin() never are.
struct RunTotal {
    std::string key; // "2026-11-26", "2026-11", or the name of a model or server
    std::string kind; // energyOrigin() (insights.h); "none": without any energy
    std::int64_t runs = 0;
    std::int64_t without_energy = 0; // number of these runs without an energy
    // Sum over the runs that state them; absent if none does.
    std::optional<std::int64_t> input_tokens{};
    std::optional<std::int64_t> output_tokens{};
    Tally energy{}; // a lower bound if runs lack energy
    std::optional<PerToken> per_output{}; // J/token
    std::optional<PerToken> per_total{}; // J/(input + output)

    bool operator==(const RunTotal&) const = default;
};

// The total of runs whose energies may be added, without key and kind. Runs in progress do not
// count.
RunTotal totalOf(std::span<const RunSummary* const> runs);

// Runs in progress do not count; failed or cancelled runs do, with what they used. Sorted by key,
// then by kind; days and months in ascending order, models and servers by energy.
std::vector<RunTotal> totalsOf(std::span<const RunSummary* const> runs, TotalsBy by);
std::vector<RunTotal> totalsOf(std::span<const RunSummary> runs, TotalsBy by);

// "A million output tokens of m cost 0.12 USD (0.10 to 0.14, 95 %): 3.60 MJ and 400 g of CO2", a
// sentence without its stop. of: a model, or "these runs".
Message millionTokensText(const Message& of, const PerToken& figure, const Tariff& tariff);
// The same of a total, with the kind of its energies unless they are measured; empty if there is no
// energy.
Message millionTokensSentence(const RunTotal& total, const Tariff& tariff);

} // namespace ep::energy
