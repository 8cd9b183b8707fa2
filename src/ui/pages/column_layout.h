// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/models/run_columns.h"

#include <QByteArray>

#include <vector>

class QHeaderView;

// How a person has arranged the columns of History: order, widths, what is hidden, what is sorted
// by. It is kept by the names of the columns, so that it outlives columns that come and go.
namespace ep::ui {

void layOutColumns(QHeaderView& header, const std::vector<RunColumn>& columns); // as at first
QByteArray columnLayout(const QHeaderView& header, const std::vector<RunColumn>& columns);
// What is no such layout changes nothing; columns that it does not name stay as they are.
void restoreColumns(QHeaderView& header, const std::vector<RunColumn>& columns,
                    const QByteArray& layout);

} // namespace ep::ui
