// SPDX-License-Identifier: GPL-3.0-or-later
// What the heatmap of a run shows, and with which scale.
#include "pages/run_view.h"
#include "widgets/aggregate_selector.h"
#include "widgets/metric_selector.h"

#include "ep/ui/charts/heatmap_view.h"

#include <QAction>
#include <QActionGroup>

#include <utility>

namespace ep::ui {

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

} // namespace ep::ui
