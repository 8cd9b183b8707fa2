// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/format.h"
#include "ep/core/run_figure.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace ep {

TEST(WithSign, IsForPositiveNumbersThatAreNotRoundedToZero)
{
    const struct {
        const char* text;
        double value;
        const char* expected;
    } cases[] = {
        {"1.20 mJ", 1.2, "+1.20 mJ"},      {"0.5 %", 0.005, "+0.5 %"},
        {"0,5 %", 0.005, "+0,5 %"},        {"10.0 J", 1e4, "+10.0 J"},
        {"-1.20 mJ", -1.2, "-1.20 mJ"},    {"0 µJ", 1e-15, "0 µJ"},
        {"0.0 %", 1e-9, "0.0 %"},          {"< 0.1 %", 1e-4, "< 0.1 %"},
        {kMissingText, 1.0, kMissingText},
    };
    for (const auto& [text, value, expected] : cases)
        EXPECT_EQ(withSign(text, value), expected);
}

TEST(FormatSignedPercent, HasAPlusOnlyWhereTheNumberIsAboveZero)
{
    const std::pair<double, const char*> cases[] = {{0.1234, "+12.3 %"},
                                                    {-0.05, "-5.0 %"},
                                                    {0.0, "0.0 %"},
                                                    {1e-5, "< 0.1 %"},
                                                    {INFINITY, "+∞ %"}};
    for (const auto& [fraction, text] : cases)
        EXPECT_EQ(formatSignedPercent(fraction), text);
}

TEST(FormatProbability, DoesNotPretendToKnowSmallOnes)
{
    const std::pair<double, const char*> cases[] = {
        {0.0123, "0.012"}, {0.001, "0.0010"}, {0.0004, "< 0.001"}, {0.0, "< 0.001"}, {1.0, "1.0"}};
    for (const auto& [p, text] : cases)
        EXPECT_EQ(formatProbability(p), text);
}

