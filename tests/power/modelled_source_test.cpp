// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"

#include "ep/power/modelled_source.h"

#include <gmock/gmock.h>

#include <vector>

namespace ep::power {
namespace {

using ep::test::record;
using ::testing::HasSubstr;

// Returns the entries of a list, then the last one forever.
class ScriptedClock : public CpuClock {
public:
    explicit ScriptedClock(std::vector<Result<CpuTimes>> answers)
        : m_answers(std::move(answers))
    {
    }
    Result<CpuTimes> read() override
    {
        return m_answers[m_next + 1 < m_answers.size() ? m_next++ : m_next];
    }

private:
    std::vector<Result<CpuTimes>> m_answers;
    std::size_t m_next = 0;
};

TEST(ModelledSource, TurnsCpuTimeIntoPower)
{
    ModelledSource source(5.0, 35.0,
                          std::make_unique<ScriptedClock>(std::vector<Result<CpuTimes>>{
                              CpuTimes{100, 1000}, CpuTimes{110, 1040}, CpuTimes{150, 1080},
                              CpuTimes{150, 1120}, CpuTimes{149, 1160}}));
    const auto recording = record(source, 10, 4);
    EXPECT_EQ(recording.ended, 1);
    ASSERT_EQ(recording.samples.size(), 4u);
    const std::vector<double> expected = {12'500.0, 35'000.0, 5'000.0, 5'000.0};
    for (std::size_t i = 0; i < 4; ++i) {
        const auto& sample = recording.samples[i];
        EXPECT_TRUE(sample.modelled);
        EXPECT_DOUBLE_EQ(sample.power_mw[Rail::Cpu]->value, expected[i]) << i;
        EXPECT_EQ(sample.total_mw, sample.power_mw[Rail::Cpu]);
        EXPECT_EQ(sample.energy_mj[Rail::Cpu], std::nullopt) << "there is no counter";
        EXPECT_EQ(sample.power_mw[Rail::Gpu], std::nullopt);
        EXPECT_EQ(sample.arrival_ns, sample.window.end_ns);
        if (i > 0) {
            EXPECT_EQ(sample.window.begin_ns, recording.samples[i - 1].window.end_ns);
        }
    }
    EXPECT_THAT(source.detail(), HasSubstr("between 5 W idle and 35 W full"));
}

TEST(ModelledSource, WaitsForATick)
{
    ModelledSource source(0.0, 10.0,
                          std::make_unique<ScriptedClock>(std::vector<Result<CpuTimes>>{
                              CpuTimes{0, 10}, CpuTimes{0, 10}, CpuTimes{0, 10}, CpuTimes{5, 20}}));
    const auto recording = record(source, 10, 1);
    ASSERT_EQ(recording.samples.size(), 1u);
    EXPECT_GE(recording.samples[0].window.duration_ns(), 25'000'000);
    EXPECT_DOUBLE_EQ(recording.samples[0].power_mw[Rail::Cpu]->value, 5'000.0);
}

TEST(ModelledSource, DeliversTheRestWhenStopped)
{
    ModelledSource source(1.0, 2.0,
                          std::make_unique<ScriptedClock>(
                              std::vector<Result<CpuTimes>>{CpuTimes{0, 10}, CpuTimes{0, 20}}));
    const auto recording = record(source, 100'000, 0);
    EXPECT_EQ(recording.ended, 1);
    ASSERT_EQ(recording.samples.size(), 1u);
    EXPECT_DOUBLE_EQ(recording.samples[0].power_mw[Rail::Cpu]->value, 1'000.0);
}

// A counter can be read whenever a run begins or ends; before a tick there is nothing to deliver.
TEST(ModelledSource, IsReadBetweenItsIntervals)
{
    ModelledSource source(0.0, 10.0,
                          std::make_unique<ScriptedClock>(std::vector<Result<CpuTimes>>{
                              CpuTimes{0, 10}, CpuTimes{0, 10}, CpuTimes{5, 20}}));
    std::vector<PowerSample> samples;
    QObject::connect(&source, &Source::sampleReady,
                     [&](const PowerSample& sample) { samples.push_back(sample); });
    source.readNow(); // not started
    source.start(100'000);
    source.readNow();
    EXPECT_TRUE(samples.empty());
    source.readNow();
    ASSERT_EQ(samples.size(), 1u);
    EXPECT_DOUBLE_EQ(samples[0].power_mw[Rail::Cpu]->value, 5'000.0);
    source.stop();
    source.readNow();
    EXPECT_EQ(samples.size(), 1u);
}

TEST(ModelledSource, EndsWithTheProblemOfItsClock)
{
    const Error problem{ErrorCode::Io, "The clock broke."};
    ModelledSource atOnce(1.0, 2.0,
                          std::make_unique<ScriptedClock>(std::vector<Result<CpuTimes>>{problem}));
    EXPECT_EQ(record(atOnce, 10).problem, "The clock broke.");
    ModelledSource later(1.0, 2.0,
                         std::make_unique<ScriptedClock>(std::vector<Result<CpuTimes>>{
                             CpuTimes{0, 10}, CpuTimes{0, 20}, problem}));
    const auto recording = record(later, 10);
    EXPECT_EQ(recording.problem, "The clock broke.");
    EXPECT_EQ(recording.samples.size(), 1u);
}

TEST(ModelledSource, ReadsTheMachineItRunsOn)
{
    ModelledSource source(5.0, 35.0);
    const auto recording = record(source, 20, 3);
    EXPECT_EQ(recording.problem, "");
    ASSERT_GE(recording.samples.size(), 3u);
    for (const auto& sample : recording.samples) {
        EXPECT_GE(sample.power_mw[Rail::Cpu]->value, 5'000.0);
        EXPECT_LE(sample.power_mw[Rail::Cpu]->value, 35'000.0);
    }
}

TEST(CpuTimes, AreReadFromTheKernelsTable)
{
    const auto times = parseProcStat("cpu  10 2 3 100 20 4 5 6 7 8\ncpu0 1 1 1 1\n");
    ASSERT_TRUE(times);
    EXPECT_EQ(times->busy, 10u + 2 + 3 + 4 + 5 + 6);
    EXPECT_EQ(times->total, 150u);
    const auto old = parseProcStat("cpu 10 2 3 100");
    ASSERT_TRUE(old);
    EXPECT_EQ(old->total, 115u);
    for (const char* bad : {"", "cpu", "cpu 1 2 3", "intr 1 2 3 4 5", "cpu a b c d"})
        EXPECT_FALSE(parseProcStat(bad)) << bad;
}

} // namespace
} // namespace ep::power
