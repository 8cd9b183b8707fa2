// SPDX-License-Identifier: GPL-3.0-or-later
// The tensor operations of the component that is selected in a run.
#include "pages/run_charts.h"
#include "pages/run_view.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/core/trace_lookup.h"
#include "ep/ui/terms.h"
#include "ep/viz/part.h"

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

// Adds the means over the heads, then the heads.
void addExtras(ChartDetails& details, const OperationExtras& extras)
{
    const auto addHeads = [&](const QString& name, const std::vector<float>& heads) {
        const auto mean = meanOf(heads);
        if (!mean)
            return;
        details.rows.emplace_back(name, numberText(mean));
        for (std::size_t head = 0; head < heads.size(); ++head)
            details.rows.emplace_back(RunView::tr("   head %1").arg(head),
                                      numberText(static_cast<double>(heads[head])));
    };
    addHeads(RunView::tr("  entropy (nats)"), extras.attention_entropy);
    addHeads(RunView::tr("  largest weight"), extras.max_attention_weight);
    addHeads(RunView::tr("  sparsity"), extras.attention_sparsity);
    const auto add = [&](const QString& name, const std::optional<float>& value) {
        if (value)
            details.rows.emplace_back(name, numberText(static_cast<double>(*value)));
    };
    add(RunView::tr("  kill ratio"), extras.activation_kill_ratio);
    add(RunView::tr("  variance ratio"), extras.variance_ratio);
    if (extras.expert)
        details.rows.emplace_back(RunView::tr("  expert"), QString::number(*extras.expert));
    if (extras.rows)
        details.rows.emplace_back(RunView::tr("  rows"), QString::number(*extras.rows));
}

} // namespace

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
        for (const OperationSpan& span : operationsOf(*step, *token)) {
            if (span.layer == *chosen.layer && span.component == *chosen.component
                && span.operation == operation && span.extras)
                addExtras(details, *span.extras);
        }
    }
    if (details.rows.empty())
        details.rows.emplace_back(tr("None"), tr("This component has no operations"));
    m_controller->pin(details);
}

} // namespace ep::ui
