// SPDX-License-Identifier: GPL-3.0-or-later
// The one dialog of settings: what is changed counts at once.
#include "gui/window_test.h"

#include "ep/store/store.h"
#include "ep/ui/theme.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDirIterator>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;
using testing::HasSubstr;
using testing::StartsWith;

class PreferencesTest : public test::WindowTest {
protected:
    ~PreferencesTest() override { ui::Theme::useOkabeIto(false); }

    void openPreferences()
    {
        find<QAction>("actionPreferences").trigger();
        dialog = seek<QDialog>("preferencesDialog");
        ASSERT_NE(dialog, nullptr);
    }
    template <typename T>
    T& field(const char* name)
    {
        return *dialog->findChild<T*>(QString::fromUtf8(name));
    }
    void choose(const char* name, const QVariant& value)
    {
        auto& box = field<QComboBox>(name);
        const int index = box.findData(value);
        ASSERT_GE(index, 0) << name;
        box.setCurrentIndex(index);
    }
    void closePreferences()
    {
        QTest::keyClick(dialog, Qt::Key_Escape);
        ASSERT_TRUE(waitFor([this] { return !seek<QDialog>("preferencesDialog"); }));
    }

    QDialog* dialog = nullptr;
};

TEST_F(PreferencesTest, EveryControlIsExplained)
{
    openWindow();
    openPreferences();
    auto& titles = field<QListWidget>("settingsTitles");
    EXPECT_GE(titles.count(), 6);
    auto* pages = dialog->findChild<QStackedWidget*>();
    int controls = 0;
    for (const QWidget* widget : pages->findChildren<QWidget*>()) {
        const bool control = qobject_cast<const QComboBox*>(widget)
            || qobject_cast<const QAbstractSpinBox*>(widget)
            || qobject_cast<const QCheckBox*>(widget);
        if (!control)
            continue;
        ++controls;
        EXPECT_FALSE(widget->accessibleDescription().isEmpty())
            << widget->objectName().toStdString();
        EXPECT_FALSE(widget->objectName().isEmpty());
    }
    EXPECT_GE(controls, 13);
    for (int row = 0; row < titles.count(); ++row) {
        titles.setCurrentRow(row);
        EXPECT_EQ(pages->currentIndex(), row);
    }
    closePreferences();
}

TEST_F(PreferencesTest, ThemeAndColoursChangeAtOnce)
{
    openWindow();
    openPreferences();
    choose("settingsTheme", int(ui::ThemeChoice::Dark));
    EXPECT_TRUE(waitFor([this] { return ui::Theme::fromPalette(window().palette()).dark; }));
    EXPECT_TRUE(find<QAction>("actionThemeDark").isChecked());
    const QColor own = ui::Theme::fromPalette(window().palette()).channel(ui::Channel::Cpu);
    choose("settingsColours", true);
    EXPECT_NE(ui::Theme::fromPalette(window().palette()).channel(ui::Channel::Cpu), own);
    choose("settingsColours", false);
    EXPECT_EQ(ui::Theme::fromPalette(window().palette()).channel(ui::Channel::Cpu), own);
    closePreferences();
}

TEST_F(PreferencesTest, PriceAndCarbonReachTheOpenRun)
{
    openWindow();
    runToTheEnd(u"hello"_s, 6);
    window().showPage(ui::Page::Analysis);
    const QString before = labelText("runFacts");
    ASSERT_THAT(before.toStdString(), HasSubstr("CO₂"));
    openPreferences();
    field<QDoubleSpinBox>("pricePerKwh").setValue(12.0);
    EXPECT_NE(labelText("runFacts"), before);
    const QString dear = labelText("runFacts");
    choose("carbonRegion", QString());
    EXPECT_TRUE(field<QDoubleSpinBox>("carbonGrams").isEnabled());
    field<QDoubleSpinBox>("carbonGrams").setValue(0.5);
    EXPECT_NE(labelText("runFacts"), dear);
    field<QLineEdit>("carbonSource").setText(u"my supplier"_s);
    choose("carbonRegion", u"Texas"_s);
    EXPECT_FALSE(field<QDoubleSpinBox>("carbonGrams").isEnabled());
    EXPECT_EQ(field<QDoubleSpinBox>("carbonGrams").value(), 500.0);
    choose("carbonRegion", QString()); // the own value comes back
    EXPECT_EQ(field<QDoubleSpinBox>("carbonGrams").value(), 0.5);
    EXPECT_EQ(field<QLineEdit>("carbonSource").text(), u"my supplier"_s);
    closePreferences();
}

TEST_F(PreferencesTest, HashesInsteadOfTexts)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    openPreferences();
    field<QCheckBox>("hashesOnly").setChecked(true);
    closePreferences();
    runToTheEnd(u"a secret"_s, 4);
    window().showPage(ui::Page::History);
    auto& table = find<QTableView>("historyTable");
    ASSERT_TRUE(waitFor([&] { return table.model()->rowCount() == 1; }));
    EXPECT_THAT(shownCells(table, 2).first().toStdString(), StartsWith("sha256:"));

    find<QAction>("actionNewStudy").trigger();
    find<QPlainTextEdit>("studyPrompts").setPlainText(u"a secret study"_s);
    find<QLineEdit>("studyOutputTokens").setText(u"3"_s);
    find<QSpinBox>("studyRepeats").setValue(1);
    click("studyRun");
    ASSERT_TRUE(waitFor([this] { return find<QPushButton>("studyOpenReport").isVisible(); }));
    click("studyClose");
    ASSERT_TRUE(waitFor([this] { return seek<QDialog>("studyDialog") == nullptr; }));
    openWindow(); // the first one has saved its settings
    QDirIterator files(folder(), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_FALSE(file.readAll().contains("a secret")) << file.fileName().toStdString();
    }
}

TEST_F(PreferencesTest, LanguageAndDatabaseAskForANewWindow)
{
    openWindow();
    QSignalSpy asked(&window(), &ui::MainWindow::reopenRequested);
    openPreferences();
    closePreferences();
    EXPECT_EQ(asked.count(), 0);
    openPreferences();
    choose("settingsLanguage", u"de"_s);
    closePreferences();
    EXPECT_EQ(asked.count(), 1);
    openPreferences();
    field<QLineEdit>("databaseEdit").setText(folder() + u"/other.db"_s);
    closePreferences();
    EXPECT_EQ(asked.count(), 2);
}

TEST_F(PreferencesTest, OldUntaggedRunsGoAtTheStartAndCanComeBack)
{
    openWindow();
    for (int i = 0; i < 3; ++i)
        runToTheEnd(u"hello"_s, 2);
    window().showPage(ui::Page::History);
    auto& table = find<QTableView>("historyTable");
    ASSERT_TRUE(waitFor([&] { return table.model()->rowCount() == 3; }));
    openPreferences();
    field<QSpinBox>("keepRuns").setValue(1);
    closePreferences();
    window().applyRetention(); // as the program does when it starts
    ASSERT_TRUE(waitFor([&] { return table.model()->rowCount() == 1; }));
    EXPECT_THAT(messageOf("historyMessage").toStdString(), HasSubstr("Deleted 2 runs"));
}

} // namespace
