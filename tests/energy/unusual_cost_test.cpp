// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is compared with: its own work, or another run.
#include "support/diagnosed_run.h"

#include "ep/energy/cause_difference.h"
#include "ep/energy/unusual_cost.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace ep::energy {
namespace {

// If neither side can be divided, no parts can be named.
TEST(CauseDifferenceTest, OfWhatIsNotDividedNamesNoParts)
{
    Diagnosis before;
    before.of_time = true;
    before.whole.whole = before.whole.rest = roundedPicojoules(1e12);
    Diagnosis after = before;
    after.whole.whole = after.whole.rest = roundedPicojoules(1.173e12);
    EXPECT_EQ(differenceOf(before, after, 100, 100).sentence, "The second run needs 173 ms more.");
}

TEST(UnusualPartTest, IsAPartAboveTheShareOfItsWork)
{
    ep::test::RunSetup slow;
    slow.fallback = 40; // attention's output projection
    const auto part = unusualPartOf(diagnose(ep::test::diagnosedRun(slow).request()));
    ASSERT_TRUE(part);
    EXPECT_STREQ(part->phrase, "attention");
    EXPECT_FALSE(part->of_time);
    EXPECT_GT(part->share, 1.5 * part->expected);
    EXPECT_NEAR(part->expected, 0.3, 0.15);
    const std::string line = lineOf(*part);
    EXPECT_EQ(line.rfind("Unusual: ", 0), 0U);
    EXPECT_NE(line.find(" % of the energy went into attention, "), std::string::npos) << line;
    EXPECT_NE(line.find(" times the share that FLOPs and bytes predict."), std::string::npos)
        << line;
}

TEST(UnusualPartTest, IsNoneInRunsWhoseWorkExplainsThem)
{
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        ep::test::RunSetup setup;
        setup.seed = seed;
        EXPECT_FALSE(unusualPartOf(diagnose(ep::test::diagnosedRun(setup).request()))) << seed;
        ep::test::inject(setup, Cause::Head, 3); // expensive, but because of its bytes
        EXPECT_FALSE(unusualPartOf(diagnose(ep::test::diagnosedRun(setup).request()))) << seed;
    }
    EXPECT_FALSE(unusualPartOf({})) << "nothing is known";
}

} // namespace
} // namespace ep::energy
