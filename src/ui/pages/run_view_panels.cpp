// SPDX-License-Identifier: GPL-3.0-or-later
// How the charts of a run are arranged in panels.
#include "pages/phases_tab.h"
#include "pages/run_charts.h"
#include "pages/run_view.h"
#include "pages/selection_bar.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/aggregate_selector.h"
#include "widgets/answer_panel.h"
#include "widgets/column_fit.h"
#include "widgets/cover_note.h"
#include "widgets/details_pane.h"
#include "widgets/fit_to_text.h"
#include "widgets/flow_layout.h"
#include "widgets/metric_selector.h"
#include "widgets/rail_menu.h"
#include "widgets/sequence_view.h"
#include "widgets/titled_panel.h"
#include "widgets/token_player.h"
#include "widgets/vertical_scroll.h"

#include "ep/core/no_layers.h"
#include "ep/ui/charts/flame_view.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_timeline.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/models/component_table_model.h"
#include "ep/ui/terms.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <memory>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

namespace {

// Takes the room that the tabs leave in their row.
class TabCorner : public QWidget {
public:
    explicit TabCorner(const QTabWidget& tabs)
        : m_tabs(tabs)
    {
    }

    QSize sizeHint() const override
    {
        const QSize own = QWidget::sizeHint();
        const int left = m_tabs.width() - m_tabs.tabBar()->sizeHint().width() - kGrid;
        return {std::max(minimumSizeHint().width(), left), own.height()};
    }

private:
    const QTabWidget& m_tabs;
};

} // namespace

void RunView::followTable(const QModelIndex& current)
{
    if (!current.isValid())
        return;
    const int row = m_sorted->mapToSource(current).row();
    const Component component = m_components->componentOf(row);
    if (const int layer = m_components->layerOf(row); layer != ComponentTableModel::kAllLayers)
        m_heatmap->setCurrent(layer, component);
    else
        m_controller->selectPart(std::nullopt, component);
}

void RunView::followTab()
{
    const QWidget* tab = m_views->currentWidget();
    const bool figures = m_charts && tab == m_charts->figures(); // it has all of them
    m_showDetails->setEnabled(!figures);
    const bool details = m_showDetails->isChecked() && !figures;
    m_details->setVisible(details);
    m_answer->setFiguresShown(!details); // which would be there twice
    m_player->setVisible(tab->objectName() == "timelinePage"_L1
                         || (m_charts && tab == m_charts->tokens()));
}

// What is selected, and of what, beside the tabs.
QWidget* RunView::buildCorner()
{
    auto* corner = new TabCorner(*m_views);
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(kGrid, 0, 0, 0);
    row->setSpacing(kHalfGrid);
    row->addWidget(m_bar, 1);
    row->addWidget(m_aggregates);
    row->addWidget(m_showDetails);
    return corner;
}

// Without layers, the other charts get the room; one sentence says why there are none.
void RunView::giveRoomToWhatIsThere(bool layers)
{
    const bool tokens = layers || !run()->trace.tokens.empty();
    findChild<QWidget*>(u"runComponents"_s)->setVisible(layers);
    m_sequences->parentWidget()->setVisible(tokens);
    QStringList missing;
    if (!layers)
        missing << term(whyNoLayers(run()->info));
    if (!tokens)
        missing << noTokensText(*run());
    m_missing->setText(missing.join(u' '));
    m_missing->setVisible(!missing.isEmpty());
}

void RunView::coverWhatIsOfOneRun()
{
    const QString text = tr("This is recorded run by run. Choose “Sums of the run” instead of the "
                            "mean to see it of this run.");
    for (QWidget* view : std::initializer_list<QWidget*>{
             findChild<QWidget*>(u"pipelinePanel"_s), findChild<QWidget*>(u"runPowerPanel"_s),
             findChild<QWidget*>(u"runTextPanel"_s), findChild<QWidget*>(u"whyPage"_s),
             findChild<QWidget*>(u"timelinePage"_s), m_charts->tokens()})
        new CoverNote(text, *view);
}

// Whatever the page shows is about the same: the run, or the mean of its repeats.
void RunView::setScope(const ExcerptPtr& mean)
{
    if (mean == m_mean)
        return;
    m_mean = mean;
    for (CoverNote* note : findChildren<CoverNote*>())
        note->setCovering(mean != nullptr);
    if (mean) {
        m_answer->setRun(RunPtr(mean, &mean->run), mean->totals);
        m_answer->setExplanation(
            std::make_shared<const session::Explanation>(session::explainMean(*mean)));
    } else {
        m_answer->setRun(run(), m_parts);
        m_answer->setExplanation(m_document.explanation());
    }
}

