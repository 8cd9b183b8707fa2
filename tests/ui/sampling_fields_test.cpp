// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/sampling_fields.h"

#include "ep/core/run.h"

#include <QSpinBox>

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
    settings.run.sampling = {.temperature = 0.7,
                             .top_k = 40,
                             .top_p = 0.9,
                             .min_p = 0.05,
                             .repetition_penalty = 1.25,
                             .seed = 12345678901234567ULL,
                             .stop = {"\n\n", "end, really"}};
    settings.run.batch_size = 4;
    settings.run.context_length = 384;
    SamplingFields fields;
    fields.readSettings(settings);
    Settings written;
    fields.writeSettings(written);
    EXPECT_EQ(written, settings);

    fields.readSettings(Settings());
    fields.writeSettings(written);
    EXPECT_EQ(written, Settings());
}

TEST(SamplingFieldsTest, TheContextIsWhatTheModelAllowsOrLess)
{
    ModelFacts facts;
    facts.context_length = 512;
    facts.kv_bytes_per_token = 3072;
    SamplingFields fields;
    auto* context = fields.findChild<QSpinBox*>(QStringLiteral("contextLength"));
    ASSERT_NE(context, nullptr);
    EXPECT_FALSE(context->isEnabled()) << "no model";
    fields.setModel(facts);
    EXPECT_TRUE(context->isEnabled());
    EXPECT_EQ(context->text().toStdString(), "512 of 512 tokens");
    EXPECT_TRUE(context->toolTip().contains(QStringLiteral("take 1.57 MB")))
        << context->toolTip().toStdString();
    Settings written;
    fields.writeSettings(written);
    EXPECT_EQ(written.run.context_length, 0);

    context->setValue(100);
    EXPECT_TRUE(context->toolTip().contains(QStringLiteral("take 307 kB")))
        << context->toolTip().toStdString();
    fields.writeSettings(written);
    EXPECT_EQ(written.run.context_length, 100);
    facts.context_length = 64; // another model allows less; the first one then gets its value back
    fields.setModel(facts);
    EXPECT_EQ(context->value(), 64);
    facts.context_length = 4096;
    fields.setModel(facts);
    EXPECT_EQ(context->value(), 100);
    context->setValue(4096);
    fields.writeSettings(written);
    EXPECT_EQ(written.run.context_length, 0);

    Settings repeated; // of a run with the whole context of a model
    repeated.run.context_length = 512;
    fields.readSettings(repeated);
    facts.context_length = 512;
    fields.setModel(facts);
    facts.context_length = 4096;
    fields.setModel(facts);
    EXPECT_EQ(context->value(), 4096);
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
