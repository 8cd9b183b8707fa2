// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/machine_record.h"

#include <QString>
#include <QStringList>

#include <optional>

class QTableWidget;
class QWidget;

// Tables of measured constants in dialogs.
namespace ep::ui {

QTableWidget* constantsTable(const QString& name, const QString& title, const QStringList& columns,
                             QWidget* parent);
// Fills a row: the first and last text are aligned left, the figures between them right.
void fillRow(QTableWidget& table, int row, const QStringList& texts);
// "12.3 ± 0.4 pJ" for a constant times the scale; a dash if it is missing.
QString constantText(const std::optional<MeasuredConstant>& constant, double scale,
                     const QString& unit);

} // namespace ep::ui
