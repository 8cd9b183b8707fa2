// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_text.h"
#include "support/sample_run.h"
#include "terminal.h"
#include "text_table.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using namespace ep::app;
using testing::HasSubstr;
using testing::Not;

TEST(TextTable, AlignsByCharactersNotBytes)
{
    TextTable table({{"name"}, {"value", TextTable::Align::Right}});
    table.addRow({"caf\u00e9", "1 \u00b5s"});
    table.addRow({"a", "\u2014"});
    EXPECT_EQ(table.toString(),
              "name  value\n"
              "caf\u00e9   1 \u00b5s\n"
              "a         \u2014\n");
}

TEST(SummaryText, ShowsPhasesRemainderAndFigures)
{
    const std::string text = summaryText(ep::test::makeSampleRun());
    for (const char* word : {"pre_inference", "prefill", "decode", "post_inference",
                             "between phases", "tokens/s", "/token", "samples", "complete"})
        EXPECT_THAT(text, HasSubstr(word));
}

TEST(SummaryText, ShowsMissingAsADash)
{
    ep::test::SampleRunShape shape;
    shape.power = false;
    const std::string text = summaryText(ep::test::makeSampleRun(shape));
    EXPECT_THAT(text, HasSubstr("\u2014"));
    EXPECT_THAT(text, HasSubstr("missing"));
    EXPECT_THAT(text, Not(HasSubstr(" mJ")));
}

TEST(ListText, CutsLongPromptsToOneLine)
{
    ep::Run run = ep::test::makeSampleRun();
    run.info.title.clear();
    run.info.prompt = "first line\nsecond " + std::string(200, 'x');
    const std::string text = listText({{run.info, run.metrics}});
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
    EXPECT_THAT(text, HasSubstr("first line second"));
    EXPECT_THAT(text, HasSubstr(run.info.id.substr(0, 8)));
}

} // namespace
