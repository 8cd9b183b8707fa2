// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/history_page.h"
#include "pages/history_trend.h"
#include "pages/repeat_table.h"
#include "pages/run_summary_pane.h"
#include "text.h"
#include "widgets/empty_state.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/models/run_list_model.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

// The panes next to and below the list, and files dropped on it.
namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

QWidget* HistoryPage::buildDetails()
{
    m_trend->setObjectName(u"historyTrend"_s);
    m_trend->setAccessibleName(tr("Energy per token over time"));
    m_trend->setVisible(false);
    addExportActions(*m_trend, u"trend"_s);
    connect(m_trend, &SceneView::linkActivated, this, &HistoryPage::openRequested);
    m_lists->addWidget(m_table);
    m_lists->addWidget(m_repeats);
    m_lists->addWidget(m_unmatched);
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

void HistoryPage::drawTrend()
{
    if (m_trend->isHidden())
        return;
    setExportFacts(*m_trend, tr("%1 of History").arg(countText(std::ssize(shownRuns()))));
    // The list may have changed when the chart is laid out again.
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
