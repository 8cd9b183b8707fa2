// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/history_page.h"

#include "models/run_filter_json.h"
#include "models/run_groups.h"
#include "pages/cards_tab.h"
#include "pages/column_layout.h"
#include "pages/history_filter_bar.h"
#include "pages/jobs_tab.h"
#include "pages/repeat_table.h"
#include "pages/run_summary_pane.h"
#include "pages/totals_tab.h"
#include "text.h"
#include "widgets/empty_state.h"
#include "widgets/message_bar.h"

#include "ep/ui/charts/scene_view.h"
#include "ep/ui/models/run_list_model.h"
#include "ep/ui/terms.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

HistoryPage::HistoryPage(RunRepository& repository, QWidget* parent)
    : QWidget(parent)
    , m_repository(repository)
    , m_model(new RunListModel(this))
    , m_filtered(new RunFilterProxy(*m_model, this))
    , m_message(new MessageBar(this))
    , m_search(new QLineEdit(this))
    , m_filterButton(new QToolButton(this))
    , m_count(new QLabel(this))
    , m_total(new QLabel(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_unmatched(new EmptyState(this))
    , m_table(new QTableView(this))
    , m_filters(new HistoryFilterBar(this))
    , m_trend(new SceneView(this))
    , m_details(new RunSummaryPane(this))
    , m_repeats(new RepeatTable(this))
    , m_lists(new QStackedWidget(this))
    , m_views(new QActionGroup(this))
    , m_totals(new TotalsTab(this))
    , m_jobs(new JobsTab(repository, this))
    , m_cards(new CardsTab(repository.database(), this))
    , m_foldRepeats(new QAction(tr("Fold Repeats"), this))
    , m_showTrend(new QAction(tr("Trend"), this))
    , m_showDetails(new QAction(tr("Details"), this))
    , m_open(new QAction(tr("Open"), this))
    , m_compare(new QAction(tr("Compare"), this))
    , m_report(new QAction(tr("Save Report…"), this))
    , m_exportJson(new QAction(tr("Export as JSON…"), this))
    , m_exportCsv(new QAction(tr("Export as CSV…"), this))
    , m_exportTrace(new QAction(tr("Export as Trace…"), this))
    , m_edit(new QAction(tr("Edit…"), this))
    , m_storage(new QAction(tr("Storage…"), this))
    , m_delete(new QAction(tr("Delete…"), this))
{
    setObjectName(u"historyPage"_s);
    m_message->setObjectName(u"historyMessage"_s);
    m_model->setTheme(Theme::fromPalette(palette()));
    buildTable();
    buildActions();
    QPushButton* live = m_empty->addButton(tr("Make a Run in Live"));
    live->setObjectName(u"historyLiveButton"_s);
    connect(live, &QPushButton::clicked, this, &HistoryPage::liveRequested);
    m_unmatched->setObjectName(u"historyUnmatched"_s);
    m_unmatched->setText(tr("No run matches"),
                         tr("The search or a filter, possibly of an earlier session, hides all "
                            "runs."));
    QPushButton* clear = m_unmatched->addButton(tr("Clear Search and Filters"));
    clear->setObjectName(u"historyClearFilters"_s);
    connect(clear, &QPushButton::clicked, m_filters, &HistoryFilterBar::clear);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildDetails());

    auto* layout = new QVBoxLayout(this);
    m_message->floatOverParent();
    layout->addWidget(buildToolRow());
    layout->addWidget(m_filters);
    layout->addWidget(m_stack, 1);
    layout->addLayout(buildFooter());
    setAcceptDrops(true);

    connect(m_message, &MessageBar::actionTriggered, this, [this] {
        if (m_message->kind() == MessageBar::Kind::Error)
            m_repository.restoreBackup();
        else
            undo();
    });
    connect(m_repeats, &RepeatTable::groupsSelected, this, &HistoryPage::selectRuns);
    connect(m_repeats, &RepeatTable::runOpened, this, &HistoryPage::openRequested);
    followRepository();
    m_empty->setText(tr("Loading the stored runs…"), {});
    updateState();
}

void HistoryPage::followRepository()
{
    connect(&m_repository, &RunRepository::listed, this, &HistoryPage::showRuns);
    connect(&m_repository, &RunRepository::removed, this, &HistoryPage::showRemoved);
    connect(&m_repository, &RunRepository::noticed, this, [this](const Message& sentence) {
        m_message->showMessage(MessageBar::Kind::Warning, term(sentence));
    });
    connect(&m_repository, &RunRepository::imported, this,
            [this](const QStringList& ids, int skipped) {
                QString text = tr("Imported %1.").arg(countText(ids.size()));
                if (skipped > 0)
                    text += u' ' + tr("Already existed: %1.").arg(countText(skipped));
                m_message->showMessage(MessageBar::Kind::Notice, text);
            });
    connect(&m_repository, &RunRepository::restored, this,
            [this](const QString& backup, const QString& before) {
                m_message->showMessage(
                    MessageBar::Kind::Notice,
                    tr("Restored %1. The database as it was before is %2.").arg(backup, before));
            });
    connect(&m_repository, &RunRepository::unreadable, this,
            [this](const Error& error) { showProblem(term(error.message), true); });
    connect(&m_repository, &RunRepository::exported, this, [this](const QString& path) {
        m_message->showMessage(MessageBar::Kind::Notice, tr("Exported to %1.").arg(path));
    });
}

void HistoryPage::readSettings(const Settings& settings)
{
    restoreColumns(*m_table->horizontalHeader(), m_model->columns(), settings.historyHeader);
    m_showTrend->setChecked(settings.historyTrend);
    m_detailsWanted = settings.historyDetails;
    m_showDetails->setChecked(m_detailsWanted && !m_narrow);
    m_filters->setSavedFilters(settings.savedFilters);
    // In another database, the filter would hide runs for no visible reason.
    if (settings.historyFilterDatabase.isEmpty()
        || settings.historyFilterDatabase == pathText(m_repository.database())) {
        m_filters->setFilter(
            runFilterFromJson(QJsonDocument::fromJson(settings.historyFilter).object()));
        setGrouping(settings.historyGroupBy);
    }
    applyFilter();
}

void HistoryPage::writeSettings(Settings& settings) const
{
    settings.historyHeader = columnLayout(*m_table->horizontalHeader(), m_model->columns());
    settings.historyTrend = m_showTrend->isChecked();
    settings.historyDetails = m_narrow ? m_detailsWanted : m_showDetails->isChecked();
    settings.savedFilters = m_filters->savedFilters();
    settings.historyFilterDatabase = pathText(m_repository.database());
    settings.historyGroupBy = grouping();
    RunFilter filter = m_filters->filter();
    filter.text.clear(); // a search text is not kept
    settings.historyFilter = filter == RunFilter()
        ? QByteArray()
        : QJsonDocument(toJson(filter)).toJson(QJsonDocument::Compact);
}

void HistoryPage::undo()
{
    m_message->clear();
    m_repository.restore(m_removed);
    m_removed.clear();
    Q_EMIT selectionChanged(); // because canUndo() changes
}

std::vector<const RunSummary*> HistoryPage::selectedRuns() const
{
    std::vector<const RunSummary*> runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        runs.push_back(&m_model->run(m_filtered->mapToSource(index).row()));
    return runs;
}

QStringList HistoryPage::selectedIds() const
{
    QStringList ids;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        ids << toQString(m_model->run(m_filtered->mapToSource(index).row()).info.id);
    return ids;
}

const RunSummary* HistoryPage::selectedRun() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.size() == 1 ? &m_model->run(m_filtered->mapToSource(rows.first()).row()) : nullptr;
}

