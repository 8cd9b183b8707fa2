// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_view.h"

#include "pages/figures_tab.h"
#include "pages/run_charts.h"
#include "pages/run_header.h"
#include "pages/selection_bar.h"
#include "pages/tokens_tab.h"
#include "pages/why_tab.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/aggregate_selector.h"
#include "widgets/answer_panel.h"
#include "widgets/answer_view.h"
#include "widgets/assembly.h"
#include "widgets/chart_selectors.h"
#include "widgets/column_fit.h"
#include "widgets/details_pane.h"
#include "widgets/fit_to_text.h"
#include "widgets/flow_layout.h"
#include "widgets/sequence_view.h"
#include "widgets/titled_panel.h"
#include "widgets/token_player.h"
#include "widgets/vertical_scroll.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/no_layers.h"
#include "ep/core/trace_lookup.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/flame_view.h"
#include "ep/ui/charts/heatmap_view.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/power_timeline.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/models/component_table_model.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kNarrowView = 1000; // pixels; narrower charts need the room of the details

// A sentence that covers a view for as long as the view has nothing to show about the page's
// subject. The covered view gets no input.
class CoverNote : public QLabel {
public:
    CoverNote(const QString& text, QWidget& covered)
        : QLabel(text, &covered)
    {
        wrapped(named(this, u"coverNote"_s));
        setAlignment(Qt::AlignCenter);
        setMargin(kGrid);
        setAutoFillBackground(true);
        setMuted(*this);
        hide();
        covered.installEventFilter(this);
    }

    void setCovering(bool covering)
    {
        for (QWidget* child : parentWidget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            if (child != this)
                child->setEnabled(!covering); // keeps the keyboard focus out, too
        }
        fit();
        setVisible(covering);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Resize)
            fit();
        return QLabel::eventFilter(watched, event);
    }

private:
    void fit()
    {
        setGeometry(parentWidget()->rect());
        raise();
    }
};

// Adds the means over the heads, then the heads.
void addExtras(ChartDetails& details, const OperationExtras& extras)
{
    for (const OperationFigureFacts& figure : kOperationFigures) {
        const auto mean = figure.of(extras);
        if (!mean)
            continue;
        details.rows.emplace_back(QStringLiteral("  ") + term(figure.title), numberText(mean));
        if (figure.heads == nullptr)
            continue;
        const std::vector<float>& heads = extras.*figure.heads;
        for (std::size_t head = 0; head < heads.size(); ++head)
            details.rows.emplace_back(RunView::tr("   head %1").arg(head),
                                      numberText(static_cast<double>(heads[head])));
    }
    if (extras.expert)
        details.rows.emplace_back(RunView::tr("  expert"), QString::number(*extras.expert));
    if (extras.rows)
        details.rows.emplace_back(RunView::tr("  rows"), QString::number(*extras.rows));
}

