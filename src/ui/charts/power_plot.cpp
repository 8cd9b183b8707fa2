// SPDX-License-Identifier: GPL-3.0-or-later
#include "power_plot.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/viz/metric.h"

#include <QChart>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLegend>
#include <QLineSeries>
#include <QMouseEvent>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kSwatchWidth = 20.0;
constexpr double kGap = 6.0;

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

Nanoseconds PowerData::gapLimit() const
{
    constexpr Nanoseconds kLeast = 100'000'000;
    const viz::TimeSeries& total = of(Channel::Total);
    if (total.empty())
        return kLeast;
    const Nanoseconds covered = total.summary(total.time()).covered_ns;
    return std::max(kLeast, 3 * covered / static_cast<Nanoseconds>(total.size()));
}

PowerPlot::PowerPlot(const PowerData& shown, int maxPoints, QWidget* parent)
    : QChartView(parent)
    , m_data(shown)
    , m_maxPoints(maxPoints)
    , m_timeAxis(new QValueAxis)
    , m_powerAxis(new QValueAxis)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setRenderHint(QPainter::Antialiasing, false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setBackgroundVisible(false);
    chart()->setMargins(QMargins());
    chart()->legend()->hide();
    chart()->addAxis(m_timeAxis, Qt::AlignBottom);
    chart()->addAxis(m_powerAxis, Qt::AlignLeft);
    m_timeAxis->setRange(0.0, 1.0);
    m_powerAxis->setRange(0.0, 1.0);
    m_timeAxis->setVisible(false);
    m_powerAxis->setVisible(false);
    applyTheme();
}

void PowerPlot::applyTheme()
{
    m_theme = Theme::fromPalette(palette());
    rebuild();
}

QLineSeries* PowerPlot::seriesFor(Channel channel, std::size_t run)
{
    auto& lines = m_lines[static_cast<std::size_t>(channel)];
    while (lines.size() <= run) {
        auto* line = new QLineSeries;
        chart()->addSeries(line);
        line->attachAxis(m_timeAxis);
        line->attachAxis(m_powerAxis);
        lines.push_back(line);
    }
    return lines[run];
}

void PowerPlot::rebuild()
{
    layoutPlot();
    // Both axes stay at 0..1: moving them would lay out every line a second and third time.
    const TimeRange visible = m_data.visible;
    const auto whole = static_cast<double>(std::max<Nanoseconds>(1, visible.duration_ns()));
    const Nanoseconds gap = m_data.gapLimit();
    for (const Channel channel : kChannels) {
        const auto runs = m_data.of(channel).lines(visible, m_maxPoints, gap);
        qsizetype count = 0;
        for (std::size_t run = 0; run < runs.size(); ++run) {
            QList<QPointF> points;
            points.reserve(static_cast<qsizetype>(runs[run].size()));
            for (const auto& point : runs[run])
                points.append({static_cast<double>(point.time - visible.begin_ns) / whole,
                               point.value / m_data.ceiling_mw});
            QLineSeries* line = seriesFor(channel, run);
            line->replace(points);
            count += points.size();
        }
        // Where extremes alternate every few pixels, wide lines would merge into a block.
        QPen pen = m_theme.linePen(channel);
        if (static_cast<double>(count) * 2.0 > m_plot.width())
            pen.setWidthF(pen.widthF() * 0.7);
        for (QLineSeries* line : m_lines[static_cast<std::size_t>(channel)])
            line->setPen(pen);
        const auto& lines = m_lines[static_cast<std::size_t>(channel)];
        for (std::size_t run = runs.size(); run < lines.size(); ++run)
            lines[run]->clear();
    }
    viewport()->update();
}

int PowerPlot::pointCount(Channel channel) const
{
    int count = 0;
    for (const QLineSeries* line : m_lines[static_cast<std::size_t>(channel)])
        count += static_cast<int>(line->count());
    return count;
}

