// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window_test.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"

#include <QAction>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>

namespace {

using namespace ep;
using testing::HasSubstr;
using testing::StartsWith;

class CompareTest : public test::WindowTest {
protected:
    QTableWidget& figures() { return find<QTableWidget>("compareTable"); }

    // Each run takes `growth` times the power of the previous one; with 1, equal runs may or may
    // not differ by less than what matters.
    void openWithRuns(std::initializer_list<const char*> prompts, double growth = 1.0)
    {
        openWindow();
        for (const char* prompt : prompts) {
            runToTheEnd(QString::fromUtf8(prompt), 6);
            powerScript.watts *= growth;
        }
        press(Qt::Key_3, Qt::ControlModifier);
        const int expected = static_cast<int>(prompts.size());
        ASSERT_TRUE(waitForRuns(expected));
    }

    void clickRow(int row, Qt::KeyboardModifiers modifiers = {})
    {
        const QModelIndex index = table().model()->index(row, 2);
        QTest::mouseClick(table().viewport(), Qt::LeftButton, modifiers,
                          table().visualRect(index).center());
    }

    void compareRows(int count)
    {
        for (int row = 0; row < count; ++row)
            clickRow(row, row == 0 ? Qt::NoModifier : Qt::ControlModifier);
        click("historyCompare");
        ASSERT_EQ(page(), 3);
        ASSERT_TRUE(waitFor([this] { return figures().rowCount() > 0; }));
    }

    QString heading(int column) { return figures().horizontalHeaderItem(column)->text(); }

    QFileDialog* reportDialog()
    {
        QFileDialog* dialog = nullptr;
        EXPECT_TRUE(waitFor([&] {
            dialog = seek<QFileDialog>("reportDialog");
            return dialog && dialog->isVisible();
        }));
        return dialog;
    }

