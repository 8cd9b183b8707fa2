// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/history_page.h"

#include "models/run_filter_json.h"
#include "models/run_groups.h"
#include "pages/cards_tab.h"
#include "pages/column_layout.h"
#include "pages/history_dialogs.h"
#include "pages/history_filter_bar.h"
#include "pages/history_trend.h"
#include "pages/jobs_tab.h"
#include "pages/repeat_table.h"
#include "pages/run_summary_pane.h"
#include "pages/totals_tab.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/empty_state.h"
#include "widgets/message_bar.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/scene_view.h"
#include "ep/ui/file_dialog.h"
#include "ep/ui/models/run_list_model.h"
#include "ep/ui/terms.h"

#include <QAction>
#include <QActionGroup>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <tuple>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

// The tool bar's menu takes the tools that do not fit.
void addTool(QToolBar& bar, QAction* action, const QString& id, QLatin1StringView icon,
             bool withText = false)
{
    action->setIcon(lineIcon(icon));
    bar.addAction(action);
    auto* button = static_cast<QToolButton*>(bar.widgetForAction(action));
    button->setObjectName(id);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(action->text());
    button->setToolButtonStyle(withText ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    button->setMinimumHeight(kControlHeight + kHalfGrid);
    button->setMinimumWidth(button->sizeHint().width()); // goes to the menu rather than shrinks
}

} // namespace

HistoryPage::HistoryPage(RunRepository& repository, QWidget* parent)
    : QWidget(parent)
    , m_repository(repository)
    , m_model(new RunListModel(this))
    , m_filtered(new RunFilterProxy(*m_model, this))
    , m_message(named(new MessageBar(this), u"historyMessage"_s))
    , m_search(named(new QLineEdit(this), u"historySearch"_s, tr("Search runs")))
    , m_filterButton(named(new QToolButton(this), u"historyFilter"_s))
    , m_count(named(new QLabel(this), u"historyCount"_s))
    , m_total(named(new QLabel(this), u"historyTotal"_s))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_unmatched(named(new EmptyState(this), u"historyUnmatched"_s))
    , m_table(named(new QTableView(this), u"historyTable"_s, tr("Stored runs")))
    , m_filters(new HistoryFilterBar(this))
    , m_trend(named(new SceneView(this), u"historyTrend"_s, tr("Energy per token over time")))
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
    , m_storage(named(new QAction(tr("Storage…"), this), u"historyStorage"_s))
    , m_delete(new QAction(tr("Delete"), this))
{
    setObjectName(u"historyPage"_s);
    m_model->setTheme(Theme::fromPalette(palette()));
    buildTable();
    buildActions();
    QPushButton* live = named(m_empty->addButton(tr("Make a Run in Live")), u"historyLiveButton"_s);
    connect(live, &QPushButton::clicked, this, &HistoryPage::liveRequested);
    m_unmatched->setText(tr("No run matches"),
                         tr("The search or a filter, possibly of an earlier session, hides all "
                            "runs."));
    QPushButton* clear =
        named(m_unmatched->addButton(tr("Clear Search and Filters")), u"historyClearFilters"_s);
    connect(clear, &QPushButton::clicked, m_filters, &HistoryFilterBar::clear);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildDetails());

    m_message->floatOverParent();
    inColumn(this, {buildToolRow(), m_filters, {m_stack, 1}, buildFooter()});
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
    filter.text.clear(); // the search field shows the text
    const bool filters = filter != RunFilter();
    m_filters->setVisible(m_model->rowCount() > 0 && (m_filtersWanted || filters));
    m_filterButton->setChecked(m_filtersWanted || filters);
}

QLayout* HistoryPage::buildFooter()
{
    m_total->setToolTip(tr("Energy and generated tokens of the runs in the list"));
    return inRow({m_count, Stretch{}, m_total});
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

namespace {

const QString kRepeats = u"repeats"_s; // stored in the settings, like the ids of groupings

} // namespace

// The property by which rows group runs; empty: the list has one row per run.
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
    m_table->setModel(m_filtered);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(m_model->columnOf(u"date"), Qt::DescendingOrder);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    prepareTable(*m_table);
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
    auto* beside = named(new QSplitter(Qt::Horizontal, this), u"historySplitter"_s);
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
    m_groupBy = named(new QComboBox(this), u"historyGroupBy"_s, tr("Group by"));
    m_groupBy->addItem(tr("Repeats of a setting"), kRepeats);
    for (const GroupBy& by : groupings())
        m_groupBy->addItem(groupingTitle(by), toQString(by.id));
    connect(m_groupBy, &QComboBox::currentIndexChanged, this, &HistoryPage::foldRepeatsChanged);
    auto* groups = new QWidget(this);
    auto* column = flush(new QVBoxLayout(groups));
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("Group by"), groups);
    label->setBuddy(m_groupBy);
    addAll(*row, {label, m_groupBy, Stretch{}});
    addAll(*column, {row, {m_repeats, 1}});
    return groups;
}

