// SPDX-License-Identifier: GPL-3.0-or-later
// The settings dialog: changes take effect immediately.
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
#include <QTableWidget>
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

    QString detail(const QString& name) // value of the selection in the details pane
    {
        auto& table = find<QTableWidget>("selectionFigures");
        for (int row = 0; row < table.rowCount(); ++row) {
            if (table.item(row, 0)->text() == name)
                return table.item(row, 1)->text();
        }
        return {};
    }
    // Head, details pane and Figures tab of the open run show these costs.
    void expectOneTariff(const QString& price, double grams)
    {
        EXPECT_EQ(find<QDoubleSpinBox>("tariffPrice").text(), price);
        EXPECT_EQ(find<QDoubleSpinBox>("tariffCarbon").value(), grams);
        const QString cost = detail(u"Cost"_s);
        const QString carbon = detail(u"CO₂"_s);
        EXPECT_THAT(labelText("runFacts").toStdString(), HasSubstr(cost.toStdString()));
        EXPECT_THAT(labelText("runFacts").toStdString(),
                    HasSubstr(", " + carbon.toStdString() + " CO₂"));
        EXPECT_EQ(labelText("figure_co2"), carbon);
        EXPECT_EQ(labelText("figure_usd"), cost);
    }

    QDialog* dialog = nullptr;
};

TEST_F(PreferencesTest, EveryControlIsExplained)
{
    openWindow();
    openPreferences();
    auto& titles = field<QListWidget>("settingsTitles");
    EXPECT_GE(titles.count(), 5);
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

TEST_F(PreferencesTest, AnotherUnitOpensTheWindowAnew)
{
    openWindow();
    int asked = 0;
    QObject::connect(&window(), &ui::MainWindow::reopenRequested, &window(), [&] { ++asked; });
    openPreferences();
    choose("settingsEnergyUnit", int(EnergyUnit::WattHours));
    closePreferences();
    EXPECT_EQ(asked, 1);
    openPreferences();
    EXPECT_EQ(field<QComboBox>("settingsEnergyUnit").currentData().toInt(),
              int(EnergyUnit::WattHours));
    closePreferences();
    EXPECT_EQ(asked, 1);
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
    expectOneTariff(u"12.0000 USD/kWh"_s, 400.0);
    const QString dear = labelText("runFacts");
    choose("carbonRegion", QString());
    EXPECT_TRUE(field<QDoubleSpinBox>("carbonGrams").isEnabled());
    field<QDoubleSpinBox>("carbonGrams").setValue(0.5);
    EXPECT_NE(labelText("runFacts"), dear);
    field<QLineEdit>("carbonSource").setText(u"my supplier"_s);
    choose("carbonRegion", u"Texas"_s);
    EXPECT_FALSE(field<QDoubleSpinBox>("carbonGrams").isEnabled());
    EXPECT_EQ(field<QDoubleSpinBox>("carbonGrams").value(), 500.0);
    expectOneTariff(u"12.0000 USD/kWh"_s, 500.0);
    choose("carbonRegion", QString()); // the user's own value comes back
    expectOneTariff(u"12.0000 USD/kWh"_s, 0.5);
    EXPECT_EQ(field<QDoubleSpinBox>("carbonGrams").value(), 0.5);
    EXPECT_EQ(field<QLineEdit>("carbonSource").text(), u"my supplier"_s);
    closePreferences();
}

TEST_F(PreferencesTest, TheTariffEditedInFiguresIsTheSettings)
{
    openWindow();
    runToTheEnd(u"hello"_s, 6);
    window().showPage(ui::Page::Analysis);
    auto& price = find<QDoubleSpinBox>("tariffPrice");
    price.selectAll();
    QTest::keyClicks(&price, u"2.5"_s);
    expectOneTariff(u"2.5 USD/kWh"_s, 400.0); // as typed by the user
    auto& region = find<QComboBox>("tariffRegion");
    region.setCurrentIndex(region.findData(u"California"_s));
    expectOneTariff(u"2.5 USD/kWh"_s, 200.0);
    find<QDoubleSpinBox>("tariffCarbon").setValue(70.0);
    expectOneTariff(u"2.5 USD/kWh"_s, 70.0);
    EXPECT_TRUE(region.currentData().toString().isEmpty());
    openPreferences();
    EXPECT_EQ(field<QDoubleSpinBox>("pricePerKwh").value(), 2.5);
    EXPECT_TRUE(field<QComboBox>("carbonRegion").currentData().toString().isEmpty());
    EXPECT_EQ(field<QDoubleSpinBox>("carbonGrams").value(), 70.0);
    closePreferences();
    openWindow(); // and stays after a restart
    EXPECT_EQ(find<QDoubleSpinBox>("tariffPrice").value(), 2.5);
    EXPECT_EQ(find<QDoubleSpinBox>("tariffCarbon").value(), 70.0);
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
    ASSERT_TRUE(waitForRuns(1));
    EXPECT_THAT(shownCells(table(), historyColumn("prompt")).first().toStdString(),
                StartsWith("sha256:"));

    find<QAction>("actionNewStudy").trigger();
    find<QPlainTextEdit>("studyPrompts").setPlainText(u"a secret study"_s);
    find<QLineEdit>("studyOutputTokens").setText(u"3"_s);
    find<QSpinBox>("studyRepeats").setValue(1);
    click("studyRun");
    ASSERT_TRUE(waitFor([this] { return find<QPushButton>("studyOpenReport").isVisible(); }));
    click("studyClose");
    ASSERT_TRUE(waitFor([this] { return seek<QDialog>("studyDialog") == nullptr; }));
    openWindow(); // the first window has saved its settings
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
    ASSERT_TRUE(waitForRuns(3));
    openPreferences();
    field<QSpinBox>("keepRuns").setValue(1);
    closePreferences();
    window().applyRetention(); // as the program does at startup
    ASSERT_TRUE(waitForRuns(1));
    EXPECT_THAT(messageOf("historyMessage").toStdString(), HasSubstr("Deleted 2 runs"));
}

} // namespace
