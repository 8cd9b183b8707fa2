// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/models/run_columns.h"

#include <QByteArray>

#include <vector>

class QHeaderView;

// The user's arrangement of the columns of History: order, widths, hidden columns, sort column.
// Stored by column name, so that it survives added and removed columns.
namespace ep::ui {

void layOutColumns(QHeaderView& header,
                   const std::vector<RunColumn>& columns); // resets the columns to the default
QByteArray columnLayout(const QHeaderView& header, const std::vector<RunColumn>& columns);
// An invalid layout changes nothing; columns that it does not list stay unchanged.
void restoreColumns(QHeaderView& header, const std::vector<RunColumn>& columns,
                    const QByteArray& layout);

} // namespace ep::ui
