// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/cards_tab.h"
#include "pages/column_layout.h"
#include "pages/history_page.h"
#include "pages/history_trend.h"
#include "pages/jobs_tab.h"
#include "pages/repeat_table.h"
#include "pages/run_summary_pane.h"
#include "pages/totals_tab.h"
#include "text.h"
#include "widgets/empty_state.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/models/run_list_model.h"

#include <QAction>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

// The list, the panes next to and below it, and files dropped on it.
namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString kRepeats = u"repeats"_s; // stored in the settings, like the ids of groupings

} // namespace

// What rows stand for; empty: the list has one row per run.
QString HistoryPage::grouping() const
{
    return m_foldRepeats->isChecked() ? m_groupBy->currentData().toString() : QString();
}

void HistoryPage::setGrouping(const QString& id)
{
    const int index = m_groupBy->findData(id);
    if (index >= 0)
        m_groupBy->setCurrentIndex(index);
    m_foldRepeats->setChecked(index >= 0);
}

void HistoryPage::buildTable()
{
    m_table->setObjectName(u"historyTable"_s);
    m_table->setAccessibleName(tr("Stored runs"));
    m_table->setModel(m_filtered);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(m_model->columnOf(u"date"), Qt::DescendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(
        std::max(24, m_table->fontMetrics().height() + 8));
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    layOutColumns(*header, m_model->columns());
    m_table->viewport()->installEventFilter(this);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::customContextMenuRequested, this, &HistoryPage::showHeaderMenu);
    connect(m_table, &QTableView::activated, this, &HistoryPage::openSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &HistoryPage::updateState);
}

QWidget* HistoryPage::buildDetails()
{
    m_trend->setObjectName(u"historyTrend"_s);
    m_trend->setAccessibleName(tr("Energy per token over time"));
    m_trend->setVisible(false);
    addExportActions(*m_trend, u"trend"_s);
    connect(m_trend, &SceneView::linkActivated, this, &HistoryPage::openRequested);
    m_lists->addWidget(m_table);
    m_lists->addWidget(buildGroups());
    m_lists->addWidget(m_unmatched);
    for (QWidget* view : std::initializer_list<QWidget*>{m_jobs, m_cards, m_totals})
        m_lists->addWidget(view);
    connect(m_jobs, &JobsTab::openRequested, this, &HistoryPage::openRequested);
    connect(m_cards, &CardsTab::measureRequested, this, &HistoryPage::paysRequested);
    connect(this, &HistoryPage::shownRunsChanged, this, [this] {
        m_jobs->setRuns(m_runs, shownRuns());
        m_totals->setRuns(m_runs, shownRuns());
    });
    auto* beside = new QSplitter(Qt::Horizontal, this);
    beside->setObjectName(u"historySplitter"_s);
    beside->addWidget(m_lists);
    beside->addWidget(m_details);
    beside->setStretchFactor(0, 3);
    beside->setStretchFactor(1, 1);
    beside->setSizes({900, 300});
    beside->setCollapsible(0, false);
    auto* above = new QSplitter(Qt::Vertical, this);
    above->addWidget(beside);
    above->addWidget(m_trend);
    above->setStretchFactor(0, 3);
    above->setStretchFactor(1, 1);
    return above;
}

QWidget* HistoryPage::buildGroups()
{
    m_groupBy = new QComboBox(this);
    m_groupBy->setObjectName(u"historyGroupBy"_s);
    m_groupBy->setAccessibleName(tr("Group by"));
    m_groupBy->addItem(tr("Repeats of a setting"), kRepeats);
    for (const GroupBy& by : groupings())
        m_groupBy->addItem(groupingTitle(by), toQString(by.id));
    connect(m_groupBy, &QComboBox::currentIndexChanged, this, &HistoryPage::foldRepeatsChanged);
    auto* groups = new QWidget(this);
    auto* column = new QVBoxLayout(groups);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("Group by"), groups);
    label->setBuddy(m_groupBy);
    row->addWidget(label);
    row->addWidget(m_groupBy);
    row->addStretch();
    column->addLayout(row);
    column->addWidget(m_repeats, 1);
    return groups;
}

void HistoryPage::showHeaderMenu(const QPoint& position)
{
    QHeaderView* header = m_table->horizontalHeader();
    auto* menu = new QMenu(this);
    menu->setObjectName(u"historyColumns"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < m_model->columnCount(); ++column) {
        QAction* action = menu->addAction(
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        action->setEnabled(column
                           != m_model->columnOf(u"date")); // one column always remains clickable
        connect(action, &QAction::toggled, header,
                [header, column](bool shown) { header->setSectionHidden(column, !shown); });
    }
    menu->popup(header->mapToGlobal(position));
}

void HistoryPage::stretchPrompt()
{
    QHeaderView* header = m_table->horizontalHeader();
    const int prompt = m_model->columnOf(u"prompt");
    const int spare = m_table->viewport()->width() - header->length();
    if (header->isSectionHidden(prompt) || (spare <= 0 && m_stretched <= 0))
        return;
    const int extra = std::max(-m_stretched, spare); // never narrower than the user made it
    m_stretched += extra;
    header->resizeSection(prompt, header->sectionSize(prompt) + extra);
}

bool HistoryPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        stretchPrompt();
    return QWidget::eventFilter(watched, event);
}

void HistoryPage::drawTrend()
{
    if (m_trend->isHidden())
        return;
    setExportFacts(*m_trend, tr("%1 of History").arg(countText(std::ssize(shownRuns()))));
    // A copy, because the list may change before the chart is laid out again.
    m_trend->setBuilder([runs = m_runs, shown = shownRuns()](double width, double height) {
        return trendOf(shown, width, height);
    });
}

void HistoryPage::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void HistoryPage::dropEvent(QDropEvent* event)
{
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            files << url.toLocalFile();
    }
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    m_repository.importFiles(files);
}

} // namespace ep::ui
