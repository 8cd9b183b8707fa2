// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost_text.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/core/stated_deviation.h"
#include "ep/ui/terms.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kSwatch = 12.0;

// Draws one square and its label at x; false if there is no space.
template <typename PaintSwatch>
bool paintEntry(QPainter& painter, const QRectF& rect, const Theme& theme, double& x,
                const QString& text, PaintSwatch paintSwatch)
{
    const QFontMetricsF metrics(painter.font());
    const double gap = metrics.averageCharWidth();
    const double width = metrics.horizontalAdvance(text) + 2.0;
    if (x + kSwatch + 4.0 + width > rect.right())
        return false;
    paintSwatch(QRectF(x, rect.center().y() - kSwatch / 2.0, kSwatch, kSwatch));
    x += kSwatch + 4.0;
    painter.setPen(theme.text);
    painter.drawText(QRectF(x, rect.top(), width, rect.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
    x += width + 1.5 * gap;
    return true;
}

} // namespace

QString costText(viz::CostMetric metric, std::optional<double> value)
{
    if (!value)
        return QStringLiteral("—");
    return toQString(viz::formatIn(viz::displayUnit(viz::unit(metric), std::abs(*value)), *value));
}

QString intervalText(viz::CostMetric metric, double standardDeviation)
{
    return toQString(formatInterval95(standardDeviation, [metric](double value) {
        return costText(metric, value).toStdString();
    }));
}

QString provenanceText(viz::CostMetric metric, Provenance provenance, bool partial,
                       const std::string& source)
{
    if (metric == viz::CostMetric::Time)
        return translated("(measured)");
    QString text = energyLabel(source, provenance);
    if (partial && provenance != Provenance::Missing)
        text += translated(", partly missing");
    return QLatin1Char('(') + text + QLatin1Char(')');
}

QString costText(viz::CostMetric metric, const Tally& cost, std::optional<Milliwatts> baseline,
                 const std::string& source)
{
    const auto value = viz::valueOf(cost, metric, baseline);
    QString text = value && cost.partial() && metric != viz::CostMetric::Time ? QStringLiteral("≥ ")
                                                                              : QString();
    text += costText(metric, value);
    const auto stated = statedDeviation(cost.sd_mj, cost.provenance);
    if (value && metric != viz::CostMetric::Time && stated)
        text += QLatin1Char(' ') + intervalText(metric, stated->value);
    const Provenance provenance = value ? cost.provenance : Provenance::Missing;
    return text + QLatin1Char(' ') + provenanceText(metric, provenance, cost.partial(), source);
}

Qt::BrushStyle partPattern(RunPart part)
{
    switch (part) {
    case RunPart::Layers:
        return Qt::HorPattern;
    case RunPart::Tokenizer:
        return Qt::VerPattern;
    case RunPart::Other:
        return Qt::CrossPattern;
    case RunPart::Outside:
        return Qt::BDiagPattern;
    default:
        return Qt::SolidPattern;
    }
}

void paintPart(QPainter& painter, const QRectF& rect, const Theme& theme, RunPart part)
{
    const QColor fill = theme.part(part);
    painter.fillRect(rect, fill);
    if (const Qt::BrushStyle pattern = partPattern(part); pattern != Qt::SolidPattern) {
        QColor lines = theme.textOn(fill);
        lines.setAlphaF(0.5F);
        painter.fillRect(rect, QBrush(lines, pattern));
    }
}

double paintPartLegend(QPainter& painter, const QRectF& rect, const Theme& theme,
                       const std::array<bool, kRunPartCount>& shown, Provenance provenance)
{
    double x = rect.left();
    for (const RunPart part : kRunParts) {
        if (!shown[static_cast<std::size_t>(part)])
            continue;
        const bool room =
            paintEntry(painter, rect, theme, x, term(viz::title(part)), [&](const QRectF& swatch) {
                paintPart(painter, swatch, theme, part);
                paintProvenance(painter, swatch, provenance, theme.part(part), theme);
            });
        if (!room)
            break;
    }
    return x - rect.left();
}

double paintPhaseLegend(QPainter& painter, const QRectF& rect, const Theme& theme,
                        const std::array<bool, kPhaseCount>& shown)
{
    double x = rect.left();
    for (std::size_t i = 0; i < kPhaseCount; ++i) {
        const auto phase = static_cast<Phase>(i);
        if (!shown[i])
            continue;
        const bool room =
            paintEntry(painter, rect, theme, x, term(viz::title(phase)),
                       [&](const QRectF& swatch) { painter.fillRect(swatch, theme.phase(phase)); });
        if (!room)
            break;
    }
    return x - rect.left();
}

void paintValueAxis(QPainter& painter, const QRectF& plot, const Theme& theme,
                    std::span<const viz::Tick> ticks, AxisSide side)
{
    const QFontMetricsF metrics(painter.font());
    for (const viz::Tick& tick : ticks) {
        const double y = std::floor(tick.position) + 0.5;
        if (side == AxisSide::LeftWithLines) {
            painter.setPen(QPen(theme.grid, 1.0));
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        }
        painter.setPen(theme.mutedText);
        const QString text = toQString(tick.label);
        const double width = metrics.horizontalAdvance(text) + 2.0;
        const double left =
            side == AxisSide::Right ? plot.right() + 4.0 : plot.left() - width - 4.0;
        painter.drawText(QRectF(left, y - metrics.height() / 2.0, width, metrics.height()),
                         Qt::AlignCenter | Qt::TextSingleLine, text);
    }
}

void paintBottomAxis(QPainter& painter, const QRectF& plot, const Theme& theme,
                     std::span<const viz::Tick> ticks)
{
    const QFontMetricsF metrics(painter.font());
    painter.setPen(QPen(theme.outline, 1.0));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    constexpr double kAxisGap = 6.0; // keeps clear of the lowest label of the values
    double free = plot.left() - 40.0; // right end of the previous label
    for (const viz::Tick& tick : ticks) {
        const QString text = toQString(tick.label);
        const double width = metrics.horizontalAdvance(text) + 2.0;
        // The margin next to the plot leaves space for half a label.
        const double left =
            std::min(tick.position - width / 2.0, plot.right() + kSwatch / 2.0 - width);
        painter.setPen(QPen(theme.outline, 1.0));
        painter.drawLine(QPointF(tick.position, plot.bottom()),
                         QPointF(tick.position, plot.bottom() + 3.0));
        if (left < free)
            continue;
        painter.setPen(theme.mutedText);
        painter.drawText(QRectF(left, plot.bottom() + kAxisGap, width, metrics.height()),
                         Qt::AlignCenter | Qt::TextSingleLine, text);
        free = left + width + metrics.averageCharWidth();
    }
}

} // namespace ep::ui
