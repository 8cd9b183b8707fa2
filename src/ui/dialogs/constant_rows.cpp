// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/constant_rows.h"

#include "text.h"

#include "ep/core/format.h"

#include <QHeaderView>
#include <QTableWidget>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

QTableWidget* constantsTable(const QString& name, const QString& title, const QStringList& columns,
                             QWidget* parent)
{
    auto* table = new QTableWidget(0, static_cast<int>(columns.size()), parent);
    table->setObjectName(name);
    table->setAccessibleName(title);
    table->setHorizontalHeaderLabels(columns);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    return table;
}

void fillRow(QTableWidget& table, int row, const QStringList& texts)
{
    for (int column = 0; column < texts.size(); ++column) {
        auto* item = new QTableWidgetItem(texts[column]);
        item->setToolTip(texts[column]);
        if (column > 0 && column + 1 < table.columnCount())
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table.setItem(row, column, item);
    }
}

QString constantText(const std::optional<MeasuredConstant>& constant, double scale,
                     const QString& unit)
{
    if (!constant)
        return missingText();
    return toQString(formatSignificant(scale * constant->value)) + u" ± "_s
        + toQString(formatSignificant(scale * kHalfInterval95 * constant->sd, 2)) + u' ' + unit;
}

} // namespace ep::ui
