// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_view.h"

#include "pages/answer_end_bar.h"
#include "pages/record_again.h"
#include "pages/run_charts.h"
#include "pages/run_header.h"
#include "pages/selection_bar.h"
#include "pages/why_tab.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/aggregate_selector.h"
#include "widgets/answer_panel.h"
#include "widgets/details_pane.h"
#include "widgets/metric_selector.h"
#include "widgets/sequence_view.h"
#include "widgets/titled_panel.h"
#include "widgets/token_player.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/no_layers.h"
#include "ep/core/trace_lookup.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/flame_view.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_timeline.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/models/component_table_model.h"
#include "ep/ui/terms.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kNarrowView = 1000; // pixels; narrower charts need the room of the details

} // namespace

RunView::RunView(QWidget* parent)
    : QWidget(parent)
    , m_controller(new SelectionController(this))
    , m_bar(new SelectionBar(*m_controller, this))
    , m_player(new TokenPlayer(*m_controller, this))
    , m_details(new DetailsPane(this))
    , m_aggregates(new AggregateSelector(m_document, this))
    , m_showDetails(
          iconButton(u"analysisDetails"_s, "details"_L1, tr("Show or fold the details"), this))
    , m_views(new QTabWidget(this))
    , m_header(new RunHeader(this))
    , m_answer(new AnswerPanel(this))
    , m_why(new WhyTab(this))
    , m_pipeline(new PipelineView(this))
    , m_power(new PowerTimeline(this))
    , m_largePower(new PowerTimeline(this))
    , m_flame(new FlameView(this))
    , m_tokens(new TokenStreamView(this))
    , m_sequences(new SequenceView(*m_tokens, this))
    , m_metric(new MetricSelector(this))
    , m_reduction(new QActionGroup(this))
    , m_largestFirst(new QAction(tr("Largest Layers First"), this))
    , m_below(new QComboBox(this))
    , m_belowPower(new QStackedWidget(this))
    , m_heatmap(new HeatmapView(this))
    , m_components(new ComponentTableModel(this))
    , m_sorted(new RawSortProxy(this))
    , m_table(new QTableView(this))
    , m_missing(new QLabel(this))
{
    m_views->setObjectName(u"analysisViews"_s);
    m_views->setDocumentMode(true);
    m_views->addTab(buildOverview(), tr("Overview"));
    m_views->addTab(pageOf(u"whyPage"_s, m_why), tr("Why"));
    m_views->addTab(buildTimeline(), tr("Timeline"));
    m_charts = new RunCharts(*m_controller, *m_views, *m_phases, this);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setObjectName(u"analysisSplitter"_s);
    splitter->addWidget(m_views);
    splitter->addWidget(m_details);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    splitter->setCollapsible(0, false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kHalfGrid);
    m_views->setCornerWidget(buildCorner());
    connect(m_aggregates, &AggregateSelector::aggregateChanged, this, &RunView::showChosen);
    m_showDetails->setCheckable(true);
    m_showDetails->setChecked(true);
    connect(m_showDetails, &QToolButton::toggled, this, &RunView::followTab);
    connect(m_views, &QTabWidget::currentChanged, this, &RunView::followTab);
    layout->addWidget(m_header);
    layout->addWidget(splitter, 1);
    layout->addWidget(m_player);
    connectSelection();
    connectDocument();
    coverWhatIsOfOneRun();
    followTab();
    connect(m_charts, &RunCharts::tariffEdited, this, &RunView::tariffEdited);
}

QWidget* RunView::buildOverview()
{
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(buildTimes());
    splitter->addWidget(buildComponents());
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    auto* overview = new QWidget(this);
    auto* column = new QVBoxLayout(overview);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kHalfGrid);
    column->addWidget(m_answer);
    column->addWidget(splitter, 1);
    m_missing->setObjectName(u"runMissing"_s);
    m_missing->setWordWrap(true);
    setMuted(*m_missing);
    column->addWidget(m_missing);
    connect(m_bar, &SelectionBar::annotationsEdited, this, &RunView::annotationsEdited);
    connect(m_answer, &AnswerPanel::placeRequested, this, &RunView::showPlace);
    connect(m_answer, &AnswerPanel::layerRequested, this,
            [this](int layer) { m_controller->selectPart(layer, std::nullopt); });
    connect(m_answer, &AnswerPanel::tokenRequested, m_controller,
            &SelectionController::selectToken);
    connect(m_why, &WhyTab::placeRequested, this, &RunView::showPlace);
    connect(m_why, &WhyTab::baselineRequested, this, &RunView::baselineRequested);
    connect(m_why, &WhyTab::limitsRequested, this, &RunView::limitsRequested);
    connect(m_why, &WhyTab::tryRequested, this, &RunView::tryRequested);
    return overview;
}

