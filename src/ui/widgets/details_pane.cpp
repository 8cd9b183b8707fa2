// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/details_pane.h"

#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/ui/rich_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

DetailsPane::DetailsPane(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGrid, 0, 0, 0);
    layout->setSpacing(kHalfGrid);
    m_selection = addPart(u"selectionFigures"_s, tr("Figures of the selection"));
    layout->addSpacing(kGrid);
    m_details = addPart(u"pinnedDetails"_s, tr("Details of the clicked item"));
    m_unpin = iconButton(u"unpinDetails"_s, "clear"_L1, tr("Unpin these details"), this);
    connect(m_unpin, &QToolButton::clicked, this, &DetailsPane::clearDetails);
    addAll(*layout, {{m_unpin, 0, Qt::AlignRight}, Stretch{1}});
    setMinimumWidth(31 * kGrid);
    clearDetails();
}

DetailsPane::Part DetailsPane::addPart(const QString& id, const QString& name)
{
    auto* title = wrapped(new QLabel(this));
    title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    title->setObjectName(id + u"Title"_s);
    auto* table = named(new QTableWidget(0, 2, this), id, name);
    table->setHorizontalHeaderLabels({tr("Property"), tr("Value")});
    table->horizontalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setTabKeyNavigation(false);
    table->setWordWrap(true);
    table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents); // shows all of its rows
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    layout()->addWidget(title);
    layout()->addWidget(table);
    return {title, table};
}

void DetailsPane::fill(const Part& part, const ChartDetails& details)
{
    const bool empty = details.rows.empty();
    part.title->setText(details.title);
    setType(*part.title, TypeSize::Body, !empty);
    part.title->setForegroundRole(empty ? QPalette::PlaceholderText : QPalette::WindowText);
    part.table->setHidden(empty);
    part.table->setRowCount(static_cast<int>(details.rows.size()));
    for (int row = 0; row < part.table->rowCount(); ++row) {
        const ChartDetails::Row& shown = details.rows[static_cast<std::size_t>(row)];
        for (const int column : {0, 1}) {
            const QString& text = column == 0 ? shown.name : shown.value;
            auto* item = new QTableWidgetItem(text);
            // The complete text, which may be truncated in the cell, and its meaning.
            QString tip = richText(text);
            if (!shown.explanation.isEmpty()) {
                tip += u"<br>"_s + richText(shown.explanation);
                item->setData(Qt::AccessibleDescriptionRole, shown.explanation);
            }
            item->setToolTip(tip);
            part.table->setItem(row, column, item);
        }
    }
}

void DetailsPane::showDetails(const ChartDetails& details)
{
    fill(m_details, details);
    m_unpin->setHidden(details.rows.empty());
}

void DetailsPane::clearDetails()
{
    showDetails({tr("Click an item in a chart to pin its details here."), {}});
}

} // namespace ep::ui
