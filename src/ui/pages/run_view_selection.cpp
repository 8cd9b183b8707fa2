// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the selection in the views of a run, as far as the document has loaded it.
#include "pages/run_charts.h"
#include "pages/run_view.h"
#include "widgets/aggregate_selector.h"
#include "widgets/answer_panel.h"
#include "widgets/details_pane.h"

#include "ep/ui/charts/power_timeline.h"
#include "ep/ui/models/component_table_model.h"

#include <QActionGroup>

#include <optional>
#include <span>

namespace ep::ui {

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