void HistoryPage::showHeaderMenu(const QPoint& position)
{
    QHeaderView* header = m_table->horizontalHeader();
    auto* menu = named(new QMenu(this), u"historyColumns"_s);
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

// The search field, the tool bar and the actions of the list of runs.

QWidget* HistoryPage::buildToolRow()
{
    m_search->setPlaceholderText(tr("Search prompt, text, model, status, tags"));
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filters->setText(text);
        applyFilter();
    });
    connect(m_filters, &HistoryFilterBar::filterChanged, this, &HistoryPage::applyFilter);
    auto* row = new QWidget(this);
    auto* layout = flush(new QHBoxLayout(row));
    m_search->setMinimumWidth(16 * kGrid);
    addAll(*layout, {{m_search, 1}, buildFilterButton(), buildDisplayButton()});
    auto* bar = new QToolBar(row); // actions on the selected runs
    bar->setObjectName(u"historyTools"_s);
    addTool(*bar, m_open, u"historyOpen"_s, "open"_L1, true);
    addTool(*bar, m_compare, u"historyCompare"_s, "compare"_L1, true);
    addTool(*bar, m_report, u"historyReport"_s, "report"_L1);
    addTool(*bar, m_edit, u"historyEdit"_s, "edit"_L1);
    addTool(*bar, m_delete, u"historyDelete"_s, "delete"_L1);
    addTool(*bar, m_exportJson, u"historyExportJson"_s, "export"_L1, true);
    addTool(*bar, m_exportCsv, u"historyExportCsv"_s, "export"_L1, true);
    // The style's arrow is black, which is invisible on a dark window.
    if (auto* more = bar->findChild<QToolButton*>(u"qt_toolbar_ext_button"_s)) {
        more->setIcon(lineIcon("more"_L1));
        more->setAccessibleName(tr("More"));
    }
    layout->addWidget(bar); // only the search gets wider and narrower, so that no tool moves
    return row;
}

QToolButton* HistoryPage::buildFilterButton()
{
    m_filterButton->setText(tr("Filter"));
    m_filterButton->setToolTip(tr("Show or fold the filters"));
    m_filterButton->setCheckable(true);
    m_filterButton->setMinimumHeight(kControlHeight + kHalfGrid);
    connect(m_filterButton, &QToolButton::clicked, this, [this](bool shown) {
        m_filtersWanted = shown;
        updateState();
    });
    return m_filterButton;
}

