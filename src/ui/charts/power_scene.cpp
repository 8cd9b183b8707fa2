// SPDX-License-Identifier: GPL-3.0-or-later
#include "power_scene.h"

#include "chart_paint.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ep::ui {

namespace {

constexpr double kMinTokenGap = 3.0; // minimum distance in pixels between ticks
constexpr double kTokenTick = 5.0;

QString powerText(double milliwatts)
{
    return toQString(formatPower(Milliwatts{milliwatts}));
}

// The newest value that started before `end`.
std::optional<double> lastValue(const viz::TimeSeries& series, Nanoseconds end)
{
    constexpr std::size_t kPatience = 1000; // number of missing values to skip
    std::size_t tried = 0;
    for (std::size_t i = series.firstFrom(end); i-- > 0 && tried < kPatience; ++tried) {
        if (const auto value = series.value(i))
            return value;
    }
    return std::nullopt;
}

// A narrow chart needs the room for its curves; the cursor shows the values.
bool saysValues(QSizeF size)
{
    constexpr double kMinWidth = 420.0;
    return size.width() >= kMinWidth;
}

} // namespace

void PowerData::setRun(const Run* of)
{
    phases.clear();
    tokens.clear();
    baseline_mw.reset();
    brush.reset();
    powerOrigin.clear();
    run.reset();
    if (!of)
        return;
    origin = of->trace.time.begin_ns;
    run = of->trace.time;
    powerOrigin = powerOriginLabel(of->info.power.source);
    for (const PhaseSpan& span : of->trace.phases)
        phases.push_back({span.phase, span.time});
    for (const TokenSpan& token : of->trace.tokens)
        tokens.push_back(token.time.end_ns);
    if (const auto& baseline = of->info.power.baseline; baseline && baseline->total_mw)
        baseline_mw = baseline->total_mw->value;
}

double PowerData::peak() const
{
    double most = 0.0;
    for (const Channel channel : kChannels) {
        if (shows(channel))
            most = std::max(most, history->of(channel).summary(visible).max);
    }
    return most;
}

QString PowerData::description() const
{
    const viz::SeriesSummary total = history->of(Channel::Total).summary(counted());
    if (total.empty())
        return empty() ? emptyText : translated("The visible range lies outside the run.");
    QString text;
    if (brush)
        text = translated("%1 selected. ").arg(toQString(formatDuration(brush->duration_ns())));
    return text
        + translated("Total power: mean %1, peak %2%3")
              .arg(powerText(total.mean()), powerText(total.max),
                   reservation(QStringLiteral(", ")));
}

QString PowerData::reservation(const QString& before) const
{
    if (!powerOrigin.isEmpty())
        return before + powerOrigin;
    return history->modelled ? before + provenanceLabel(Provenance::Modelled) : QString();
}

PowerScene::PowerScene(const PowerData& data, const QRectF& plot, const Theme& theme,
                       const QFont& font, QSizeF size)
    : m_data(data)
    , m_plot(plot)
    , m_theme(theme)
    , m_font(font)
    , m_size(size)
{
}

QRectF PowerScene::plotFor(const PowerData& data, const QFont& font, QSizeF size)
{
    const QFontMetricsF metrics(font);
    const double line = metrics.height();
    const auto unit = viz::displayUnit("mW", data.ceiling_mw);
    double tickWidth = 0.0;
    for (const viz::Tick& tick :
         viz::valueTicks(data.ceiling_mw, size.height(), 0.0, line * 2.0, unit))
        tickWidth = std::max(tickWidth, metrics.horizontalAdvance(toQString(tick.label)));
    const double left = std::ceil(tickWidth + 2.0 * kGap);
    const QString widest =
        saysValues(size) ? QStringLiteral("DRAM 888 mW") : QStringLiteral("DRAM");
    const double right = std::ceil(std::max(metrics.horizontalAdvance(widest),
                                            metrics.horizontalAdvance(title(Channel::Total)))
                                   + kSwatchWidth + 3.0 * kGap);
    const double top = std::ceil(2.0 * line + 3.0 * kGap); // badges, then the names of the phases
    const double bottom = std::ceil(line + kGap);
    return {left, top, std::max(10.0, size.width() - left - right),
            std::max(10.0, size.height() - top - bottom)};
}

void PowerScene::paintBelowLines(QPainter& painter) const
{
    paintPhases(painter);
    paintGrid(painter);
    paintGaps(painter);
    paintTokens(painter);
}

void PowerScene::paintAboveLines(QPainter& painter, double taken) const
{
    paintBaseline(painter);
    paintPeak(painter);
    paintBadges(painter, taken);
    paintLineLabels(painter);
}

