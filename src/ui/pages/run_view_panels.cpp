// SPDX-License-Identifier: GPL-3.0-or-later
// How the charts of a run are arranged in panels.
#include "pages/run_charts.h"
#include "pages/run_header.h"
#include "pages/run_view.h"
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

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <initializer_list>
#include <memory>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

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

// The details repeat the figures below the title, and the tab Figures has all of them.
void RunView::showFiguresOnce()
{
    const bool details = m_showDetails->isChecked();
    const bool figures = m_charts && m_views->currentWidget() == m_charts->figures();
    m_showDetails->setEnabled(!figures);
    m_details->setVisible(details && !figures);
    // Keeps the room, so that choosing a tab does not move the tabs.
    m_header->setFiguresShown(!details && !figures, !details);
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
             findChild<QWidget*>(u"timelinePage"_s), m_charts->tokens(), m_charts->phases()})
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
    connect(m_views, &QTabWidget::currentChanged, this, &RunView::showFiguresOnce);
    m_largePower->setObjectName(u"timelinePower"_s);
    auto* rails = new RailMenu(*m_largePower, this);
    rails->setObjectName(u"railsButton"_s);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    m_flame->setObjectName(u"spanTimeline"_s);
    splitter->addWidget(titledPanel(tr("Power"), m_largePower, rails));
    splitter->addWidget(titledPanel(tr("Spans, coloured by their power"), m_flame));
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
    m_pipeline->setMetric(viz::NodeMetric::Energy); // the first metric of the selector
    m_nodeMetric->setObjectName(u"pipelineMetric"_s);
    m_nodeMetric->setAccessibleName(tr("Metric of the pipeline"));
    for (const auto metric : {viz::NodeMetric::Energy, viz::NodeMetric::Time})
        m_nodeMetric->addItem(term(viz::title(metric)), static_cast<int>(metric));
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
    add(u"pipelinePanel"_s, titledPanel(tr("Pipeline"), scroll, m_nodeMetric));
    add(u"runPowerPanel"_s, titledPanel(tr("Power"), m_power));
    add(u"runTextPanel"_s, titledPanel(tr("Text"), m_sequences, m_sequences->choice()));
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 4);
    splitter->setStretchFactor(2, 2);
    splitter->setSizes({140, 318, 62});
    splitter->setChildrenCollapsible(false);
    return splitter;
}

QWidget* RunView::buildComponents()
{
    m_metric->setObjectName(u"runMetric"_s);
    m_reduction->setObjectName(u"runReduction"_s);
    m_reduction->setAccessibleName(tr("How tokens are combined"));
    m_reduction->addItem(tr("Mean of tokens"), static_cast<int>(viz::CellReduction::Mean));
    m_reduction->addItem(tr("Sum of tokens"), static_cast<int>(viz::CellReduction::Sum));
    m_order->setObjectName(u"heatmapOrder"_s);
    m_order->setAccessibleName(tr("Order of the layers"));
    m_order->addItem(tr("Layers in order"));
    m_order->addItem(tr("Largest first"));
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
    for (QComboBox* selector : std::initializer_list<QComboBox*>{m_order, m_reduction, m_metric}) {
        fitToText(*selector);
        row->addWidget(selector);
    }
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(titledPanel(tr("Layers and components"), m_heatmap, selectors));
    splitter->addWidget(m_table);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({420, 110});
    splitter->setChildrenCollapsible(false);
    splitter->setObjectName(u"runComponents"_s);
    return splitter;
}

} // namespace ep::ui
