// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/run_kinds.h"

#include "support/synthetic_truth.h"

#include "ep/core/metrics.h"
#include "ep/core/token_ledger.h"
#include "ep/energy/attribute.h"
#include "ep/store/run_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ep::test {

namespace {

constexpr double kRelative = 1e-12;

std::vector<PowerSample> samplesOf(const RunKind& kind, const Truth& truth)
{
    std::vector<PowerSample> samples;
    const TimeRange lost = truth.trace.tokens[5].time;
    // Windows of 28 ms say too little about a shift of a run of 65 ms.
    const double interval = kind.late_ns == 0 ? 20.0 : 2.0;
    for (const Reading& reading : readSensor(truth, {.interval_ms = interval})) {
        if (kind.gap && !intersection(reading.true_window, lost).empty())
            continue;
        PowerSample sample;
        sample.window = {reading.true_window.begin_ns + kind.late_ns,
                         reading.true_window.end_ns + kind.late_ns};
        sample.arrival_ns = reading.arrival_ns;
        sample.energy_mj[Rail::Cpu] = Millijoules{reading.energy_mj};
        sample.power_mw[Rail::Cpu] =
            meanPower(Millijoules{reading.energy_mj}, sample.window.duration_ns());
        sample.total_mw = sample.power_mw[Rail::Cpu];
        samples.push_back(sample);
    }
    return samples;
}

// Three proposed tokens for each decoding step, of which 0 to 3 are accepted.
void addDrafts(Run& run)
{
    TokenCounts counts{.cached = 3, .draft = "ngram"};
    run.info.output_tokens = 0;
    for (TokenSpan& token : run.trace.tokens) {
        if (token.phase == Phase::Decode) {
            token.drafted = 3;
            token.sequences = 1 + token.index % 4;
            counts.drafted += *token.drafted;
            counts.accepted += token.sequences - 1;
        }
        run.info.output_tokens += token.sequences;
    }
    run.info.profiling.token_counts = counts;
    run.info.execution.notes = tokenNotes(counts, run.info.input_tokens);
}

// Adds the same steps before the run, half as long, at a constant power.
void addCleanExecution(Run& run)
{
    RunTrace& trace = run.trace;
    const TimeRange prefill = trace.tokens.front().time;
    const TimeRange decode{trace.tokens[1].time.begin_ns, trace.tokens.back().time.end_ns};
    const Nanoseconds first = prefill.duration_ns() / 2;
    const Nanoseconds all = first + decode.duration_ns() / 2;
    TwinRecord& twin = run.info.profiling.twin.emplace();
    twin.tokens = static_cast<std::int64_t>(trace.tokens.size());
    twin.clean_prefill = {-all, first - all};
    twin.clean_decode = {first - all, 0};
    twin.clean_prefill_ns = twin.clean_prefill.duration_ns();
    twin.clean_decode_ns = twin.clean_decode.duration_ns();
    twin.prefill_ns = prefill.duration_ns();
    twin.decode_ns = decode.duration_ns();
    PowerSample sample = trace.samples.front();
    sample.window = {std::min<Nanoseconds>(trace.time.begin_ns - all, sample.window.begin_ns - 1),
                     sample.window.begin_ns};
    sample.arrival_ns = sample.window.end_ns;
    trace.samples.insert(trace.samples.begin(), sample);
}

// Reduces a run to what remains when its process died: the tokens and what follows from them.
void leaveTokens(Run& run)
{
    RunTrace left;
    left.tokens = run.trace.tokens;
    left.samples = run.trace.samples;
    left.time = {left.tokens.front().time.begin_ns, left.tokens.back().time.end_ns};
    EnergyValue sum = left.tokens.front().energy;
    const auto add = [](EnergyValue& to, const EnergyValue& energy) {
        *to.total_mj = *to.total_mj + *energy.total_mj;
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            if (auto& value = to.rails_mj.values[rail])
                value = *value + *energy.rails_mj.values[rail];
        }
    };
    left.phases.push_back({Phase::Prefill, left.tokens.front().time, sum});
    PhaseSpan decode{
        Phase::Decode, {left.tokens[1].time.begin_ns, left.time.end_ns}, left.tokens[1].energy};
    for (std::size_t i = 1; i < left.tokens.size(); ++i) {
        add(sum, left.tokens[i].energy);
        if (i > 1)
            add(decode.energy, left.tokens[i].energy);
    }
    left.phases.push_back(decode);
    run.info.status = RunStatus::Interrupted;
    run.trace = std::move(left);
    run.metrics = computeMetrics(run.trace, run.info.input_tokens, sum);
}

