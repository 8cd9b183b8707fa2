// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/metric.h"

#include <gtest/gtest.h>

#include <set>

namespace ep::viz {
namespace {

TEST(Metric, SaysWhatItNeeds)
{
    for (const HeatmapMetric metric : kHeatmapMetrics)
        EXPECT_FALSE(title(metric).empty());
    EXPECT_TRUE(needsEnergy(HeatmapMetric::PowerMw));
    EXPECT_TRUE(needsEnergy(HeatmapMetric::NetEnergyMj));
    EXPECT_FALSE(needsEnergy(HeatmapMetric::TimeMs));
    EXPECT_TRUE(needsOperations(HeatmapMetric::VarianceRatio));
    EXPECT_FALSE(needsOperations(HeatmapMetric::Sparsity));
}

TEST(Metric, ShortNamesAreShortAndDistinct)
{
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < kComponentCount; ++i) {
        const auto component = static_cast<Component>(i);
        EXPECT_LE(shortName(component).size(), 8U) << name(component);
        EXPECT_TRUE(seen.insert(shortName(component)).second) << name(component);
        EXPECT_FALSE(title(component).empty());
    }
}

TEST(Metric, EveryWordHasATitle)
{
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < kSectionCount; ++i)
        EXPECT_TRUE(seen.insert(title(static_cast<Section>(i))).second);
    for (std::size_t i = 0; i < kPhaseCount; ++i)
        EXPECT_TRUE(seen.insert(title(static_cast<Phase>(i))).second);
    EXPECT_EQ(title(Phase::Prefill), "Prefill");
    EXPECT_EQ(title(Section::MemoryCleanup), "Memory cleanup");
    EXPECT_EQ(shortName(Component::DownProj), "down");
}

} // namespace
} // namespace ep::viz
