// SPDX-License-Identifier: GPL-3.0-or-later
// Compare > Tree, quality next to joules, and what came after the answer.
#include "gui/window_test.h"

#include "ep/store/store.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>

namespace {

using namespace ep;
using testing::HasSubstr;
using testing::StartsWith;

class DifferenceTest : public test::WindowTest {
protected:
    void compareTwoRuns()
    {
        openWindow();
        for (const char* prompt : {"one", "two and more"})
            runToTheEnd(QString::fromUtf8(prompt), 6);
        press(Qt::Key_3, Qt::ControlModifier);
        ASSERT_TRUE(waitForRuns(2));
        for (int row = 0; row < 2; ++row) {
            const QModelIndex index = table().model()->index(row, 2);
            QTest::mouseClick(table().viewport(), Qt::LeftButton,
                              row == 0 ? Qt::NoModifier : Qt::ControlModifier,
                              table().visualRect(index).center());
        }
        click("historyCompare");
        ASSERT_TRUE(
            waitFor([this] { return find<QTreeWidget>("compareTree").topLevelItemCount() > 0; }));
    }
};

TEST_F(DifferenceTest, TheTreeSaysWhatDiffersAndIsCopied)
{
    compareTwoRuns();
    auto& tree = find<QTreeWidget>("compareTree");
    find<QTabWidget>("compareCharts").setCurrentWidget(tree.parentWidget());
    EXPECT_EQ(tree.columnCount(), 9);
    const QTreeWidgetItem* run = tree.topLevelItem(0);
    ASSERT_GT(run->childCount(), 3);
    EXPECT_EQ(run->text(8), QLatin1String("these runs only"));
    EXPECT_THAT(run->toolTip(8).toStdString(), HasSubstr("without a test"));
    EXPECT_THAT(labelText("compareTreeExplanation").toStdString(), HasSubstr("3 repeats"));
    for (QTreeWidgetItemIterator item(&tree); *item; ++item) {
        for (int column = 1; column < tree.columnCount(); ++column) {
            EXPECT_FALSE((*item)->text(column).startsWith(QLatin1String("+0 ")))
                << (*item)->text(0).toStdString() << ", column " << column;
            EXPECT_FALSE((*item)->text(column).startsWith(QLatin1String("+<")));
        }
    }
    click("compareTreeCopy");
    EXPECT_THAT(QGuiApplication::clipboard()->text().toStdString(),
                StartsWith("node,depth,group,baseline_energy_mj"));
}

TEST_F(DifferenceTest, QualityIsSaidOnceItIsMeasured)
{
    compareTwoRuns();
    EXPECT_THAT(labelText("compareQuality").toStdString(), HasSubstr("quality not measured"));
    click("compareMeasureQuality");
    ASSERT_TRUE(waitFor([this] { return seek<QDialog>("qualityDialog") != nullptr; }));
    auto& start = find<QPushButton>("qualityStart");
    EXPECT_FALSE(start.isEnabled()) << "no text is chosen";
    auto& text = find<QLineEdit>("qualityText");
    QTest::keyClicks(&text, folder() + QStringLiteral("/none.txt"));
    click("qualityStart");
    ASSERT_TRUE(waitFor([&] { return start.isEnabled(); }));
    EXPECT_THAT(labelText("qualityState").toStdString(), HasSubstr("none.txt"));
    find<QDialog>("qualityDialog").close();

    auto store = store::Store::open(database());
    ASSERT_TRUE(store);
    const auto runs = (*store)->list();
    ASSERT_TRUE(runs);
    const RunInfo& info = runs->front().info;
    ASSERT_TRUE((*store)->saveQuality({.model = info.model.name,
                                       .fingerprint = info.model.fingerprint,
                                       .dtype = info.dtype,
                                       .device = info.device,
                                       .text_name = "tale.txt",
                                       .text_hash = "sha256:1",
                                       .nll = 2.0,
                                       .perplexity = 7.389}));
    auto& repeats = find<QComboBox>("compareRepeats");
    repeats.setFocus();
    QTest::keyClick(&repeats, Qt::Key_End);
    EXPECT_TRUE(waitFor([this] {
        return labelText("compareQuality").contains(QLatin1String("perplexity 7.3890 on tale.txt"));
    })) << labelText("compareQuality").toStdString();
    EXPECT_THAT(labelText("compareQuality").toStdString(), HasSubstr("perplexity on tale.txt"));
}

TEST_F(DifferenceTest, WhatCameAfterTheAnswerIsMarkedAndCanBeStopped)
{
    openWindow();
    runToTheEnd(QStringLiteral("Once"), 6);
    press(Qt::Key_2, Qt::ControlModifier);
    chooseTab("analysisViews", QStringLiteral("Tokens"));
    ASSERT_TRUE(find<QComboBox>("answerEndRule").isVisible());
    EXPECT_TRUE(labelText("answerEndText").isEmpty()) << "no rule, no number";
    chooseInCombo("answerEndRule", QStringLiteral("regex:"));
    EXPECT_TRUE(labelText("answerEndText").isEmpty()) << "no pattern yet";
    auto& pattern = find<QLineEdit>("answerEndPattern");
    QTest::keyClicks(&pattern, QStringLiteral("\\S"));
    QTest::keyClick(&pattern, Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return !labelText("answerEndText").isEmpty(); }));
    EXPECT_THAT(labelText("answerEndText").toStdString(), HasSubstr("came after the answer"));
    chooseInCombo("answerEndRule", QStringLiteral("fence"));
    ASSERT_TRUE(waitFor([this] {
        return labelText("answerEndText").contains(QLatin1String("Nothing came after"));
    }));
    click("answerEndTry");
    EXPECT_EQ(page(), 0);
    EXPECT_EQ(find<QLineEdit>("stopEdit").text(), QLatin1String("answer:fence"));
}

} // namespace
