// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"
#include "cost_text.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/token_views.h"
#include "ep/ui/terms.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

TokenGridView::TokenGridView(QWidget* parent)
    : ItemView(parent)
{
    setAccessibleName(tr("Heatmap of tokens and layers"));
    addExportActions(*this, QStringLiteral("tokens-layers"));
}

void TokenGridView::setGrid(std::shared_ptr<const viz::TokenGrid> grid)
{
    m_grid = std::move(grid);
    relayout();
}

void TokenGridView::relayout()
{
    const QFontMetricsF metrics(font());
    viz::WaterfallStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = metrics.height() + 4.0;
    const double legend = scaleLegendHeight(metrics, width());
    m_geometry = m_grid
        ? viz::layoutTokenGrid(*m_grid, {6.0, 6.0, width() - 12.0, height() - 12.0 - legend}, style)
        : viz::TokenGridGeometry{};
    itemsChanged();
    if (controller())
        selectionChanged();
}

viz::TokenGridGeometry::Cell TokenGridView::cellOf(std::size_t item) const
{
    const auto layers = static_cast<std::size_t>(m_geometry.layer_count);
    return {item / layers * m_geometry.tokens_per_column, static_cast<int>(item % layers)};
}

QString TokenGridView::describeItem(std::size_t item) const
{
    const auto cell = cellOf(item);
    const std::size_t last =
        std::min(cell.token + m_geometry.tokens_per_column, m_grid->tokens.size()) - 1;
    const auto& value = m_geometry.values[item];
    const QString tokens = last == cell.token
        ? tr("Token %1").arg(m_grid->tokens[cell.token])
        : tr("Tokens %1 to %2 (mean)").arg(m_grid->tokens[cell.token]).arg(m_grid->tokens[last]);
    return tr("%1, layer %2: %3 %4")
        .arg(tokens)
        .arg(cell.layer)
        .arg(costText(m_grid->metric, value),
             provenanceText(m_grid->metric, value ? m_grid->provenance : Provenance::Missing, false,
                            powerSource()));
}

QRectF TokenGridView::itemRect(std::size_t item) const
{
    return toRectF(m_geometry.cellOf(cellOf(item)));
}

std::optional<std::size_t> TokenGridView::itemAt(viz::Point point) const
{
    const auto cell = m_geometry.hit(point);
    if (!cell)
        return std::nullopt;
    return cell->token / m_geometry.tokens_per_column
        * static_cast<std::size_t>(m_geometry.layer_count)
        + static_cast<std::size_t>(cell->layer);
}

QString TokenGridView::searchableText(std::size_t item) const
{
    const auto cell = cellOf(item);
    QString text = QStringLiteral("layer %1\n").arg(cell.layer);
    if (!controller() || !controller()->run())
        return text;
    const auto& tokens = controller()->run()->trace.tokens;
    const std::size_t end =
        std::min(cell.token + m_geometry.tokens_per_column, m_grid->tokens.size());
    for (std::size_t at = cell.token; at < end; ++at) {
        const auto index = static_cast<std::size_t>(m_grid->tokens[at]);
        if (index < tokens.size())
            text += toQString(tokens[index].text) + QLatin1Char('\n');
    }
    return text;
}

QString TokenGridView::summary() const
{
    return m_grid && !m_grid->empty() ? term(viz::summarize(*m_grid)) : emptyText();
}

void TokenGridView::choose(std::size_t item)
{
    if (!controller())
        return;
    const auto cell = cellOf(item);
    m_choosing = true;
    controller()->selectToken(m_grid->tokens[cell.token]);
    controller()->selectPart(cell.layer);
    m_choosing = false;
}

void TokenGridView::selectionChanged()
{
    if (m_choosing || !m_grid || m_geometry.empty())
        return;
    const auto token = controller()->token();
    const auto layer = controller()->selection().layer;
    int found = -1;
    if (token && layer && *layer < m_grid->layers) {
        const auto at = std::find(m_grid->tokens.begin(), m_grid->tokens.end(), *token);
        if (at != m_grid->tokens.end()) {
            const auto place = static_cast<std::size_t>(at - m_grid->tokens.begin());
            found =
                static_cast<int>(place / m_geometry.tokens_per_column) * m_grid->layers + *layer;
        }
    }
    setCurrentItem(found);
}

