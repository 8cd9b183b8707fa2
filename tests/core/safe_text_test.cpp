// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/safe_text.h"

#include <gtest/gtest.h>

namespace ep {
namespace {

TEST(TerminalText, LetsNothingSteerATerminal)
{
    const std::string bad = "\uFFFD";
    EXPECT_EQ(terminalText("a\tb\nc \u00FC \u4E2D \U0001F600"), "a\tb\nc \u00FC \u4E2D \U0001F600");
    for (char c = 1; c < 0x20; ++c) {
        if (c != '\n' && c != '\t') {
            EXPECT_EQ(terminalText(std::string("x") + c), "x" + bad) << int{c};
        }
    }
    EXPECT_EQ(terminalText(std::string("a\0b", 3)), "a" + bad + "b");
    EXPECT_EQ(terminalText("\x7f"), bad);
    EXPECT_EQ(terminalText("\u0080\u0085\u009B31m\u009F"), bad + bad + bad + "31m" + bad);
    for (const char* control : {"\u061C", "\u200E", "\u200F", "\u202A", "\u202B", "\u202C",
                                "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"})
        EXPECT_EQ(terminalText(control), bad);
    EXPECT_EQ(terminalText("\u00A0\u2065\u206A\u202F"), "\u00A0\u2065\u206A\u202F");
    EXPECT_EQ(terminalText("a\xff\xc2"), "a" + bad + bad) << "and all of it is UTF-8";
}

TEST(TerminalJson, SaysTheSameWithEscapes)
{
    EXPECT_EQ(terminalJson("{\n  \"a\": \"\u00FC\u009B\x7f\u202E\"\r\n}"),
              "{\n  \"a\": \"\u00FC\\u009b\\u007f\\u202e\"\r\n}");
}

TEST(XmlText, IsAlwaysWellFormed)
{
    EXPECT_EQ(xmlText("a<b>&\"c'\n\t"), "a&lt;b&gt;&amp;&quot;c&#39;\n\t");
    EXPECT_EQ(xmlText(std::string("\0\x01\x1f", 3)), "\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(xmlText("\uFFFE\uFFFF\xff"), "\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(xmlText("\u00A0\U0001F600"), "\u00A0\U0001F600");
    // HTML forbids these, they control a terminal that prints the file, or they reorder a table.
    EXPECT_EQ(xmlText("\u0080\u0085\u009B31m\x7f\u202E\u2066"),
              "\uFFFD\uFFFD\uFFFD31m\uFFFD\uFFFD\uFFFD");
}

TEST(CsvCell, IsQuotedAndRunsNowhere)
{
    EXPECT_EQ(csvCell("plain"), "plain");
    EXPECT_EQ(csvCell(""), "");
    EXPECT_EQ(csvCell("a,b"), "\"a,b\"");
    EXPECT_EQ(csvCell("say \"x\""), "\"say \"\"x\"\"\"");
    for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1"})
        EXPECT_EQ(csvCell(formula), std::string("'") + formula);
    EXPECT_EQ(csvCell("\r=1"), "\"'\r=1\"");
    EXPECT_EQ(csvCell("=A1,B1"), "\"'=A1,B1\"");
    EXPECT_EQ(csvCell("a=1"), "a=1");
    EXPECT_EQ(csvCell("=1+1", CsvText::Raw), "=1+1");
}

} // namespace
} // namespace ep
