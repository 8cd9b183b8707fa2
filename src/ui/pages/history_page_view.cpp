// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/history_page.h"
#include "pages/history_trend.h"
#include "report/reports.h"
#include "text.h"

#include "ep/core/utf8.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/models/run_list_model.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QSplitter>
#include <QTableView>
#include <QTextBrowser>

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
    m_details->setObjectName(u"historyDetails"_s);
    m_details->setAccessibleName(tr("The selected run"));
    m_details->setOpenLinks(false);
    auto* beside = new QSplitter(Qt::Horizontal, this);
    beside->addWidget(m_table);
    beside->addWidget(m_details);
    beside->setStretchFactor(0, 3);
    beside->setStretchFactor(1, 1);
    beside->setSizes({900, 300});
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
    // The list may have changed when the chart is laid out again.
    m_trend->setBuilder([runs = m_runs, shown = shownRuns()](double width, double height) {
        return trendOf(shown, width, height);
    });
}

void HistoryPage::showDetails()
{
    const RunSummary* run = selectedRun();
    if (!run) {
        m_details->setHtml(u"<p>"_s + tr("Select a run to see its details.") + u"</p>"_s);
        return;
    }
    HtmlPage page(previewUtf8(run->info.title.empty() ? run->info.prompt : run->info.title, 60),
                  HtmlPage::Charts::Image);
    constexpr std::size_t kMostText = 2000;
    page.subheading(tr("Prompt").toStdString());
    page.paragraph(previewUtf8(run->info.prompt, kMostText));
    page.subheading(tr("Response").toStdString());
    page.paragraph(previewUtf8(run->info.response, kMostText));
    if (!run->info.notes.empty()) {
        page.subheading(tr("Notes").toStdString());
        page.paragraph(run->info.notes);
    }
    if (run->info.power.quality) {
        page.subheading(tr("Power samples").toStdString());
        page.paragraph(std::string(name(run->info.power.quality->verdict)));
        page.list(run->info.power.quality->reasons);
    }
    page.subheading(tr("Manifest").toStdString());
    page.table({}, manifestOf(run->info), true);
    m_details->document()->setDefaultStyleSheet(
        u"h1 { font-size: large; } h3 { font-size: medium; } td { padding-right: 8px; }"_s);
    m_details->setHtml(toQString(page.body()));
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
