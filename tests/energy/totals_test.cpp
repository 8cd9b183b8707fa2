// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/totals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ep::energy {
namespace {

RunSummary runOf(const char* model, double joules, int input, int output, std::int64_t day = 0,
                 Provenance provenance = Provenance::Measured)
{
    RunSummary run;
    run.info.status = RunStatus::Complete;
    run.info.model.name = model;
    run.info.input_tokens = input;
    run.info.output_tokens = output;
    run.info.created_at_ms = day * 86'400'000;
    run.metrics.duration_ns = 1'000'000'000;
    if (provenance != Provenance::Missing)
        run.metrics.energy = {
            .rails_mj = {}, .total_mj = Millijoules{joules * 1e3}, .provenance = provenance};
    return run;
}

// Energies of another origin are never added to measured ones.
TEST(Totals, KeepsEachOriginApart)
{
    struct Case {
        const char* source;
        Provenance provenance;
        const char* kind;
    };
    constexpr Case kCases[] = {
        {"rapl", Provenance::Measured, "measured"},
        {"rapl", Provenance::Attributed, "measured"},
        {"replay", Provenance::Measured, "replayed"},
        {"replay", Provenance::Modelled, "replayed"},
        {"simulated", Provenance::Attributed, "simulated"},
        {"modelled", Provenance::Modelled, "modelled"},
        {kImportedSource, Provenance::Measured, "imported"},
        {"rapl", Provenance::Imported, "imported"},
        {"replay", Provenance::Missing, "none"},
    };
    for (const Case& c : kCases) {
        SCOPED_TRACE(std::string(c.source) + ", " + c.kind);
        RunSummary run = runOf("m", 10.0, 100, 10, 0, c.provenance);
        run.info.power.source = c.source;
        const auto totals =
            totalsOf(std::vector<RunSummary>{run, runOf("m", 20.0, 100, 10)}, TotalsBy::Model);
        const bool same = std::string(c.kind) == "measured";
        ASSERT_EQ(totals.size(), same ? 1U : 2U);
        EXPECT_EQ(totals[0].kind, "measured");
        EXPECT_NEAR(totals[0].energy.energy_mj->value, same ? 30e3 : 20e3, 1e-6);
        EXPECT_EQ(totals.back().kind, c.kind);
    }
}

TEST(Totals, AddsUpByModel)
{
    const std::vector<RunSummary> runs{
        runOf("m", 10.0, 100, 10), runOf("m", 30.0, 100, 30), runOf("m", 22.0, 100, 20),
        runOf("m", 0.0, 100, 20, 0, Provenance::Missing), runOf("big", 900.0, 100, 20)};
    const auto totals = totalsOf(runs, TotalsBy::Model);
    ASSERT_EQ(totals.size(), 3U);
    EXPECT_EQ(totals[0].key, "big"); // most energy first
    EXPECT_EQ(totals[1].key, "m");
    EXPECT_EQ(totals[1].kind, "measured");
    EXPECT_EQ(totals[1].runs, 3);
    EXPECT_EQ(totals[1].output_tokens, 60);
    EXPECT_NEAR(totals[1].energy.energy_mj->value, 62e3, 1e-6);
    EXPECT_NEAR(totals[1].per_output->joules, 62.0 / 60.0, 1e-12);
    EXPECT_NEAR(totals[1].per_total->joules, 62.0 / 360.0, 1e-12);
    ASSERT_TRUE(totals[1].per_output->ci95);
    EXPECT_FALSE(totals[0].per_output->ci95); // only one run
    EXPECT_EQ(totals[2].kind, "none");
    EXPECT_FALSE(totals[2].energy.energy_mj);
    EXPECT_FALSE(totals[2].per_output);
    EXPECT_EQ(millionTokensSentence(totals[2], {}), "");
    const std::string sentence = millionTokensSentence(totals[1], Tariff()).english();
    EXPECT_TRUE(sentence.starts_with("A million output tokens of m cost 0.0344 USD (0.02"))
        << sentence;
}

TEST(Totals, ARunWithoutEnergyMakesTheSumALowerBound)
{
    const std::vector<RunSummary> runs{runOf("m", 1.0, 5, 10), runOf("m", 2.0, 5, 10),
                                       runOf("m", 0.0, 5, 10, 0, Provenance::Missing)};
    const RunTotal total = totalOf(std::vector{&runs[0], &runs[1], &runs[2]});
    EXPECT_EQ(total.runs, 3);
    EXPECT_EQ(total.without_energy, 1);
    EXPECT_EQ(total.output_tokens, 30);
    EXPECT_DOUBLE_EQ(total.energy.energy_mj.value().value, 3000.0);
    EXPECT_TRUE(total.energy.partial());
    EXPECT_EQ(total.energy.duration_ns, 3'000'000'000);
}

// Input that a server did not state is not an empty one.
TEST(Totals, LeavesUnstatedTokensOutOfTheEnergyPerToken)
{
    std::vector<RunSummary> runs{runOf("m", 10.0, 90, 10), runOf("m", 30.0, 0, 30)};
    runs[1].info.profiling.server.emplace().output_tokens = 30;
    const auto totals = totalsOf(runs, TotalsBy::Model);
    EXPECT_NEAR(totals[0].per_output->joules, 1.0, 1e-12);
    EXPECT_NEAR(totals[0].per_total->joules, 0.1, 1e-12);
    EXPECT_EQ(totals[0].per_total->runs, 1);
    EXPECT_EQ(totals[0].input_tokens, 90);
    runs.resize(1);
    runs[0].info.profiling.command.emplace(); // whose spans did not say
    runs[0].info.input_tokens = runs[0].info.output_tokens = 0;
    EXPECT_FALSE(totalsOf(runs, TotalsBy::Model)[0].input_tokens);
    EXPECT_FALSE(totalsOf(runs, TotalsBy::Model)[0].output_tokens);
}

TEST(Totals, NeverMixesMeasuredAndModelled)
{
    const std::vector<RunSummary> runs{runOf("m", 10.0, 1, 1),
                                       runOf("m", 30.0, 1, 1, 0, Provenance::Modelled),
                                       runOf("m", 5.0, 1, 1, 0, Provenance::Imported),
                                       runOf("m", 7.0, 1, 1, 0, Provenance::Attributed)};
    const auto totals = totalsOf(runs, TotalsBy::Model);
    ASSERT_EQ(totals.size(), 3U);
    EXPECT_EQ(totals[0].kind, "modelled");
    EXPECT_EQ(totals[1].kind, "measured");
    EXPECT_NEAR(totals[1].energy.energy_mj->value, 17e3, 1e-6);
    EXPECT_EQ(totals[2].kind, "imported");
}

TEST(Totals, GoesByDaysMonthsAndServers)
{
    std::vector<RunSummary> runs{runOf("m", 1.0, 1, 1, 3), runOf("m", 2.0, 1, 1, 3),
                                 runOf("m", 4.0, 1, 1, 5), runOf("m", 8.0, 1, 1, 40)};
    const auto days = totalsOf(runs, TotalsBy::Day);
    ASSERT_EQ(days.size(), 3U);
    EXPECT_LT(days[0].key, days[1].key);
    EXPECT_NEAR(days[0].energy.energy_mj->value, 3e3, 1e-6);
    EXPECT_EQ(totalsOf(runs, TotalsBy::Month).size(), 2U);
    ServerRecord& server = runs[0].info.profiling.server.emplace();
    server.engine = "Ollama 0.12";
    server.address = "http://127.0.0.1:11434";
    const auto servers = totalsOf(runs, TotalsBy::Server);
    ASSERT_EQ(servers.size(), 2U);
    EXPECT_EQ(servers[0].key, "this program");
    EXPECT_EQ(servers[1].key, "Ollama 0.12 at http://127.0.0.1:11434");
    runs[1].info.profiling.command.emplace();
    EXPECT_EQ(totalsOf(runs, TotalsBy::Server)[1].key, "recorded commands");
    runs[3].info.status = RunStatus::Running;
    EXPECT_EQ(totalsOf(runs, TotalsBy::Month).size(), 1U);
}

// The interval contains the true energy per token as often as it claims to.
TEST(Totals, CoversTheTrueRatio)
{
    std::mt19937_64 engine(3);
    const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
    int covered = 0;
    constexpr int kTrials = 2000;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<RunSummary> runs;
        for (int i = 0; i < 12; ++i) {
            const int output = 20 + static_cast<int>(200.0 * uniform());
            const double noise = 1.0 + 0.2 * (uniform() + uniform() + uniform() - 1.5);
            runs.push_back(runOf("m", 0.5 * output * noise, 10, output));
        }
        const auto totals = totalsOf(runs, TotalsBy::Model);
        covered += totals[0].per_output->ci95->contains(0.5) ? 1 : 0;
    }
    EXPECT_GT(covered, kTrials * 92 / 100);
    EXPECT_LT(covered, kTrials * 97 / 100);
}

} // namespace
} // namespace ep::energy
