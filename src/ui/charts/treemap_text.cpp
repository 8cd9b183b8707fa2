// SPDX-License-Identifier: GPL-3.0-or-later
// What the boxes of the treemap are: tool tips, text that can be searched, and table.
#include "cost_text.h"

#include "ep/core/format.h"
#include "ep/ui/charts/treemap_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <algorithm>

namespace ep::ui {

QString TreemapView::describeItem(std::size_t item) const
{
    const viz::TreemapCell& cell = m_geometry.cells[item];
    const viz::CostTree::Node& node = m_tree->nodes[cell.node];
    QStringList path;
    for (const std::size_t step : m_tree->path(cell.node))
        if (step != 0)
            path << term(m_tree->nodes[step].title);
    QString text;
    if (cell.other()) {
        path << tr("%1 others").arg(cell.others.size());
        text = tr("%1: %2").arg(path.join(QStringLiteral(" › ")), costText(m_metric, cell.value));
    } else {
        text = tr("%1: %2").arg(path.join(QStringLiteral(" › ")),
                                costText(m_metric, node.cost, m_tree->baseline, powerSource()));
    }
    text += tr(", %1 of %2")
                .arg(toQString(formatPercent(cell.share)), term(m_tree->nodes[m_root].title));
    if (!cell.other() && m_metric != viz::CostMetric::Time)
        text += tr("\nin %1").arg(
            costText(viz::CostMetric::Time, node.cost, std::nullopt, powerSource()));
    if (cell.other()) {
        QStringList names;
        for (std::size_t i = 0; i < cell.others.size() && i < 6; ++i)
            names << term(m_tree->nodes[cell.others[i]].title);
        text += QLatin1Char('\n') + names.join(QStringLiteral(", "))
            + (cell.others.size() > 6 ? QStringLiteral(", …") : QString());
    }
    return text;
}

// A container is dimmed together with its parts. Parts of a layer or component match with it.
QString TreemapView::searchableText(std::size_t item) const
{
    const viz::TreemapCell& cell = m_geometry.cells[item];
    if (cell.container)
        return {};
    const auto textOf = [this](std::size_t node) {
        const viz::CostTree::Node& of = m_tree->nodes[node];
        QString text = term(of.title);
        if (of.key.component)
            text += QLatin1Char(' ') + toQString(name(*of.key.component));
        if (of.key.operation)
            text += QLatin1Char(' ') + toQString(name(*of.key.operation));
        return text;
    };
    QStringList texts;
    for (const std::size_t node : m_tree->path(cell.node))
        texts << textOf(node);
    for (const std::size_t node : cell.others)
        texts << textOf(node);
    return texts.join(QLatin1Char('\n'));
}

QString TreemapView::summary() const
{
    return m_tree ? term(viz::summarize(*m_tree, m_root, m_metric)) : emptyText();
}

ChartTable TreemapView::table() const
{
    ChartTable table;
    if (!m_tree)
        return table;
    const QString unit = toQString(viz::unit(m_metric));
    table.headings << tr("Part") << tr("Time (ms)")
                   << tr("%1 (%2)").arg(term(viz::title(m_metric)), unit) << tr("Provenance");
    for (std::size_t i = m_root; i < m_tree->nodes.size(); ++i) {
        const auto path = m_tree->path(i);
        if (std::find(path.begin(), path.end(), m_root) == path.end())
            continue;
        QStringList names;
        for (const std::size_t step : path)
            names << term(m_tree->nodes[step].title);
        const Tally& cost = m_tree->nodes[i].cost;
        table.rows.push_back(
            {textCell(names.join(QStringLiteral(" › "))),
             numberCell(toMilliseconds(cost.duration_ns)), numberCell(m_tree->value(i, m_metric)),
             textCell(energyWord(m_metric == viz::CostMetric::Time ? Provenance::Measured
                                                                   : cost.provenance))});
    }
    return table;
}

} // namespace ep::ui
