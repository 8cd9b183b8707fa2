// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"
#include "cost_text.h"

#include "ep/ui/charts/waterfall_view.h"
#include "ep/ui/terms.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr std::size_t kMaxMarkedShare = 4; // marks on more than a quarter would mean nothing

// A diamond, since crosses mark outliers in the chart below.
void paintDiamond(QPainter& painter, const QPointF& centre, const Theme& theme)
{
    constexpr double kArm = 3.5;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawPolygon(QPolygonF{centre + QPointF(0.0, -kArm), centre + QPointF(kArm, 0.0),
                                  centre + QPointF(0.0, kArm), centre + QPointF(-kArm, 0.0)});
    painter.restore();
}

} // namespace

std::size_t WaterfallView::disturbedTokens() const
{
    return static_cast<std::size_t>(
        std::ranges::count(m_costs->tokens, true, &viz::TokenCost::disturbed));
}

bool WaterfallView::marksDisturbed() const
{
    return disturbedTokens() * kMaxMarkedShare <= count();
}

// Hatches the bars after the answer; returns the area they cover.
QRectF WaterfallView::paintAnswerEnd(QPainter& painter, const QRectF& plot) const
{
    const auto end = controller() ? controller()->answerEnd() : std::nullopt;
    if (!end)
        return {};
    for (const viz::WaterfallBar& bar : m_geometry.bars) {
        if (m_costs->tokens[bar.tokens.last - 1].index < *end)
            continue;
        const double left = toRectF(bar.rect).left();
        const QRectF after(left, plot.top(), plot.right() - left, plot.height());
        painter.save();
        painter.setPen(QPen(theme().warning, 2.0));
        painter.drawLine(after.topLeft(), after.bottomLeft());
        painter.fillRect(after, QBrush(theme().warning, Qt::BDiagPattern));
        painter.restore();
        return after;
    }
    return {};
}

void WaterfallView::paintContent(QPainter& painter)
{
    if (m_geometry.empty()) {
        paintEmptyText(painter, emptyText());
        return;
    }
    const viz::CostMetric metric = m_costs->metric;
    const QRectF plot = toRectF(m_geometry.plot);
    if (m_geometry.all_missing) {
        paintMissing(painter, plot, theme());
        paintNotice(painter, plot, theme(),
                    tr("%1: — (missing). Select time, or make a run with a power source.")
                        .arg(term(viz::title(metric))));
        return;
    }
    paintValueAxis(painter, plot, theme(), m_geometry.values);
    paintValueAxis(painter, plot, theme(), m_geometry.sums, AxisSide::Right);
    const auto shown = paintBars(painter, plot);
    dimUnmatched(painter);
    const QRectF after = paintAnswerEnd(painter, plot);
    paintSum(painter);
    paintClipped(painter, plot);
    if (!after.isNull()) // drawn over the line of the sum
        paintNotice(painter, after, theme(), tr("after the answer"));
    paintBottomAxis(painter, plot, theme(), m_geometry.tokens);
    paintCaption(painter, shown);
}

std::array<bool, viz::kPartCount> WaterfallView::paintBars(QPainter& painter,
                                                           const QRectF& plot) const
{
    const bool marked = marksDisturbed();
    std::array<bool, viz::kPartCount> shown{};
    const auto chosen = controller() ? controller()->selection().tokens : std::nullopt;
    for (const viz::WaterfallBar& bar : m_geometry.bars) {
        const QRectF column = toRectF(bar.rect);
        if (!bar.value) {
            paintMissing(painter, column, theme());
            continue;
        }
        const std::int32_t first = m_costs->tokens[bar.tokens.first].index;
        const std::int32_t last = m_costs->tokens[bar.tokens.last - 1].index;
        const bool dimmed =
            chosen && !chosen->empty() && (last < chosen->first || first >= chosen->last);
        painter.setOpacity(dimmed ? 0.35 : 1.0);
        for (const viz::Part part : viz::kParts) {
            const viz::Rect& segment = bar.segments[static_cast<std::size_t>(part)];
            if (segment.empty())
                continue;
            shown[static_cast<std::size_t>(part)] = true;
            paintPart(painter, toRectF(segment), theme(), part);
        }
        if (bar.tokens.size() > 1 && bar.most > bar.least) { // shows the spread within the mean
            const auto toY = [&](double value) {
                return plot.bottom()
                    - plot.height() * std::clamp(value / m_geometry.ceiling, 0.0, 1.0);
            };
            painter.setPen(QPen(theme().text, 1.0));
            const double x = std::floor(column.center().x()) + 0.5;
            painter.drawLine(QPointF(x, toY(bar.least)), QPointF(x, toY(bar.most)));
        }
        painter.setOpacity(1.0);
        if (bar.disturbed && marked) { // above the bar
            constexpr double kAbove = 5.0;
            const double top = bar.clipped ? plot.top() + 3.0 * kAbove : plot.top() + kAbove;
            paintDiamond(painter, QPointF(column.center().x(), std::max(bar.top - kAbove, top)),
                         theme());
        }
    }
    return shown;
}

