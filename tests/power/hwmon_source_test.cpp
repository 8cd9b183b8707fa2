// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "support/system_tree.h"

#include "ep/power/hwmon_source.h"

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
    tree.add("hwmon1", {{"name", "amdgpu"}}); // a card that is asleep gives no power
    const auto meters = findHwmonMeters(tree.folder());
    ASSERT_FALSE(meters);
    EXPECT_THAT(meters.error().message, HasSubstr(tree.folder().string()));
    HwmonSource source(tree.folder());
    EXPECT_THAT(record(source, 2, 1).problem, HasSubstr("choose another power source"));
}

} // namespace
} // namespace ep::power
