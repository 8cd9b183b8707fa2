// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/chart_table.h"

#include "ep/core/safe_text.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/to_qstring.h"

#include <QLocale>

#include <cmath>

namespace ep::ui {

namespace {

QString rawText(const ChartTable::Cell& cell)
{
    if (cell.raw.typeId() == QMetaType::Double)
        return QLocale::c().toString(cell.raw.toDouble(), 'g', QLocale::FloatingPointShortest);
    return cell.raw.toString();
}

// Only texts can be formulas; a negative number is not one.
CsvText formulasOf(const ChartTable::Cell& cell)
{
    return cell.raw.typeId() == QMetaType::QString ? CsvText::Quoted : CsvText::Raw;
}

QString quoted(const ChartTable::Cell& cell)
{
    return toQString(csvCell(rawText(cell).toStdString(), formulasOf(cell)));
}

// A tab or a new line would start another cell.
QString oneCell(const ChartTable::Cell& cell)
{
    QString text = rawText(cell);
    if (formulasOf(cell) == CsvText::Quoted && isFormula(text.toStdString()))
        text.prepend(QLatin1Char('\''));
    for (const char c : {'\t', '\n', '\r'})
        text.replace(QLatin1Char(c), QLatin1Char(' '));
    return text;
}

template <typename Convert>
QString joined(const ChartTable& table, QLatin1Char separator, const QString& lineEnd,
               const Convert& convert)
{
    QString result;
    QStringList line;
    for (const QString& heading : table.headings)
        line << convert(textCell(heading));
    result += line.join(separator) + lineEnd;
    for (const auto& row : table.rows) {
        line.clear();
        for (const ChartTable::Cell& cell : row)
            line << convert(cell);
        result += line.join(separator) + lineEnd;
    }
    return result;
}

} // namespace

ChartTable::Cell textCell(const QString& text)
{
    return {text, text};
}

ChartTable::Cell numberCell(double value, int digits)
{
    if (std::isnan(value))
        return missingCell();
    return {QLocale::c().toString(value, 'g', digits), value};
}

ChartTable::Cell missingCell()
{
    return {QStringLiteral("—"), {}};
}

ChartTable::Cell numberCell(const std::optional<double>& value, int digits)
{
    return value ? numberCell(*value, digits) : missingCell();
}

QByteArray toCsv(const ChartTable& table)
{
    return joined(table, QLatin1Char(','), QStringLiteral("\r\n"), quoted).toUtf8();
}

QString toTsv(const ChartTable& table)
{
    return joined(table, QLatin1Char('\t'), QStringLiteral("\n"), oneCell);
}

Status saveTableCsv(const ChartTable& table, const QString& path)
{
    const auto problem = writeWhole(path, toCsv(table));
    if (!problem)
        return {};
    return Error{ErrorCode::Io,
                 {"The table could not be written to %1: %2; choose another place.",
                  path.toStdString(), problem->toStdString()}};
}

} // namespace ep::ui