void RunView::showExplanation()
{
    const ExplanationPtr& explanation = m_document.explanation();
    if (!m_mean)
        m_answer->setExplanation(explanation);
    findChild<AnswerEndBar*>()->suggestRepetition(
        explanation
        && std::ranges::any_of(explanation->diagnosis.findings, [](const energy::Finding& finding) {
               return finding.cause == energy::Cause::AfterTheAnswer
                   && finding.judgement == energy::Judgement::Named;
           }));
    // Idle power separates what a run adds from what the machine draws anyway.
    m_why->setExplanation(explanation,
                          run() && canRecordAgain(run()->info) && !run()->info.power.baseline);
}

void RunView::setStored(const RunInfo* info)
{
    m_bar->setStored(info != nullptr);
    if (info)
        m_controller->setAnnotations(info->annotations);
}

// Shows the view with the evidence of a cause, and selects the part or phase concerned.
void RunView::showPlace(const energy::CausePlace& place)
{
    const std::string_view chart = place.chart;
    const QWidget* view = chart == "roofline" ? static_cast<QWidget*>(m_why)
        : chart == "power"                    ? m_largePower
        : chart == "tokens"                   ? m_charts->tokens()
        : chart == "phases"                   ? m_belowPower->widget(1)
                                              : m_heatmap;
    for (int i = 0; i < m_views->count(); ++i) {
        QWidget* tab = m_views->widget(i);
        if (tab == view || tab->isAncestorOf(view))
            m_views->setCurrentIndex(i);
    }
    if (chart == "phases")
        m_below->setCurrentIndex(1);
    if (chart == "details")
        m_showDetails->setChecked(true);
    if (place.component)
        m_controller->selectPart(std::nullopt, place.component);
    else if (place.phase)
        m_controller->selectPhase(place.phase);
}

void RunView::setTariff(const energy::Tariff& tariff)
{
    if (tariff == m_tariff)
        return;
    m_tariff = tariff;
    m_charts->setTariff(tariff);
    if (!run())
        return;
    m_header->showRun(*run(), m_tariff);
    showSelection();
}

void RunView::connectSelection()
{
    for (PaintedView* chart :
         std::initializer_list<PaintedView*>{m_pipeline, m_power, m_largePower, m_flame, m_heatmap})
        chart->setController(m_controller);
    m_tokens->setController(m_controller);
    connect(m_controller, &SelectionController::selectionChanged, this, &RunView::followSelection);
    connect(m_charts, &RunCharts::breakdownChanged, this, &RunView::showSelection);
    m_flame->alignWith(m_largePower);
    connect(m_flame, &FlameView::stepsWanted, &m_document, &RunDocument::wantSteps);
    connect(m_heatmap, &HeatmapView::cellActivated, this, &RunView::showOperations);
    connect(m_controller, &SelectionController::pinned, m_details, &DetailsPane::showDetails);
    connect(m_sequences, &SequenceView::sequenceChosen, m_controller, &SelectionController::pin);
    connect(m_metric, &MetricSelector::metricChanged, this,
            [this] { m_controller->setMetric(m_metric->chosen()); });
    connect(m_controller, &SelectionController::metricChanged, this, [this] {
        m_metric->setMetric(m_controller->metric());
        showNodeMetric();
        drawHeatmap();
    });
    connect(m_reduction, &QActionGroup::triggered, this, &RunView::drawHeatmap);
    connect(m_largestFirst, &QAction::toggled, this, &RunView::drawHeatmap);
    connect(m_heatmap, &HeatmapView::currentChanged, this, &RunView::markInTable);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RunView::followTable);
}

