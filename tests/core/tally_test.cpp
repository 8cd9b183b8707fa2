// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/core/tally.h"

#include <gtest/gtest.h>

#include <limits>

namespace ep {
namespace {

constexpr Millijoules operator""_mj(long double value)
{
    return {static_cast<double>(value)};
}

TEST(Tally, OfNothingHasNoEnergy)
{
    const Tally none;
    EXPECT_EQ(none.energy_mj, std::nullopt);
    EXPECT_EQ(none.complete(), std::nullopt);
    EXPECT_FALSE(none.partial());
    EXPECT_EQ(none.provenance, Provenance::Missing);
}

TEST(Tally, OfOneNodeIsTheNode)
{
    const EnergyValue energy{.rails_mj = {},
                             .total_mj = 2.0_mj,
                             .provenance = Provenance::Measured,
                             .sd_mj = 0.5_mj,
                             .alternative_mj = {}};
    Tally sum;
    sum.add(tallyOf(TimeRange{100, 110}, energy));
    EXPECT_EQ(sum.duration_ns, 10);
    EXPECT_EQ(sum.complete(), 2.0_mj);
    EXPECT_EQ(sum.sd_mj, 0.5_mj);
    EXPECT_EQ(sum.uncovered_ns(), 0);
}

TEST(Tally, KeepsTheKnownPartAndSaysWhatIsMissing)
{
    Tally sum;
    sum.add(10, 2.0_mj, Provenance::Measured);
    sum.add(5, std::nullopt, Provenance::Missing);
    EXPECT_TRUE(sum.partial());
    EXPECT_EQ(sum.energy_mj, 2.0_mj);
    EXPECT_EQ(sum.complete(), std::nullopt);
    EXPECT_EQ(sum.uncovered_ns(), 5);
    EXPECT_EQ(sum.provenance, Provenance::Measured);
    EXPECT_EQ(sum.sd_mj, std::nullopt);
    sum.add(1, 1.0_mj, Provenance::Modelled);
    EXPECT_EQ(sum.provenance, Provenance::Modelled);
    EXPECT_EQ(sum.energy_mj, 3.0_mj);
}

TEST(Tally, AddsDeviationsThatItsPartsShare)
{
    Tally sum;
    sum.add(1, 1.0_mj, Provenance::Attributed, 0.25_mj);
    sum.add(1, std::nullopt, Provenance::Missing);
    sum.add(tallyOf(1, 2.0_mj, Provenance::Attributed, 0.5_mj));
    EXPECT_EQ(sum.sd_mj, 0.75_mj);
    sum.add(1, 1.0_mj, Provenance::Attributed);
    EXPECT_EQ(sum.sd_mj, std::nullopt);
}

TEST(Tally, IsTheSameInWhateverGroupsItIsAddedUp)
{
    Tally one;
    Tally left;
    Tally right;
    for (int i = 0; i < 8; ++i) {
        const auto energy = i % 3 == 0 ? std::nullopt : std::optional(Millijoules{0.25 * i});
        one.add(i + 1, energy, Provenance::Attributed);
        (i < 4 ? left : right).add(i + 1, energy, Provenance::Attributed);
    }
    left.add(right);
    EXPECT_EQ(left, one);
}

TEST(Tally, RemainderIsMissingWhereAPartIs)
{
    const Tally whole = tallyOf(10, 5.0_mj, Provenance::Measured);
    Tally parts = tallyOf(4, 2.0_mj, Provenance::Attributed);
    EXPECT_EQ((whole - parts).energy_mj, 3.0_mj);
    EXPECT_EQ((whole - parts).duration_ns, 6);
    EXPECT_EQ((whole - parts).provenance, Provenance::Attributed);
    parts.add(1, std::nullopt, Provenance::Missing);
    EXPECT_EQ((whole - parts).energy_mj, std::nullopt);
    EXPECT_EQ((whole - Tally()).energy_mj, 5.0_mj);
    EXPECT_EQ((whole - tallyOf(12, 1.0_mj, Provenance::Measured)).duration_ns, -2);
}

TEST(Tally, IsWrittenWithWhatIsMissing)
{
    Tally sum;
    EXPECT_EQ(formatEnergy(sum), kMissingText);
    sum.add(3, 12.3_mj, Provenance::Measured);
    EXPECT_EQ(formatEnergy(sum), "12.3 mJ");
    sum.add(1, std::nullopt, Provenance::Missing);
    EXPECT_EQ(formatEnergy(sum), "≥ 12.3 mJ");
}

TEST(Tally, HostileDurationsWrap)
{
    Tally sum;
    sum.add(std::numeric_limits<Nanoseconds>::max(), std::nullopt, Provenance::Missing);
    sum.add(std::numeric_limits<Nanoseconds>::max(), std::nullopt, Provenance::Missing);
    EXPECT_EQ(sum.duration_ns, -2);
}

} // namespace
} // namespace ep