    std::string fileText(const QString& path)
    {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll().toStdString();
    }
};

TEST_F(CompareTest, AnEmptyPageLeadsToHistory)
{
    openWindow();
    press(Qt::Key_4, Qt::ControlModifier);
    ASSERT_EQ(page(), 3);
    click("compareHistoryButton");
    EXPECT_EQ(page(), 2);
}

TEST_F(CompareTest, TwoRunsAreComparedAndTheBaselineChanged)
{
    openWithRuns({"first one", "second"}, 100.0);
    EXPECT_FALSE(find<QToolButton>("historyCompare").isEnabled());
    compareRows(2);
    EXPECT_EQ(figures().columnCount(), 6); // figure, two groups, difference, relative, verdict
    EXPECT_THAT(labelText("compareVerdict").toStdString(), StartsWith("In these runs, "));
    EXPECT_THAT(heading(1).toStdString(), HasSubstr("second"));
    EXPECT_THAT(heading(2).toStdString(), HasSubstr("first one"));
    EXPECT_THAT(labelText("compareWarnings").toStdString(), HasSubstr("fewer than 3 repeats"));
    EXPECT_THAT(labelText("compareWarnings").toStdString(), HasSubstr("different lengths"));
    EXPECT_TRUE(waitFor([this] {
        return labelText("compareSentence").contains(QLatin1String("and there are 1 and 1."));
    })) << labelText("compareSentence").toStdString();
    EXPECT_THAT(labelText("compareSentence").toStdString(), testing::Not(HasSubstr("..")));
    auto& chart = find<ui::SceneView>("compareMetricChart");
    EXPECT_EQ(chart.scene().table.columns.size(), 2U);
    EXPECT_GT(find<QTreeWidget>("compareTree").topLevelItemCount(), 0);
    const QByteArray saved = ui::renderChartSvg(chart);
    for (const char* fact : {"second", "first one", "tiny", "energy ", "runs "})
        EXPECT_TRUE(saved.contains(fact)) << fact;

    auto& baseline = find<QComboBox>("compareBaseline");
    baseline.setFocus();
    QTest::keyClick(&baseline, Qt::Key_Down);
    ASSERT_TRUE(waitFor([this] { return heading(2) == QLatin1String("Difference"); }));
    EXPECT_THAT(heading(1).toStdString(), HasSubstr("second"));
}

TEST_F(CompareTest, RepeatsBecomeGroupsAndAreTested)
{
    openWithRuns({"a", "a", "a", "b", "b", "b"});
    compareRows(6);
    EXPECT_THAT(heading(1).toStdString(), HasSubstr("3 run"));
    EXPECT_EQ(find<QComboBox>("compareBaseline").count(), 2);
    window().resize(900, 700); // the table is wider, and scrolls
    const auto figuresFit = [this] {
        const QFontMetrics metrics(figures().font());
        for (int row = 0; row < figures().rowCount(); ++row) {
            for (const int group : {1, 2}) {
                if (metrics.horizontalAdvance(figures().item(row, group)->text())
                    >= figures().columnWidth(group))
                    return false;
            }
        }
        return true;
    };
    EXPECT_TRUE(waitFor(figuresFit));
    find<QTabWidget>("compareCharts").setCurrentIndex(0);
    auto& metric = find<QComboBox>("compareMetric");
    const int speed = metric.findText(QStringLiteral("Tokens per second"));
    ASSERT_GE(speed, 0);
    metric.setCurrentIndex(speed);
    EXPECT_THAT(labelText("compareSentence").toStdString(), HasSubstr("test"));
    // Shown one by one, there are too many.
    auto& repeats = find<QComboBox>("compareRepeats");
    repeats.setFocus();
    QTest::keyClick(&repeats, Qt::Key_End);
    ASSERT_TRUE(waitFor([this] {
        return messageOf("compareMessage").contains(QLatin1String("takes 2 to 4 runs"));
    }));
    EXPECT_THAT(messageOf("compareMessage").toStdString(),
                HasSubstr("but 6 are selected; select fewer in History"));
}

TEST_F(CompareTest, TheComparisonIsSavedAsAReport)
{
    openWithRuns({"first one", "second"});
    compareRows(2);
    for (const char* name : {"/out.html", "/out.pdf"}) {
        const QString path = folder() + QString::fromLatin1(name);
        click("compareReport");
        QFileDialog* dialog = reportDialog();
        ASSERT_NE(dialog, nullptr);
        dialog->selectFile(path);
        QTest::keyClick(dialog, Qt::Key_Return);
        ASSERT_TRUE(waitFor([&] { return QFile::exists(path); })) << name;
        ASSERT_TRUE(waitFor([this] { return !seek<QFileDialog>("reportDialog"); }));
    }
    const std::string html = fileText(folder() + QStringLiteral("/out.html"));
    EXPECT_THAT(html, StartsWith("<!DOCTYPE html>"));
    for (const char* part :
         {"first one", "<svg", "Method and provenance", "Manifest", "fewer than 3"})
        EXPECT_THAT(html, HasSubstr(part));
    for (const char* part : {"<script", "http://", "https://", "src="}) {
        const std::string_view rest = html;
        // SVG's namespace is not an address to fetch.
        std::size_t at = rest.find(part);
        while (at != std::string_view::npos
               && rest.substr(at).starts_with("http://www.w3.org/2000/svg"))
            at = rest.find(part, at + 1);
        EXPECT_EQ(at, std::string_view::npos) << part;
    }
    EXPECT_THAT(fileText(folder() + QStringLiteral("/out.pdf")), StartsWith("%PDF"));
}

TEST_F(CompareTest, ARunIsSavedAsAReport)
{
    openWithRuns({"first one"});
    clickRow(0);
    click("historyReport");
    QFileDialog* dialog = reportDialog();
    ASSERT_NE(dialog, nullptr);
    // Named as exports are, by the model and the time.
    EXPECT_THAT(dialog->selectedFiles().value(0).toStdString(),
                testing::ContainsRegex("-[0-9]+-[0-9]+.html$"));
    const QString path = folder() + QStringLiteral("/run.html");
    dialog->selectFile(path);
    QTest::keyClick(dialog, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return QFile::exists(path); }));
    EXPECT_THAT(fileText(path), HasSubstr("first one"));
}