void RunView::connectDocument()
{
    connect(&m_document, &RunDocument::energyChanged, this, [this] {
        showEnergy();
        followSelection();
    });
    connect(&m_document, &RunDocument::breakdownChanged, this, &RunView::showBreakdown);
    connect(&m_document, &RunDocument::explanationChanged, this, &RunView::showExplanation);
    connect(&m_document, &RunDocument::qualitiesChanged, this,
            [this] { m_charts->setQualities(m_document.qualities()); });
    connect(&m_document, &RunDocument::excerptChanged, this, &RunView::showChosen);
    connect(&m_document, &RunDocument::stepArrived, this, [this](int token) {
        m_flame->addStep(token, *m_document.step(token));
        showOperations();
    });
}

// Time for the heatmap's time, energy for all of its other metrics.
void RunView::showNodeMetric()
{
    const bool energy = run() && knownEnergy(*run()).energy_mj.has_value();
    m_pipeline->setMetric(energy && m_controller->metric() != viz::HeatmapMetric::TimeMs
                              ? viz::NodeMetric::Energy
                              : viz::NodeMetric::Time);
    m_pipeline->updateGeometry();
}

void RunView::markInTable(int layer, Component component)
{
    if (const auto row = m_components->rowOf(layer, component))
        m_table->setCurrentIndex(m_sorted->mapFromSource(m_components->index(*row, 0)));
}

void RunView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool narrow = width() < kNarrowView;
    if (std::exchange(m_narrow, narrow) != narrow)
        m_showDetails->setChecked(!narrow);
}

void RunView::addToTitle(QWidget* widget)
{
    m_header->addToTitle(widget);
}

void RunView::addBeforeTitle(QWidget* widget)
{
    m_header->addBeforeTitle(widget);
}

void RunView::setRun(const RunPtr& run, const TotalsPtr& totals)
{
    m_document.open(run, totals);
    m_accumulated.reset();
    m_pipeline->setRun(run);
    m_tokens->setRun(run);
    m_sequences->setRun(run);
    m_controller->setRun(run);
    m_charts->setRun(run);
    m_charts->setQualities(nullptr);
    m_details->clearDetails();
    m_stepScale.reset();
    std::vector<ComponentTotal> parts = totals ? *totals
        : run                                  ? totalsOf(run->trace)
                                               : std::vector<ComponentTotal>();
    m_bar->setParts(parts);
    const bool layers = !run || !parts.empty();
    m_parts = std::move(parts);
    m_aggregates->reset();
    setScope(nullptr);
    m_answer->setRun(run, m_parts);
    m_why->setExplanation(nullptr);
    showEnergy();
    m_accumulator.clear();
    m_accumulator.setFacts(run ? factsOf(*run, m_document.lacksSpans()) : viz::HeatmapFacts());
    if (totals)
        m_accumulator.add(*totals);
    else if (run)
        m_accumulator.add(run->trace);
    showChosen();
    if (!run) {
        giveRoomToWhatIsThere(true);
        return;
    }
    for (QWidget* chart : findChildren<QWidget*>()) {
        if (!exportName(*chart).isEmpty())
            setExportFacts(*chart, runLineText(run->info, run->metrics.energy.provenance));
    }
    const bool energy = knownEnergy(*run).energy_mj.has_value();
    m_metric->setEnergyAvailable(energy);
    showNodeMetric();
    for (PowerTimeline* chart : {m_power, m_largePower})
        chart->setEmptyText(tr("This run has no power samples: its power source was “%1”.")
                                .arg(sourceText(run->info.power.source)));
    m_pipeline->setEmptyText(tr("This run has no recorded phases."));
    m_heatmap->setEmptyText(term(whyNoLayers(run->info)));
    m_tokens->setEmptyText(noTokensText(*run));
    giveRoomToWhatIsThere(layers);
    m_header->showRun(*run, m_tariff);
    m_answer->showFigures(*run);
}

void RunView::focusSearch()
{
    m_bar->focusSearch();
}

std::set<std::int32_t> RunView::layers() const
{
    return m_bar->layers();
}

SearchResult RunView::search(const QString& text) const
{
    return m_bar->find(text);
}

} // namespace ep::ui
