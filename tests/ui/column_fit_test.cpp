// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/wait_until.h"
#include "widgets/column_fit.h"

#include <QStandardItemModel>
#include <QTest>

#include <gtest/gtest.h>

namespace ep::ui {
namespace {

TEST(ColumnFit, ColumnsFollowTheRowsInView)
{
    QStandardItemModel model(200, 2);
    for (int row = 0; row < model.rowCount(); ++row)
        model.setItem(row, 0,
                      new QStandardItem(row == 150 ? QStringLiteral("13.7 µs, or longer")
                                                   : QStringLiteral("1 s")));
    QTableView table;
    table.setModel(&model);
    fitColumnsToVisibleRows(table);
    table.resize(400, 200);
    table.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&table));
    const int narrow = table.columnWidth(0);
    table.scrollTo(model.index(150, 0));
    EXPECT_TRUE(test::waitUntil([&] { return table.columnWidth(0) > narrow; }));
    EXPECT_GE(table.columnWidth(0), table.sizeHintForIndex(model.index(150, 0)).width());
    table.scrollToTop();
    EXPECT_TRUE(test::waitUntil([&] { return table.columnWidth(0) == narrow; }));
}

} // namespace
} // namespace ep::ui
