// SPDX-License-Identifier: GPL-3.0-or-later
// Thinking and answer in Live, while they are generated.
#include "gui/window_test.h"

#include "ep/ui/charts/token_stream_view.h"

#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include <fstream>

namespace ep::test {
namespace {

using namespace Qt::Literals::StringLiterals;
using testing::HasSubstr;
using testing::StartsWith;

class LiveSectionsTest : public WindowTest {
protected:
    void SetUp() override
    {
        const auto models = std::filesystem::path(folder().toStdString()) / "models";
        std::ofstream(models / "tiny" / "chat_template.jinja") << "{{ messages[0].content }}";
        engineScript.layer_time = std::chrono::microseconds(4000);
    }
    // Analysis has a line of this name as well.
    QLabel& answer() { return *find<QWidget>("livePage").findChild<QLabel*>(u"answerSections"_s); }
    std::string line() { return answer().text().toStdString(); }
    std::string described(int token)
    {
        return find<ui::TokenStreamView>("liveTokenStream").describe(token).toStdString();
    }
};

// A token is a character here.
TEST_F(LiveSectionsTest, AreShownDuringTheRun)
{
    engineScript.text = "<think>hm, hm, hm</think>b, c, d ";
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_FALSE(answer().isVisible());
    typePrompt(u"four"_s);
    find<QSpinBox>("maxTokens").setValue(200);
    click("startStopButton");
    ASSERT_TRUE(
        waitFor([&] { return answer().isVisible() && line().find("token") != line().npos; }));
    EXPECT_FALSE(idle());
    EXPECT_THAT(line(), StartsWith("Thinking: "));
    ASSERT_TRUE(waitFor([&] { return line().find("Answer: ") != std::string::npos; }));
    EXPECT_FALSE(idle());
    EXPECT_THAT(line(), HasSubstr("per token)")) << "the joules of what samples cover";
    EXPECT_THAT(described(8), HasSubstr("\nThinking"));
    EXPECT_THAT(described(26), HasSubstr("\nAnswer"));
    click("startStopButton");
    ASSERT_TRUE(waitFor([&] { return idle(); }));
    EXPECT_THAT(line(), StartsWith("Thinking: "));
    EXPECT_THAT(described(3), HasSubstr("\nThinking")) << "of the mark, which is known now";
}

TEST_F(LiveSectionsTest, AreNotShownWhereNothingIsThought)
{
    openWindow();
    runToTheEnd(u"four"_s, 20);
    EXPECT_FALSE(answer().isVisible());
}

} // namespace
} // namespace ep::test
