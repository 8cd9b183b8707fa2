// SPDX-License-Identifier: GPL-3.0-or-later
// What a returning user finds: settings that no longer fit the machine.
#include "gui/window_test.h"
#include "support/returning_user.h"

#include "ep/store/store.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QTranslator>

#include <map>
#include <string>

namespace {

using namespace ep;
using testing::HasSubstr;
using testing::IsEmpty;

class ReturningUserTest : public test::WindowTest {
protected:
    ReturningUserTest()
        : user(test::makeReturningUser(folder().toStdString() + "/used", 12))
    {
    }

    QString settingsFile() const override { return QString::fromStdString(user.settings.string()); }
    ui::WindowServices services() override
    {
        ui::WindowServices all = WindowTest::services();
        all.database = user.database;
        all.bundledModels = {user.models};
        return all;
    }
    void change(const std::function<void(ui::Settings&)>& edit) const
    {
        ui::SettingsStore store(settingsFile());
        ui::Settings settings = store.settings();
        edit(settings);
        store.save(settings);
    }
    ui::Settings stored() const { return ui::SettingsStore(settingsFile()).settings(); }

    test::ReturningUser user;
};

TEST_F(ReturningUserTest, AModelThatIsGoneStaysChosenAndCannotStart)
{
    const QString gone = folder() + QStringLiteral("/disk/llama-7b");
    change([&](ui::Settings& settings) { settings.modelFolder = gone; });
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_EQ(find<QComboBox>("modelCombo").currentText().toStdString(), "llama-7b (not found)");
    EXPECT_THAT(labelText("modelFacts").toStdString(), HasSubstr(gone.toStdString()));
    EXPECT_FALSE(find<QPushButton>("startStopButton").isEnabled());
    openWindow(); // closing it saves settings
    EXPECT_EQ(stored().modelFolder, gone);

    ASSERT_TRUE(waitForModel());
    auto& combo = find<QComboBox>("modelCombo");
    combo.setFocus();
    QTest::keyClick(&combo, Qt::Key_Home);
    EXPECT_TRUE(waitFor([this] { return find<QPushButton>("startStopButton").isEnabled(); }));
}

TEST_F(ReturningUserTest, AServerOfAnEarlierSessionHasToBeFoundAgain)
{
    change([&](ui::Settings& settings) {
        settings.modelFolder = QStringLiteral("http://127.0.0.1:8080#qwen");
    });
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_EQ(find<QComboBox>("modelCombo").currentText().toStdString(), "qwen (not found)");
    EXPECT_THAT(labelText("modelFacts").toStdString(), HasSubstr("http://127.0.0.1:8080"));
    EXPECT_FALSE(find<QPushButton>("startStopButton").isEnabled());
}

TEST_F(ReturningUserTest, ADeviceThatIsGoneIsMarked)
{
#ifdef Q_OS_MACOS
    const QString other = QStringLiteral("cuda");
#else
    const QString other = QStringLiteral("mps");
#endif
    change([&](ui::Settings& settings) { settings.run.load.device = other.toStdString(); });
    openWindow();
    const auto& device = find<QComboBox>("deviceCombo");
    EXPECT_EQ(device.currentData(), other);
    EXPECT_THAT(device.currentText().toStdString(), testing::EndsWith(", not found"));
    EXPECT_EQ(device.itemText(0), QStringLiteral("Automatic"));
    EXPECT_EQ(device.itemText(1), QStringLiteral("CPU"));
}

TEST_F(ReturningUserTest, AFilterThatHidesEverythingSaysSo)
{
    change(
        [](ui::Settings& settings) { settings.historyFilter = R"({"text": "no run says this"})"; });
    openWindow();
    window().showPage(ui::Page::History);
    auto* hidden = seek<QWidget>("historyUnmatched");
    ASSERT_NE(hidden, nullptr);
    ASSERT_TRUE(waitFor([&] { return hidden->isVisible(); }));
    EXPECT_FALSE(find<QTableView>("historyTable").isVisible());
    click("historyClearFilters");
    ASSERT_TRUE(waitFor([&] { return !hidden->isVisible(); }));
    EXPECT_EQ(find<QTableView>("historyTable").model()->rowCount(),
              static_cast<int>(user.runs.size()));
}

TEST_F(ReturningUserTest, SettingsThatCannotBeWrittenAreReported)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    QFile::remove(settingsFile());
    ASSERT_TRUE(
        QDir().mkpath(settingsFile())); // a folder in place of the file: not even root can write
    find<QSpinBox>("maxTokens").setValue(77);
    EXPECT_TRUE(waitFor([this] { return !messageOf("liveMessage").isEmpty(); }));
    EXPECT_THAT(messageOf("liveMessage").toStdString(), HasSubstr("settings cannot be written"));
}

TEST_F(ReturningUserTest, WhatWasTypedSurvivesTheEndOfTheProcess)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("Half a poem about"));
    find<QSpinBox>("maxTokens").setValue(33);
    EXPECT_TRUE(waitFor([this] {
        return stored().prompt == QLatin1String("Half a poem about")
            && stored().run.max_new_tokens == 33;
    }));
}

// Alt and a letter open a menu on every page: no field takes that letter.
TEST_F(ReturningUserTest, LettersOfMenusBelongToMenus)
{
    for (const char* language : {"en", "de"}) {
        QTranslator german;
        if (std::string(language) == "de") {
            if (!german.load(QLocale(QStringLiteral("de")), QStringLiteral("energy-profiler"),
                             QStringLiteral("_"), QStringLiteral(":/i18n")))
                continue; // built without translations
            QCoreApplication::installTranslator(&german);
        }
        openWindow();
        ASSERT_TRUE(waitForModel());
        std::map<QChar, std::string> menus;
        const auto letterOf = [](const QString& text) {
            return QKeySequence::mnemonic(text).toString().right(1).toUpper();
        };
        for (const QAction* menu : window().menuBar()->actions()) {
            ASSERT_FALSE(letterOf(menu->text()).isEmpty()) << menu->text().toStdString();
            const QChar letter = letterOf(menu->text()).front();
            EXPECT_TRUE(menus.emplace(letter, menu->text().toStdString()).second)
                << menu->text().toStdString();
        }
        std::map<QChar, std::string> fields; // on one page: the form of Live
        const auto look = [&](const QString& text, bool inForm) {
            if (letterOf(text).isEmpty())
                return;
            const QChar letter = letterOf(text).front();
            EXPECT_FALSE(menus.contains(letter)) << language << ": " << text.toStdString()
                                                 << " takes the letter of " << menus[letter];
            if (inForm) {
                EXPECT_TRUE(fields.emplace(letter, text.toStdString()).second)
                    << language << ": " << text.toStdString() << " and " << fields[letter];
            }
        };
        const QWidget& live = find<QWidget>("livePage");
        for (const QLabel* label : window().findChildren<QLabel*>()) {
            if (label->buddy())
                look(label->text(), live.isAncestorOf(label));
        }
        for (const QAbstractButton* button : window().findChildren<QAbstractButton*>())
            look(button->text(), live.isAncestorOf(button));
        QCoreApplication::removeTranslator(&german);
    }
}

} // namespace
