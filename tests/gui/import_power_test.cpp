// SPDX-License-Identifier: GPL-3.0-or-later
// A power log dropped on the window: preview, a table described by hand, and the run.
#include "gui/window_test.h"
#include "support/folders.h"

#include "ep/store/store.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QUrl>

#include <fstream>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;
using ::testing::HasSubstr;

class ImportPowerTest : public test::WindowTest {
protected:
    void drop(const QString& file)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QCoreApplication::sendEvent(&window(), &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window(), &event);
    }
    std::string summary() { return find<QLabel>("powerSummary").text().toStdString(); }
    bool canImport() { return find<QPushButton>("powerImport").isEnabled(); }
    static QString made(const char* file)
    {
        return QString::fromStdString(ep::test::dataPath("powerlog/") + file);
    }
};

TEST_F(ImportPowerTest, ShowsWhatItFoundAndOpensTheRun)
{
    openWindow();
    drop(made("base.csv"));
    ASSERT_TRUE(waitFor([this] { return seek<QLabel>("powerSummary") && canImport(); }));
    EXPECT_THAT(summary(), HasSubstr("nvidia-smi --query-gpu, 41 rows. Verdict: good."));
    EXPECT_TRUE(find<QWidget>("powerCurve").isVisible());
    for (const char* detail : {"powerUnit", "powerRequests", "powerRails", "powerNotes"})
        EXPECT_FALSE(find<QWidget>(detail).isVisible()) << detail;
    click("powerMore");
    for (const char* detail : {"powerUnit", "powerRequests", "powerRails", "powerNotes"})
        EXPECT_TRUE(find<QWidget>(detail).isVisible()) << detail;
    auto& rails = find<QTableWidget>("powerRails");
    ASSERT_EQ(rails.rowCount(), 1);
    EXPECT_EQ(rails.item(0, 0)->text(), u"gpu"_s);
    EXPECT_EQ(rails.item(0, 1)->text().toStdString(), "2.04 kJ");
    EXPECT_EQ(find<QTableWidget>("powerColumns").rowCount(), 4);
    EXPECT_THAT(find<QPlainTextEdit>("powerNotes").toPlainText().toStdString(),
                HasSubstr("state the time zone if they are in another"));
    click("powerImport");
    ASSERT_TRUE(waitFor([this] { return seek<QLabel>("powerSummary") == nullptr; }));
    // The window shows no options of the command line, not even in stored notes.
    ASSERT_TRUE(waitFor([this] { return labelText("runNotes").contains(u"time zone"_s); }));
    EXPECT_FALSE(labelText("runNotes").contains(u"--"_s)) << labelText("runNotes").toStdString();
    const auto store = store::Store::open(database());
    ASSERT_TRUE(store);
    const auto runs = (*store)->list({});
    ASSERT_EQ(runs->size(), 1U);
    EXPECT_EQ(runs->front().metrics.energy.provenance, Provenance::Imported);
    EXPECT_EQ(runs->front().info.title, "base.csv");
}

TEST_F(ImportPowerTest, AsksForTheUnit)
{
    openWindow();
    drop(made("no-unit.csv"));
    ASSERT_TRUE(waitFor([this] {
        return seek<QLabel>("powerSummary") && summary().find("has no unit") != std::string::npos;
    }));
    EXPECT_FALSE(canImport());
    auto& unit = find<QComboBox>("powerUnit");
    EXPECT_TRUE(unit.isVisible()) << "what the file does not say is asked for";
    EXPECT_FALSE(find<QWidget>("powerRequests").isVisible());
    unit.setCurrentIndex(unit.findData(u"W"_s));
    Q_EMIT unit.activated(unit.currentIndex());
    ASSERT_TRUE(waitFor([this] { return canImport(); }));
    EXPECT_EQ(find<QTableWidget>("powerRails").item(0, 1)->text().toStdString(), "2.04 kJ");
}

TEST_F(ImportPowerTest, RemembersATableThatWasDescribed)
{
    const QString file = folder() + u"/meter.csv"_s;
    {
        std::ofstream stream(file.toStdString());
        stream << "when,P1\n";
        for (int i = 0; i < 30; ++i)
            stream << 1795592141 + i << ",5000\n";
    }
    openWindow();
    const auto describe = [&](const char* role, const QString& meaning) {
        auto& combo = find<QComboBox>(role);
        combo.setCurrentIndex(combo.findData(meaning));
        Q_EMIT combo.activated(combo.currentIndex());
    };
    // Nothing in the file says that it is a power log, so it is opened from the menu.
    QMetaObject::invokeMethod(&window(), [this, file] { window().importPower(file); });
    ASSERT_TRUE(waitFor([this] { return seek<QCheckBox>("powerDescribe") != nullptr; }));
    // The possible meanings of its columns are shown, but their unit cannot be guessed.
    EXPECT_TRUE(find<QCheckBox>("powerDescribe").isChecked());
    EXPECT_EQ(find<QComboBox>("powerRole0").currentData().toString(), u"time"_s);
    EXPECT_EQ(find<QComboBox>("powerRole1").currentData().toString(), u"power"_s);
    EXPECT_FALSE(canImport());
    describe("powerRole0", u"time"_s);
    describe("powerRole1", u"power"_s);
    auto& unit = find<QComboBox>("powerColumnUnit1");
    unit.setCurrentText(u"mW"_s);
    Q_EMIT unit.activated(unit.currentIndex());
    ASSERT_TRUE(waitFor([this] { return canImport(); }));
    EXPECT_EQ(find<QTableWidget>("powerRails").item(0, 1)->text().toStdString(), "145 J");
    click("powerImport");
    ASSERT_TRUE(waitFor([this] { return seek<QLabel>("powerSummary") == nullptr; }));
    window().importPower(file);
    ASSERT_TRUE(waitFor([this] { return seek<QCheckBox>("powerDescribe") && canImport(); }));
    EXPECT_TRUE(find<QCheckBox>("powerDescribe").isChecked());
    EXPECT_EQ(find<QTableWidget>("powerRails").item(0, 1)->text().toStdString(), "145 J");
}

} // namespace