TEST(FormatSignificant, KeepsThreeDigits)
{
    const std::tuple<double, const char*> cases[] = {
        {0.0, "0"},
        {1.0, "1.00"},
        {12.345, "12.3"},
        {123.45, "123"},
        {1234.0, "1230"},
        {0.012345, "0.0123"},
        {9.996, "10.0"},
        {-4.567, "-4.57"},
        {1.234e9, "1.23 × 10⁹"},
        {1e-7, "1.00 × 10⁻⁷"},
        {999.6, "1000"},
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

// Restores the style after the test, since commands and other tests use it.
class NumberStyleTest : public testing::Test {
protected:
    ~NumberStyleTest() override { setNumberStyle({}); }
};

TEST_F(NumberStyleTest, WattHoursTakeTheirPrefix)
{
    setNumberStyle({.energy = EnergyUnit::WattHours});
    EXPECT_EQ(formatEnergy(std::nullopt), kMissingText);
    EXPECT_EQ(formatEnergy(Millijoules{0.036}), "10.0 nWh");
    EXPECT_EQ(formatEnergy(Millijoules{36.0}), "10.0 µWh");
    EXPECT_EQ(formatEnergy(Millijoules{3600.0}), "1.00 mWh");
    EXPECT_EQ(formatEnergy(Millijoules{3.6e6}), "1.00 Wh");
    EXPECT_EQ(formatEnergy(Millijoules{-7.2e9}), "-2.00 kWh");
    EXPECT_EQ(formatPower(Milliwatts{850.0}), "850 mW");
}

TEST_F(NumberStyleTest, TheDecimalPointIsThePersons)
{
    setNumberStyle({.decimal_point = ','});
    EXPECT_EQ(formatSignificant(12.34), "12,3");
    EXPECT_EQ(formatSignificant(1.234e9), "1,23 × 10⁹");
    EXPECT_EQ(formatSignificant(-1234.0), "-1230");
    EXPECT_EQ(formatFixed(0.5, 2), "0,50");
    EXPECT_EQ(formatPercent(0.1234), "12,3 %");
    EXPECT_EQ(formatEnergy(Millijoules{12.34}), "12,3 mJ");
}

TEST_F(NumberStyleTest, UnitsHaveTheWordsOfThePerson)
{
    EXPECT_EQ(formatUnit("tokens/s"), "tokens/s");
    setNumberStyle({.token = "Zeichen", .tokens = "die Zeichen"});
    EXPECT_EQ(formatUnit("mJ/token"), "mJ/Zeichen");
    EXPECT_EQ(formatUnit("tokens/s"), "die Zeichen/s");
    EXPECT_EQ(formatUnit("W"), "W");
    EXPECT_EQ(formatFigure(RunFigure::JoulesPerToken, 0.0123), "12.3 mJ/Zeichen");
    EXPECT_EQ(formatCell(RunFigure::JoulesPerToken, 0.0123), "12.3 mJ");
    EXPECT_EQ(formatFigure(RunFigure::TokensPerSecond, 12.3), "12.3 die Zeichen/s");
    EXPECT_EQ(formatCell(RunFigure::TokensPerSecond, 12.3), "12.3");
}

TEST_F(NumberStyleTest, TheLocaleOfTheCLibraryDoesNotMatter)
{
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    std::setlocale(LC_NUMERIC, "de_DE.UTF-8"); // where it is not installed the point stays, too
    EXPECT_EQ(formatSignificant(12.34), "12.3");
    EXPECT_EQ(formatFixed(1234.5, 1), "1234.5");
    std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(FormatSignificant, WritesPowersOfTenOnlyFarFromOne)
{
    EXPECT_EQ(formatSignificant(0.000057), "0.0000570");
    EXPECT_EQ(formatSignificant(0.00000123), "0.00000123");
    EXPECT_EQ(formatSignificant(0.000000123), "1.23 × 10⁻⁷");
    EXPECT_EQ(formatSignificant(-456789.0), "-457000");
    EXPECT_EQ(formatSignificant(1234567.0), "1230000");
}

TEST(FormatMass, ChoosesThePrefix)
{
    EXPECT_EQ(formatMass(0.0), "0 µg");
    EXPECT_EQ(formatMass(5.7e-5), "57.0 µg");
    EXPECT_EQ(formatMass(0.0123), "12.3 mg");
    EXPECT_EQ(formatMass(1234.0), "1.23 kg");
    EXPECT_EQ(formatMass(2.5e6), "2.50 t");
}

TEST(FormatMoney, HasNoPrefixes)
{
    EXPECT_EQ(formatMoney(0.0), "0 USD");
    EXPECT_EQ(formatMoney(4.69e-11), "< 0.000001 USD");
    EXPECT_EQ(formatMoney(1.23e-6), "0.00000123 USD");
    EXPECT_EQ(formatMoney(-1.23e-5), "-0.0000123 USD");
    EXPECT_EQ(formatMoney(0.045), "0.0450 USD");
    EXPECT_EQ(formatMoney(0.5), "0.500 USD");
    EXPECT_EQ(formatMoney(12.345), "12.3 USD");
}

// No figure of a run, from a tiny model's token to a node's year, has an exponent.
TEST(FormatUnits, CoverWhatRunsUse)
{
    const std::pair<std::string, const char*> cases[] = {
        {formatMoney(2.5e6), "2500000 USD"},
        {formatMass(1.56e-7), "156 ng"},
        {formatMass(4.2e-11), "42.0 pg"},
        {formatMass(7.8e9), "7800 t"},
        {formatEnergy(Millijoules{4.69e-8}), "46.9 pJ"},
        {formatEnergy(Millijoules{-1.78e-15}), "0 µJ"}, // rounding error of a sum
        {formatPower(Milliwatts{-7.11e-12}), "0 mW"},
        {formatPercent(-0.0000003), "0.0 %"},
        {formatPercent(0.0004), "< 0.1 %"},
        {formatPercent(0.0006), "0.1 %"},
        {formatPercent(0.0), "0.0 %"},
        {formatEnergy(Millijoules{1.2e-5}), "12.0 nJ"},
        {formatEnergy(Millijoules{1e10}), "10.0 MJ"},
        {formatEnergy(Millijoules{1e18}), "1000000 GJ"},
        {formatPower(Milliwatts{0.00123}), "1.23 µW"},
        {formatPower(Milliwatts{5.6e9}), "5.60 MW"},
        {formatEnergyDelay(0.0), "0 J·s"},
        {formatEnergyDelay(4.69e-5), "46.9 µJ·s"},
        {formatEnergyDelay(1.2e7), "12.0 MJ·s"},
        {formatDuration(31'536'000'000'000'000), "365 d"},
        {formatCount(1'800'000'000'000), "1.80 T"},
    };
    for (const auto& [written, expected] : cases)
        EXPECT_EQ(written, expected);
}

TEST(FormatUnits, HaveNoExponent)
{
    for (int exponent = -12; exponent <= 12; ++exponent) {
        const double value = 4.69 * std::pow(10.0, exponent);
        for (const std::string& text :
             {formatEnergy(Millijoules{value * 1e3}), formatPower(Milliwatts{value * 1e3}),
              formatMass(value), formatEnergyDelay(value), formatMoney(value * 1e-6)}) {
            EXPECT_EQ(text.find("× 10"), std::string::npos) << text;
            EXPECT_EQ(text.find('e'), std::string::npos) << text;
        }
    }
}

TEST(FormatInterval, IsOf95PerCentAndSaysSo)
{
    EXPECT_EQ(formatInterval95(Millijoules{1.0}), "± 1.96 mJ (95 %)");
    EXPECT_EQ(formatInterval95(0.0158, formatPercent), "± 3.1 % (95 %)");
}

TEST(FormatFixed, KeepsItsDecimals)
{
    EXPECT_EQ(formatFixed(2.0, 3), "2.000");
    EXPECT_EQ(formatFixed(-0.0, 1), "0.0");
    EXPECT_EQ(formatFixed(7.6, 0), "8");
    EXPECT_EQ(formatFixed(3e20, 2), "3.00 × 10²⁰");
    EXPECT_EQ(formatFixed(std::numeric_limits<double>::quiet_NaN(), 2), kMissingText);
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
