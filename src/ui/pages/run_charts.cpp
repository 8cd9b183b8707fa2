// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_charts.h"

#include "pages/figures_tab.h"
#include "pages/tokens_tab.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"
#include "widgets/chart_selectors.h"
#include "widgets/flow_layout.h"
#include "widgets/titled_panel.h"

#include "ep/core/no_layers.h"
#include "ep/core/trace_lookup.h"
#include "ep/ui/charts/phase_views.h"
#include "ep/ui/charts/sankey_view.h"
#include "ep/ui/charts/token_views.h"
#include "ep/ui/charts/treemap_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/heatmap.h"
#include "ep/viz/metric.h"
#include "ep/viz/token_cost.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>

#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kTotal = -1;

} // namespace

PhasesTab::PhasesTab(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_power(named(new PhasePowerView(this), u"phasePower"_s))
    , m_rails(named(new RailBarsView(this), u"railBars"_s))
    , m_rail(named(new QComboBox(this), u"phaseRail"_s, tr("Rail")))
    , m_confidence(named(new QDoubleSpinBox(this), u"phaseConfidence"_s,
                         tr("Minimum share of a sample's window inside its phase")))
    , m_energy(named(new QComboBox(this), u"railEnergy"_s, tr("Energy of the rails")))
{
    m_power->setController(&controller);
    m_rails->setController(&controller);
    m_energy->addItem(term(viz::title(viz::CostMetric::Energy)), false);
    m_energy->addItem(term(viz::title(viz::CostMetric::NetEnergy)), true);
    flush(inColumn(this,
                   {{titledPanel(tr("Power by phase"), m_power, buildFilters()), 1},
                    titledPanel(tr("Rails by phase"), m_rails, m_energy)}));
    connect(m_energy, &QComboBox::currentIndexChanged, this,
            [this] { m_rails->setNet(m_energy->currentData().toBool()); });
}

QWidget* PhasesTab::buildFilters()
{
    m_rail->addItem(tr("All rails"), kTotal);
    for (const auto& [rail, words] :
         {std::pair{Rail::Cpu, tr("CPU")}, std::pair{Rail::Gpu, tr("GPU")},
          std::pair{Rail::Ane, tr("ANE")}, std::pair{Rail::Dram, tr("DRAM")},
          std::pair{Rail::System, tr("System")}})
        m_rail->addItem(words, static_cast<int>(rail));
    m_confidence->setToolTip(m_confidence->accessibleName());
    m_confidence->setRange(0.0, 100.0);
    m_confidence->setDecimals(0);
    m_confidence->setSingleStep(10.0);
    m_confidence->setPrefix(tr("in phase ≥ "));
    m_confidence->setSuffix(tr(" %"));
    m_confidence->setSpecialValueText(tr("all samples"));

    auto* filters = new QWidget(this);
    auto* row = new FlowLayout(filters, kGrid);
    auto* shown = named(new QToolButton(filters), u"phasesShown"_s);
    shown->setText(tr("Phases"));
    shown->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(shown);
    shown->setMenu(menu);
    row->addWidget(shown);
    for (std::size_t i = 0; i < kPhaseCount; ++i) {
        const auto phase = static_cast<Phase>(i);
        QAction* choice = named(menu->addAction(term(viz::title(phase))),
                                u"phaseShown_"_s + toQString(name(phase)));
        choice->setCheckable(true);
        choice->setChecked(true);
        connect(choice, &QAction::toggled, this, &PhasesTab::applyFilter);
        m_phases[i] = choice;
    }
    row->addWidget(m_confidence);
    row->addWidget(m_rail);
    connect(m_confidence, &QDoubleSpinBox::valueChanged, this, &PhasesTab::applyFilter);
    connect(m_rail, &QComboBox::currentIndexChanged, this, &PhasesTab::applyFilter);
    return filters;
}

void PhasesTab::applyFilter()
{
    viz::PhasePowerFilter filter;
    for (std::size_t i = 0; i < kPhaseCount; ++i)
        filter.phases[i] = m_phases[i]->isChecked();
    filter.least_confidence = m_confidence->value() / 100.0;
    const int rail = m_rail->currentData().toInt();
    if (rail != kTotal)
        filter.rail = static_cast<Rail>(rail);
    m_power->setFilter(filter);
}

void PhasesTab::setRun(const RunPtr& run)
{
    // Only requests to servers have these phases.
    for (const Phase phase : {Phase::Load, Phase::Queue})
        m_phases[static_cast<std::size_t>(phase)]->setVisible(
            run && findPhase(run->trace, phase) != nullptr);
    m_power->setRun(run);
    m_rails->setRun(run);
}

void PhasesTab::setMetric(viz::CostMetric metric)
{
    m_energy->setCurrentIndex(metric == viz::CostMetric::NetEnergy ? 1 : 0);
}

void PhasesTab::setEmptyText(const QString& text)
{
    m_power->setEmptyText(text);
    m_rails->setEmptyText(text);
}

BreakdownTab::BreakdownTab(SelectionController& controller, QWidget* parent)
    : QWidget(parent)
    , m_metric(named(new CostSelector(this), u"breakdownMetric"_s))
    , m_treemap(named(new TreemapView(this), u"treemap"_s))
    , m_sankey(named(new SankeyView(this), u"sankey"_s))
{
    m_treemap->setController(&controller);
    m_sankey->setController(&controller);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    addParts(*splitter,
             {{titledPanel(tr("Phases, layers, components, operations"), m_treemap, m_metric), 1},
              {titledPanel(tr("Energy flow from input to output"), m_sankey), 1}});
    flush(inColumn(this, {splitter}));
}

void BreakdownTab::setTree(const Run* run, const std::shared_ptr<const viz::CostTree>& tree)
{
    m_metric->setRun(run);
    m_treemap->setTree(tree);
    m_sankey->setTree(tree);
}

void BreakdownTab::setMetric(viz::CostMetric metric)
{
    m_metric->setMetric(metric);
    m_treemap->setMetric(metric);
    m_sankey->setMetric(metric);
}

void BreakdownTab::setEmptyText(const QString& text)
{
    m_treemap->setEmptyText(text);
    m_sankey->setEmptyText(text);
}

RunCharts::RunCharts(SelectionController& controller, QTabWidget& tabs, PhasesTab& phases,
                     QObject* parent)
    : QObject(parent)
    , m_controller(controller)
    , m_where(new BreakdownTab(controller, &tabs))
    , m_tokens(new TokensTab(controller, &tabs))
    , m_phases(phases)
    , m_figures(new FiguresTab(&tabs))
{
    tabs.addTab(m_where, tr("Where It Goes"));
    tabs.addTab(m_tokens, tr("Tokens"));
    tabs.addTab(m_figures, tr("Figures"));
    connect(&m_where->selector(), &CostSelector::metricChosen, this, &RunCharts::setMetric);
    connect(&m_tokens->selector(), &CostSelector::metricChosen, this, &RunCharts::setMetric);
    // The metric, time or energy, is selected for all charts together.
    connect(&m_controller, &SelectionController::metricChanged, this, [this] {
        if (m_controller.metric() == viz::HeatmapMetric::TimeMs)
            setMetric(viz::CostMetric::Time);
        else if (m_controller.metric() == viz::HeatmapMetric::EnergyMj
                 && m_metric == viz::CostMetric::Time)
            setMetric(viz::CostMetric::Energy);
    });
}

void RunCharts::setRun(const RunPtr& run)
{
    m_run = run;
    m_breakdown.reset();
    m_excerpt.reset();
    m_excerptTitle.clear();
    QString empty = tr("No run is open.");
    QString noLayers = tr("Summing the layers…");
    if (run) {
        empty = noTokensText(*run);
        if (run->info.depth == Depth::None)
            noLayers = term(whyNoLayers(run->info));
        m_metric = viz::available(*run, viz::CostMetric::Energy) ? viz::CostMetric::Energy
                                                                 : viz::CostMetric::Time;
        m_phases.setEmptyText(tr("This run has no power samples: its power source was “%1”.")
                                  .arg(sourceText(run->info.power.source)));
    }
    m_where->setEmptyText(empty);
    m_tokens->setEmptyText(empty);
    m_tokens->grid().setEmptyText(noLayers);
    m_phases.setRun(run);
    rebuild();
}

void RunCharts::setBreakdown(const BreakdownPtr& breakdown)
{
    m_breakdown = breakdown;
    if (m_run && breakdown && breakdown->empty())
        m_tokens->grid().setEmptyText(term(whyNoLayers(m_run->info)));
    rebuild();
    Q_EMIT breakdownChanged();
}

void RunCharts::setExcerpt(const ExcerptPtr& excerpt, const QString& title)
{
    if (excerpt == m_excerpt)
        return;
    m_excerpt = excerpt;
    m_excerptTitle = title;
    showWhere();
    showFigures();
}

void RunCharts::showFigures()
{
    if (!m_excerpt || m_excerptTitle.isEmpty())
        return m_figures->setRun(m_run, m_tree);
    m_figures->setRun(RunPtr(m_excerpt, &m_excerpt->run),
                      std::make_shared<const viz::CostTree>(
                          viz::buildCostTree(m_excerpt->run, &m_excerpt->parts)));
}

void RunCharts::showWhere()
{
    std::shared_ptr<const viz::CostTree> shown = m_tree;
    if (m_excerpt) {
        shown = std::make_shared<const viz::CostTree>(viz::buildCostTree(
            m_excerpt->run, &m_excerpt->parts,
            m_excerptTitle.isEmpty()
                ? selectionText(m_controller.selection().withoutPart()).toStdString()
                : m_excerptTitle.toStdString()));
    }
    m_where->setTree(m_run.get(), shown);
}

void RunCharts::rebuild()
{
    m_tree = m_run
        ? std::make_shared<const viz::CostTree>(viz::buildCostTree(*m_run, m_breakdown.get()))
        : nullptr;
    showWhere();
    m_tokens->setRun(m_run.get());
    showFigures();
    showMetric();
}

void RunCharts::setMetric(viz::CostMetric metric)
{
    if (metric == m_metric || (m_run && !viz::available(*m_run, metric)))
        return;
    m_metric = metric;
    showMetric();
    m_controller.setMetric(metric == viz::CostMetric::Time ? viz::HeatmapMetric::TimeMs
                                                           : viz::HeatmapMetric::EnergyMj);
}

void RunCharts::showMetric()
{
    m_where->setMetric(m_metric);
    m_tokens->selector().setMetric(m_metric);
    m_phases.setMetric(m_metric);
    m_tokens->setCosts(m_run ? std::make_shared<const viz::TokenCosts>(
                           viz::buildTokenCosts(*m_run, m_breakdown.get(), m_metric))
                             : nullptr);
    m_tokens->grid().setGrid(m_run && m_breakdown && !m_breakdown->empty()
                                 ? std::make_shared<const viz::TokenGrid>(
                                     viz::buildTokenGrid(*m_run, *m_breakdown, m_metric))
                                 : nullptr);
}

} // namespace ep::ui
