// SPDX-License-Identifier: GPL-3.0-or-later
// Deleting runs in History, and bringing them back.
#include "gui/history_fixture.h"

#include <QAction>
#include <QCheckBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>

namespace {

using namespace ep;

class DeletedRunsTest : public test::HistoryTest {
protected:
    void deleteSelected() { click("historyDelete"); }
};

// Deleting can be undone, so there is no confirmation dialog.
TEST_F(DeletedRunsTest, DeleteActsAtOnceOnWhatIsSelected)
{
    openWithRuns({"keep", "drop"});
    clickRow(0);
    table().setFocus();
    press(Qt::Key_Delete);
    ASSERT_TRUE(waitForRuns(1));
    EXPECT_EQ(shownCells(table(), historyColumn("prompt")), QStringList(QStringLiteral("keep")));
}

TEST_F(DeletedRunsTest, ADeletedRunCanBeBroughtBack)
{
    openWithRuns({"keep", "drop"});
    clickRow(0);
    deleteSelected();
    ASSERT_TRUE(waitForRuns(1));
    EXPECT_EQ(messageOf("historyMessage").toStdString(), "Deleted a run.");
    auto* undo =
        find<QWidget>("historyMessage").findChild<QToolButton*>(QStringLiteral("messageAction"));
    ASSERT_TRUE(undo && undo->isVisible());
    QTest::mouseClick(undo, Qt::LeftButton);
    ASSERT_TRUE(waitForRuns(2));
    EXPECT_EQ(messageOf("historyMessage"), QString());
}

TEST_F(DeletedRunsTest, StorageShowsSizesAndCleansUp)
{
    openWithRuns({"one", "two"});
    find<QAction>("historyStorage").trigger();
    QDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] {
        dialog = seek<QDialog>("storageDialog");
        return dialog && dialog->isVisible();
    }));
    auto* sizes = dialog->findChild<QTableWidget*>(QStringLiteral("storageSizes"));
    ASSERT_TRUE(waitFor([&] { return sizes->rowCount() == 2; }));
    EXPECT_TRUE(sizes->item(0, 1)->text().endsWith(QLatin1String("B")));
    auto* cleanUp = dialog->findChild<QPushButton*>(QStringLiteral("storageCleanUp"));
    EXPECT_FALSE(cleanUp->isEnabled());
    dialog->findChild<QCheckBox*>(QStringLiteral("storageKeepLast"))->setChecked(true);
    dialog->findChild<QSpinBox*>(QStringLiteral("storageKeepCount"))->setValue(1);
    ASSERT_TRUE(cleanUp->isEnabled());
    QTest::mouseClick(cleanUp, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return rows() == 1 && sizes->rowCount() == 1; }));
    EXPECT_EQ(shownCells(table(), historyColumn("prompt")), QStringList(QStringLiteral("two")));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("storageVacuum")),
                      Qt::LeftButton);
    dialog->close();
}

TEST_F(DeletedRunsTest, DeletingTheOpenRunEmptiesAnalysis)
{
    openWithRuns({"only"});
    clickRow(0);
    press(Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return find<QWidget>("runHeatmap").isVisible(); }));
    press(Qt::Key_3, Qt::ControlModifier);
    deleteSelected();
    ASSERT_TRUE(waitForRuns(0));
    window().showPage(ui::Page::Analysis);
    ASSERT_TRUE(find<QPushButton>("emptyHistoryButton").isVisible());
    click("emptyHistoryButton");
    EXPECT_EQ(page(), 2);
}

TEST_F(DeletedRunsTest, CtrlZBringsBackWhatWasDeleted)
{
    openWithRuns({"first", "second"});
    clickRow(0);
    deleteSelected();
    ASSERT_TRUE(waitForRuns(1));
    ASSERT_TRUE(waitFor([this] { return find<QAction>("actionUndoView").isEnabled(); }));
    table().setFocus();
    press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(waitForRuns(2));
    EXPECT_FALSE(find<QAction>("actionUndoView").isEnabled());
}

} // namespace