// Records the run in a separate process, which dies before it records the end.
bool recordAndDie(const Run& run, const std::filesystem::path& database)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const auto store = store::Store::open(database);
        RunInfo info = run.info;
        info.status = RunStatus::Running;
        const bool done = store && (*store)->beginRun(info)
            && (*store)->appendProgress(info.id, run.trace.tokens, run.trace.samples);
        ::_exit(done ? 0 : 1);
    }
    int status = 1;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status)
        && WEXITSTATUS(status) == 0;
}

} // namespace

std::ostream& operator<<(std::ostream& stream, const RunKind& kind)
{
    return stream << kind.name;
}

std::vector<RunKind> runKinds()
{
    return {{.name = "ByTime", .method = AttributionMethod::Time},
            {.name = "ByCost"},
            {.name = "Shifted", .late_ns = 15'000'000},
            {.name = "Twin", .twin = true},
            {.name = "Batch", .batch = true},
            {.name = "Drafts", .drafts = true},
            {.name = "Cancelled", .cancelled = true},
            {.name = "Imported", .imported = true},
            {.name = "Gaps", .gap = true},
            {.name = "Recovered", .recovered = true}};
}

Run makeRun(const RunKind& kind)
{
    const Truth truth = makeTruth({.output_tokens = 12, .layers = 4, .time_mw = 500.0});
    Run run;
    run.info.id = "0d6f3a52-5a6c-4b52-8f0e-2a4f3c1d9e77";
    run.info.status = kind.cancelled ? RunStatus::Cancelled : RunStatus::Complete;
    run.info.model.name = "synthetic";
    run.info.model.layers = 4;
    run.info.depth = Depth::Module;
    run.info.input_tokens = 8;
    run.info.output_tokens = 12;
    run.info.power.source = kind.late_ns == 0 ? "replay" : "rapl"; // a replay is never late
    run.trace = truth.trace;
    if (kind.batch) {
        run.info.batch = {{"a", "b", 4, 12}, {"c", "d", 4, 12}};
        run.info.output_tokens = 24;
        for (TokenSpan& token : run.trace.tokens)
            token.sequences = 2;
    }
    run.trace.samples = samplesOf(kind, truth);
    if (kind.drafts)
        addDrafts(run);
    if (kind.twin)
        addCleanExecution(run);
    energy::attribute(run, {.method = kind.method, .align = kind.align});
    if (kind.recovered)
        leaveTokens(run);
    if (kind.imported) {
        std::stringstream text(store::runToJson(run));
        auto read = store::runFromJson(text);
        EXPECT_TRUE(read);
        run = *std::move(read);
    }
    return run;
}

std::unique_ptr<store::Store> storeRun(const RunKind& kind, const Run& run,
                                       const std::filesystem::path& database)
{
    if (kind.recovered) {
        EXPECT_TRUE(recordAndDie(run, database));
    }
    auto opened = store::Store::open(database);
    EXPECT_TRUE(opened);
    if (!opened || (!kind.recovered && !(*opened)->saveRun(run)))
        return nullptr;
    return *std::move(opened);
}

Energies energiesOf(const Run& run)
{
    Energies all;
    const auto put = [&](const std::string& path, std::optional<Millijoules> energy) {
        std::string key = path;
        for (int again = 2; all.contains(key); ++again)
            key = path + "#" + std::to_string(again);
        all[key] = energy ? std::optional(energy->value) : std::nullopt;
    };
    const auto whole = [&](const std::string& path, const EnergyValue& energy) {
        put(path, energy.total_mj);
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            put(path + "/rail" + std::to_string(rail), energy.rails_mj.values[rail]);
    };
    whole("run", run.metrics.energy);
    for (const PhaseSpan& phase : run.trace.phases)
        whole("phase/" + std::string(name(phase.phase)), phase.energy);
    for (const Span& section : run.trace.sections)
        whole("section/" + std::to_string(section.token) + std::string(name(section.section)),
              section.energy());
    for (const TokenSpan& token : run.trace.tokens)
        whole("token/" + std::to_string(token.index), token.energy);
    const auto step = [](const auto& span) {
        return std::to_string(span.token) + "/" + std::to_string(span.layer);
    };
    for (const Span& span : run.trace.layers)
        put("layer/" + step(span), span.energy_mj);
    for (const Span& span : run.trace.components)
        put("component/" + step(span) + std::string(name(span.component)), span.energy_mj);
    return all;
}

void expectSame(const Energies& energies, const Energies& expected, const char* way)
{
    ASSERT_EQ(energies.size(), expected.size()) << way;
    for (const auto& [path, energy] : energies) {
        const auto other = expected.find(path);
        ASSERT_TRUE(other != expected.end()) << way << ": " << path;
        ASSERT_EQ(energy.has_value(), other->second.has_value()) << way << ": " << path;
        if (energy) {
            EXPECT_NEAR(*energy, *other->second, kRelative * std::abs(*other->second))
                << way << ": " << path;
        }
    }
}

} // namespace ep::test
