// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/models/run_columns.h"

#include <QByteArray>

#include <vector>

class QHeaderView;

// The user's arrangement of the columns of History: order, widths, hidden columns, sort column. It
// is stored by column name, so that it survives added and removed columns.
namespace ep::ui {

void layOutColumns(QHeaderView& header,
                   const std::vector<RunColumn>& columns); // the default layout
QByteArray columnLayout(const QHeaderView& header, const std::vector<RunColumn>& columns);
// Invalid layouts change nothing; columns that are not listed are unchanged.
void restoreColumns(QHeaderView& header, const std::vector<RunColumn>& columns,
                    const QByteArray& layout);

} // namespace ep::ui
