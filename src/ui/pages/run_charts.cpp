// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_charts.h"

#include "pages/breakdown_tab.h"
#include "pages/figures_tab.h"
#include "pages/phases_tab.h"
#include "pages/tokens_tab.h"
#include "text.h"

#include "ep/core/no_layers.h"
#include "ep/ui/terms.h"
#include "ep/viz/token_cost.h"
#include "ep/viz/token_grid.h"

#include <QTabWidget>

namespace ep::ui {

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
    connect(m_figures, &FiguresTab::tariffEdited, this, &RunCharts::tariffEdited);
    connect(m_where, &BreakdownTab::metricChosen, this, &RunCharts::setMetric);
    connect(m_tokens, &TokensTab::metricChosen, this, &RunCharts::setMetric);
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
    m_tokens->setGridEmptyText(noLayers);
    m_phases.setRun(run);
    rebuild();
}

QWidget* RunCharts::tokens() const
{
    return m_tokens;
}

QWidget* RunCharts::figures() const
{
    return m_figures;
}

void RunCharts::setBreakdown(const BreakdownPtr& breakdown)
{
    m_breakdown = breakdown;
    if (m_run && breakdown && breakdown->empty())
        m_tokens->setGridEmptyText(term(whyNoLayers(m_run->info)));
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

void RunCharts::setTariff(const energy::Tariff& tariff)
{
    m_figures->setTariff(tariff);
}

void RunCharts::setQualities(const QualityList& measured)
{
    m_figures->setQualities(measured);
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
    m_tokens->setMetric(m_metric);
    m_phases.setMetric(m_metric);
    m_tokens->setCosts(m_run ? std::make_shared<const viz::TokenCosts>(
                           viz::buildTokenCosts(*m_run, m_breakdown.get(), m_metric))
                             : nullptr);
    m_tokens->setGrid(m_run && m_breakdown && !m_breakdown->empty()
                          ? std::make_shared<const viz::TokenGrid>(
                              viz::buildTokenGrid(*m_run, *m_breakdown, m_metric))
                          : nullptr);
}

} // namespace ep::ui
