// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/token_views.h"

#include "chart_paint.h"
#include "cost_text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

void TokenGridView::setGrid(std::shared_ptr<const viz::TokenGrid> grid)
{
    m_grid = std::move(grid);
    relayout();
}

void TokenGridView::relayout()
{
    const QFontMetricsF metrics(font());
    const viz::HeatmapStyle style{.char_width = metrics.averageCharWidth(),
                                  .line_height = metrics.height() + 4.0};
    const double legend = scaleLegendHeight(metrics, width());
    m_geometry = m_grid
        ? viz::layoutTokenGrid(*m_grid, {6.0, 6.0, width() - 12.0, height() - 12.0 - legend}, style)
        : viz::TokenGridGeometry{};
    itemsChanged();
    if (controller())
        selectionChanged();
}

viz::GridCell TokenGridView::cellOf(std::size_t item) const
{
    const int index = static_cast<int>(item);
    return {index % m_geometry.rows(), index / m_geometry.rows()};
}

std::pair<std::size_t, std::size_t> TokenGridView::tokensOf(std::size_t item) const
{
    const std::size_t first =
        static_cast<std::size_t>(cellOf(item).column) * m_geometry.tokens_per_column;
    return {first, std::min(first + m_geometry.tokens_per_column, m_grid->tokens.size())};
}

QString TokenGridView::describeItem(std::size_t item) const
{
    const auto [first, end] = tokensOf(item);
    const auto& value = m_geometry.values[item];
    const QString tokens = end - first == 1
        ? tr("Token %1").arg(m_grid->tokens[first])
        : tr("Tokens %1 to %2 (mean)").arg(m_grid->tokens[first]).arg(m_grid->tokens[end - 1]);
    return tr("%1, layer %2: %3 %4")
        .arg(tokens)
        .arg(cellOf(item).row)
        .arg(costText(m_grid->metric, value),
             provenanceText(m_grid->metric, value ? m_grid->provenance : Provenance::Missing, false,
                            powerSource()));
}

QRectF TokenGridView::itemRect(std::size_t item) const
{
    const viz::GridCell cell = cellOf(item);
    return toRectF(m_geometry.cell(cell.row, cell.column));
}

std::optional<std::size_t> TokenGridView::itemAt(viz::Point point) const
{
    const auto cell = m_geometry.hit(point);
    if (!cell)
        return std::nullopt;
    return static_cast<std::size_t>(cell->column * m_geometry.rows() + cell->row);
}