void PowerScene::paintPhases(QPainter& painter) const
{
    const viz::TimeAxis axis = timeAxis();
    const QFontMetricsF metrics(m_font);
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
        const QString text = term(viz::title(band.phase));
        if (metrics.horizontalAdvance(text) + 2.0 * kGap > area.width())
            continue;
        painter.setPen(m_theme.mutedText);
        // The title is above the plot, where no line crosses it.
        painter.drawText(QPointF(area.left() + kGap, area.top() - metrics.descent() - 1.0), text);
    }
}

void PowerScene::paintGrid(QPainter& painter) const
{
    const QFontMetricsF metrics(m_font);
    const double line = metrics.height();
    for (const viz::Tick& tick :
         viz::valueTicks(m_data.ceiling_mw, m_plot.bottom(), m_plot.top(), line * 2.0,
                         viz::displayUnit("mW", m_data.ceiling_mw))) {
        const double y = std::floor(tick.position) + 0.5;
        painter.setPen(QPen(tick.value == 0.0 ? m_theme.outline : m_theme.grid, 1.0));
        painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        painter.setPen(m_theme.mutedText);
        painter.drawText(QRectF(0.0, y - line / 2.0, m_plot.left() - kGap, line),
                         Qt::AlignRight | Qt::AlignVCenter, toQString(tick.label));
    }
    paintTimeTicks(painter, {m_plot.left(), m_plot.bottom() + 3.0, m_plot.width(), line},
                   m_plot.bottom(), viz::timeTicks(timeAxis(), m_data.origin, 80.0), m_theme);
}

void PowerScene::paintGaps(QPainter& painter) const
{
    const viz::TimeAxis axis = timeAxis();
    for (const TimeRange& gap : m_data.history->gaps) {
        const TimeRange shown = intersection(gap, m_data.visible);
        if (shown.empty())
            continue;
        const QRectF area(QPointF(axis.toX(shown.begin_ns), m_plot.top()),
                          QPointF(axis.toX(shown.end_ns), m_plot.bottom()));
        paintMissing(painter, area, m_theme);
        const QString text = translated("no samples");
        if (QFontMetricsF(m_font).horizontalAdvance(text) + 16.0 <= area.width())
            paintNotice(painter, area, m_theme, text);
    }
}

void PowerScene::paintTokens(QPainter& painter) const
{
    const viz::TimeAxis axis = timeAxis();
    const auto& tokens = m_data.tokens;
    painter.setPen(QPen(m_theme.mutedText, 1.0));
    double last = -kMinTokenGap;
    auto token = std::lower_bound(tokens.begin(), tokens.end(), m_data.visible.begin_ns);
    while (token != tokens.end() && *token <= m_data.visible.end_ns) {
        const double x = std::floor(axis.toX(*token)) + 0.5;
        if (x - last >= kMinTokenGap) {
            painter.drawLine(QPointF(x, m_plot.bottom() - kTokenTick), QPointF(x, m_plot.bottom()));
            last = x;
        }
        token = std::lower_bound(token + 1, tokens.end(), axis.toTime(last + kMinTokenGap));
    }
}

void PowerScene::paintBaseline(QPainter& painter) const
{
    if (!m_data.baseline_mw || *m_data.baseline_mw > m_data.ceiling_mw)
        return;
    const double y = std::floor(yOf(*m_data.baseline_mw)) + 0.5;
    painter.setPen(QPen(m_theme.mutedText, 1.0, Qt::DashLine));
    painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
    const QString text =
        translated("idle %1").arg(powerText(*m_data.baseline_mw)); // has a background of its own
    const QFontMetricsF metrics(m_font);
    const QRectF box(m_plot.left() + kGap, y - metrics.height() - 1.0,
                     metrics.horizontalAdvance(text) + kGap, metrics.height());
    QColor ground = m_theme.surface;
    ground.setAlphaF(0.8F);
    painter.fillRect(box, ground);
    painter.drawText(box, Qt::AlignCenter, text);
}

void PowerScene::paintPeak(QPainter& painter) const
{
    const viz::TimeSeries& total = m_data.history->of(Channel::Total);
    const auto peak = total.peak(m_data.counted());
    if (!peak || !m_data.shows(Channel::Total))
        return;
    const TimeRange window = intersection(total.window(*peak), m_data.visible);
    const double x = timeAxis().toX(window.begin_ns + window.duration_ns() / 2);
    const double y = yOf(total.value(*peak).value_or(0.0));
    QPolygonF mark;
    mark << QPointF(x - 5.0, y - 9.0) << QPointF(x + 5.0, y - 9.0) << QPointF(x, y - 2.0);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.surface, 1.0));
    painter.setBrush(m_theme.channel(Channel::Total));
    painter.drawPolygon(mark);
    painter.restore();
}