void HistoryPage::resetColumns()
{
    layOutColumns(*m_table->horizontalHeader(), m_model->columns());
    m_stretched = 0;
    stretchPrompt();
}

void HistoryPage::focusSearch()
{
    m_search->setFocus();
    m_search->selectAll();
}

void HistoryPage::showRemoved(const QStringList& ids)
{
    if (!ids.isEmpty())
        m_removed = ids;
    if (ids.isEmpty()) {
        m_message->showMessage(MessageBar::Kind::Notice, tr("There was no run to delete."));
        return;
    }
    m_message->showMessage(MessageBar::Kind::Notice,
                           ids.size() == 1 ? tr("Deleted a run.")
                                           : tr("Deleted %1 runs.").arg(ids.size()),
                           tr("Undo"));
    m_repository.refresh();
}

void HistoryPage::showProblem(const QString& problem, bool restorable)
{
    m_message->showMessage(MessageBar::Kind::Error, problem,
                           restorable ? tr("Restore Backup") : QString());
    if (m_model->rowCount() == 0) {
        m_empty->setText(tr("No runs to show"), {});
        m_stack->setCurrentWidget(m_empty);
    }
}

void HistoryPage::showRuns(const RunList& runs)
{
    const QStringList selected = selectedIds();
    m_runs = runs;
    m_model->setRuns(runs);
    m_filters->setRuns(runs);
    m_empty->setText(tr("No runs yet"), tr("Runs made in Live are listed here."));
    selectRuns(selected);
    foldRepeatsChanged();
    drawTrend();
    updateState();
    Q_EMIT shownRunsChanged();
}