void TokenGridView::paintContent(QPainter& painter)
{
    if (m_geometry.empty()) {
        paintEmptyText(painter, emptyText());
        return;
    }
    const QRectF plot = toRectF(m_geometry.plot);
    const double span = m_grid->high - m_grid->low;
    const auto layers = static_cast<std::size_t>(m_geometry.layer_count);
    const double cellWidth = plot.width() / static_cast<double>(m_geometry.columns);
    const double cellHeight = plot.height() / m_geometry.layer_count;
    paintMissing(painter, plot, theme());
    for (std::size_t column = 0; column < m_geometry.columns; ++column) {
        const double left = std::round(plot.left() + cellWidth * static_cast<double>(column));
        const double right = std::round(plot.left() + cellWidth * static_cast<double>(column + 1));
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const auto& value = m_geometry.values[column * layers + layer];
            if (!value)
                continue;
            const double top = std::round(plot.top() + cellHeight * static_cast<double>(layer));
            const double bottom =
                std::round(plot.top() + cellHeight * static_cast<double>(layer + 1));
            const double fraction = span > 0.0 ? (*value - m_grid->low) / span : 0.5;
            painter.fillRect(QRectF(left, top, right - left, bottom - top),
                             theme().scale(std::clamp(fraction, 0.0, 1.0)));
        }
    }
    dimUnmatched(painter);
    const Provenance provenance =
        m_grid->metric == viz::CostMetric::Time ? Provenance::Measured : m_grid->provenance;
    if (m_grid->allMissing()) {
        paintNotice(painter, plot, theme(),
                    tr("%1: — (missing). Select time, or make a run with a power source.")
                        .arg(term(viz::title(m_grid->metric))));
        return;
    }
    paintValueAxis(painter, plot, theme(), m_geometry.layers, AxisSide::Left);
    paintBottomAxis(painter, plot, theme(), m_geometry.tokens);
    viz::ScaleLegend legend;
    legend.low = costText(m_grid->metric, m_grid->low).toStdString();
    legend.high =
        (m_grid->exceeded ? "≥ " : "") + costText(m_grid->metric, m_grid->high).toStdString();
    legend.provenance = provenance;
    if (std::any_of(m_grid->values.begin(), m_grid->values.end(),
                    [](const auto& value) { return !value; }))
        legend.missing = provenanceLabel(Provenance::Missing).toStdString();
    legend.caption = tr("%1 %2; layers down, tokens across")
                         .arg(term(viz::title(m_grid->metric)),
                              provenanceText(m_grid->metric, provenance, false, powerSource()))
                         .toStdString();
    const QFontMetricsF metrics(font());
    const double height = scaleLegendHeight(metrics, width());
    paintScaleLegend(painter, QRectF(6.0, this->height() - height - 2.0, width() - 12.0, height),
                     theme(), legend);
}

ChartTable TokenGridView::table() const
{
    ChartTable table;
    if (!m_grid)
        return table;
    table.headings << tr("Token");
    for (int layer = 0; layer < m_grid->layers; ++layer)
        table.headings << tr("Layer %1 (%2)").arg(layer).arg(toQString(viz::unit(m_grid->metric)));
    for (std::size_t token = 0; token < m_grid->tokens.size(); ++token) {
        auto& row = table.rows.emplace_back();
        row.push_back(numberCell(m_grid->tokens[token]));
        for (int layer = 0; layer < m_grid->layers; ++layer)
            row.push_back(numberCell(m_grid->at(token, layer)));
    }
    return table;
}

// Left and right move by tokens, up and down by layers.
void TokenGridView::keyPressEvent(QKeyEvent* event)
{
    if (m_geometry.empty() || currentItem() < 0
        || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)) {
        ItemView::keyPressEvent(event);
        return;
    }
    const int by = event->key() == Qt::Key_Left ? -m_geometry.layer_count : m_geometry.layer_count;
    const int next = currentItem() + by;
    if (next < 0 || next >= static_cast<int>(itemCount()))
        return;
    setCurrentItem(next);
    choose(static_cast<std::size_t>(next));
}

} // namespace ep::ui
