// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/column_layout.h"

#include "theme/design.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

int indexOf(const std::vector<RunColumn>& columns, const QString& id)
{
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].id == id)
            return static_cast<int>(i);
    }
    return -1;
}

} // namespace

void layOutColumns(QHeaderView& header, const std::vector<RunColumn>& columns)
{
    const int character = header.fontMetrics().averageCharWidth();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const int section = static_cast<int>(i);
        const int title = header.fontMetrics().horizontalAdvance(columns[i].title) + 3 * kGrid;
        header.resizeSection(section, std::max(columns[i].width * character + 2 * kGrid, title));
        header.setSectionHidden(section, !columns[i].shown);
    }
}

QByteArray columnLayout(const QHeaderView& header, const std::vector<RunColumn>& columns)
{
    QJsonArray list;
    for (int place = 0; place < header.count(); ++place) {
        const int section = header.logicalIndex(place);
        const bool hidden = header.isSectionHidden(section);
        QJsonObject column{{"id"_L1, columns[static_cast<std::size_t>(section)].id},
                           {"hidden"_L1, hidden}};
        if (!hidden) // hidden columns have no width
            column["width"_L1] = header.sectionSize(section);
        list.append(column);
    }
    const auto sorted = static_cast<std::size_t>(std::max(0, header.sortIndicatorSection()));
    const QJsonObject layout{{"columns"_L1, list},
                             {"sort"_L1, columns[sorted].id},
                             {"ascending"_L1, header.sortIndicatorOrder() == Qt::AscendingOrder}};
    return QJsonDocument(layout).toJson(QJsonDocument::Compact);
}

void restoreColumns(QHeaderView& header, const std::vector<RunColumn>& columns,
                    const QByteArray& layout)
{
    const QJsonObject object = QJsonDocument::fromJson(layout).object();
    int place = 0;
    for (const auto& value : object["columns"_L1].toArray()) {
        const QJsonObject column = value.toObject();
        const int section = indexOf(columns, column["id"_L1].toString());
        if (section < 0)
            continue;
        header.moveSection(header.visualIndex(section), place++);
        header.setSectionHidden(section, column["hidden"_L1].toBool());
        if (const int width = column["width"_L1].toInt(); width > 0)
            header.resizeSection(section, width);
    }
    if (const int section = indexOf(columns, object["sort"_L1].toString()); section >= 0)
        header.setSortIndicator(
            section, object["ascending"_L1].toBool() ? Qt::AscendingOrder : Qt::DescendingOrder);
}

} // namespace ep::ui
