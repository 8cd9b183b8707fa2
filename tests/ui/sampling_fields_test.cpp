// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/sampling_fields.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace ep;
using ui::SamplingFields;
using ui::Settings;

TEST(SamplingFieldsTest, KeepsEveryValue)
{
    Settings settings;
    settings.sampling = {.temperature = 0.7,
                         .top_k = 40,
                         .top_p = 0.9,
                         .min_p = 0.05,
                         .repetition_penalty = 1.25,
                         .seed = 12345678901234567ULL,
                         .stop = {"\n\n", "end, really"}};
    settings.batchSize = 4;
    SamplingFields fields;
    fields.readSettings(settings);
    Settings written;
    fields.writeSettings(written);
    EXPECT_EQ(written, settings);

    fields.readSettings(Settings());
    fields.writeSettings(written);
    EXPECT_EQ(written, Settings());
}

TEST(StopTextsTest, OneLineHoldsAnyText)
{
    const std::vector<std::vector<std::string>> cases{
        {}, {"stop"}, {"a", "b"}, {"\n"}, {"a,b", "c\\"}, {"\\n", "\t"}, {" x "}, {"caf\u00e9"}};
    for (const auto& stops : cases)
        EXPECT_EQ(ui::stopTexts(ui::stopLine(stops)), stops) << ui::stopLine(stops).toStdString();
    EXPECT_TRUE(ui::stopTexts(QStringLiteral(",,")).empty());
    EXPECT_EQ(ui::stopTexts(QStringLiteral("a\\")), std::vector<std::string>{"a\\"});
}

} // namespace
