// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "sources/nvml_source.h"

#include <gmock/gmock.h>

namespace ep::power {
namespace {

using ep::test::record;
using ep::test::ScopedEnv;
using ::testing::HasSubstr;

struct FakeDriver {
    explicit FakeDriver(const std::string& scenario)
        : library("EP_NVML", EP_FAKE_NVML_LIBRARY)
        , words("EP_FAKE_NVML", scenario)
    {
    }
    ScopedEnv library, words;
};

TEST(Nvml, ListsItsDevices)
{
    ReadingCheck readings;
    const FakeDriver driver("devices=2");
    const auto devices = findNvmlDevices(readings);
    ASSERT_TRUE(devices) << devices.error().message;
    ASSERT_EQ(devices->size(), 2U);
    EXPECT_EQ((*devices)[1].name, "Fake GPU 1");
    EXPECT_TRUE((*devices)[1].has_counter);
    EXPECT_DOUBLE_EQ((*devices)[0].limit_mw->value, 300'000.0);
}

TEST(Nvml, SaysWhyItCannot)
{
    struct Case {
        const char* library;
        const char* scenario;
        const char* says;
    };
    const std::vector<Case> cases = {
        {"/nonexistent/libnvidia-ml.so.1", "", "no management library of NVIDIA"},
        {EP_FAKE_NVML_LIBRARY, "init=9", "could not be started (Driver Not Loaded)"},
        {EP_FAKE_NVML_LIBRARY, "devices=0", "finds no device"},
        {EP_FAKE_IOREPORT_LIBRARY, "", "too old to report power"},
    };
    for (const Case& entry : cases) {
        const ScopedEnv library("EP_NVML", entry.library);
        const ScopedEnv words("EP_FAKE_NVML", entry.scenario);
        ReadingCheck readings;
        const auto devices = findNvmlDevices(readings);
        ASSERT_FALSE(devices) << entry.says;
        EXPECT_THAT(devices.error().message, HasSubstr(entry.says));
        EXPECT_EQ(devices.error().code, ErrorCode::Unsupported);
    }
}

TEST(Nvml, TakesEnergyFromTheCounters)
{
    const FakeDriver driver("devices=2");
    NvmlSource both;
    const auto recording = record(both, 2, 3);
    EXPECT_EQ(recording.problem, "");
    ASSERT_GE(recording.samples.size(), 3U);
    for (std::size_t i = 0; i < recording.samples.size(); ++i) {
        const PowerSample& sample = recording.samples[i];
        EXPECT_DOUBLE_EQ(sample.energy_mj[Rail::Gpu]->value, 4100.0);
        EXPECT_FALSE(sample.energy_mj[Rail::Cpu].has_value());
        if (i > 0) {
            EXPECT_EQ(sample.window.begin_ns, recording.samples[i - 1].window.end_ns);
        }
    }
    EXPECT_THAT(both.detail(), HasSubstr("1: Fake GPU 1"));
    EXPECT_DOUBLE_EQ(both.facts().rated_mw->value, 600'000.0);
    EXPECT_EQ(both.facts().sample_kind, SampleKind::Counter);
}

TEST(Nvml, ACounterThatGoesBackLeavesAGap)
{
    const FakeDriver driver("reset=8000"); // 2000, 4000, 6000, 0, 2000, ...
    NvmlSource source;
    const auto recording = record(source, 2, 6);
    ASSERT_GE(recording.samples.size(), 6U);
    int gaps = 0;
    for (std::size_t i = 0; i < recording.samples.size(); ++i) {
        EXPECT_DOUBLE_EQ(recording.samples[i].energy_mj[Rail::Gpu]->value, 2000.0);
        gaps +=
            i > 0 && recording.samples[i].window.begin_ns > recording.samples[i - 1].window.end_ns;
    }
    EXPECT_GE(gaps, 1);
    EXPECT_GE(source.facts().dropped, gaps);
}

TEST(Nvml, ChoosesDevices)
{
    const FakeDriver driver("devices=2");
    NvmlSource second({1});
    const auto recording = record(second, 2, 1);
    ASSERT_FALSE(recording.samples.empty());
    EXPECT_DOUBLE_EQ(recording.samples[0].energy_mj[Rail::Gpu]->value, 2100.0);

    NvmlSource none({5});
    const auto missing = record(none, 2, 1);
    EXPECT_TRUE(missing.samples.empty());
    EXPECT_THAT(missing.problem, HasSubstr("no such NVIDIA device; this machine has 2"));

    EXPECT_EQ(*parseNvmlDevices("0,2"), (std::vector<unsigned>{0, 2}));
    EXPECT_TRUE(parseNvmlDevices("")->empty());
    for (const char* wrong : {"x", "-1", "0,,1", "300"})
        EXPECT_FALSE(parseNvmlDevices(wrong).has_value()) << wrong;
}

TEST(Nvml, WithoutCounterItTakesPowerOfTheMoment)
{
    for (const auto& [scenario, milliwatts] :
         {std::pair{"energy=3", 90'000.0}, std::pair{"energy=3 instant=0", 70'000.0}}) {
        const FakeDriver driver(scenario);
        NvmlSource source;
        const auto recording = record(source, 2, 1);
        ASSERT_FALSE(recording.samples.empty()) << scenario;
        EXPECT_NEAR(recording.samples[0].power_mw[Rail::Gpu]->value, milliwatts, 1e-6);
        EXPECT_THAT(source.detail(), HasSubstr("no energy counter"));
        EXPECT_EQ(source.facts().sample_kind, SampleKind::Power);
    }
}

TEST(Nvml, ACounterThatStandsMakesNoSampleAtFirst)
{
    const FakeDriver driver("frozen");
    NvmlSource source;
    const auto recording = record(source, 2, 0);
    EXPECT_TRUE(recording.samples.empty());
    EXPECT_EQ(recording.problem, "");
}

TEST(Nvml, OneLostCardLeavesTheOthers)
{
    const FakeDriver driver("devices=2 lost=0");
    NvmlSource source;
    const auto recording = record(source, 2, 2);
    EXPECT_EQ(recording.problem, "");
    ASSERT_FALSE(recording.samples.empty());
    EXPECT_DOUBLE_EQ(recording.samples[0].energy_mj[Rail::Gpu]->value, 2100.0);
    ASSERT_THAT(source.faults(), ::testing::SizeIs(1));
    EXPECT_EQ(source.faults()[0], "The NVIDIA device 0 cannot be read; its readings are missing.");
    EXPECT_THAT(source.detail(), HasSubstr("1: Fake GPU 1"));

    NvmlSource asked({0});
    EXPECT_THAT(record(asked, 2, 1).problem, HasSubstr("The NVIDIA device 0 cannot be read"));
}

TEST(Nvml, ACounterThatStandsGivesWayToPower)
{
    const FakeDriver driver("devices=2 stuck=1");
    NvmlSource source;
    const auto recording = record(source, 20, 2);
    ASSERT_GE(recording.samples.size(), 2U);
    EXPECT_LT(recording.samples[0].window.duration_ns(), 1'000'000'000);
    EXPECT_GE(source.facts().dropped, 1); // the two seconds
    ASSERT_THAT(source.faults(), ::testing::SizeIs(1));
    EXPECT_THAT(source.faults()[0], HasSubstr("does not advance; its power is read instead"));
    EXPECT_EQ(source.facts().sample_kind, SampleKind::Power);
}

TEST(Nvml, AnErrorIsNoPower)
{
    const FakeDriver driver("energy=3 instant=0 power=4294967295");
    NvmlSource source;
    const auto recording = record(source, 2, 0);
    EXPECT_TRUE(recording.samples.empty());
    ASSERT_THAT(source.faults(), ::testing::SizeIs(1));
    EXPECT_THAT(source.faults()[0], HasSubstr("cannot be true"));
}

} // namespace
} // namespace ep::power