viz::DisplayUnit PowerPlot::unit() const
{
    return viz::displayUnit("mW", m_data.ceiling_mw);
}

viz::TimeAxis PowerPlot::timeAxis() const
{
    return {m_data.visible, m_plot.left(), m_plot.width()};
}

double PowerPlot::yOf(double milliwatts) const
{
    return m_plot.bottom() - m_plot.height() * milliwatts / m_data.ceiling_mw;
}

void PowerPlot::layoutPlot()
{
    const QFontMetricsF metrics(font());
    const double line = metrics.height();
    double tickWidth = 0.0;
    for (const viz::Tick& tick :
         viz::valueTicks(m_data.ceiling_mw, viewport()->height(), 0.0, line * 2.0, unit()))
        tickWidth = std::max(tickWidth, metrics.horizontalAdvance(fromUtf8(tick.label)));
    const double left = std::ceil(tickWidth + 2.0 * kGap);
    const double right = std::ceil(metrics.horizontalAdvance(QStringLiteral("DRAM 888 mW"))
                                   + kSwatchWidth + 3.0 * kGap);
    const double top = std::ceil(1.5 * line + 2.0 * kGap); // the topmost tick stands free
    const double bottom = std::ceil(line + kGap);
    const QRectF plot(left, top, std::max(10.0, viewport()->width() - left - right),
                      std::max(10.0, viewport()->height() - top - bottom));
    if (plot == m_plot)
        return;
    m_plot = plot;
    chart()->setPlotArea(m_plot);
}

void PowerPlot::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    rebuild();
}

void PowerPlot::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyTheme();
}

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
        painter.drawText(area.adjusted(kGap, 4.0, 0.0, 0.0), Qt::AlignLeft | Qt::AlignTop, text);
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

void PowerPlot::mouseMoveEvent(QMouseEvent* event)
{
    std::optional<Nanoseconds> cursor;
    if (m_plot.contains(event->position()) && !m_data.empty())
        cursor = timeAxis().toTime(event->position().x());
    if (cursor != m_cursor) {
        m_cursor = cursor;
        viewport()->update();
    }
}

void PowerPlot::leaveEvent(QEvent* event)
{
    m_cursor.reset();
    viewport()->update();
    QChartView::leaveEvent(event);
}

void PowerPlot::stepCursor(int direction)
{
    const viz::TimeSeries& total = m_data.of(Channel::Total);
    if (total.empty())
        return;
    const auto middle = [&](std::size_t index) {
        const TimeRange window = total.window(index);
        return window.begin_ns + window.duration_ns() / 2;
    };
    const auto visible = [&](std::size_t index) { return m_data.visible.contains(middle(index)); };
    // From the sample under the cursor to its neighbour; without a cursor, to the newest.
    std::optional<std::size_t> next;
    if (!m_cursor) {
        next = total.size() - 1;
    } else if (direction > 0) {
        for (std::size_t i = 0; i < total.size() && !next; ++i)
            if (total.window(i).begin_ns > *m_cursor)
                next = i;
    } else {
        for (std::size_t i = total.size(); i-- > 0 && !next;)
            if (total.window(i).end_ns <= *m_cursor)
                next = i;
    }
    if (next && visible(*next))
        m_cursor = middle(*next);
    viewport()->update();
}

void PowerPlot::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        stepCursor(-1);
        break;
    case Qt::Key_Right:
        stepCursor(1);
        break;
    case Qt::Key_Escape:
        if (!m_cursor) {
            event->ignore();
            return;
        }
        m_cursor.reset();
        viewport()->update();
        break;
    default:
        event->ignore(); // the chart around this knows more keys
    }
}

void PowerPlot::focusInEvent(QFocusEvent* event)
{
    QChartView::focusInEvent(event);
    viewport()->update();
}

void PowerPlot::focusOutEvent(QFocusEvent* event)
{
    QChartView::focusOutEvent(event);
    viewport()->update();
}

} // namespace ep::ui
