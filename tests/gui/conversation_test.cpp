// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations as the prompt of Live.
#include "gui/window_test.h"
#include "support/tiny_model.h"

#include "ep/ui/settings_store.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using namespace ep;
using testing::HasSubstr;
using testing::Not;
using namespace Qt::Literals::StringLiterals;

class ConversationTest : public test::WindowTest {
protected:
    void SetUp() override
    {
        const auto models = std::filesystem::path(folder().toStdString()) / "models";
        std::ofstream(models / "tiny" / "chat_template.jinja")
            << "{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
               "{% if tools %}({{ tools | length }}){% endif %}{% if enable_thinking %}T{% endif "
               "%}";
        openWindow();
        ASSERT_TRUE(waitForModel());
        showMore();
        ASSERT_TRUE(waitFor([this] { return find<QCheckBox>("chatTemplate").isEnabled(); }));
    }

    void turnOn()
    {
        auto& box = find<QCheckBox>("isConversation");
        QTest::mouseClick(&box, Qt::LeftButton, {}, {8, box.height() / 2});
        ASSERT_TRUE(find<QListWidget>("messageList").isVisible());
    }
    QString row(int index) { return find<QListWidget>("messageList").item(index)->text(); }
    QString rendered()
    {
        waitFor([this] { return find<QPushButton>("showRendered").isEnabled(); });
        click("showRendered");
        // A closed one is only deleted when control returns to the event loop.
        auto* text = window().findChildren<QPlainTextEdit*>(u"renderedText"_s).last();
        const QString prompt = text->toPlainText();
        text->window()->close();
        return prompt;
    }
    bool shows(const char* tokens)
    {
        return waitFor([&] { return labelText("promptTokenCount") == QLatin1String(tokens); });
    }
    void drop(const std::filesystem::path& file)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(file.string()))});
        QWidget* page = find<QPlainTextEdit>("promptEdit").parentWidget();
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(page, &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(page, &event);
    }
    std::filesystem::path write(const char* name, const std::string& content) const
    {
        const auto file = std::filesystem::path(folder().toStdString()) / name;
        std::ofstream(file) << content;
        return file;
    }
};

constexpr const char* kTools =
    R"({"messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": {"b": 1, "a": 2}}}]},
        {"role": "tool", "tool_call_id": "x", "content": "5"}], "tools": [{"type": "function"}]})";

TEST_F(ConversationTest, TheBoxTurnsThePromptIntoMessages)
{
    typePrompt(QStringLiteral("four"));
    find<QLineEdit>("systemMessage").setText(QStringLiteral("S"));
    turnOn();
    auto& list = find<QListWidget>("messageList");
    ASSERT_EQ(list.count(), 2);
    EXPECT_EQ(row(0), QStringLiteral("system: S"));
    EXPECT_EQ(row(1), QStringLiteral("user: four"));
    EXPECT_FALSE(find<QPlainTextEdit>("promptEdit").isVisible());
    EXPECT_FALSE(find<QLineEdit>("systemMessage").isVisible());

    click("addMessage");
    EXPECT_EQ(find<QComboBox>("messageRole").currentText(), QStringLiteral("assistant"));
    QTest::keyClicks(&find<QPlainTextEdit>("messageText"), QStringLiteral("ok"));
    EXPECT_EQ(row(2), QStringLiteral("assistant: ok"));
    click("messageUp");
    EXPECT_EQ(row(1), QStringLiteral("assistant: ok"));
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_Down, Qt::AltModifier);
    EXPECT_EQ(row(2), QStringLiteral("assistant: ok"));
    click("addMessage");
    find<QComboBox>("messageRole").setCurrentText(QStringLiteral("tool"));
    list.setFocus();
    QTest::keyClick(&list, Qt::Key_Delete);
    EXPECT_EQ(list.count(), 3);
    EXPECT_EQ(rendered(), QStringLiteral("<|begin|>[system]S[user]four[assistant]ok"));

    find<QSpinBox>("maxTokens").setValue(2);
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return idle(); }));
    openWindow();
    EXPECT_TRUE(find<QCheckBox>("isConversation").isChecked()) << "it is remembered";
    EXPECT_EQ(row(2), QStringLiteral("assistant: ok"));
    auto& box = find<QCheckBox>("isConversation");
    QTest::mouseClick(&box, Qt::LeftButton, {}, {8, box.height() / 2});
    EXPECT_EQ(find<QPlainTextEdit>("promptEdit").toPlainText(), QStringLiteral("four"));
}

