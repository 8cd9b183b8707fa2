// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "sources/counter_source.h"
#include "support/system_tree.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace ep::power {
namespace {

using ep::test::record;
using ep::test::SystemTree;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(IntelGpu, TakesEachCardOnce)
{
    const SystemTree tree;
    tree.add("hwmon0", {{"name", "coretemp"}, {"energy1_input", "1"}});
    tree.add("hwmon1", {{"name", "xe"}, {"energy1_input", "5000"}, {"energy2_input", "4000"}});
    tree.add("hwmon2",
             {{"name", "xe"}, {"energy2_input", "4000"}, {"power2_rated_max", "75000000"}});
    tree.add("hwmon3", {{"name", "i915"}, {"energy1_input", "18446744073709"}});
    tree.add("hwmon4", {{"name", "i915_gt0"}, {"energy1_input", "3000"}}); // a part of that card
    ReadingCheck readings;
    const auto counters = findIntelGpuCounters(tree.folder(), readings);
    ASSERT_TRUE(counters) << counters.error().message;
    ASSERT_EQ(counters->size(), 3U);
    EXPECT_THAT((*counters)[0].file.string(), EndsWith("hwmon1/energy1_input"));
    EXPECT_THAT((*counters)[1].file.string(), EndsWith("hwmon2/energy2_input"));
    EXPECT_DOUBLE_EQ((*counters)[1].most.value, 1.2 * 75'000.0);
    EXPECT_THAT((*counters)[2].file.string(), EndsWith("hwmon3/energy1_input"));
    for (const EnergyCounter& counter : *counters)
        EXPECT_EQ(counter.rail, Rail::Gpu);
}

TEST(IntelGpu, DeliversWhatItsCountersAdvance)
{
    const SystemTree tree;
    tree.add("hwmon0", {{"name", "xe"}, {"energy1_input", "1000000"}});
    tree.add("hwmon1", {{"name", "i915"}, {"energy1_input", "7000000"}});
    IntelGpuSource source(tree.folder());
    QObject::connect(&source, &Source::sampleReady, &source, [&, first = true]() mutable {
        if (!std::exchange(first, false))
            return;
        for (const auto& [card, energy] : {std::pair("hwmon0", "1002000"), {"hwmon1", "7000500"}}) {
            // Renamed into place, since a reader may look at any time.
            const auto folder = tree.folder() / card;
            std::ofstream(folder / "new") << energy << "\n";
            std::filesystem::rename(folder / "new", folder / "energy1_input");
        }
    });
    const auto recording = record(source, 10, 3);
    EXPECT_EQ(recording.problem, "");
    ASSERT_GE(recording.samples.size(), 3U);
    double sum = 0.0;
    for (const PowerSample& sample : recording.samples)
        sum += sample.energy_mj[Rail::Gpu]->value;
    EXPECT_DOUBLE_EQ(sum, 2.5);
    EXPECT_EQ(recording.samples[0].energy_mj[Rail::Gpu], Millijoules{0});
    EXPECT_FALSE(recording.samples[0].energy_mj[Rail::Cpu].has_value());
    EXPECT_EQ(source.facts().sample_kind, SampleKind::Counter);
    EXPECT_EQ(source.detail(), "graphics cards: 2");
}

TEST(IntelGpu, SaysWhatIsMissing)
{
    const SystemTree tree;
    tree.add("hwmon0", {{"name", "amdgpu"}, {"energy1_input", "1"}});
    ReadingCheck readings;
    const auto counters = findIntelGpuCounters(tree.folder(), readings);
    ASSERT_FALSE(counters);
    EXPECT_THAT(counters.error().message, HasSubstr("choose another power source"));

    tree.add("hwmon1", {{"name", "xe"}});
    const auto unreadable = findIntelGpuCounters(tree.folder(), readings);
    ASSERT_FALSE(unreadable);
    EXPECT_THAT(unreadable.error().message, HasSubstr("hwmon1 cannot be read"));
}

} // namespace
} // namespace ep::power
