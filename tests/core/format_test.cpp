// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"

#include <gtest/gtest.h>

#include <limits>
#include <tuple>

namespace ep {

TEST(FormatSignificant, KeepsThreeDigits)
{
    const std::tuple<double, const char*> cases[] = {
        {0.0, "0"},         {1.0, "1.00"},     {12.345, "12.3"},
        {123.45, "123"},    {1234.0, "1230"},  {0.012345, "0.0123"},
        {9.996, "10.0"},    {-4.567, "-4.57"}, {1.234e9, "1.23e+09"},
        {1e-7, "1.00e-07"}, {999.6, "1000"},
    };
    for (const auto& [value, text] : cases)
        EXPECT_EQ(formatSignificant(value), text) << value;
}

TEST(FormatSignificant, ShowsNonFiniteAsMissing)
{
    EXPECT_EQ(formatSignificant(std::numeric_limits<double>::quiet_NaN()), kMissingText);
    EXPECT_EQ(formatSignificant(std::numeric_limits<double>::infinity()), kMissingText);
}

TEST(FormatEnergy, ChoosesThePrefix)
{
    EXPECT_EQ(formatEnergy(std::nullopt), kMissingText);
    EXPECT_EQ(formatEnergy(Millijoules{0.0}), "0 µJ");
    EXPECT_EQ(formatEnergy(Millijoules{0.0123}), "12.3 µJ");
    EXPECT_EQ(formatEnergy(Millijoules{12.3}), "12.3 mJ");
    EXPECT_EQ(formatEnergy(Millijoules{999.7}), "1.00 J");
    EXPECT_EQ(formatEnergy(Millijoules{4560.0}), "4.56 J");
}

TEST(FormatPower, ChoosesThePrefix)
{
    EXPECT_EQ(formatPower(std::nullopt), kMissingText);
    EXPECT_EQ(formatPower(Milliwatts{850.0}), "850 mW");
    EXPECT_EQ(formatPower(Milliwatts{12345.0}), "12.3 W");
}

TEST(FormatOthers, ChooseThePrefix)
{
    EXPECT_EQ(formatDuration(12'300), "12.3 µs");
    EXPECT_EQ(formatDuration(1'230'000'000), "1.23 s");
    EXPECT_EQ(formatBytes(14'900'000'000), "14.9 GB");
    EXPECT_EQ(formatBytes(12), "12.0 B");
    EXPECT_EQ(formatCount(999), "999");
    EXPECT_EQ(formatCount(6'900'000), "6.90 M");
    EXPECT_EQ(formatPercent(0.1234), "12.3 %");
}

} // namespace ep
