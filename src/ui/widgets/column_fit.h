// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

namespace ep::ui {

// Keeps columns as wide as their contents in the rows in view, also after scrolling. Measuring all
// rows of a deep profile would block the window.
inline void fitColumnsToVisibleRows(QTableView& table)
{
    QHeaderView* header = table.horizontalHeader();
    header->setResizeContentsPrecision(0); // only the visible rows
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    QObject::connect(table.verticalScrollBar(), &QScrollBar::valueChanged, header, [header] {
        // Setting a mode makes the header measure again.
        header->setSectionResizeMode(0, header->sectionResizeMode(0));
    });
}

} // namespace ep::ui