QToolButton* HistoryPage::buildDisplayButton()
{
    auto* button = named(new QToolButton(this), u"historyDisplay"_s);
    button->setText(tr("Display"));
    button->setToolTip(tr("What the list and the panes next to it show"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMinimumHeight(kControlHeight + kHalfGrid);
    auto* menu = new QMenu(button);
    for (const auto& [id, text] : {std::pair{u"historyViewRuns"_s, tr("Runs")},
                                   std::pair{u"historyViewJobs"_s, tr("Jobs of Several Requests")},
                                   std::pair{u"historyViewCards"_s, tr("Cards")},
                                   std::pair{u"historyViewTotals"_s, tr("Totals")}}) {
        QAction* view = named(menu->addAction(text), id);
        view->setCheckable(true);
        view->setChecked(m_views->actions().isEmpty());
        m_views->addAction(view);
    }
    connect(m_views, &QActionGroup::triggered, this, &HistoryPage::updateState);
    menu->addSeparator();
    for (const auto& [action, id, icon] :
         {std::tuple{m_foldRepeats, u"historyFold"_s, "group"_L1},
          std::tuple{m_showTrend, u"historyTrendAction"_s, "trend"_L1},
          std::tuple{m_showDetails, u"historyDetailsAction"_s, "details"_L1}}) {
        action->setObjectName(id);
        action->setIcon(lineIcon(icon));
        menu->addAction(action);
    }
    menu->addAction(tr("Columns…"), this, [this] { showHeaderMenu({}); });
    menu->addSeparator();
    m_storage->setIcon(lineIcon("storage"_L1));
    menu->addAction(m_storage);
    button->setMenu(menu);
    return button;
}

void HistoryPage::buildActions()
{
    m_delete->setShortcut(QKeySequence::Delete);
    m_delete->setShortcutContext(Qt::WidgetShortcut); // applies to the table only
    auto* copyId = new QAction(tr("Copy ID"), this);
    connect(copyId, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(selectedIds().join(u'\n')); });
    m_table->addActions({m_open, m_compare, m_edit, m_report, m_exportJson, m_exportCsv,
                         m_exportTrace, copyId, m_delete});
    connect(m_compare, &QAction::triggered, this, &HistoryPage::compareSelected);
    connect(m_report, &QAction::triggered, this, &HistoryPage::reportSelected);
    for (QAction* shown : {m_foldRepeats, m_showTrend, m_showDetails})
        shown->setCheckable(true);
    m_foldRepeats->setToolTip(tr("Fold repeats, or runs with a property in common, into one row"));
    connect(m_foldRepeats, &QAction::toggled, this, [this](bool folded) {
        if (folded)
            m_table->clearSelection(); // rows of single runs are hidden now
        foldRepeatsChanged();
    });
    m_showDetails->setChecked(true);
    connect(m_showTrend, &QAction::toggled, this, [this](bool on) {
        m_trend->setVisible(on);
        drawTrend();
    });
    connect(m_showDetails, &QAction::toggled, this, &HistoryPage::updateState);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_open, &QAction::triggered, this, &HistoryPage::openSelected);
    connect(m_exportJson, &QAction::triggered, this,
            [this] { exportSelected(RunRepository::Format::Json); });
    connect(m_exportCsv, &QAction::triggered, this,
            [this] { exportSelected(RunRepository::Format::Csv); });
    connect(m_exportTrace, &QAction::triggered, this,
            [this] { exportSelected(RunRepository::Format::Trace); });
    connect(m_edit, &QAction::triggered, this, &HistoryPage::editSelected);
    connect(m_storage, &QAction::triggered, this, &HistoryPage::showStorage);
    connect(m_delete, &QAction::triggered, this, &HistoryPage::deleteSelected);
}

void HistoryPage::openSelected()
{
    if (const RunSummary* run = selectedRun())
        Q_EMIT openRequested(toQString(run->info.id));
}

void HistoryPage::exportSelected(RunRepository::Format format)
{
    const auto runs = selectedRuns();
    if (runs.size() == 1)
        return exportWithDialog(*this, m_repository, runs.front()->info, format);
    if (runs.empty())
        return;
    askForFolder(
        tr("Export %1").arg(countText(std::ssize(runs))),
        [this, files = exportFiles(runs, suffixOf(format)), format](const QString& folder) {
            for (const ExportFile& file : files)
                m_repository.exportRun(file.run, format, folder + u'/' + file.name);
        });
}

void HistoryPage::askForFolder(const QString& title, std::function<void(const QString&)> chosen)
{
    auto* dialog =
        makeFileDialog(this, title, u"folderDialog"_s,
                       QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, std::move(chosen));
    dialog->open();
}

void HistoryPage::compareSelected()
{
    const QStringList ids = selectedIds();
    if (ids.size() > 1)
        Q_EMIT compareRequested(ids);
}

void HistoryPage::reportSelected()
{
    const RunSummary* run = selectedRun();
    if (!run) {
        const auto files = exportFiles(selectedRuns(), u"html"_s);
        if (!files.empty())
            askForFolder(tr("Save Reports"), [this, files](const QString& folder) {
                for (const ExportFile& file : files)
                    m_repository.saveReport(file.run, folder + u'/' + file.name);
            });
        return;
    }
    saveReportWithDialog(*this, m_repository, run->info);
}

// Deletes without a question, because Undo restores the runs.
void HistoryPage::deleteSelected()
{
    if (const QStringList ids = selectedIds(); !ids.isEmpty())
        m_repository.remove(ids);
}

void HistoryPage::editSelected()
{
    if (const RunSummary* run = selectedRun())
        (new RunEditDialog(m_repository, run->info, this))->open();
}

void HistoryPage::showStorage()
{
    (new StorageDialog(m_repository, m_runs, this))->open();
}

QStringList HistoryPage::completeRuns(const QString& experiment) const
{
    QStringList ids;
    if (!m_runs)
        return ids;
    for (const RunSummary& run : *m_runs) {
        if (run.info.status == RunStatus::Complete && toQString(run.info.experiment) == experiment)
            ids << toQString(run.info.id);
    }
    return ids;
}

void HistoryPage::showExperiment(const QString& name)
{
    m_filters->setFilter({.experiments = {name.toStdString()}});
    applyFilter();
}

} // namespace ep::ui