void PowerScene::paintBadges(QPainter& painter, double taken) const
{
    const viz::TimeSeries& total = m_data.history->of(Channel::Total);
    const viz::SeriesSummary shown = total.summary(m_data.counted());
    const QFontMetricsF metrics(m_font);
    struct Word {
        QString text;
        QColor colour;
    };
    std::vector<Word> provenance;
    if (const QString reservation = m_data.reservation(); !reservation.isEmpty())
        provenance = {{QStringLiteral("·"), m_theme.mutedText}, {reservation, m_theme.warning}};
    std::vector<Word> mean;
    std::vector<Word> peak;
    if (!shown.empty()) {
        const QString what = m_data.brush
            ? translated("%1 selected: mean")
                  .arg(toQString(formatDuration(m_data.brush->duration_ns())))
            : translated("Total: mean");
        mean = {{what, m_theme.mutedText}, {powerText(shown.mean()), m_theme.text}};
        peak = {{translated("· peak"), m_theme.mutedText},
                {powerText(shown.max), m_theme.text},
                {QStringLiteral("▼"), m_theme.channel(Channel::Total)}};
    }
    const auto widthOf = [&](const std::vector<Word>& words) {
        double width = 0.0;
        for (const Word& word : words)
            width += metrics.horizontalAdvance(word.text) + kGap;
        return width;
    };
    double x = kGap;
    const auto write = [&](const std::vector<Word>& words) {
        for (const Word& word : words) {
            painter.setPen(word.colour);
            const double width = metrics.horizontalAdvance(word.text);
            painter.drawText(QRectF(x, kGap, width + 1.0, metrics.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, word.text);
            x += width + kGap;
        }
    };
    write(mean);
    // The curve shows the peak, but nothing else shows the provenance, so the peak is omitted if
    // there is no room for both.
    if (x + widthOf(peak) + widthOf(provenance) <= m_size.width() - taken)
        write(peak);
    write(provenance);
}

void PowerScene::paintSwatch(QPainter& painter, Channel channel, double x, double y) const
{
    QPen pen = m_theme.linePen(channel);
    pen.setWidthF(pen.widthF() + 0.5);
    painter.setPen(pen);
    painter.drawLine(QPointF(x, y), QPointF(x + kSwatchWidth, y));
}

void PowerScene::paintLineLabels(QPainter& painter) const
{
    std::vector<Channel> present;
    std::vector<double> wanted;
    std::vector<double> values;
    for (const Channel channel : kChannels) {
        const viz::TimeSeries& series = m_data.history->of(channel);
        const std::optional<double> last = lastValue(series, m_data.visible.end_ns);
        if (!last || !m_data.shows(channel))
            continue;
        present.push_back(channel);
        wanted.push_back(yOf(*last));
        const viz::SeriesSummary counted = series.summary(m_data.counted());
        values.push_back(m_data.finished && !counted.empty() ? counted.mean() : *last);
    }
    const QFontMetricsF metrics(m_font);
    const double height = metrics.height();
    const auto centres = viz::spreadLabels(wanted, height, m_plot.top() - height / 2.0,
                                           m_plot.bottom() + height / 2.0);
    for (std::size_t i = 0; i < present.size(); ++i) {
        const double x = m_plot.right() + kGap;
        paintSwatch(painter, present[i], x, centres[i]);
        painter.setPen(m_theme.text);
        const double textX = x + kSwatchWidth + kGap;
        painter.drawText(QRectF(textX, centres[i] - height / 2.0, m_size.width() - textX, height),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         saysValues(m_size)
                             ? title(present[i]) + QLatin1Char(' ') + powerText(values[i])
                             : title(present[i]));
    }
}

void PowerScene::paintCursor(QPainter& painter, Nanoseconds time) const
{
    if (!m_data.visible.contains(time))
        return;
    const double x = std::floor(timeAxis().toX(time)) + 0.5;
    painter.setPen(QPen(m_theme.text, 1.0));
    painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));

    struct Line {
        std::optional<Channel> channel;
        QString text;
    };
    std::vector<Line> lines;
    const Nanoseconds sinceStart = time - m_data.origin;
    lines.push_back({std::nullopt, toQString(formatDuration(sinceStart))});
    for (const Channel channel : kChannels) {
        const viz::TimeSeries& series = m_data.history->of(channel);
        const auto index = series.indexAt(time);
        const auto value = index ? series.value(*index) : std::nullopt;
        if (value && m_data.shows(channel))
            lines.push_back({channel, title(channel) + QLatin1Char(' ') + powerText(*value)});
    }
    if (lines.size() == 1)
        lines.push_back({std::nullopt, translated("no sample")});

    const QFontMetricsF metrics(m_font);
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
