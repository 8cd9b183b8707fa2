// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window_test.h"

#include "ep/ui/charts/power_chart.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTest>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;

class CommandsTest : public test::WindowTest {
protected:
    QAction& action(const char* name) { return find<QAction>(name); }
};

// Collects menus and their items, without separators.
void collect(const QList<QAction*>& actions, std::vector<QAction*>& all)
{
    for (QAction* action : actions) {
        if (action->isSeparator())
            continue;
        all.push_back(action);
        if (action->menu())
            collect(action->menu()->actions(), all);
    }
}

TEST_F(CommandsTest, KeysChangeThePage)
{
    openWindow();
    press(Qt::Key_2, Qt::ControlModifier);
    EXPECT_EQ(page(), 1);
    press(Qt::Key_3, Qt::ControlModifier);
    EXPECT_EQ(page(), 2);
    press(Qt::Key_1, Qt::ControlModifier);
    EXPECT_EQ(page(), 0);
    press(Qt::Key_F, Qt::ControlModifier);
    EXPECT_EQ(page(), 2);
    press(Qt::Key_N, Qt::ControlModifier);
    EXPECT_EQ(page(), 0);
    EXPECT_TRUE(find<QPlainTextEdit>("promptEdit").hasFocus());
}

TEST_F(CommandsTest, KeysStartAndStop)
{
    engineScript.layer_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_FALSE(action("actionStart").isEnabled());
    typePrompt(QStringLiteral("hello"));
    find<QSpinBox>("maxTokens").setValue(3000);
    EXPECT_TRUE(action("actionStart").isEnabled());
    EXPECT_FALSE(action("actionStop").isEnabled());
    press(Qt::Key_R, Qt::ControlModifier);
    EXPECT_FALSE(action("actionStart").isEnabled());
    EXPECT_TRUE(action("actionStop").isEnabled());
    press(Qt::Key_Period, Qt::ControlModifier);
    EXPECT_FALSE(action("actionStop").isEnabled());
    EXPECT_TRUE(waitFor([this] { return idle(); }));
}

TEST_F(CommandsTest, TheSheetListsEveryKeyOfTheMenus)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QPushButton>("startStopButton").setFocus(); // so that no text field has the focus
    press(Qt::Key_Question);
    auto* sheet = seek<QDialog>("shortcutSheet");
    ASSERT_NE(sheet, nullptr);
    const auto* table = sheet->findChild<QTableWidget*>(QStringLiteral("shortcutTable"));
    std::vector<std::string> keys;
    for (int row = 0; row < table->rowCount(); ++row)
        keys.push_back(table->item(row, 2)->text().toStdString());
    std::vector<QAction*> all;
    collect(window().menuBar()->actions(), all);
    int withKeys = 0;
    for (const QAction* each : all) {
        if (each->shortcut().isEmpty())
            continue;
        ++withKeys;
        EXPECT_THAT(keys, Contains(QKeySequence::listToString(each->shortcuts()).toStdString()));
    }
    EXPECT_GE(withKeys, 10);
    QTest::keyClick(sheet, Qt::Key_Escape);
    EXPECT_TRUE(waitFor([this] { return !seek<QDialog>("shortcutSheet"); }));
}

TEST_F(CommandsTest, AQuestionMarkInThePromptIsText)
{
    openWindow();
    typePrompt(QStringLiteral("why?"));
    EXPECT_EQ(find<QPlainTextEdit>("promptEdit").toPlainText().toStdString(), "why?");
    EXPECT_EQ(seek<QDialog>("shortcutSheet"), nullptr);
}

TEST_F(CommandsTest, OnlyAboutPreferencesAndQuitHaveRoles)
{
    openWindow();
    std::vector<QAction*> all;
    collect(window().menuBar()->actions(), all);
    for (const QAction* each : all) {
        const std::string name = each->objectName().toStdString();
        if (each->menu() && name.empty())
            continue; // macOS does not move menu titles
        if (name == "actionAbout")
            EXPECT_EQ(each->menuRole(), QAction::AboutRole);
        else if (name == "actionAboutQt")
            EXPECT_EQ(each->menuRole(), QAction::AboutQtRole);
        else if (name == "actionPreferences")
            EXPECT_EQ(each->menuRole(), QAction::PreferencesRole);
        else if (name == "actionQuit")
            EXPECT_EQ(each->menuRole(), QAction::QuitRole);
        else
            EXPECT_EQ(each->menuRole(), QAction::NoRole) << name;
    }
}