// The shown page decides the height of the stack, not the tallest page.
void fitToCurrent(QStackedWidget& pages)
{
    for (int i = 0; i < pages.count(); ++i) {
        QWidget* page = pages.widget(i);
        page->setSizePolicy(page->sizePolicy().horizontalPolicy(),
                            i == pages.currentIndex() ? QSizePolicy::Preferred
                                                      : QSizePolicy::Ignored);
    }
}

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
    , m_views(named(new QTabWidget(this), u"analysisViews"_s))
    , m_header(new RunHeader(this))
    , m_answer(new AnswerPanel(this))
    , m_why(new WhyTab(this))
    , m_pipeline(named(new PipelineView(this), u"pipeline"_s))
    , m_power(named(new PowerTimeline(this), u"runPower"_s))
    , m_largePower(named(new PowerTimeline(this), u"timelinePower"_s))
    , m_flame(named(new FlameView(this), u"spanTimeline"_s))
    , m_tokens(named(new TokenStreamView(this), u"runTokenStream"_s))
    , m_sequences(new SequenceView(*m_tokens, this))
    , m_metric(named(new MetricSelector(this), u"runMetric"_s))
    , m_reduction(new QActionGroup(this))
    , m_largestFirst(named(new QAction(tr("Largest Layers First"), this), u"heatmapLargestFirst"_s))
    , m_below(named(new QComboBox(this), u"timelineBelow"_s, tr("What is below the power")))
    , m_belowPower(new QStackedWidget(this))
    , m_heatmap(named(new HeatmapView(this), u"runHeatmap"_s))
    , m_components(new ComponentTableModel(this))
    , m_sorted(new RawSortProxy(this))
    , m_table(
          named(new QTableView(this), u"componentTable"_s, tr("Layers and components as a table")))
    , m_missing(wrapped(named(new QLabel(this), u"runMissing"_s)))
{
    m_views->setDocumentMode(true);
    m_views->addTab(buildOverview(), tr("Overview"));
    m_views->addTab(pageOf(u"whyPage"_s, m_why), tr("Why"));
    m_views->addTab(buildTimeline(), tr("Timeline"));
    m_charts = new RunCharts(*m_controller, *m_views, *m_phases, this);
    auto* splitter = named(new QSplitter(Qt::Horizontal, this), u"analysisSplitter"_s);
    splitter->addWidget(m_views);
    splitter->addWidget(m_details);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    splitter->setCollapsible(0, false);
    auto* layout = flush(new QVBoxLayout(this));
    layout->setSpacing(kHalfGrid);
    m_views->setCornerWidget(buildCorner());
    connect(m_aggregates, &AggregateSelector::aggregateChanged, this, &RunView::showChosen);
    m_showDetails->setCheckable(true);
    m_showDetails->setChecked(true);
    connect(m_showDetails, &QToolButton::toggled, this, &RunView::followTab);
    connect(m_views, &QTabWidget::currentChanged, this, &RunView::followTab);
    for (QStackedWidget* pages :
         {m_belowPower, m_views->findChild<QStackedWidget*>({}, Qt::FindDirectChildrenOnly)}) {
        connect(pages, &QStackedWidget::currentChanged, this, [pages] { fitToCurrent(*pages); });
        fitToCurrent(*pages);
    }
    addAll(*layout, {m_header, {splitter, 1}, m_player});
    connectSelection();
    connectDocument();
    coverWhatIsOfOneRun();
    followTab();
    connect(m_charts->figures(), &FiguresTab::tariffEdited, this, &RunView::tariffEdited);
}

QWidget* RunView::buildOverview()
{
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    addParts(*splitter, {{buildTimes(), 1}, {buildComponents(), 2}});
    auto* overview = new QWidget(this);
    auto* column = flush(inColumn(overview, {m_answer, {splitter, 1}}));
    column->setSpacing(kHalfGrid);
    setMuted(*m_missing);
    column->addWidget(m_missing);
    connect(m_bar, &SelectionBar::annotationsEdited, this, &RunView::annotationsEdited);
    connect(m_answer, &AnswerPanel::placeRequested, this, &RunView::showPlace);
    connect(m_answer, &AnswerPanel::layerRequested, this,
            [this](int layer) { m_controller->selectPart(layer, std::nullopt); });
    connect(m_answer, &AnswerPanel::tokenRequested, m_controller,
            &SelectionController::selectToken);
    const AnswerView& why = m_why->answer();
    connect(&why, &AnswerView::placeRequested, this, &RunView::showPlace);
    connect(&why, &AnswerView::baselineRequested, this, &RunView::baselineRequested);
    connect(&why, &AnswerView::limitsRequested, this, &RunView::limitsRequested);
    connect(&why, &AnswerView::tryRequested, this,
            [this, &why](int remedy) { Q_EMIT tryRequested(why.explanation(), remedy); });
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
    m_charts->figures()->setTariff(tariff);
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
            [this] { m_charts->figures()->setQualities(m_document.qualities()); });
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
                              ? viz::CostMetric::Energy
                              : viz::CostMetric::Time);
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