QWidget* RunView::buildTimeline()
{
    m_largePower->setObjectName(u"timelinePower"_s);
    auto* rails = new RailMenu(*m_largePower, this);
    rails->setObjectName(u"railsButton"_s);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    m_flame->setObjectName(u"spanTimeline"_s);
    splitter->addWidget(titledPanel(tr("Power"), m_largePower, rails));
    m_below->setObjectName(u"timelineBelow"_s);
    m_below->setAccessibleName(tr("What is below the power"));
    m_below->addItems({tr("Spans, coloured by their power"), tr("Power and rails by phase")});
    m_phases = new PhasesTab(*m_controller, this);
    m_belowPower->addWidget(m_flame);
    m_belowPower->addWidget(m_phases);
    connect(m_below, &QComboBox::currentIndexChanged, m_belowPower,
            &QStackedWidget::setCurrentIndex);
    auto* below = new QWidget(this);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    fitToText(*m_below);
    column->addWidget(m_below, 0, Qt::AlignLeft);
    column->addWidget(m_belowPower, 1);
    splitter->addWidget(below);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    return pageOf(u"timelinePage"_s, splitter);
}

QWidget* RunView::pageOf(const QString& id, QWidget* content)
{
    auto* page = new QWidget(this);
    page->setObjectName(id);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(content);
    return page;
}

QWidget* RunView::buildTimes()
{
    m_pipeline->setObjectName(u"pipeline"_s);
    m_power->setObjectName(u"runPower"_s);
    m_tokens->setObjectName(u"runTokenStream"_s);

    auto* scroll = new VerticalScroll(m_pipeline, this);
    scroll->setObjectName(u"pipelineScroll"_s);
    scroll->followContent(m_pipeline->leastHeight()); // the page scrolls before the phases do
    auto* splitter = new QSplitter(Qt::Vertical, this);
    const auto add = [splitter](const QString& id, QWidget* panel) {
        panel->setObjectName(id);
        splitter->addWidget(panel);
    };
    add(u"pipelinePanel"_s, titledPanel(tr("Pipeline"), scroll));
    add(u"runPowerPanel"_s, titledPanel(tr("Power"), m_power));
    add(u"runTextPanel"_s, titledPanel(tr("Text"), m_sequences, m_sequences->choice()));
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 4);
    splitter->setStretchFactor(2, 2);
    splitter->setSizes({140, 318, 62});
    splitter->setChildrenCollapsible(false);
    return splitter;
}

// How the heatmap is drawn, and the table below it, which is folded at first.
QToolButton* RunView::buildDisplay()
{
    auto* button = new QToolButton(this);
    button->setObjectName(u"heatmapDisplay"_s);
    button->setText(tr("Display"));
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    button->setMenu(menu);
    const auto reduce = [&](const QString& id, const QString& text, viz::CellReduction how) {
        QAction* action = menu->addAction(text);
        action->setObjectName(id);
        action->setCheckable(true);
        action->setChecked(how == viz::CellReduction::Mean);
        action->setData(static_cast<int>(how));
        m_reduction->addAction(action);
    };
    reduce(u"heatmapMean"_s, tr("Mean of Tokens"), viz::CellReduction::Mean);
    reduce(u"heatmapSum"_s, tr("Sum of Tokens"), viz::CellReduction::Sum);
    menu->addSeparator();
    m_largestFirst->setObjectName(u"heatmapLargestFirst"_s);
    m_largestFirst->setCheckable(true);
    menu->addAction(m_largestFirst);
    QAction* table = menu->addAction(tr("Table of Layers and Components"));
    table->setObjectName(u"showComponentTable"_s);
    table->setCheckable(true);
    connect(table, &QAction::toggled, m_table, &QWidget::setVisible);
    m_table->hide();
    return button;
}

QWidget* RunView::buildComponents()
{
    m_metric->setObjectName(u"runMetric"_s);
    m_heatmap->setObjectName(u"runHeatmap"_s);

    m_sorted->setSourceModel(m_components);
    m_table->setObjectName(u"componentTable"_s);
    m_table->setAccessibleName(tr("Layers and components as a table"));
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // in recorded order until a header is clicked
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    fitColumnsToVisibleRows(*m_table);
    m_table->horizontalHeader()->setSectionResizeMode(ComponentTableModel::Part,
                                                      QHeaderView::Stretch);

    auto* selectors = new QWidget(this);
    selectors->setObjectName(u"componentSelectors"_s);
    auto* row = new FlowLayout(selectors, kHalfGrid);
    fitToText(*m_metric);
    row->addWidget(m_metric);
    row->addWidget(buildDisplay());
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(titledPanel(tr("Layers and components"), m_heatmap, selectors));
    splitter->addWidget(m_table);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({420, 200});
    splitter->setChildrenCollapsible(false);
    auto* components = pageOf(u"runComponents"_s, splitter);
    static_cast<QVBoxLayout*>(components->layout())->addStretch(); // the heatmap has a largest size
    return components;
}

} // namespace ep::ui