TEST_F(CommandsTest, NoTwoActionsShareAKey)
{
    openWindow();
    std::vector<QAction*> all;
    collect(window().menuBar()->actions(), all);
    QStringList keys;
    for (const QAction* each : all) {
        for (const QKeySequence& key : each->shortcuts())
            keys << key.toString();
    }
    EXPECT_EQ(keys.removeDuplicates(), 0);
}

TEST_F(CommandsTest, TheThemeFollowsTheMenuAndIsRemembered)
{
    const auto dark = [this] { return ui::Theme::fromPalette(window().palette()).dark; };
    openWindow();
    EXPECT_TRUE(action("actionThemeSystem").isChecked());
    action("actionThemeDark").trigger();
    EXPECT_TRUE(waitFor(dark));
    action("actionThemeLight").trigger();
    EXPECT_TRUE(waitFor([&] { return !dark(); }));
    action("actionThemeDark").trigger();
    openWindow();
    EXPECT_TRUE(action("actionThemeDark").isChecked());
    EXPECT_TRUE(dark());
}

TEST_F(CommandsTest, TheFormIsRemembered)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("remember me"));
    find<QSpinBox>("maxTokens").setValue(77);
    chooseInCombo("depthCombo", QStringLiteral("none"));
    chooseInCombo("powerCombo", QStringLiteral("modelled"));
    find<QDoubleSpinBox>("fullWatts").setValue(99.5);
    find<QLineEdit>("tagsEdit").setText(QStringLiteral("a, b"));
    openWindow();
    EXPECT_EQ(find<QPlainTextEdit>("promptEdit").toPlainText().toStdString(), "remember me");
    EXPECT_EQ(find<QSpinBox>("maxTokens").value(), 77);
    EXPECT_EQ(find<QComboBox>("depthCombo").currentData().toString().toStdString(), "none");
    EXPECT_EQ(find<QComboBox>("powerCombo").currentData().toString().toStdString(), "modelled");
    EXPECT_EQ(find<QDoubleSpinBox>("fullWatts").value(), 99.5);
    EXPECT_EQ(find<QLineEdit>("tagsEdit").text().toStdString(), "a, b");
}

TEST_F(CommandsTest, ClosingDuringARunAsksOnce)
{
    engineScript.layer_time = 2ms;
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("hello"));
    find<QSpinBox>("maxTokens").setValue(3000);
    click("startStopButton");
    window().close();
    EXPECT_TRUE(window().isVisible());
    auto* question = seek<QMessageBox>("closeQuestion");
    ASSERT_NE(question, nullptr);
    QTest::mouseClick(question->button(QMessageBox::Cancel), Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return !seek<QMessageBox>("closeQuestion"); }));
    EXPECT_FALSE(idle());

    window().close();
    question = seek<QMessageBox>("closeQuestion");
    ASSERT_NE(question, nullptr);
    QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("closeConfirm")),
                      Qt::LeftButton);
    EXPECT_TRUE(waitFor([this] { return !window().isVisible(); }));
}

TEST_F(CommandsTest, PreferencesReachTheNextRun)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    action("actionPreferences").trigger();
    auto* dialog = seek<QDialog>("preferencesDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QSpinBox*>(QStringLiteral("intervalMs"))->setValue(200);
    QTest::keyClick(dialog, Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return !seek<QDialog>("preferencesDialog"); }));
    runToTheEnd(QStringLiteral("hello"), 6);
    EXPECT_THAT(labelText("statusSampling").toStdString(), HasSubstr("of 5.00 readings/s"));
}

TEST_F(CommandsTest, EveryControlHasANameForTestsAndForReaders)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    for (const QWidget* widget : window().findChildren<QWidget*>()) {
        const bool control = qobject_cast<const QAbstractButton*>(widget)
            || qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget)
            || qobject_cast<const QAbstractSpinBox*>(widget);
        const bool ours = !qobject_cast<const ui::PowerChart*>(widget->parentWidget());
        if (control && ours && widget->focusPolicy() != Qt::NoFocus) {
            EXPECT_FALSE(widget->objectName().isEmpty())
                << widget->metaObject()->className() << " in "
                << widget->parentWidget()->objectName().toStdString();
        }
    }
}

} // namespace
