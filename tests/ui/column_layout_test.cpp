// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/column_layout.h"

#include "ep/ui/models/run_list_model.h"

#include <QHeaderView>
#include <QTableView>

#include <gtest/gtest.h>

namespace ep::ui {
namespace {

class ColumnLayout : public testing::Test {
protected:
    ColumnLayout()
    {
        m_table.setModel(&m_model);
        layOutColumns(header(), m_model.columns());
    }
    QHeaderView& header() { return *m_table.horizontalHeader(); }
    int column(QStringView id) const { return m_model.columnOf(id); }

    RunListModel m_model;
    QTableView m_table;
};

TEST_F(ColumnLayout, IsRestoredByName)
{
    header().moveSection(header().visualIndex(column(u"energy")), 0);
    header().resizeSection(column(u"model"), 77);
    header().setSectionHidden(column(u"peak_power"), false);
    header().setSectionHidden(column(u"tags"), true);
    header().setSortIndicator(column(u"energy"), Qt::AscendingOrder);
    const QByteArray layout = columnLayout(header(), m_model.columns());

    QTableView other;
    other.setModel(&m_model);
    QHeaderView& restored = *other.horizontalHeader();
    layOutColumns(restored, m_model.columns());
    restoreColumns(restored, m_model.columns(), layout);
    EXPECT_EQ(restored.visualIndex(column(u"energy")), 0);
    EXPECT_EQ(restored.visualIndex(column(u"date")), 1);
    EXPECT_EQ(restored.sectionSize(column(u"model")), 77);
    EXPECT_FALSE(restored.isSectionHidden(column(u"peak_power")));
    EXPECT_TRUE(restored.isSectionHidden(column(u"tags")));
    EXPECT_EQ(restored.sortIndicatorSection(), column(u"energy"));
    EXPECT_EQ(restored.sortIndicatorOrder(), Qt::AscendingOrder);
}

// Columns come and go between versions; older settings in another form are ignored.
TEST_F(ColumnLayout, OutlivesColumnsThatItDoesNotKnow)
{
    for (const QByteArray& layout :
         {QByteArray(), QByteArray("\x00\x00\x00\xff binary", 11),
          QByteArray(R"({"columns": [{"id": "gone", "hidden": true}], "sort": "gone"})")}) {
        restoreColumns(header(), m_model.columns(), layout);
        EXPECT_FALSE(header().isSectionHidden(column(u"date"))) << layout.toStdString();
        EXPECT_TRUE(header().isSectionHidden(column(u"peak_power"))) << layout.toStdString();
    }
    restoreColumns(header(), m_model.columns(),
                   R"({"columns": [{"id": "gone"}, {"id": "tags", "hidden": false}]})");
    EXPECT_EQ(header().visualIndex(column(u"tags")), 0);
}

} // namespace
} // namespace ep::ui
