// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"
#include "cost_text.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/charts/token_views.h"
#include "ep/ui/terms.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

TrendView::TrendView(QWidget* parent)
    : ItemView(parent)
{
    setAccessibleName(tr("Cost of a token against its position"));
    addExportActions(*this, QStringLiteral("context"));
}

void TrendView::setCosts(TokenCostsPtr costs)
{
    m_costs = std::move(costs);
    relayout();
}

void TrendView::relayout()
{
    const QFontMetricsF metrics(font());
    viz::WaterfallStyle style;
    style.char_width = metrics.averageCharWidth();
    style.line_height = metrics.height() + 4.0;
    const double foot = metrics.height() + 4.0;
    m_geometry = m_costs ? viz::layoutTrend(
                     *m_costs, {0.0, 0.0, static_cast<double>(width()), height() - foot}, style)
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
    QString text = tr("%1 %2 %3 %4 per position, R² %5, %6 tokens")
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
    return tr("%1 %2 %3 per position")
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

std::optional<std::size_t> TrendView::itemAt(viz::Point point) const
{
    return m_geometry.hit(point);
}

QString TrendView::searchableText(std::size_t item) const
{
    return u'\n' + toQString(m_costs->tokens[m_geometry.dots[item].token].text);
}

QString TrendView::summary() const
{
    return m_geometry.empty() ? emptyText() : lineText();
}

void TrendView::choose(std::size_t item)
{
    if (!controller())
        return;
    m_choosing = true;
    controller()->selectToken(m_costs->tokens[m_geometry.dots[item].token].index);
    m_choosing = false;
}

void TrendView::selectionChanged()
{
    if (m_choosing || !m_costs)
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
    for (const auto& dot : m_geometry.dots) { // a cross, since colour alone is not enough
        anomalies += dot.anomalous ? 1U : 0U;
        if (dot.above) { // an arrow points to where it would be
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