// Draws an arrow, and the value if there is room for it.
void WaterfallView::paintClipped(QPainter& painter, const QRectF& plot) const
{
    const QFontMetricsF metrics(font());
    double free = plot.left();
    for (const viz::WaterfallBar& bar : m_geometry.bars) {
        if (!bar.clipped)
            continue;
        QPolygonF arrow;
        const QPointF top(toRectF(bar.rect).center().x(), plot.top() + 1.0);
        arrow << top << top + QPointF(-4.0, 6.0) << top + QPointF(4.0, 6.0);
        painter.setPen(QPen(theme().text, 1.0));
        painter.setBrush(theme().surface);
        painter.drawPolygon(arrow);
        const QString value = costText(m_costs->metric, bar.value);
        const QRectF label(top.x() + 6.0, plot.top(), metrics.horizontalAdvance(value) + 4.0,
                           metrics.height());
        if (label.left() < free || label.right() > plot.right())
            continue;
        QColor behind = theme().surface;
        behind.setAlphaF(0.75F);
        painter.fillRect(label, behind);
        painter.setPen(theme().text);
        painter.drawText(label, Qt::AlignCenter | Qt::TextSingleLine, value);
        free = label.right() + 4.0;
    }
}

void WaterfallView::paintSum(QPainter& painter) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPolygonF line;
    for (const viz::Point& point : m_geometry.cumulative)
        line << QPointF(point.x, point.y);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().surface, 4.0));
    painter.drawPolyline(line);
    painter.setPen(QPen(theme().text, 2.0, Qt::DashLine));
    painter.drawPolyline(line);
    painter.restore();
}

QString WaterfallView::captionText() const
{
    const viz::CostMetric metric = m_costs->metric;
    QString caption = tr("– – running sum (right axis) · %1 %2")
                          .arg(term(viz::title(metric)),
                               provenanceText(metric, m_costs->provenance, false, powerSource()));
    const RunPtr run = controller() ? controller()->run() : nullptr;
    if (run && run->info.batch.size() > 1)
        caption += tr(" · per step of %1 sequences").arg(run->info.batch.size());
    if (const std::size_t disturbed = disturbedTokens(); disturbed > 0 && marksDisturbed())
        caption += tr(" · ◆ disturbed by other programs");
    else if (disturbed > 0)
        caption += tr(" · %1 of %2 disturbed by other programs")
                       .arg(disturbed)
                       .arg(m_costs->tokens.size());
    if (m_geometry.tokens_per_bar > 1)
        caption += tr(" · mean of %1 tokens each, line: minimum to maximum")
                       .arg(m_geometry.tokens_per_bar);
    return caption;
}

void WaterfallView::paintCaption(QPainter& painter,
                                 const std::array<bool, viz::kPartCount>& shown) const
{
    const QFontMetricsF metrics(font());
    const QRectF top(8.0, 2.0, width() - 16.0, metrics.height() + 4.0);
    const double used = paintPartLegend(painter, top, theme(), shown, m_costs->provenance);
    const QString caption = captionText();
    painter.setPen(theme().mutedText);
    if (width() < kWide)
        paintElided(painter, top.translated(0.0, top.height()), Qt::AlignLeft | Qt::AlignVCenter,
                    caption);
    else if (top.width() - used > 60.0)
        paintElided(painter, top.adjusted(used, 0.0, 0.0, 0.0), Qt::AlignRight | Qt::AlignVCenter,
                    caption);
}

} // namespace ep::ui
