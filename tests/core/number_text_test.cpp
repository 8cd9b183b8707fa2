// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/number_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace ep {
namespace {

TEST(NumberText, IsReadWholeInEveryForm)
{
    struct Case {
        const char* text;
        double value;
        const char* rest;
        unsigned signs;
    };
    using namespace number;
    const Case cases[] = {
        {"1500", 1500, "", kWhole},
        {" 12 ", 12, "", kWhole},
        {"-12.5", -12.5, "", kPointDecimal},
        {"+.5", 0.5, "", kPointDecimal},
        {"5.", 5, "", kPointDecimal},
        {"1.5e3", 1500, "", kPointDecimal},
        {"1.500e3", 1500, "", kPointDecimal},
        {"1,5E-3 W", 0.0015, "W", kCommaDecimal},
        {"2.07e+11", 2.07e11, "", kPointDecimal},
        {"600,0", 600, "", kCommaDecimal},
        {"0,500", 0.5, "", kCommaDecimal},
        {"1500,250", 1500.25, "", kCommaDecimal},
        {"1,500", 1.5, "", kCommaEither},
        {"999.500", 999.5, "", kPointEither},
        {"1,234.5", 1234.5, "", kPointDecimal | kCommaGroups},
        {"1.234,5", 1234.5, "", kCommaDecimal | kPointGroups},
        {"12,345,678", 12'345'678, "", kCommaGroups},
        {"1.234.567", 1'234'567, "", kPointGroups},
        {"12,34,567.5", 1'234'567.5, "", kPointDecimal | kCommaGroups},
        {"1 500", 1500, "", kOtherGroups},
        {"1 500,5 mW", 1500.5, "mW", kCommaDecimal | kOtherGroups},
        {"1'500.5", 1500.5, "", kPointDecimal | kOtherGroups},
        {"1\xE2\x80\x99"
         "500",
         1500, "", kOtherGroups | kOtherDigits},
        {"1\xC2\xA0"
         "500",
         1500, "", kOtherGroups | kOtherDigits},
        {"1\xE2\x80\xAF"
         "500,5",
         1500.5, "", kCommaDecimal | kOtherGroups | kOtherDigits},
        {"\xEF\xBC\x91\xEF\xBC\x95", 15, "", kWhole | kOtherDigits},
        {"\xD9\xA3\xD9\xA4\xD9\xAB\xD9\xA5", 34.5, "", kPointDecimal | kOtherDigits},
        {"\xE2\x88\x92"
         "3",
         -3, "", kWhole | kOtherDigits},
        {"12 %", 12, "%", kWhole},
        {"5542mW/5542mW", 5542, "mW/5542mW", kWhole},
        {"8 W", 8, "W", kWhole},
        {"12 34", 12, "34", kWhole},
        {"54.039451599121094", 54.039451599121094, "", kPointDecimal},
        {"0.0000000000000000000012345", 1.2345e-21, "", kPointDecimal},
        {"123456789012345678901234567890", 123456789012345678901234567890.0, "", kWhole},
        {"1e", 1, "e", kWhole},
    };
    for (const Case& one : cases) {
        const auto number = readNumberText(one.text);
        ASSERT_TRUE(number) << one.text;
        EXPECT_DOUBLE_EQ(number->value, one.value) << one.text;
        EXPECT_EQ(number->rest, one.rest) << one.text;
        EXPECT_EQ(number->signs, one.signs) << one.text;
    }
    for (const char* no :
         {"", "-", ".", "n/a", "nan", "inf", "0x10", "1.2.3", "1,2,3", "1,500.5.5", "1.500e400",
          "1e400", "--5", "1,50,00", "1.500,500.5", "1,500,000e3", "1'500 500.5"})
        EXPECT_FALSE(readNumberText(no)) << no;
    EXPECT_FALSE(readNumberText(std::string(500, '9')));
}

TEST(NumberText, TheFileDecidesBetweenTwoReadings)
{
    EXPECT_EQ(readNumberText("1,500", DecimalSign::Point)->value, 1500.0);
    EXPECT_EQ(readNumberText("1,500", DecimalSign::Comma)->value, 1.5);
    EXPECT_EQ(readNumberText("1.500", DecimalSign::Point)->value, 1.5);
    EXPECT_EQ(readNumberText("1.500", DecimalSign::Comma)->value, 1500.0);
    EXPECT_EQ(readNumberText("1500.25", DecimalSign::Comma)->value, 1500.25);
    EXPECT_EQ(decimalSign(number::kCommaEither | number::kWhole), DecimalSign::Unknown);
    EXPECT_EQ(decimalSign(number::kCommaEither | number::kPointDecimal), DecimalSign::Point);
    EXPECT_EQ(decimalSign(number::kPointEither | number::kCommaDecimal), DecimalSign::Comma);
    EXPECT_EQ(decimalSign(number::kPointGroups), DecimalSign::Comma);
    EXPECT_EQ(decimalSign(number::kPointDecimal | number::kCommaDecimal), DecimalSign::Unknown);
}

TEST(NumberText, AMachinesNumberIsReadExactly)
{
    EXPECT_EQ(readNumber("1.500"), 1.5);
    EXPECT_EQ(readNumber(" -1e3 "), -1000.0);
    for (const char* no :
         {"", "1,5", "1 500", "12 W", "1e400", "nan", "0x1", "1.2.3", "1e", "e5"}) {
        EXPECT_FALSE(readNumber(no)) << no;
        EXPECT_FALSE(readWhole(no)) << no;
        EXPECT_FALSE(readScaled(no, 3)) << no;
    }
    EXPECT_EQ(readWhole("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(readWhole("1.5e3"), 1500);
    EXPECT_EQ(readWhole("1.0"), 1);
    for (const char* no : {"1.5", "9223372036854775808", "1e19", "1e9999", "1e-1"})
        EXPECT_FALSE(readWhole(no)) << no;
    EXPECT_EQ(readWhole("0e9999"), 0);
    // Microseconds as nanoseconds, which a double cannot hold.
    EXPECT_EQ(readScaled("5563422353456.123", 3), 5'563'422'353'456'123);
    EXPECT_EQ(readScaled("1.000000000e+03", 3), 1'000'000);
    EXPECT_EQ(readScaled("-0.0005", 3), -1);
    EXPECT_EQ(readScaled("0.0004", 3), 0);
    EXPECT_EQ(readScaled("1e-30", 3), 0);
    EXPECT_FALSE(readScaled("1e300", 3));
    EXPECT_FALSE(readScaled("9223372036854775.808", 3));
    EXPECT_EQ(readScaled("9223372036854775.807", 3), std::numeric_limits<std::int64_t>::max());
}

} // namespace
} // namespace ep
