// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"
#include "cost_text.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/token_views.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace ep::ui {

HistogramView::HistogramView(QWidget* parent)
    : ItemView(parent)
{
    setAccessibleName(tr("Histogram of the tokens"));
    addExportActions(*this, QStringLiteral("token-histogram"));
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
    const QFontMetricsF metrics(font());
    viz::WaterfallStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = metrics.height() + 4.0;
    const double foot = metrics.height() + 4.0;
    m_geometry = m_costs
        ? viz::layoutHistogram(m_histogram, m_costs->metric,
                               {0.0, 0.0, static_cast<double>(width()), height() - foot}, style)
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

std::optional<std::size_t> HistogramView::itemAt(viz::Point point) const
{
    return m_geometry.hit(point);
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

void HistogramView::choose(std::size_t item)
{
    Q_EMIT thresholdChosen(lowOf(item));
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

} // namespace ep::ui
