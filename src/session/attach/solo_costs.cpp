// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/solo_costs.h"

#include "ep/core/quantile.h"
#include "ep/store/store.h"

#include <algorithm>
#include <vector>

namespace ep::session {

namespace {

constexpr std::size_t kMaxRuns = 20;

std::optional<double> median(std::vector<double> joules)
{
    if (joules.empty())
        return std::nullopt;
    std::ranges::sort(joules);
    return quantileOf(joules, 0.5);
}

} // namespace

std::optional<energy::SoloCosts> soloCosts(const std::filesystem::path& database,
                                           const std::string& engine, const std::string& model)
{
    std::error_code ignored;
    if (database.empty() || !std::filesystem::exists(database, ignored))
        return std::nullopt;
    const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store)
        return std::nullopt;
    RunFilter filter;
    filter.models = {model};
    filter.statuses = {"complete"};
    const auto runs = (*store)->list(filter); // newest first
    if (!runs)
        return std::nullopt;
    std::vector<double> input;
    std::vector<double> output;
    const auto take = [](std::vector<double>& values, const std::optional<double>& value) {
        if (value && values.size() < kMaxRuns)
            values.push_back(*value);
    };
    for (const RunSummary& run : *runs) {
        const auto& server = run.info.profiling.server;
        if (!server || server->group || server->engine != engine)
            continue;
        take(input, run.metrics.joules_per_input_token);
        take(output, run.metrics.joules_per_output_token);
    }
    const auto in = median(std::move(input));
    const auto out = median(std::move(output));
    if (!in || !out)
        return std::nullopt;
    return energy::SoloCosts{*in * kMillijoulesPerJoule, *out * kMillijoulesPerJoule};
}

} // namespace ep::session
