// SPDX-License-Identifier: GPL-3.0-or-later
// When the recorder asks for statistics, whose they are, and what they take of the memory.
#include "recorder_fixture.h"

namespace {

using namespace ep;
using namespace ep::session::recorder_test;
using session::Recorder;

class RecorderStatisticsTest : public RecorderTest { };

TEST_F(RecorderStatisticsTest, EndsASpanBeforeItsStatistics)
{
    Recorder recorder = make(Depth::Module);
    m_probe.busy_ns = 200'000;
    recorder.enter(Phase::Decode, 0);
    visit(recorder, Tap::ofComponent(0, Component::QProj), &m_probe);
    ASSERT_TRUE(recorder.endStep());
    RunTrace trace;
    recorder.appendTo(trace, 1);
    const Span& span = trace.components.at(0);
    EXPECT_LE(span.time.end_ns, m_probe.asked_ns);
    const ActivationStats expected{
        .mean_abs = 1.0F, .std = 2.0F, .max_abs = 3.0F, .sparsity = 0.125F};
    EXPECT_EQ(span.stats, expected);
    EXPECT_GE(recorder.cost().total_ns(), m_probe.busy_ns);
}

TEST_F(RecorderStatisticsTest, SpansWithoutATensorHaveNoStatistics)
{
    Recorder recorder = make(Depth::Module);
    recorder.enter(Phase::Decode, 0);
    visit(recorder, Tap::ofComponent(0, Component::KvCache), nullptr);
    RunTrace trace;
    recorder.appendTo(trace, 1);
    EXPECT_FALSE(trace.components.at(0).stats.has_value());
}

// A probe whose statistics only arrive at the end of the step.
class LateProbe final : public model::TensorProbe {
public:
    ActivationStats stats(float) const override
    {
        ADD_FAILURE() << "must not be asked";
        return {};
    }
    std::int64_t count() const override { return 1; }
    double negativeFraction() const override { return 0.0; }
    bool defer(float) const override { return true; }
};

TEST_F(RecorderStatisticsTest, DeferredStatisticsFindTheirSpans)
{
    Recorder recorder = make(Depth::Module);
    const LateProbe probe;
    recorder.enter(Phase::Decode, 0);
    step(recorder, &probe);
    const std::vector<ActivationStats> late{
        {.mean_abs = 1.0F}, {.mean_abs = 2.0F}, {.mean_abs = 3.0F}};
    recorder.deferred(late);
    RunTrace trace;
    recorder.appendTo(trace, 1);
    EXPECT_EQ(trace.components.at(0).stats->mean_abs, 1.0F);
    EXPECT_EQ(trace.components.at(1).stats->mean_abs, 2.0F);
    EXPECT_EQ(trace.layers.at(0).stats->mean_abs, 3.0F);
}

TEST_F(RecorderStatisticsTest, MemoryOfASpanIsAtMostFortyBytes)
{
    Recorder recorder({.expected_spans = 10, .statistics_every = 1}, m_published, {});
    constexpr std::int32_t kSteps = 1000;
    for (std::int32_t token = 0; token < kSteps; ++token) {
        recorder.enter(Phase::Decode, token);
        for (int layer = 0; layer < 30; ++layer)
            visit(recorder, Tap::ofComponent(layer, Component::QProj), &m_probe);
    }
    const session::RecorderCost cost = recorder.cost();
    EXPECT_EQ(cost.spans, 30 * kSteps);
    EXPECT_EQ(cost.statistics, 30 * kSteps);
    EXPECT_LE(cost.memory_bytes, 41 * cost.spans); // 40 bytes, and a few more per token
}

Nanoseconds s_now = 0; // of a clock that only the test moves

// A probe whose statistics take 100 ns.
class SlowProbe final : public model::TensorProbe {
public:
    ActivationStats stats(float) const override
    {
        s_now += 100;
        return {};
    }
    std::int64_t count() const override { return 1; }
    double negativeFraction() const override { return 0.0; }
};

TEST_F(RecorderStatisticsTest, TakeAQuarterOfAPercentOfTheTime)
{
    struct Row {
        Nanoseconds work; // of a step, without its ten statistics
        int every; // as requested
        std::vector<std::int32_t> tokens; // those with statistics
        std::int64_t told;
    };
    for (const Row& row :
         {Row{99'000, 0, {0, 4, 8}, 4},
          Row{1'000'000, 0, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 1}, Row{1'000, 0, {0}, 12},
          Row{1'000, 5, {0, 5, 10}, 4}, Row{1'000, 1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 1}}) {
        const session::TickClock ticks([] { return s_now; }, [] { return s_now; });
        Recorder recorder({.statistics_every = row.every, .ticks = ticks, .calibrate = false},
                          m_published, {});
        const SlowProbe probe;
        std::vector<std::int32_t> tokens;
        for (std::int32_t token = 0; token < 12; ++token) {
            recorder.enter(Phase::Decode, token);
            const std::int64_t before = recorder.cost().statistics;
            s_now += row.work;
            for (int layer = 0; layer < 10; ++layer)
                visit(recorder, Tap::ofComponent(layer, Component::QProj), &probe);
            ASSERT_TRUE(recorder.endStep());
            if (recorder.cost().statistics > before)
                tokens.push_back(token);
        }
        EXPECT_EQ(tokens, row.tokens) << row.work << ", " << row.every;
        EXPECT_EQ(recorder.statisticsEvery(), row.told) << row.work << ", " << row.every;
    }
}

// A probe with different statistics each time.
class ChangingProbe final : public model::TensorProbe {
public:
    ActivationStats stats(float) const override { return {.mean_abs = m_next += 1.0F}; }
    std::int64_t count() const override { return 1; }
    double negativeFraction() const override { return 0.0; }

private:
    mutable float m_next = 0.0F;
};

TEST_F(RecorderStatisticsTest, ASpanWithStatisticsOfItsOwnTakesFortyBytes)
{
    Recorder recorder = make(Depth::Module);
    const ChangingProbe probe;
    recorder.enter(Phase::Decode, 0);
    const std::int64_t before = recorder.cost().memory_bytes;
    for (int layer = 0; layer < 300; ++layer)
        visit(recorder, Tap::ofComponent(layer, Component::QProj), &probe);
    EXPECT_EQ(recorder.cost().memory_bytes - before, 300 * 40);
}

TEST_F(RecorderStatisticsTest, SpansThatLeaveTheSameShareItsStatistics)
{
    Recorder recorder = make(Depth::Module);
    recorder.enter(Phase::Decode, 0);
    const std::int64_t before = recorder.cost().memory_bytes;
    visit(recorder, Tap::ofComponent(0, Component::Residual), &m_probe);
    visit(recorder, Tap::ofLayer(0), &m_probe);
    EXPECT_EQ(recorder.cost().memory_bytes - before, 40 + 24);
    RunTrace trace;
    recorder.appendTo(trace, 1);
    EXPECT_EQ(trace.layers.at(0).stats, trace.components.at(0).stats);
    EXPECT_EQ(trace.layers.at(0).stats->max_abs, 3.0F);
}

} // namespace
