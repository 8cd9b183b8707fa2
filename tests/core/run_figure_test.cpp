// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/core/run_figure.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace ep {

namespace {

RunSummary measuredRun()
{
    RunSummary run;
    run.info.output_tokens = 4;
    run.info.model.parameters = 4'000'000;
    run.info.model.active_parameters = 2'000'000;
    run.info.power.baseline = BaselineRecord{.total_mw = Milliwatts{1000.0}};
    run.metrics.duration_ns = 2'000'000'000;
    run.metrics.energy.total_mj = Millijoules{5000.0};
    run.metrics.time_to_first_token_ns = 250'000'000;
    run.metrics.joules_per_token = 0.0234;
    run.metrics.mean_power_mw = Milliwatts{2500.0};
    return run;
}

} // namespace

TEST(RunFigures, HaveNamesOfTheirOwn)
{
    std::set<std::string> ids, fields, api;
    for (const RunFigureFacts& facts : kRunFigures) {
        EXPECT_TRUE(ids.insert(facts.id).second) << facts.id;
        EXPECT_TRUE(api.insert(facts.api).second) << facts.api;
        EXPECT_TRUE(!facts.field || fields.insert(facts.field).second) << facts.field;
        EXPECT_EQ(runFigureFromName(facts.id), facts.figure);
        const bool isFunction = std::holds_alternative<FigureFunction>(facts.source);
        EXPECT_EQ(facts.field == nullptr, isFunction) << facts.id;
    }
    EXPECT_FALSE(runFigureFromName("joules").has_value());
}

// A range of a run, whose input may lie outside, has no such figure.
TEST(RunFigures, EnergyPerInputAndOutputToken)
{
    RunSummary run = measuredRun();
    run.info.input_tokens = 6;
    run.metrics.joules_per_token = 1.25;
    EXPECT_DOUBLE_EQ(valueOf(RunFigure::JoulesPerTotalToken, run).value_or(-1.0), 0.5);
    EXPECT_EQ(formatFigure(RunFigure::JoulesPerTotalToken, 0.5), "500 mJ/token");
    run.metrics.energy.total_mj = Millijoules{2500.0};
    EXPECT_FALSE(valueOf(RunFigure::JoulesPerTotalToken, run));
    run.metrics.energy.total_mj = Millijoules{5000.0};
    run.info.input_tokens = 0; // not stated
    EXPECT_FALSE(valueOf(RunFigure::JoulesPerTotalToken, run));
    run.info.input_tokens = 6;
    run.metrics.joules_per_token.reset();
    EXPECT_FALSE(valueOf(RunFigure::JoulesPerTotalToken, run));
}

TEST(RunFigures, AreReadInTheirUnitAndThatOfTheApi)
{
    struct Case {
        RunFigure figure;
        double value;
        double api;
        const char* text;
        const char* cell;
    };
    const Case cases[] = {
        {RunFigure::JoulesPerToken, 0.0234, 0.0234, "23.4 mJ/token", "23.4 mJ"},
        {RunFigure::Energy, 5.0, 5000.0, "5.00 J", "5.00 J"},
        {RunFigure::NetEnergy, 3.0, 3000.0, "3.00 J", "3.00 J"},
        {RunFigure::NetJoulesPerToken, 0.75, 0.75, "750 mJ/token", "750 mJ"},
        {RunFigure::EnergyPerMillionParameters, 2.5, 2.5, "2.50 J", "2.50 J"},
        {RunFigure::MeanPower, 2.5, 2500.0, "2.50 W", "2.50 W"},
        {RunFigure::Duration, 2.0, 2000.0, "2.00 s", "2.00 s"},
        {RunFigure::TimeToFirstToken, 0.25, 250.0, "250 ms", "250 ms"},
    };
    const RunSummary run = measuredRun();
    for (const Case& c : cases) {
        const auto value = valueOf(c.figure, run);
        ASSERT_TRUE(value.has_value()) << name(c.figure);
        EXPECT_DOUBLE_EQ(*value, c.value) << name(c.figure);
        EXPECT_DOUBLE_EQ(apiValueOf(c.figure, run).value_or(-1.0), c.api) << name(c.figure);
        EXPECT_DOUBLE_EQ(toApiUnit(c.figure, c.value), c.api) << name(c.figure);
        EXPECT_EQ(formatFigure(c.figure, value), c.text);
        EXPECT_EQ(formatCell(c.figure, value), c.cell);
    }
    EXPECT_EQ(formatFigure(RunFigure::TokensPerSecond, 12.345), "12.3 tokens/s");
    EXPECT_EQ(formatCell(RunFigure::TokensPerSecond, 12.345), "12.3");
    EXPECT_EQ(formatFigure(RunFigure::EnergyDelayProduct, 0.5), "500 mJ·s");
    EXPECT_EQ(formatFigure(RunFigure::EnergyDelayProduct, 3.21e-7), "321 nJ·s");
    EXPECT_EQ(formatFigure(RunFigure::Duration, 0.25, true), "+250 ms");
    EXPECT_EQ(formatFigure(RunFigure::Duration, -0.25, true), "-250 ms");
}

TEST(RunFigures, AreAbsentWhereTheyAreNotKnown)
{
    RunSummary run;
    run.metrics.tokens_per_second = std::numeric_limits<double>::infinity();
    for (const RunFigureFacts& facts : kRunFigures) {
        EXPECT_FALSE(valueOf(facts.figure, run).has_value()) << facts.id;
        EXPECT_EQ(formatFigure(facts.figure, valueOf(facts.figure, run)), kMissingText);
        EXPECT_EQ(formatCell(facts.figure, valueOf(facts.figure, run)), kMissingText);
    }
    run = measuredRun();
    run.info.power.baseline.reset();
    EXPECT_FALSE(valueOf(RunFigure::NetEnergy, run).has_value());
    EXPECT_FALSE(valueOf(RunFigure::NetJoulesPerToken, run).has_value());
}

TEST(RunFigures, HeadingsSayTheUnitOfTheirCells)
{
    EXPECT_EQ(heading(RunFigure::JoulesPerToken), "J/token");
    EXPECT_EQ(heading(RunFigure::TokensPerSecond), "Tokens/s");
    setNumberStyle({.energy = EnergyUnit::WattHours});
    EXPECT_EQ(heading(RunFigure::JoulesPerToken), "Wh/token");
    EXPECT_EQ(heading(RunFigure::Energy), "Energy");
    setNumberStyle({});
}

} // namespace ep
