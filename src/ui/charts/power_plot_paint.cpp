// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_paint.h"
#include "power_plot.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/viz/metric.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kSwatchWidth = PowerPlot::kSwatchWidth;
constexpr double kGap = PowerPlot::kGap;

QString powerText(double milliwatts)
{
    return fromUtf8(formatPower(Milliwatts{milliwatts}));
}

// Labels that touch or pass the edges are drawn inside them.
QRectF centredInside(double x, double width, const QRectF& bounds)
{
    const double left =
        std::clamp(x - width / 2.0, bounds.left(), std::max(bounds.left(), bounds.right() - width));
    return {left, bounds.top(), width, bounds.height()};
}

} // namespace

void PowerPlot::drawBackground(QPainter* painter, const QRectF& rect)
{
    painter->fillRect(rect, m_theme.surface);
    painter->setFont(font());
    if (m_data.empty())
        return;
    paintPhases(*painter);
    paintGrid(*painter);
    paintGaps(*painter);
    paintBadges(*painter);
}

void PowerPlot::drawForeground(QPainter* painter, const QRectF&)
{
    painter->setFont(font());
    const QRectF all = viewport()->rect();
    if (m_data.empty()) {
        paintEmpty(*painter, all, m_theme, m_data.emptyText);
    } else {
        paintLineLabels(*painter);
        if (!isBeingExported(*this))
            paintCursor(*painter);
    }
    if (hasFocus() && !isBeingExported(*this))
        paintFocusRing(*painter, all, m_theme);
}

void PowerPlot::paintPhases(QPainter& painter) const
{
    const viz::TimeAxis axis = timeAxis();
    const QFontMetricsF metrics(font());
    for (const PhaseBand& band : m_data.phases) {
        if (band.phase == Phase::Idle)
            continue;
        const double left = std::max(m_plot.left(), axis.toX(band.time.begin_ns));
        const double right = std::min(m_plot.right(), axis.toX(band.time.end_ns));
        if (right < m_plot.left() || left > m_plot.right() || right < left)
            continue;
        const QRectF area(left, m_plot.top(), std::max(1.0, right - left), m_plot.height());
        painter.fillRect(area, m_theme.band(band.phase));
        painter.fillRect(QRectF(area.left(), area.top(), area.width(), 3.0),
                         m_theme.phase(band.phase));
        const QString text = fromUtf8(viz::title(band.phase));
        if (metrics.horizontalAdvance(text) + 2.0 * kGap > area.width())
            continue;
        painter.setPen(m_theme.mutedText);
        // Above the plot, where no line crosses them.
        painter.drawText(QPointF(area.left() + kGap, area.top() - metrics.descent() - 1.0), text);
    }
}

void PowerPlot::paintGrid(QPainter& painter) const
{
    const QFontMetricsF metrics(font());
    const double line = metrics.height();
    for (const viz::Tick& tick :
         viz::valueTicks(m_data.ceiling_mw, m_plot.bottom(), m_plot.top(), line * 2.0, unit())) {
        const double y = std::floor(tick.position) + 0.5;
        painter.setPen(QPen(tick.value == 0.0 ? m_theme.outline : m_theme.grid, 1.0));
        painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        painter.setPen(m_theme.mutedText);
        painter.drawText(QRectF(0.0, y - line / 2.0, m_plot.left() - kGap, line),
                         Qt::AlignRight | Qt::AlignVCenter, fromUtf8(tick.label));
    }
    const QRectF labels(m_plot.left(), m_plot.bottom() + 3.0, m_plot.width(), line);
    for (const viz::Tick& tick : viz::timeTicks(timeAxis(), m_data.origin, 80.0)) {
        const double x = std::floor(tick.position) + 0.5;
        painter.setPen(QPen(m_theme.outline, 1.0));
        painter.drawLine(QPointF(x, m_plot.bottom()), QPointF(x, m_plot.bottom() + 4.0));
        painter.setPen(m_theme.mutedText);
        const QString text = fromUtf8(tick.label);
        painter.drawText(centredInside(x, metrics.horizontalAdvance(text) + 2.0, labels),
                         Qt::AlignCenter | Qt::TextSingleLine, text);
    }
}

void PowerPlot::paintGaps(QPainter& painter) const
{
    const viz::TimeAxis axis = timeAxis();
    for (const TimeRange& gap : m_data.of(Channel::Total).gaps(m_data.gapLimit())) {
        const TimeRange shown = intersection(gap, m_data.visible);
        if (shown.empty())
            continue;
        const QRectF area(QPointF(axis.toX(shown.begin_ns), m_plot.top()),
                          QPointF(axis.toX(shown.end_ns), m_plot.bottom()));
        paintMissing(painter, area, m_theme);
        const QString text = QObject::tr("no samples");
        if (QFontMetricsF(font()).horizontalAdvance(text) + 16.0 <= area.width())
            paintNotice(painter, area, m_theme, text);
    }
}

