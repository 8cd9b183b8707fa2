// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_run.h"
#include "text.h"
#include "widgets/answer_line.h"

#include "ep/core/answer_sections.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ep::ui {
namespace {

TEST(AnswerLine, SaysWhatThinkingAndAnswerTook)
{
    ep::Run run = test::makeSampleRun();
    AnswerLine line;
    line.setRun(&run);
    EXPECT_TRUE(line.isHidden()) << "the model does not mark its thinking";
    const auto& tokens = run.trace.tokens;
    const auto first = std::find_if(tokens.begin(), tokens.end(), [](const TokenSpan& token) {
        return token.phase == Phase::Decode;
    });
    ASSERT_GE(tokens.end() - first, 2);
    const auto& thought = *first;
    const auto& rest = *(first + 1);
    run.info.annotations = {
        {thought.time.begin_ns, thought.time.end_ns, std::string(kThinkingSection)},
        {rest.time.begin_ns, tokens.back().time.end_ns, std::string(kAnswerSection)}};
    line.setRun(&run);
    EXPECT_FALSE(line.isHidden());
    ASSERT_TRUE(thought.energy.total_mj);
    const QString energy = energyText(thought.energy.total_mj);
    EXPECT_TRUE(line.text().startsWith(QStringLiteral("Thinking: 1 token in ")))
        << line.text().toStdString();
    EXPECT_TRUE(line.text().contains(energy)) << line.text().toStdString();
    EXPECT_TRUE(
        line.text().contains(QStringLiteral("Answer: %1 tokens in ").arg(tokens.end() - first - 1)))
        << line.text().toStdString();
    for (TokenSpan& token : run.trace.tokens)
        token.energy = {};
    line.setRun(&run);
    EXPECT_FALSE(line.text().contains(QStringLiteral("per token"))) << "without energy";
    line.setRun(nullptr);
    EXPECT_TRUE(line.isHidden());
}

} // namespace
} // namespace ep::ui
