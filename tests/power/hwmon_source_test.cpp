// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "sources/hwmon_source.h"
#include "support/folders.h"
#include "support/system_tree.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace ep::power {
namespace {

using ep::test::record;
using ep::test::SystemTree;
using ::testing::HasSubstr;

TEST(Hwmon, AddsUpTheMetersOfARail)
{
    const SystemTree tree;
    tree.add("hwmon0", {{"name", "nvme"}, {"power1_input", "1"}});
    tree.add("hwmon1", {{"name", "amdgpu"}, {"power1_average", "100000000"}});
    tree.add("hwmon2", {{"name", "amdgpu"}, {"power1_input", "50500000"}});
    tree.add("hwmon3",
             {{"name", "macsmc_hwmon"},
              {"power1_label", "AC Input Power"},
              {"power1_input", "9"},
              {"power2_label", "Total System Power"},
              {"power2_input", "20000000"}});
    HwmonSource source(tree.folder());
    const auto recording = record(source, 2, 2);
    EXPECT_EQ(recording.problem, "");
    ASSERT_GE(recording.samples.size(), 2U);
    const PowerSample& sample = recording.samples.front();
    EXPECT_NEAR(sample.power_mw[Rail::Gpu]->value, 150'500.0, 1e-9);
    EXPECT_NEAR(sample.power_mw[Rail::System]->value, 20'000.0, 1e-9);
    EXPECT_FALSE(sample.power_mw[Rail::Cpu].has_value());
    EXPECT_EQ(source.detail(), "amdgpu, amdgpu, macsmc_hwmon");
    EXPECT_EQ(recording.samples[1].window.begin_ns, sample.window.end_ns);
}

TEST(Hwmon, SaysWhatIsMissing)
{
    const SystemTree tree;
    tree.add("hwmon0", {{"name", "coretemp"}});
    tree.add("hwmon1", {{"name", "amdgpu"}}); // a sleeping card reports no power
    ReadingCheck readings;
    const auto meters = findHwmonMeters(tree.folder(), readings);
    ASSERT_FALSE(meters);
    EXPECT_THAT(meters.error().message, HasSubstr(tree.folder().string()));
    HwmonSource source(tree.folder());
    EXPECT_THAT(record(source, 2, 1).problem, HasSubstr("choose another power source"));
}

// ACPI's power meter reports an error as 0xffffffff milliwatts.
TEST(Hwmon, AnErrorIsNoPower)
{
    for (const char* folder : {"acpi", "minus"}) {
        HwmonSource source(std::filesystem::path(test::dataPath("hwmon_errors")) / folder);
        const auto recording = record(source, 2, 1);
        EXPECT_TRUE(recording.samples.empty()) << folder;
        EXPECT_THAT(recording.problem, HasSubstr("gave a reading that cannot be true ("));
        EXPECT_THAT(recording.problem, HasSubstr("Choose another power source."));
    }
}

TEST(Hwmon, OneCardThatCannotBeReadLeavesTheOthers)
{
    const SystemTree tree;
    tree.add("hwmon0",
             {{"name", "amdgpu"}, {"power1_average", "-1"}, {"power1_input", "30000000"}});
    tree.add("hwmon1", {{"name", "amdgpu"}, {"power1_input", "4294967295"}});
    tree.add("hwmon2", {{"name", "power_meter"}, {"power1_average", "200000000"}});
    HwmonSource source(tree.folder());
    const auto recording = record(source, 2, 2);
    ASSERT_FALSE(recording.samples.empty());
    EXPECT_NEAR(recording.samples[0].power_mw[Rail::Gpu]->value, 30'000.0, 1e-9);
    EXPECT_NEAR(recording.samples[0].power_mw[Rail::System]->value, 200'000.0, 1e-9);
    EXPECT_EQ(source.detail(), "amdgpu, power_meter");
    EXPECT_EQ(source.faults().size(), 2U);
}

TEST(Hwmon, AMeterThatFailsTakesOnlyItsRail)
{
    const SystemTree tree;
    tree.add("hwmon0",
             {{"name", "amdgpu"}, {"power1_input", "30000000"}, {"power1_cap", "40000000"}});
    tree.add("hwmon1", {{"name", "power_meter"}, {"power1_average", "200000000"}});
    HwmonSource source(tree.folder());
    QObject::connect(&source, &Source::sampleReady, &source, [&] {
        tree.add("new", {{"power1_input", "48000001"}}); // above 1.2 x 40 W
        std::filesystem::rename(tree.folder() / "new" / "power1_input",
                                tree.folder() / "hwmon0" / "power1_input");
        std::filesystem::remove(tree.folder() / "new");
    });
    const auto recording = record(source, 2, 3);
    EXPECT_EQ(recording.problem, "");
    ASSERT_GE(recording.samples.size(), 3U);
    EXPECT_TRUE(recording.samples[0].power_mw[Rail::Gpu].has_value());
    EXPECT_FALSE(recording.samples[2].power_mw[Rail::Gpu].has_value());
    EXPECT_FALSE(recording.samples[2].total_mw.has_value());
    EXPECT_TRUE(recording.samples[2].power_mw[Rail::System].has_value());
    ASSERT_EQ(source.faults().size(), 1U);
    EXPECT_THAT(source.faults()[0], HasSubstr("(48.0 W)"));
}

} // namespace
} // namespace ep::power