void PowerPlot::paintBadges(QPainter& painter) const
{
    const viz::TimeSeries& total = m_data.of(Channel::Total);
    const viz::SeriesSummary shown = total.summary(m_data.visible);
    const QFontMetricsF metrics(font());
    double x = kGap;
    const auto write = [&](const QString& text, const QColor& colour) {
        painter.setPen(colour);
        const double width = metrics.horizontalAdvance(text);
        painter.drawText(QRectF(x, kGap, width + 1.0, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + kGap;
    };
    if (!shown.empty()) {
        write(QObject::tr("Total: mean"), m_theme.mutedText);
        write(powerText(shown.mean()), m_theme.text);
        write(QObject::tr("· peak"), m_theme.mutedText);
        write(powerText(shown.max), m_theme.text);
    }
    if (m_data.modelled) {
        write(QStringLiteral("·"), m_theme.mutedText);
        write(provenanceLabel(Provenance::Modelled), m_theme.warning);
    }
}

void PowerPlot::paintSwatch(QPainter& painter, Channel channel, double x, double y) const
{
    QPen pen = m_theme.linePen(channel);
    pen.setWidthF(pen.widthF() + 0.5);
    painter.setPen(pen);
    painter.drawLine(QPointF(x, y), QPointF(x + kSwatchWidth, y));
}

void PowerPlot::paintLineLabels(QPainter& painter) const
{
    std::vector<Channel> present;
    std::vector<double> wanted;
    std::vector<double> values;
    for (const Channel channel : kChannels) {
        const viz::TimeSeries& series = m_data.of(channel);
        std::optional<double> last;
        for (std::size_t i = series.size(); i-- > 0 && !last;)
            last = series.value(i);
        if (!last)
            continue;
        present.push_back(channel);
        wanted.push_back(yOf(*last));
        values.push_back(*last);
    }
    const QFontMetricsF metrics(font());
    const double height = metrics.height();
    const auto centres = viz::spreadLabels(wanted, height, m_plot.top() - height / 2.0,
                                           m_plot.bottom() + height / 2.0);
    for (std::size_t i = 0; i < present.size(); ++i) {
        const double x = m_plot.right() + kGap;
        paintSwatch(painter, present[i], x, centres[i]);
        painter.setPen(m_theme.text);
        const double textX = x + kSwatchWidth + kGap;
        painter.drawText(
            QRectF(textX, centres[i] - height / 2.0, viewport()->width() - textX, height),
            Qt::AlignLeft | Qt::AlignVCenter,
            title(present[i]) + QLatin1Char(' ') + powerText(values[i]));
    }
}

void PowerPlot::paintCursor(QPainter& painter) const
{
    if (!m_cursor || !m_data.visible.contains(*m_cursor))
        return;
    const double x = std::floor(timeAxis().toX(*m_cursor)) + 0.5;
    painter.setPen(QPen(m_theme.text, 1.0));
    painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));

    struct Line {
        std::optional<Channel> channel;
        QString text;
    };
    std::vector<Line> lines;
    const Nanoseconds sinceStart = *m_cursor - m_data.origin;
    lines.push_back({std::nullopt, fromUtf8(formatDuration(sinceStart))});
    for (const Channel channel : kChannels) {
        const viz::TimeSeries& series = m_data.of(channel);
        const auto index = series.indexAt(*m_cursor);
        const auto value = index ? series.value(*index) : std::nullopt;
        if (value)
            lines.push_back({channel, title(channel) + QLatin1Char(' ') + powerText(*value)});
    }
    if (lines.size() == 1)
        lines.push_back({std::nullopt, QObject::tr("no sample")});

    const QFontMetricsF metrics(font());
    double width = 0.0;
    for (const Line& line : lines)
        width = std::max(width,
                         metrics.horizontalAdvance(line.text)
                             + (line.channel ? kSwatchWidth + kGap : 0.0));
    const QSizeF size(width + 2.0 * kGap,
                      metrics.height() * static_cast<double>(lines.size()) + kGap);
    const bool left = x + kGap + size.width() > m_plot.right();
    const double boxLeft = left ? x - kGap - size.width() : x + kGap;
    const QRectF box(QPointF(std::max(0.0, boxLeft), m_plot.top() + kGap), size);
    painter.fillRect(box, m_theme.surface);
    painter.setPen(QPen(m_theme.outline, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
    double y = box.top() + kGap / 2.0;
    for (const Line& line : lines) {
        double textX = box.left() + kGap;
        if (line.channel) {
            paintSwatch(painter, *line.channel, textX, y + metrics.height() / 2.0);
            textX += kSwatchWidth + kGap;
        }
        painter.setPen(m_theme.text);
        painter.drawText(QPointF(textX, y + metrics.ascent()), line.text);
        y += metrics.height();
    }
}

} // namespace ep::ui
