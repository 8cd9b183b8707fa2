// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace ep::json {
namespace {

TEST(JsonWriterNumbers, AreShortAndExact)
{
    EXPECT_EQ(exactNumber(0.1), "0.1");
    EXPECT_EQ(exactNumber(0.1F), "0.1");
    EXPECT_EQ(exactNumber(560000.0), "560000");
    EXPECT_EQ(exactNumber(0.0005), "0.0005");
    EXPECT_EQ(exactNumber(0.00005), "5e-05");
    EXPECT_EQ(exactNumber(1e300), "1e+300");
    EXPECT_EQ(exactNumber(-0.0), "-0.0");
    EXPECT_EQ(exactNumber(std::numeric_limits<double>::quiet_NaN()), "");
    EXPECT_EQ(exactNumber(-std::numeric_limits<float>::infinity()), "");
    for (const double value : {1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0, 123456789.125})
        EXPECT_EQ(Json::parse(exactNumber(value)).get<double>(), value);
}

TEST(JsonWriterStrings, AreEscaped)
{
    JsonWriter out(-1);
    out.beginArray();
    out.value(std::string("a\"\\\n\t\0\x7f", 7));
    out.value("\xc3");
    out.value(true);
    out.endArray();
    EXPECT_EQ(out.take(), "[\"a\\\"\\\\\\n\\t\\u0000\x7f\",\"\xef\xbf\xbd\",true]");
}

TEST(JsonWriterTrees, AreWrittenAsTheLibraryWritesThem)
{
    const auto tree =
        OrderedJson::parse(R"({"b": [1, -2, 18446744073709551615, 1.0, -0.0, 0.25, 1e15,
        123456789012345.0, 0.0001, 1e-5, 1e300, true, false, null, "\u0001\b\f\n\r\t\u007f\"\\ä"],
        "a": {}, "c": [], "d": [{"e": [[]]}, {"f": {"g": 2.5}}]})");
    for (const int indent : {-1, 0, 1, 4})
        EXPECT_EQ(textOf(tree, indent), tree.dump(indent));
    EXPECT_EQ(textOf(Json(std::numeric_limits<double>::infinity())), "null");
    EXPECT_EQ(textOf(Json("\xc3(")), "\"\xef\xbf\xbd(\"");
    JsonWriter out(2);
    out.beginObject();
    out.key("one line");
    out.tree(Json::parse("[1, {}, [2.0]]"));
    out.endObject();
    EXPECT_EQ(out.take(), "{\n  \"one line\": [1, {}, [2.0]]\n}");
}

} // namespace
} // namespace ep::json