TEST_F(ConversationTest, AFileCanBeDropped)
{
    drop(write("chat.json", kTools));
    auto& list = find<QListWidget>("messageList");
    ASSERT_TRUE(waitFor([&] { return list.count() == 4; }));
    EXPECT_TRUE(find<QCheckBox>("isConversation").isChecked());
    EXPECT_THAT(find<QPlainTextEdit>("toolsText").toPlainText().toStdString(),
                HasSubstr("function"));
    list.setCurrentRow(2);
    EXPECT_EQ(
        find<QLineEdit>("messageFields").text(),
        QStringLiteral(R"({"tool_calls":[{"function":{"name":"f","arguments":{"b":1,"a":2}}}]})"));
    EXPECT_EQ(rendered(), QStringLiteral("<|begin|>[system]S[user]Hi[assistant]None[tool]5(1)"));

    find<QLineEdit>("messageFields").setText(QStringLiteral("{"));
    EXPECT_FALSE(find<QPushButton>("startStopButton").isEnabled());
    EXPECT_THAT(labelText("startHint").toStdString(), HasSubstr("message 3"));
    find<QLineEdit>("messageFields").clear();
    EXPECT_TRUE(find<QPushButton>("startStopButton").isEnabled());
    find<QPlainTextEdit>("toolsText").setPlainText(QStringLiteral("{}"));
    EXPECT_THAT(labelText("startHint").toStdString(), HasSubstr("tools"));
    find<QPlainTextEdit>("toolsText").clear();
    EXPECT_TRUE(find<QPushButton>("startStopButton").isEnabled());
}

TEST_F(ConversationTest, AConversationCanBePasted)
{
    QApplication::clipboard()->setText(QString::fromUtf8(kTools));
    auto& prompt = find<QPlainTextEdit>("promptEdit");
    prompt.clear();
    prompt.paste();
    EXPECT_EQ(find<QListWidget>("messageList").count(), 4);
    EXPECT_TRUE(find<QListWidget>("messageList").isVisible());
    // Any other JSON counts as plain text.
    auto& box = find<QCheckBox>("isConversation");
    QTest::mouseClick(&box, Qt::LeftButton, {}, {8, box.height() / 2});
    QApplication::clipboard()->setText(QStringLiteral("{\"role\": 5}"));
    prompt.clear();
    prompt.paste();
    EXPECT_EQ(prompt.toPlainText(), QStringLiteral("{\"role\": 5}"));
}

TEST_F(ConversationTest, LinesAreABatch)
{
    drop(write("batch.jsonl",
               R"([{"role": "user", "content": "One"}])"
               "\n"
               R"([{"role": "user", "content": "Three"}])"));
    auto& which = find<QSpinBox>("conversationNumber");
    ASSERT_TRUE(waitFor([&] { return which.isVisible(); }));
    EXPECT_EQ(which.maximum(), 2);
    EXPECT_TRUE(shows("10 + 12 tokens")) << labelText("promptTokenCount").toStdString();
    which.setValue(2);
    EXPECT_EQ(row(0), QStringLiteral("user: Three"));
    ASSERT_TRUE(waitFor([this] { return rendered().endsWith(QLatin1String("Three")); }));
}

TEST_F(ConversationTest, SaysWhatIsWrongWithAFile)
{
    drop(write("image.json", R"([{"role": "user", "content": [{"type": "image_url"}]}])"));
    EXPECT_TRUE(waitFor([this] { return labelText("promptNote").contains(u"image"); }));
    EXPECT_FALSE(find<QCheckBox>("isConversation").isChecked());
}

TEST_F(ConversationTest, SwitchesOfTheTemplateAreChoices)
{
    typePrompt(QStringLiteral("four"));
    auto& choice = find<QComboBox>("choice_enable_thinking");
    ASSERT_TRUE(waitFor([&] { return choice.isVisible(); }));
    EXPECT_TRUE(shows("11 tokens")) << labelText("promptTokenCount").toStdString();
    choice.setCurrentIndex(choice.findData(QStringLiteral("true")));
    EXPECT_TRUE(shows("12 tokens")) << labelText("promptTokenCount").toStdString();
    EXPECT_EQ(rendered(), QStringLiteral("<|begin|>[user]fourT"));
    runToTheEnd(QStringLiteral("four"), 2);
    openWindow();
    ASSERT_TRUE(waitFor([this] { return seek<QComboBox>("choice_enable_thinking") != nullptr; }));
    EXPECT_EQ(find<QComboBox>("choice_enable_thinking").currentData().toString(),
              QStringLiteral("true"));
}

TEST_F(ConversationTest, NothingIsRememberedWhereOnlyHashesAreKept)
{
    QApplication::clipboard()->setText(QString::fromUtf8(kTools));
    find<QPlainTextEdit>("promptEdit").clear();
    find<QPlainTextEdit>("promptEdit").paste();
    ui::Settings settings;
    settings.run.store_texts = false;
    settings.isConversation = true;
    settings.conversation = QStringLiteral("secret");
    settings.templateVariables = QStringLiteral("secret");
    const QString file = folder() + QStringLiteral("/other.ini");
    ui::SettingsStore(file).save(settings);
    std::ifstream text(file.toStdString());
    const std::string content{std::istreambuf_iterator<char>(text), {}};
    EXPECT_THAT(content, Not(HasSubstr("secret")));
}

} // namespace
