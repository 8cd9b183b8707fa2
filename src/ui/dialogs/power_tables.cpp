// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/power_tables.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"

#include <QComboBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

void setCell(QTableWidget& table, int row, int column, const QString& text)
{
    table.setItem(row, column, new QTableWidgetItem(text));
}

// The roles that a user can assign to a column, with their units.
constexpr std::array<std::pair<const char*, const char*>, 9> kChoices{
    {{"ignore", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "not read")},
     {"time", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "time")},
     {"start", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "start of a window")},
     {"length", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "length of a window")},
     {"power", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "power at an instant")},
     {"mean power", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "mean power of a window")},
     {"energy", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "energy of a window")},
     {"counter", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "running total of energy")},
     {"device", QT_TRANSLATE_NOOP("ep::ui::PowerColumnTable", "device")}}};

// Tables are recognised by their headers.
QString keyOf(const std::vector<std::string>& headers)
{
    QStringList names;
    for (const std::string& header : headers)
        names << toQString(header);
    return names.join(u'\n');
}

} // namespace

void setUpTable(QTableWidget& table, const QString& name, const QStringList& titles)
{
    table.setColumnCount(static_cast<int>(titles.size()));
    table.setObjectName(name);
    table.setHorizontalHeaderLabels(titles);
    table.verticalHeader()->hide();
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionMode(QAbstractItemView::NoSelection);
    table.horizontalHeader()->setStretchLastSection(true);
    table.resizeColumnsToContents(); // so that an empty table shows its titles
}

void showRails(QTableWidget& table, const powerlog::Recording& recording)
{
    table.setRowCount(static_cast<int>(recording.rails.size()));
    int row = 0;
    for (const powerlog::RailRecording& rail : recording.rails) {
        setCell(table, row, 0, toQString(rail.name));
        setCell(table, row, 1,
                rail.poor
                    ? toQString(kMissingText)
                    : toQString(formatEnergy(Millijoules{rail.joules * kMillijoulesPerJoule})));
        setCell(table, row, 2, term(powerlog::title(rail.rule)));
        setCell(table, row, 3, QString::number(rail.samples));
        setCell(table, row, 4, toQString(formatDuration(std::llround(rail.covered_s * 1e9))));
        ++row;
    }
    table.resizeColumnsToContents();
}

PowerColumnTable::PowerColumnTable(std::filesystem::path file, QWidget* parent)
    : QTableWidget(parent)
    , m_file(std::move(file))
    , m_headers(powerlog::tableHeaders(m_file))
{
    setUpTable(*this, u"powerColumns"_s, {tr("Column"), tr("Meaning"), tr("Unit")});
    setAccessibleName(tr("Columns"));
}

bool PowerColumnTable::isDescribedIn(const QByteArray& tables) const
{
    return hasHeaders() && QJsonDocument::fromJson(tables).object().contains(keyOf(m_headers));
}

bool PowerColumnTable::mayBeTable() const
{
    if (!hasHeaders() || powerlog::isRecording(m_file))
        return false;
    bool time = false;
    bool value = false;
    for (const powerlog::DescribedColumn& column : powerlog::guessTable(m_file)) {
        time = time || column.role == "time" || column.role == "start";
        value =
            value || column.role == "power" || column.role == "energy" || column.role == "counter";
    }
    return time && value;
}

void PowerColumnTable::showUse(const std::vector<powerlog::ColumnUse>& columns)
{
    setRowCount(static_cast<int>(columns.size()));
    int row = 0;
    for (const powerlog::ColumnUse& column : columns) {
        setCell(*this, row, 0, toQString(column.header));
        setCell(*this, row, 1, term(column.meaning));
        setCell(*this, row, 2, {});
        ++row;
    }
    resizeColumnsToContents();
}

void PowerColumnTable::describe(const QByteArray& tables)
{
    setRowCount(0);
    const auto guess = powerlog::guessTable(m_file);
    std::vector<std::string> headers;
    for (const powerlog::DescribedColumn& column : guess)
        headers.push_back(column.header);
    const auto known = QJsonDocument::fromJson(tables).object().value(keyOf(headers)).toArray();
    setRowCount(static_cast<int>(headers.size()));
    for (int row = 0; row < static_cast<int>(headers.size()); ++row) {
        const powerlog::DescribedColumn& guessed = guess[static_cast<std::size_t>(row)];
        setCell(*this, row, 0, toQString(guessed.header));
        const QJsonObject stored = row < known.size()
            ? known.at(row).toObject()
            : QJsonObject{{u"role"_s, toQString(guessed.role)}};
        auto* role = new QComboBox(this);
        role->setObjectName(u"powerRole%1"_s.arg(row));
        role->setAccessibleName(tr("Meaning"));
        for (const auto& [id, text] : kChoices)
            role->addItem(tr(text), QString::fromLatin1(id));
        role->setCurrentIndex(std::max(0, role->findData(stored.value("role"_L1).toString())));
        setCellWidget(row, 1, role);
        auto* unit = new QComboBox(this);
        unit->setObjectName(u"powerColumnUnit%1"_s.arg(row));
        unit->setAccessibleName(tr("Unit"));
        for (const char* text : {"", "W", "mW", "uW", "kW", "J", "mJ", "Wh", "kWh", "s", "ms"})
            unit->addItem(QString::fromLatin1(text));
        unit->setCurrentText(stored.value("unit"_L1).toString());
        setCellWidget(row, 2, unit);
        connect(role, &QComboBox::activated, this, &PowerColumnTable::changed);
        connect(unit, &QComboBox::activated, this, &PowerColumnTable::changed);
    }
    resizeColumnsToContents();
}

powerlog::Description PowerColumnTable::description() const
{
    powerlog::Description columns;
    for (int row = 0; row < rowCount(); ++row) {
        const auto* role = qobject_cast<QComboBox*>(cellWidget(row, 1));
        const auto* unit = qobject_cast<QComboBox*>(cellWidget(row, 2));
        if (role == nullptr || unit == nullptr)
            continue;
        columns.push_back({item(row, 0)->text().toStdString(),
                           role->currentData().toString().toStdString(),
                           unit->currentText().toStdString()});
    }
    return columns;
}

QByteArray PowerColumnTable::describedIn(const QByteArray& tables) const
{
    QJsonArray columns;
    std::vector<std::string> headers;
    for (const powerlog::DescribedColumn& column : description()) {
        headers.push_back(column.header);
        columns.append(
            QJsonObject{{u"role"_s, toQString(column.role)}, {u"unit"_s, toQString(column.unit)}});
    }
    QJsonObject all = QJsonDocument::fromJson(tables).object();
    all.insert(keyOf(headers), columns);
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

} // namespace ep::ui
