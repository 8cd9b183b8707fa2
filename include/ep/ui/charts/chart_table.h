// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <optional>
#include <vector>

class QDialog;
class QWidget;

namespace ep::ui {

// The content of a chart as rows and columns: an accessible alternative, and the source of its
// CSV. Raw values are in the unit of the heading; an invalid one is missing.
struct ChartTable {
    struct Cell {
        QString text; // for people: "12.3 mJ", or an em dash
        QVariant raw; // a number or a string
    };

    QStringList headings; // "Energy (mJ)"
    std::vector<std::vector<Cell>> rows; // each as long as headings

    bool empty() const { return rows.empty(); }
};

ChartTable::Cell textCell(const QString& text);
ChartTable::Cell numberCell(double value, int digits = 6);
ChartTable::Cell missingCell(); // an em dash
ChartTable::Cell numberCell(const std::optional<double>& value, int digits = 6);

// RFC 4180 with raw values, UTF-8, a heading line; missing values are empty.
QByteArray toCsv(const ChartTable& table);
QString toTsv(const ChartTable& table); // for spreadsheets, through the clipboard

Status saveTableCsv(const ChartTable& table, const QString& path); // the error names the file

// A window with the sortable table and buttons to copy and save it. Deletes itself when closed;
// the caller shows it.
QDialog* makeTableDialog(ChartTable table, const QString& title, QWidget* parent);

} // namespace ep::ui
