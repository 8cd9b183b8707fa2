// SPDX-License-Identifier: GPL-3.0-or-later
// The search field, the tool bar and the actions of the list of runs.
#include "pages/history_filter_bar.h"
#include "pages/history_page.h"
#include "pages/run_summary_pane.h"
#include "theme/design.h"

#include "ep/ui/charts/scene_view.h"

#include <QAction>
#include <QActionGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

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

QWidget* HistoryPage::buildToolRow()
{
    m_search->setObjectName(u"historySearch"_s);
    m_search->setPlaceholderText(tr("Search prompt, text, model, status, tags"));
    m_search->setAccessibleName(tr("Search runs"));
    m_search->setClearButtonEnabled(true);
    m_count->setObjectName(u"historyCount"_s);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filters->setText(text);
        applyFilter();
    });
    connect(m_filters, &HistoryFilterBar::filterChanged, this, &HistoryPage::applyFilter);
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_search->setMinimumWidth(16 * kGrid);
    layout->addWidget(m_search, 1);
    layout->addWidget(buildFilterButton());
    layout->addWidget(buildDisplayButton());
    auto* bar = new QToolBar(row); // what can be done with the selected runs
    bar->setObjectName(u"historyTools"_s);
    addTool(*bar, m_open, u"historyOpen"_s, "open"_L1, true);
    addTool(*bar, m_compare, u"historyCompare"_s, "compare"_L1, true);
    addTool(*bar, m_report, u"historyReport"_s, "report"_L1);
    addTool(*bar, m_edit, u"historyEdit"_s, "edit"_L1);
    addTool(*bar, m_delete, u"historyDelete"_s, "delete"_L1);
    addTool(*bar, m_exportJson, u"historyExportJson"_s, "export"_L1, true);
    addTool(*bar, m_exportCsv, u"historyExportCsv"_s, "export"_L1, true);
    // The style's arrow is black, which is invisible on a dark window.
    if (auto* more = bar->findChild<QToolButton*>(u"qt_toolbar_ext_button"_s))
        more->setIcon(lineIcon("more"_L1));
    layout->addWidget(bar); // only the search gets wider and narrower, so that no tool moves
    return row;
}

QToolButton* HistoryPage::buildFilterButton()
{
    m_filterButton->setObjectName(u"historyFilter"_s);
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
    auto* button = new QToolButton(this);
    button->setObjectName(u"historyDisplay"_s);
    button->setText(tr("Display"));
    button->setToolTip(tr("What the list shows, and beside it"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMinimumHeight(kControlHeight + kHalfGrid);
    auto* menu = new QMenu(button);
    for (const auto& [id, text] : {std::pair{u"historyViewRuns"_s, tr("Runs")},
                                   std::pair{u"historyViewJobs"_s, tr("Jobs of Several Requests")},
                                   std::pair{u"historyViewCards"_s, tr("Cards")},
                                   std::pair{u"historyViewTotals"_s, tr("Totals")}}) {
        QAction* view = menu->addAction(text);
        view->setObjectName(id);
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
    m_storage->setObjectName(u"historyStorage"_s);
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

} // namespace ep::ui