void HistoryPage::setTariff(const energy::Tariff& tariff)
{
    m_totals->setTariff(tariff);
}

void HistoryPage::reloadCards()
{
    m_cards->reload();
}

int HistoryPage::view() const
{
    return std::max(0, static_cast<int>(m_views->actions().indexOf(m_views->checkedAction())));
}

void HistoryPage::selectRuns(const QStringList& ids)
{
    QItemSelection rows;
    for (const QString& id : ids) {
        if (const auto row = m_model->rowOf(id.toStdString())) {
            const QModelIndex index = m_filtered->mapFromSource(m_model->index(*row, 0));
            rows.select(index, index);
        }
    }
    m_table->selectionModel()->select(
        rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void HistoryPage::foldRepeatsChanged()
{
    if (m_foldRepeats->isChecked()) {
        m_repeats->setRuns(shownRuns(), groupingWith(grouping().toStdString()), selectedIds());
    }
    showList();
}

void HistoryPage::showList()
{
    constexpr int kListsOfRuns = 3;
    if (view() > 0)
        m_lists->setCurrentIndex(kListsOfRuns + view() - 1);
    else if (m_filtered->rowCount() == 0)
        m_lists->setCurrentWidget(m_unmatched);
    else
        m_lists->setCurrentIndex(m_foldRepeats->isChecked() ? 1 : 0);
}

void HistoryPage::updateState()
{
    const int all = m_model->rowCount();
    const int shown = m_filtered->rowCount();
    m_stack->setCurrentIndex(all == 0 && view() == 0 ? 0 : 1);
    showList();
    m_count->setText(shown == all ? countText(all) : tr("%1 of %2 runs").arg(shown).arg(all));
    m_total->setText(sumText(shownRuns()));
    showFilters();
    const auto selected = m_table->selectionModel()->selectedRows().size();
    for (QAction* tool : {m_open, m_compare, m_report, m_edit, m_delete, m_exportJson, m_exportCsv})
        tool->setVisible(selected > 0);
    m_details->setVisible(m_showDetails->isChecked() && selected > 0);
    m_open->setEnabled(selected == 1);
    m_edit->setEnabled(selected == 1);
    for (QAction* ofAny : {m_exportJson, m_exportCsv, m_exportTrace, m_report})
        ofAny->setEnabled(selected > 0);
    m_compare->setEnabled(selected > 1);
    m_details->showRuns(selectedRuns(), shownRuns());
    m_delete->setEnabled(selected > 0);
    Q_EMIT selectionChanged();
}

// A filter that hides runs is always in view.
void HistoryPage::showFilters()
{
    RunFilter filter = m_filters->filter();
    filter.text.clear(); // the search shows it
    const bool filters = filter != RunFilter();
    m_filters->setVisible(m_model->rowCount() > 0 && (m_filtersWanted || filters));
    m_filterButton->setChecked(m_filtersWanted || filters);
}

QLayout* HistoryPage::buildFooter()
{
    m_total->setObjectName(u"historyTotal"_s);
    m_total->setToolTip(tr("Energy and generated tokens of the runs in the list"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_count);
    row->addStretch();
    row->addWidget(m_total);
    return row;
}

std::vector<const RunSummary*> HistoryPage::shownRuns() const
{
    std::vector<const RunSummary*> runs;
    for (int row = 0; row < m_filtered->rowCount(); ++row)
        runs.push_back(&m_model->run(m_filtered->mapToSource(m_filtered->index(row, 0)).row()));
    return runs;
}

void HistoryPage::applyFilter()
{
    const RunFilter& filter = m_filters->filter();
    if (const QString text = toQString(filter.text); m_search->text() != text) {
        const QSignalBlocker quiet(m_search);
        m_search->setText(text);
    }
    m_filtered->setFilter(filter);
    foldRepeatsChanged();
    drawTrend();
    updateState();
    Q_EMIT shownRunsChanged();
}

void HistoryPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int kNarrowHistory = 1000; // pixels; narrower windows need the room for columns
    const bool narrow = width() < kNarrowHistory;
    if (std::exchange(m_narrow, narrow) == narrow)
        return;
    if (narrow)
        m_detailsWanted = m_showDetails->isChecked();
    m_showDetails->setChecked(m_detailsWanted && !narrow);
}

void HistoryPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_model->setTheme(Theme::fromPalette(palette()));
}

} // namespace ep::ui