void RunView::setRun(const RunPtr& run, const TotalsPtr& totals)
{
    m_document.open(run, totals);
    m_accumulated.reset();
    m_pipeline->setRun(run);
    m_tokens->setRun(run);
    m_sequences->setRun(run);
    m_controller->setRun(run);
    m_charts->setRun(run);
    m_charts->figures()->setQualities(nullptr);
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

// How the charts of a run are arranged in panels.

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
    const bool figures = m_charts && tab == m_charts->figures(); // that tab has all figures
    m_showDetails->setEnabled(!figures);
    const bool details = m_showDetails->isChecked() && !figures;
    m_details->setVisible(details);
    m_answer->setFiguresShown(!details); // the details would repeat the figures
    m_player->setVisible(tab->objectName() == "timelinePage"_L1
                         || (m_charts && tab == m_charts->tokens()));
}

// Builds the selection bar, the choice of an aggregate and the details button beside the tabs.
QWidget* RunView::buildCorner()
{
    auto* corner = new TabCorner(*m_views);
    auto* row = inRow(corner, {{m_bar, 1}, m_aggregates, m_showDetails});
    row->setContentsMargins(kGrid, 0, 0, 0);
    row->setSpacing(kHalfGrid);
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

// All parts of the page show the same: the run, or the mean of its repeats.
void RunView::setScope(const ExcerptPtr& mean)
{
    if (mean == m_mean)
        return;
    m_mean = mean;
    for (QLabel* note : findChildren<QLabel*>(u"coverNote"_s))
        static_cast<CoverNote*>(note)->setCovering(mean != nullptr);
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
    auto* rails = named(new RailMenu(*m_largePower, this), u"railsButton"_s);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(titledPanel(tr("Power"), m_largePower, rails)); // first for the keyboard
    m_below->addItems({tr("Spans"), tr("Power and rails by phase")});
    m_phases = new PhasesTab(*m_controller, this);
    m_belowPower->addWidget(m_flame);
    m_belowPower->addWidget(m_phases);
    connect(m_below, &QComboBox::currentIndexChanged, m_belowPower,
            &QStackedWidget::setCurrentIndex);
    auto* below = new QWidget(this);
    auto* column = flush(new QVBoxLayout(below));
    column->setSpacing(0);
    fitToText(*m_below);
    addAll(*column, {{m_below, 0, Qt::AlignLeft}, {m_belowPower, 1}});
    addParts(*splitter, {{splitter->widget(0), 3}, {below, 2}});
    return pageOf(u"timelinePage"_s, splitter);
}

QWidget* RunView::pageOf(const QString& id, QWidget* content)
{
    auto* page = named(new QWidget(this), id);
    flush(inColumn(page, {content}));
    return page;
}

QWidget* RunView::buildTimes()
{
    auto* scroll = named(new VerticalScroll(m_pipeline, this), u"pipelineScroll"_s);
    scroll->followContent(m_pipeline->leastHeight()); // the page scrolls before the phases do
    auto* splitter = new QSplitter(Qt::Vertical, this);
    QWidget* text = titledPanel(tr("Text"), m_sequences, m_sequences->choice());
    addParts(*splitter,
             {{named(titledPanel(tr("Pipeline"), scroll), u"pipelinePanel"_s), 2},
              {named(titledPanel(tr("Power"), m_power), u"runPowerPanel"_s), 4},
              {named(text, u"runTextPanel"_s), 2}});
    splitter->setSizes({170, 226, 124});
    return splitter;
}

// How the heatmap is drawn, and the table below it, which is folded at first.
QToolButton* RunView::buildDisplay()
{
    auto* button = named(new QToolButton(this), u"heatmapDisplay"_s);
    button->setText(tr("Display"));
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    button->setMenu(menu);
    const auto reduce = [&](const QString& id, const QString& text, viz::CellReduction how) {
        QAction* action = named(menu->addAction(text), id);
        action->setCheckable(true);
        action->setChecked(how == viz::CellReduction::Mean);
        action->setData(static_cast<int>(how));
        m_reduction->addAction(action);
    };
    reduce(u"heatmapMean"_s, tr("Mean of Tokens"), viz::CellReduction::Mean);
    reduce(u"heatmapSum"_s, tr("Sum of Tokens"), viz::CellReduction::Sum);
    menu->addSeparator();
    m_largestFirst->setCheckable(true);
    menu->addAction(m_largestFirst);
    QAction* table =
        named(menu->addAction(tr("Table of Layers and Components")), u"showComponentTable"_s);
    table->setCheckable(true);
    connect(table, &QAction::toggled, m_table, &QWidget::setVisible);
    m_table->hide();
    return button;
}

QWidget* RunView::buildComponents()
{
    m_sorted->setSourceModel(m_components);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // in recorded order until a header is clicked
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    prepareTable(*m_table);
    m_table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    fitColumnsToVisibleRows(*m_table);
    m_table->horizontalHeader()->setSectionResizeMode(ComponentTableModel::Part,
                                                      QHeaderView::Stretch);

    auto* selectors = named(new QWidget(this), u"componentSelectors"_s);
    auto* row = new FlowLayout(selectors, kHalfGrid);
    fitToText(*m_metric);
    row->addWidget(m_metric);
    row->addWidget(buildDisplay());
    auto* splitter = new QSplitter(Qt::Vertical, this);
    addParts(*splitter,
             {{titledPanel(tr("Layers and components"), m_heatmap, selectors), 1}, {m_table, 1}});
    splitter->setSizes({420, 200});
    auto* components = pageOf(u"runComponents"_s, splitter);
    static_cast<QVBoxLayout*>(components->layout())->addStretch(); // the heatmap has a largest size
    return components;
}

viz::HeatmapFacts RunView::factsOf(const Run& run, bool pending)
{
    viz::HeatmapFacts facts;
    if (const auto& baseline = run.info.power.baseline)
        facts.idle = baseline->total_mw;
    facts.depth = run.info.depth;
    facts.pending = pending;
    return facts;
}

void RunView::drawHeatmap()
{
    if (m_accumulator.tokens() == 0 || !run()) {
        m_heatmap->setData(nullptr);
        return;
    }
    auto shown = std::make_shared<viz::HeatmapData>(
        (shownExcerpt() ? m_chosen : m_accumulator).data(m_metric->chosen(), reduction()));
    if (m_largestFirst->isChecked())
        shown->sortRows();
    m_heatmap->setScale(stepScale(*shown));
    m_heatmap->setData(std::move(shown));
}

// Single decoded tokens share one scale, so that colours are comparable while playing.
std::optional<double> RunView::stepScale(const viz::HeatmapData& shown)
{
    const std::optional<int> token = m_controller->token();
    if (!token || *token == 0)
        return std::nullopt;
    return m_stepScale.of(shown);
}

viz::CellReduction RunView::reduction() const
{
    if (!m_controller->selection().time && m_aggregates->aggregate().excerpt
        && m_aggregates->showsTypicalToken())
        return viz::CellReduction::Median;
    return static_cast<viz::CellReduction>(m_reduction->checkedAction()->data().toInt());
}

// Shows the operations of the selected component over the selection. Figures per head are shown
// for a single token only.
void RunView::showOperations()
{
    const viz::Selection& chosen = m_controller->selection();
    if (!run() || run()->info.depth != Depth::Deep || !chosen.layer || !chosen.component)
        return;
    const ExcerptPtr excerpt = shownExcerpt();
    const RunBreakdown* parts = excerpt ? &excerpt->parts : m_charts->breakdown().get();
    if (!parts || (chosen.time && !excerpt))
        return;
    const std::optional<int> token = m_controller->token();
    const RunTrace* step = nullptr;
    if (token) {
        step = run()->trace.operations.empty() ? m_document.step(*token) : &run()->trace;
        if (!step) {
            m_document.wantSteps({*token});
            return;
        }
    }
    ChartDetails details;
    details.title = tr("Operations: %1").arg(selectionText(chosen));
    const Tally whole =
        energy::tallyOf(*parts, {.layer = chosen.layer, .component = chosen.component});
    for (std::size_t i = 0; i < kOperationCount; ++i) {
        const auto operation = static_cast<Operation>(i);
        const Tally sum = energy::tallyOf(
            *parts, {.layer = chosen.layer, .component = chosen.component, .operation = operation});
        if (sum.spans == 0)
            continue;
        QString value = durationText(sum.duration_ns);
        if (whole.duration_ns > 0)
            value += u" · "_s
                + toQString(formatPercent(static_cast<double>(sum.duration_ns)
                                          / static_cast<double>(whole.duration_ns)));
        if (sum.energy_mj)
            value += u" · "_s + (sum.partial() ? u"≥ "_s : QString()) + energyText(sum.energy_mj);
        details.rows.emplace_back(term(viz::title(operation)), value);
        if (!step)
            continue;
        for (const Span& span : operationsOf(*step, *token)) {
            if (span.layer == *chosen.layer && span.component == *chosen.component
                && span.operation == operation && span.extras)
                addExtras(details, *span.extras);
        }
    }
    if (details.rows.empty())
        details.rows.emplace_back(tr("None"), tr("This component has no operations"));
    m_controller->pin(details);
}

void RunView::showBreakdown()
{
    const BreakdownPtr& breakdown = m_document.breakdown();
    m_charts->setBreakdown(breakdown);
    if (!m_accumulator.facts().pending)
        return;
    m_accumulator.setFacts(factsOf(*run(), false));
    m_accumulator.add(std::span(breakdown->extras));
    drawHeatmap();
}

void RunView::showEnergy()
{
    const std::optional<RunEnergy>& energy = m_document.energy();
    if (!energy)
        return;
    m_aggregates->followEnergy();
    m_power->setHistory(energy->history);
    m_largePower->setHistory(energy->history);
}

void RunView::followSelection()
{
    const auto& time = m_controller->selection().time;
    if (!time || !m_document.energy() || m_document.excerpt(*time)) {
        m_document.dropExcerptRequest();
        showChosen();
        return;
    }
    m_document.wantExcerpt(*time);
    if (!m_document.excerpt(*time)) // the answer will come later
        showSelection();
}

void RunView::accumulate(const ExcerptPtr& excerpt)
{
    if (excerpt == m_accumulated)
        return;
    m_accumulated = excerpt;
    m_chosen.clear();
    if (!excerpt)
        return;
    m_chosen.setFacts(factsOf(*run(), false));
    m_chosen.add(std::span(excerpt->totals));
    m_chosen.add(std::span(excerpt->parts.extras));
}

ExcerptPtr RunView::shownExcerpt() const
{
    if (const auto& time = m_controller->selection().time)
        return m_document.excerpt(*time);
    return m_aggregates->aggregate().excerpt;
}

// Shows figures, table and charts of the same selection.
void RunView::showChosen()
{
    const ExcerptPtr shown = shownExcerpt();
    accumulate(shown);
    showSelection();
    const bool time = m_controller->selection().time.has_value();
    m_aggregates->setEnabled(!time);
    setScope(!time && m_aggregates->showsRepeats() ? shown : nullptr);
    m_reduction->setEnabled(!shown || time || !m_aggregates->showsTypicalToken());
    m_charts->setExcerpt(shown, time ? QString() : m_aggregates->aggregate().title);
    m_components->setComponents(shown ? m_chosen : m_accumulator,
                                run() ? run()->info.power.source : std::string());
    const viz::Selection& chosen = m_controller->selection();
    if (chosen.layer && chosen.component) // the rows have been replaced
        markInTable(*chosen.layer, *chosen.component);
    drawHeatmap();
}

void RunView::showSelection()
{
    std::optional<SelectedEnergy> energy;
    if (run() && m_document.energy())
        energy = selectedEnergy(*run(), m_controller->selection(), shownExcerpt().get(),
                                m_charts->breakdown().get());
    if (run()) {
        const ExcerptPtr shown = shownExcerpt();
        const RunInfo& info = shown ? shown->run.info : run()->info;
        if (const auto part = metricsOfPart(*m_controller, energy))
            m_answer->showFigures(info, *part);
        else if (shown)
            m_answer->showFigures(info, shown->run.metrics);
        else if (!m_controller->selection().time) // otherwise the excerpt is still being read
            m_answer->showFigures(*run());
    }
    m_details->showSelection(figuresOf(
        *m_controller, energy, m_document.energy() ? m_document.energy()->history.get() : nullptr,
        m_tariff, m_aggregates->aggregate()));
}

} // namespace ep::ui