QString TokenGridView::searchableText(std::size_t item) const
{
    QString text = QStringLiteral("layer %1\n").arg(cellOf(item).row);
    if (!controller() || !controller()->run())
        return text;
    const auto& tokens = controller()->run()->trace.tokens;
    const auto [first, end] = tokensOf(item);
    for (std::size_t at = first; at < end; ++at) {
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
    controller()->selectToken(m_grid->tokens[tokensOf(item).first]);
    controller()->selectPart(cellOf(item).row);
}

void TokenGridView::selectionChanged()
{
    if (choosing() || !m_grid || m_geometry.empty())
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
    paintMissing(painter, plot, theme());
    for (std::size_t item = 0; item < itemCount(); ++item) {
        const auto& value = m_geometry.values[item];
        if (!value)
            continue;
        const double fraction = span > 0.0 ? (*value - m_grid->low) / span : 0.5;
        painter.fillRect(itemRect(item), theme().scale(std::clamp(fraction, 0.0, 1.0)));
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
std::optional<std::size_t> TokenGridView::itemFor(int key) const
{
    if (currentItem() < 0 || (key != Qt::Key_Left && key != Qt::Key_Right))
        return ItemView::itemFor(key);
    const int next = currentItem() + (key == Qt::Key_Left ? -m_geometry.rows() : m_geometry.rows());
    return static_cast<std::size_t>(
        next < 0 || next >= static_cast<int>(itemCount()) ? currentItem() : next);
}

void HistogramView::setCosts(TokenCostsPtr costs)
{
    m_costs = std::move(costs);
    m_histogram = m_costs ? viz::buildHistogram(*m_costs) : viz::TokenHistogram{};
    relayout();
}

void HistogramView::setThreshold(std::optional<double> value)
{
    if (m_threshold == value)
        return;
    m_threshold = value;
    contentChanged();
}

void HistogramView::relayout()
{
    const viz::WaterfallStyle style = waterfallStyle(QFontMetricsF(font()));
    m_geometry = m_costs ? viz::layoutHistogram(
                     m_histogram, m_costs->metric,
                     {0.0, 0.0, static_cast<double>(width()), height() - style.line_height}, style)
                         : viz::HistogramGeometry{};
    itemsChanged();
}

QString HistogramView::describeItem(std::size_t item) const
{
    return tr("%1 to %2: %3 tokens")
        .arg(costText(m_costs->metric, lowOf(item)), costText(m_costs->metric, highOf(item)))
        .arg(m_histogram.classes[item].size());
}

double HistogramView::lowOf(std::size_t item) const
{
    return m_histogram.low + m_histogram.width * static_cast<double>(item);
}

double HistogramView::highOf(std::size_t item) const
{
    const bool open = m_histogram.open_end && item + 1 == m_histogram.classes.size();
    return open ? m_histogram.highest : lowOf(item + 1);
}

QRectF HistogramView::itemRect(std::size_t item) const
{
    const viz::Rect& plot = m_geometry.plot;
    const viz::Rect& bar = m_geometry.bars[item];
    return {bar.x, plot.y, bar.width, plot.height};
}

QString HistogramView::summary() const
{
    if (m_geometry.empty())
        return emptyText();
    QString text = tr("Median %1, median deviation %2")
                       .arg(costText(m_costs->metric, m_histogram.median),
                            costText(m_costs->metric, m_histogram.mad));
    if (m_histogram.missing > 0)
        text += tr(", %1 tokens are missing").arg(m_histogram.missing);
    return text;
}

void HistogramView::paintContent(QPainter& painter)
{
    if (m_geometry.empty()) {
        paintEmptyText(painter,
                       m_costs && !m_costs->tokens.empty()
                           ? tr("No decoded token has a value: — (missing).")
                           : emptyText());
        return;
    }
    const QRectF plot = toRectF(m_geometry.plot);
    paintValueAxis(painter, plot, theme(), m_geometry.counts);
    const QColor below = theme().channel(Channel::Cpu);
    const QColor above = theme().channel(Channel::Ane);
    for (std::size_t i = 0; i < m_geometry.bars.size(); ++i) {
        const bool high = m_threshold && lowOf(i) >= *m_threshold - 1e-9 * std::abs(*m_threshold);
        painter.fillRect(toRectF(m_geometry.bars[i]), high ? above : below);
    }
    const auto line = [&](double value, Qt::PenStyle style) {
        const double x = std::floor(m_geometry.toX(m_histogram, value)) + 0.5;
        painter.setPen(QPen(theme().text, 1.5, style));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    };
    line(m_histogram.median, Qt::DotLine);
    if (m_threshold)
        line(*m_threshold, Qt::SolidLine);
    paintBottomAxis(painter, plot, theme(), m_geometry.values);
    const QFontMetricsF metrics(font());
    painter.setPen(theme().mutedText);
    paintElided(
        painter, QRectF(8.0, height() - metrics.height() - 4.0, width() - 16.0, metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter,
        tr("%1 (dotted) · line: threshold · decoded tokens %2")
            .arg(summary(),
                 provenanceText(m_costs->metric, m_costs->provenance, false, powerSource())));
}

ChartTable HistogramView::table() const
{
    ChartTable table;
    if (!m_costs)
        return table;
    const QString unit = toQString(viz::unit(m_costs->metric));
    table.headings << tr("From (%1)").arg(unit) << tr("To (%1)").arg(unit) << tr("Tokens");
    for (std::size_t i = 0; i < m_histogram.classes.size(); ++i) {
        table.rows.push_back({numberCell(lowOf(i)), numberCell(highOf(i)),
                              numberCell(static_cast<double>(m_histogram.classes[i].size()))});
    }
    return table;
}

void TrendView::setCosts(TokenCostsPtr costs)
{
    m_costs = std::move(costs);
    relayout();
}

void TrendView::relayout()
{
    const viz::WaterfallStyle style = waterfallStyle(QFontMetricsF(font()));
    m_geometry = m_costs
        ? viz::layoutTrend(
            *m_costs, {0.0, 0.0, static_cast<double>(width()), height() - style.line_height}, style)
        : viz::TrendGeometry{};
    itemsChanged();
    if (controller())
        selectionChanged();
}

QString TrendView::lineText() const
{
    if (!m_geometry.line)
        return tr("Too few tokens for a regression line.");
    const viz::TrendLine& line = *m_geometry.line;
    const viz::CostMetric metric = m_costs->metric;
    QString text = tr("%1 at position 0, %2 %3 %4 per position, R² %5, %6 tokens")
                       .arg(costText(metric, line.at_zero),
                            line.slope < 0.0 ? QStringLiteral("−") : QStringLiteral("+"),
                            costText(metric, std::abs(line.slope)),
                            intervalText(metric, line.slope_half / kHalfInterval95),
                            QString::number(line.r2, 'f', 2))
                       .arg(line.tokens);
    if (line.left_out > 0)
        text += tr(", %1 anomalies excluded").arg(line.left_out);
    return text;
}

QString TrendView::slopeText() const
{
    if (!m_geometry.line)
        return tr("Too few tokens for a regression line.");
    const viz::TrendLine& line = *m_geometry.line;
    const viz::CostMetric metric = m_costs->metric;
    if (!line.hasClearSlope()) {
        double sum = 0.0;
        for (const viz::TrendGeometry::Dot& dot : m_geometry.dots)
            sum += line.at(m_costs->tokens[dot.token].position);
        return tr("No clear slope: about %1 at each position")
            .arg(costText(metric, sum / static_cast<double>(m_geometry.dots.size())));
    }
    return tr("%1 at position 0, %2 %3 per position")
        .arg(costText(metric, line.at_zero),
             line.slope < 0.0 ? QStringLiteral("−") : QStringLiteral("+"),
             costText(metric, std::abs(line.slope)));
}

QString TrendView::describeItem(std::size_t item) const
{
    const viz::TrendGeometry::Dot& dot = m_geometry.dots[item];
    const viz::TokenCost& token = m_costs->tokens[dot.token];
    QString text = tr("Token %1 at position %2: %3 %4")
                       .arg(token.index)
                       .arg(token.position)
                       .arg(costText(m_costs->metric, token.value),
                            provenanceText(m_costs->metric, token.cost.provenance,
                                           token.cost.partial(), powerSource()));
    if (m_geometry.line)
        text += tr(", the line has %1")
                    .arg(costText(m_costs->metric, m_geometry.line->at(token.position)));
    if (dot.anomalous)
        text += tr("\nAnomaly: its distance from the line has a robust |z| above %1.")
                    .arg(QLocale().toString(viz::kAnomalyZ));
    return text + tr("\nLine: %1").arg(lineText());
}

QRectF TrendView::itemRect(std::size_t item) const
{
    const viz::Point& at = m_geometry.dots[item].at;
    return {at.x - 6.0, at.y - 6.0, 12.0, 12.0};
}

QString TrendView::searchableText(std::size_t item) const
{
    return u'\n' + toQString(m_costs->tokens[m_geometry.dots[item].token].text);
}

void TrendView::choose(std::size_t item)
{
    if (!controller())
        return;
    controller()->selectToken(m_costs->tokens[m_geometry.dots[item].token].index);
}

void TrendView::selectionChanged()
{
    if (choosing() || !m_costs)
        return;
    const auto token = controller()->token();
    int found = -1;
    for (std::size_t i = 0; token && i < m_geometry.dots.size(); ++i)
        if (m_costs->tokens[m_geometry.dots[i].token].index == *token)
            found = static_cast<int>(i);
    setCurrentItem(found);
}

void TrendView::paintContent(QPainter& painter)
{
    if (m_geometry.empty()) {
        paintEmptyText(painter,
                       m_costs && !m_costs->tokens.empty()
                           ? tr("No decoded token has a value: — (missing).")
                           : emptyText());
        return;
    }
    const QRectF plot = toRectF(m_geometry.plot);
    paintValueAxis(painter, plot, theme(), m_geometry.values);
    paintBottomAxis(painter, plot, theme(), m_geometry.positions);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QColor dots = theme().channel(Channel::Cpu);
    dots.setAlphaF(m_geometry.dots.size() > 500 ? 0.35F : 0.8F);
    painter.setBrush(dots);
    for (const auto& dot : m_geometry.dots)
        if (!dot.anomalous && !dot.above)
            painter.drawEllipse(QPointF(dot.at.x, dot.at.y), 2.5, 2.5);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().error, 2.0));
    std::size_t anomalies = 0;
    std::size_t above = 0;
    for (const auto& dot : m_geometry.dots) { // marks a cross, since colour alone is not enough
        anomalies += dot.anomalous ? 1U : 0U;
        if (dot.above) { // an arrow points to where the dot would be
            ++above;
            const QPointF tip(dot.at.x, dot.at.y + 1.0);
            painter.drawPolyline(QPolygonF{tip + QPointF(-4.0, 6.0), tip, tip + QPointF(4.0, 6.0)});
            continue;
        }
        if (!dot.anomalous)
            continue;
        painter.drawLine(QPointF(dot.at.x - 4.0, dot.at.y - 4.0),
                         QPointF(dot.at.x + 4.0, dot.at.y + 4.0));
        painter.drawLine(QPointF(dot.at.x - 4.0, dot.at.y + 4.0),
                         QPointF(dot.at.x + 4.0, dot.at.y - 4.0));
    }
    dimUnmatched(painter);
    if (m_geometry.line) {
        painter.setClipRect(plot);
        painter.setPen(QPen(theme().text, 2.0));
        painter.drawLine(QPointF(m_geometry.line_begin.x, m_geometry.line_begin.y),
                         QPointF(m_geometry.line_end.x, m_geometry.line_end.y));
    }
    painter.restore();
    const QFontMetricsF metrics(font());
    painter.setPen(theme().mutedText);
    QString foot = slopeText();
    if (anomalies > above)
        foot += tr(" · × outliers: %1").arg(anomalies - above);
    if (above > 0)
        foot += tr(" · ∧ above the axis: %1").arg(above);
    foot += tr(" · across: position %1")
                .arg(provenanceText(m_costs->metric, m_costs->provenance, false, powerSource()));
    paintElided(painter,
                QRectF(8.0, height() - metrics.height() - 4.0, width() - 16.0, metrics.height()),
                Qt::AlignLeft | Qt::AlignVCenter, foot);
}

ChartTable TrendView::table() const
{
    ChartTable table;
    if (!m_costs)
        return table;
    table.headings << tr("Token") << tr("Position")
                   << tr("%1 (%2)").arg(term(viz::title(m_costs->metric)),
                                        toQString(viz::unit(m_costs->metric)))
                   << tr("Line") << tr("Anomaly");
    for (const auto& dot : m_geometry.dots) {
        const viz::TokenCost& token = m_costs->tokens[dot.token];
        std::optional<double> line;
        if (m_geometry.line)
            line = m_geometry.line->at(token.position);
        table.rows.push_back({numberCell(token.index), numberCell(token.position),
                              numberCell(token.value), numberCell(line),
                              textCell(dot.anomalous ? tr("yes") : tr("no"))});
    }
    return table;
}

} // namespace ep::ui