TEST_F(CompareTest, FiltersAreChosenKeptAndApplied)
{
    openWithRuns({"alpha", "beta"});
    find<QComboBox>("filterPeriod").setCurrentIndex(1);
    EXPECT_EQ(rows(), 2);
    QTest::keyClicks(&find<QLineEdit>("historySearch"), QStringLiteral("alp"));
    EXPECT_EQ(rows(), 1);
    auto* menu = seek<QMenu>("savedFiltersMenu");
    ASSERT_NE(menu, nullptr);
    const auto choose = [&](const QString& text) {
        Q_EMIT menu->aboutToShow();
        const auto actions = menu->actions();
        const auto found = std::find_if(actions.begin(), actions.end(), [&](const QAction* action) {
            return action->text().startsWith(text);
        });
        ASSERT_NE(found, actions.end());
        (*found)->trigger();
    };
    choose(QStringLiteral("Save This"));
    QInputDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] {
        dialog = seek<QInputDialog>("filterNameDialog");
        return dialog && dialog->isVisible();
    }));
    dialog->setTextValue(QStringLiteral("mine"));
    dialog->accept();
    click("filterClear");
    EXPECT_EQ(rows(), 2);
    EXPECT_EQ(find<QLineEdit>("historySearch").text(), QString());
    choose(QStringLiteral("mine"));
    EXPECT_EQ(rows(), 1);
    EXPECT_EQ(find<QLineEdit>("historySearch").text(), QStringLiteral("alp"));
    openWindow(); // remembered across starts
    Q_EMIT seek<QMenu>("savedFiltersMenu")->aboutToShow();
    const auto actions = seek<QMenu>("savedFiltersMenu")->actions();
    EXPECT_TRUE(std::any_of(actions.begin(), actions.end(), [](const QAction* action) {
        return action->text() == QLatin1String("mine");
    }));
}

TEST_F(CompareTest, RunsAreFilteredByTheirExperiment)
{
    openWindow();
    for (const char* experiment : {"mice", "men"}) {
        auto& edit = find<QLineEdit>("experimentEdit");
        edit.setText(QString::fromUtf8(experiment));
        Q_EMIT edit.editingFinished();
        runToTheEnd(QStringLiteral("same"), 4);
    }
    press(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(waitForRuns(2));
    click("historyFilter");
    auto& button = find<QToolButton>("filterExperiments");
    ASSERT_TRUE(button.isVisible());
    Q_EMIT button.menu()->aboutToShow();
    const auto actions = button.menu()->actions();
    ASSERT_EQ(actions.size(), 2);
    EXPECT_EQ(actions[1]->text().toStdString(), "mice");
    actions[1]->trigger();
    EXPECT_EQ(rows(), 1);
    EXPECT_THAT(button.text().toStdString(), HasSubstr("mice"));
    click("filterClear");
    EXPECT_EQ(rows(), 2);
}

TEST_F(CompareTest, TheTrendAndTheInsightsLeadToRuns)
{
    openWithRuns({"alpha", "beta"});
    find<QAction>("historyTrendAction").trigger();
    auto& trend = find<ui::SceneView>("historyTrend");
    ASSERT_TRUE(waitFor([&] { return trend.isVisible() && !trend.scene().marks.empty(); }));
    ASSERT_EQ(trend.scene().marks.size(), 2U);
    press(Qt::Key_5, Qt::ControlModifier);
    ASSERT_EQ(page(), 4);
    EXPECT_THAT(labelText("insightsCount").toStdString(), HasSubstr("2 runs of 2"));
    EXPECT_THAT(labelText("insightsCostsText").toStdString(), HasSubstr("(2 runs)"));
    auto& pareto = find<ui::SceneView>("insightsPareto");
    ASSERT_TRUE(waitFor([&] { return !pareto.scene().marks.empty(); }));
    pareto.setFocus();
    QTest::keyClick(&pareto, Qt::Key_Right);
    QTest::keyClick(&pareto, Qt::Key_Return);
    EXPECT_EQ(page(), 1);
    ASSERT_TRUE(waitFor([this] { return find<QLabel>("runPrompt").isVisible(); }));
}

TEST_F(CompareTest, ARunFileIsDroppedIn)
{
    openWithRuns({"alpha"});
    clickRow(0);
    const QString path = folder() + QStringLiteral("/out.json");
    press(Qt::Key_S, Qt::ControlModifier);
    QFileDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] {
        dialog = seek<QFileDialog>("exportDialog");
        return dialog && dialog->isVisible();
    }));
    dialog->selectFile(path);
    QTest::keyClick(dialog, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return QFile::exists(path); }));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    auto& historyPage = find<QWidget>("historyPage");
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&historyPage, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&historyPage, &drop);
    ASSERT_TRUE(waitFor([this] {
        return messageOf("historyMessage").contains(QLatin1String("Already existed: 1 run"));
    }));
    EXPECT_EQ(rows(), 1);
}

} // namespace
