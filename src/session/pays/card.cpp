// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays/card_fields.h"

#include "ep/session/environment.h"
#include "ep/session/pays_card.h"
#include "ep/session/privacy.h"

#include <algorithm>
#include <map>

namespace ep::session {

namespace {

// "macOS 15.1 (24B83)" becomes "macOS": a class holds cards of different releases, and each card
// states its own.
std::string familyOf(const std::string& os)
{
    std::string family = os.substr(0, os.find_first_of("0123456789("));
    while (!family.empty() && family.back() == ' ')
        family.pop_back();
    return family.empty() ? os : family;
}

CardSide cardSide(const PaysSide& side, const RunInfo& run)
{
    return {.model = run.model.name,
            .fingerprint = run.model.fingerprint,
            .server = side.server ? side.server->label() : std::string(),
            .dtype = run.dtype,
            .device = run.device,
            .threads = side.server ? 0 : run.environment.threads,
            .batch_size = side.batch_size,
            .settings = leversText(side.levers)};
}

// Windows as the run's energy was computed from them: moved by the offset that was found.
std::vector<CardWindow> cardWindows(const Run& run)
{
    const RunTrace& trace = run.trace;
    const auto& attribution = run.info.power.attribution;
    const Nanoseconds offset =
        attribution && attribution->offset_applied ? attribution->offset_ns : 0;
    const Nanoseconds zero = trace.time.begin_ns + offset;
    std::vector<CardWindow> windows;
    for (const PowerSample& sample : trace.samples) {
        if (sample.window.end_ns <= zero || sample.window.begin_ns >= trace.time.end_ns + offset)
            continue;
        // As in the timeline: the counter's difference if there is one, otherwise power x time.
        PerRail<Millijoules> energies;
        for (const Rail rail : kRails) {
            if (sample.energy_mj[rail])
                energies[rail] = sample.energy_mj[rail];
            else if (sample.power_mw[rail])
                energies[rail] = Millijoules{sample.power_mw[rail]->value
                                             * toSeconds(sample.window.duration_ns())};
        }
        auto total = totalOf(energies);
        if (!total && sample.total_mw)
            total = Millijoules{sample.total_mw->value * toSeconds(sample.window.duration_ns())};
        if (total)
            windows.push_back({.begin_ns = sample.window.begin_ns - zero,
                               .end_ns = sample.window.end_ns - zero,
                               .mj = total->value});
    }
    return windows;
}

Result<CardRun> cardRun(const store::Store& store, const std::string& id, Run& read)
{
    auto overview = store.overview(id);
    if (!overview)
        return overview.error();
    read = std::move(overview->run);
    if (!read.metrics.energy.total_mj)
        return Error{ErrorCode::InvalidInput, {"The run %1 has no energy for a card.", id}};
    return CardRun{.id = id,
                   .created_at_ms = read.info.created_at_ms,
                   .duration_ns = read.metrics.duration_ns,
                   .output_tokens = read.info.output_tokens,
                   .energy_mj = read.metrics.energy.total_mj->value,
                   .windows = cardWindows(read)};
}

} // namespace

std::string CardSide::label() const
{
    std::string text = model;
    const auto add = [&](const std::string& part) { text += part.empty() ? "" : ", " + part; };
    add(server);
    add(dtype);
    add(device);
    add(threads > 0 ? std::to_string(threads) + (threads == 1 ? " thread" : " threads") : "");
    add(batch_size > 1 ? "batch " + std::to_string(batch_size) : "");
    add(settings);
    return text;
}

Result<PaysCard> makeCard(const PaysSpec& spec, const PaysResult& result, const store::Store& store)
{
    PaysCard card{.app_version = applicationVersion()};
    card.provenance = result.pairs.provenance;
    card.prompt_hash = hashedText(spec.prompt.text);
    card.smallest_difference = spec.test.smallest_difference;
    const auto& pairs = result.pairs.table.pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!pairs[i].values.front().a || !pairs[i].values.front().b)
            continue;
        // A measurement that was resumed with another setting may have more pairs.
        if (static_cast<std::int64_t>(card.pairs.size()) >= result.decision.test.pairs_used)
            break;
        Run a;
        Run b;
        auto runA = cardRun(store, result.pairs.runs.at(2 * i), a);
        auto runB = cardRun(store, result.pairs.runs.at(2 * i + 1), b);
        if (!runA || !runB)
            return runA ? runB.error() : runA.error();
        card.machine_class = a.info.environment.cpu + ", " + familyOf(a.info.environment.os);
        card.os = a.info.environment.os;
        card.torch_version = a.info.environment.torch_version;
        card.source = a.info.power.source;
        card.a = cardSide(spec.a, a.info);
        card.b = cardSide(spec.b, b.info);
        card.pairs.push_back({.pair = static_cast<int>(pairs[i].number),
                              .a = *std::move(runA),
                              .b = *std::move(runB)});
    }
    if (card.pairs.empty())
        return Error{ErrorCode::InvalidInput, "There is no pair with energies for a card."};
    card.hash = cardHash(card);
    if (const std::string problem = cardProblem(card); !problem.empty())
        return Error{ErrorCode::InvalidInput,
                     {"A card of this result could not be checked by others: %1 Let the runs take "
                      "several intervals of the power source.",
                      problem}};
    return card;
}

powerlog::PairTable pairTableOf(const PaysCard& card)
{
    powerlog::PairTable table{
        .figures = {std::string(powerlog::kPairEnergy), std::string("ms_per_token")}};
    for (const CardPair& pair : card.pairs) {
        const auto perToken = [](double value, const CardRun& run) {
            return value / static_cast<double>(run.output_tokens);
        };
        constexpr double kMilli = 1e-6;
        const auto milliseconds = [&](const CardRun& run) {
            return perToken(static_cast<double>(run.duration_ns) * kMilli, run);
        };
        table.pairs.push_back({.number = pair.pair,
                               .order = pair.a.created_at_ms <= pair.b.created_at_ms
                                   ? energy::PairOrder::AFirst
                                   : energy::PairOrder::BFirst,
                               .values = {{.a = perToken(pair.a.energy_mj, pair.a),
                                           .b = perToken(pair.b.energy_mj, pair.b)},
                                          {.a = milliseconds(pair.a), .b = milliseconds(pair.b)}}});
    }
    return table;
}

} // namespace ep::session
