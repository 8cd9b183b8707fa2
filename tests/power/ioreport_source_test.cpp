// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "sources/ioreport_source.h"

#include <gmock/gmock.h>

namespace ep::power {
namespace {

using ep::test::record;
using ep::test::ScopedEnv;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct FakeMac {
    explicit FakeMac(const std::string& scenario, const std::string& smcWatts = "")
        : report("EP_IOREPORT", EP_FAKE_IOREPORT_LIBRARY)
        , foundation("EP_COREFOUNDATION", EP_FAKE_IOREPORT_LIBRARY)
        , kit("EP_IOKIT", EP_FAKE_IOREPORT_LIBRARY)
        , kind("EP_FAKE_IOREPORT", scenario)
        , smc("EP_FAKE_SMC", smcWatts)
    {
    }
    ScopedEnv report, foundation, kit, kind, smc;
};

struct MacCase {
    const char* scenario;
    std::optional<double> cpu, gpu, ane, dram; // mJ per sample
};

TEST(IoReport, AddsUpWhatTheMachineHas)
{
    const std::vector<MacCase> cases = {
        {"m3", 120.0, 250.0, 3.0, 40.0},
        {"ultra", 150.0, 70.0, 3.0, 17.0},
        {"m1", 70.0, 40.0, 0.0, 15.0},
        {"a18", {}, 5.0, {}, {}},
    };
    for (const MacCase& entry : cases) {
        const FakeMac mac(entry.scenario);
        IoReportSource source;
        const auto recording = record(source, 2, 2);
        EXPECT_EQ(recording.problem, "") << entry.scenario;
        ASSERT_GE(recording.samples.size(), 2U) << entry.scenario;
        const auto& energy = recording.samples[1].energy_mj;
        const auto expectRail = [&](Rail rail, std::optional<double> expected) {
            ASSERT_EQ(energy[rail].has_value(), expected.has_value())
                << entry.scenario << ' ' << name(rail);
            if (expected) {
                EXPECT_NEAR(energy[rail]->value, *expected, 1e-9) << entry.scenario;
            }
        };
        expectRail(Rail::Cpu, entry.cpu);
        expectRail(Rail::Gpu, entry.gpu);
        expectRail(Rail::Ane, entry.ane);
        expectRail(Rail::Dram, entry.dram);
        EXPECT_FALSE(recording.samples[1].power_mw[Rail::System].has_value());
        EXPECT_EQ(recording.samples[1].window.begin_ns, recording.samples[0].window.end_ns);
    }
}

// Four readings of 20 ms form a batch of 480 mJ at 6 W.
TEST(IoReport, SpreadsBatchesOverTheirTime)
{
    const FakeMac mac("batched");
    IoReportSource source;
    const auto recording = record(source, 20, 8);
    ASSERT_GE(recording.samples.size(), 8U);
    for (std::size_t i = 0; i < 8; ++i) {
        const PowerSample& sample = recording.samples[i];
        ASSERT_TRUE(sample.energy_mj[Rail::Cpu]) << i;
        EXPECT_GT(sample.energy_mj[Rail::Cpu]->value, 0.0) << i;
        EXPECT_LT(sample.energy_mj[Rail::Cpu]->value, 480.0) << i;
        EXPECT_NEAR(sample.energy_mj[Rail::Gpu]->value, 250.0, 1e-9) << i;
        EXPECT_GE(sample.arrival_ns, sample.window.end_ns) << i;
        if (i > 0) {
            EXPECT_EQ(sample.window.begin_ns, recording.samples[i - 1].window.end_ns);
        }
    }
    // Late readings of a busy machine may make those of the GPU look batched too.
    EXPECT_THAT(source.detail().english(),
                ::testing::ContainsRegex("publishes cpu, (gpu, )?ane, dram in batches"));
}

TEST(IoReport, WithoutStampsEveryReadingCounts)
{
    const FakeMac mac("unstamped");
    IoReportSource source;
    const auto recording = record(source, 2, 8);
    ASSERT_GE(recording.samples.size(), 8U);
    double cpu = 0.0;
    int zeros = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        cpu += recording.samples[i].energy_mj[Rail::Cpu]->value;
        zeros += recording.samples[i].energy_mj[Rail::Cpu]->value == 0.0 ? 1 : 0;
    }
    EXPECT_EQ(zeros, 6);
    EXPECT_DOUBLE_EQ(cpu, 8 * 120.0);
}

TEST(IoReport, TellsThermalPressureAndBusyCores)
{
    const std::vector<std::pair<const char*, ThermalPressure>> cases = {
        {"0", ThermalPressure::Nominal}, {"1", ThermalPressure::Moderate},
        {"2", ThermalPressure::Heavy},   {"3", ThermalPressure::Trapping},
        {"9", ThermalPressure::Unknown}, {"", ThermalPressure::Unknown}};
    for (const auto& [level, pressure] : cases) {
        const FakeMac mac("m3");
        const ScopedEnv thermal("EP_FAKE_THERMAL", level);
        IoReportSource source;
        const auto recording = record(source, 30, 2);
        ASSERT_FALSE(recording.samples.empty());
        EXPECT_EQ(recording.samples.back().thermal, pressure) << level;
        ASSERT_TRUE(recording.samples.back().cores_busy) << level;
        EXPECT_GE(*recording.samples.back().cores_busy, 0.0F);
        EXPECT_LE(*recording.samples.back().cores_busy, 1.0F);
    }
}

TEST(IoReport, SystemPowerComesFromTheSmc)
{
    const FakeMac mac("m3", "42.5");
    IoReportSource source;
    const auto recording = record(source, 2, 1);
    ASSERT_FALSE(recording.samples.empty());
    EXPECT_DOUBLE_EQ(recording.samples[0].power_mw[Rail::System]->value, 42'500.0);
    EXPECT_THAT(source.detail(), HasSubstr("system power from the SMC"));
    // System power is not included in the sum of rails.
    EXPECT_NEAR(recording.samples[0].total_mw->value, totalOf(recording.samples[0].power_mw)->value,
                1e-9);
    const auto rails = findIoReportRails();
    ASSERT_TRUE(rails);
    EXPECT_THAT(*rails, ElementsAre(Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram, Rail::System));
}

// The value is -1 from the beginning, so there is no controller to report about.
TEST(IoReport, AnErrorOfTheSmcIsMissingAndSaidOnce)
{
    for (const auto& [watts, faults] :
         {std::pair{"4294967.295", 1U}, std::pair{"2147483.647", 1U}, std::pair{"-1", 0U}}) {
        const FakeMac mac("m3", watts);
        IoReportSource source;
        const auto recording = record(source, 3, 1);
        EXPECT_EQ(recording.problem, "") << watts;
        ASSERT_FALSE(recording.samples.empty()) << watts;
        for (const PowerSample& sample : recording.samples) {
            EXPECT_FALSE(sample.power_mw[Rail::System]) << watts;
            EXPECT_TRUE(sample.energy_mj[Rail::Cpu]) << watts;
            EXPECT_TRUE(sample.total_mw) << watts;
        }
        EXPECT_EQ(source.faults().size(), faults) << watts;
    }
}

TEST(IoReport, SaysWhyItCannot)
{
    {
        const FakeMac mac("m3");
        const ScopedEnv report("EP_IOREPORT", "/nonexistent/libIOReport.dylib");
        const auto rails = findIoReportRails();
        ASSERT_FALSE(rails);
        EXPECT_THAT(rails.error().message, HasSubstr("no IOReport library of macOS"));
    }
    {
        const FakeMac mac("m3");
        const ScopedEnv foundation("EP_COREFOUNDATION", "/nonexistent/CoreFoundation");
        EXPECT_THAT(findIoReportRails().error().message, HasSubstr("no CoreFoundation"));
    }
    {
        const FakeMac mac("m3");
        const ScopedEnv report("EP_IOREPORT", EP_FAKE_NVML_LIBRARY);
        EXPECT_THAT(findIoReportRails().error().message, HasSubstr("lacks required functions"));
    }
    {
        const FakeMac mac("empty");
        EXPECT_THAT(findIoReportRails().error().message,
                    HasSubstr("no energy counters in IOReport"));
    }
    {
        const FakeMac mac("refused");
        EXPECT_THAT(findIoReportRails().error().message, HasSubstr("denies this program access"));
        IoReportSource source;
        const auto recording = record(source, 2, 1);
        EXPECT_THAT(recording.problem, HasSubstr("denies this program access"));
        EXPECT_EQ(recording.ended, 1);
    }
    {
        const FakeMac mac("m3");
        EXPECT_THAT(Smc::open().error().message,
                    HasSubstr("no accessible System Management Controller"));
    }
}

} // namespace
} // namespace ep::power
