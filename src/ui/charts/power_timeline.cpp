// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/power_timeline.h"

#include "power_scene.h"
#include "stroke_picture.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"
#include "ep/viz/metric.h"
#include "ep/viz/power_lanes.h"

#include <QKeyEvent>
#include <QPainter>

namespace ep::ui {

namespace {

constexpr std::size_t kMaxSampleRows = 200'000; // maximum for the table

// Few samples are drawn as a polyline with the channel's dashes, many as strokes.
constexpr double kPixelsPerPoint = 3.0;

void paintStrokes(QPainter& painter, std::span<const viz::LaneStroke> strokes, double pixel,
                  const QColor& colour)
{
    QList<QRectF> shapes;
    for (const viz::LaneStroke& stroke : strokes)
        shapes.append(QRectF(stroke.x, stroke.top, pixel, stroke.bottom - stroke.top));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRects(shapes.constData(), static_cast<int>(shapes.size()));
}

} // namespace

PowerTimeline::PowerTimeline(QWidget* parent)
    : TimeView(parent)
    , m_data(std::make_unique<PowerData>())
    , m_strokes(std::make_unique<StrokePicture>())
{
    m_data->emptyText = tr("No power samples.");
    m_data->finished = true;
    setAccessibleName(tr("Power over time"));
    setAccessibleDescription(m_data->emptyText);
    addExportActions(*this, QStringLiteral("power"));
}

PowerTimeline::~PowerTimeline() = default;

void PowerTimeline::setHistory(PowerHistoryPtr history)
{
    m_data->history = history ? std::move(history) : std::make_shared<PowerHistory>();
    relayout();
}

void PowerTimeline::setEmptyText(const QString& text)
{
    m_data->emptyText = text;
    relayout();
}

void PowerTimeline::setShown(Channel channel, bool shown)
{
    m_data->hidden[static_cast<std::size_t>(channel)] = !shown;
    relayout();
}

bool PowerTimeline::isShown(Channel channel) const
{
    return m_data->shows(channel);
}

std::vector<Channel> PowerTimeline::channels() const
{
    std::vector<Channel> present;
    for (const Channel channel : kChannels) {
        const viz::TimeSeries& series = m_data->history->of(channel);
        if (controller() && !series.summary(controller()->full()).empty())
            present.push_back(channel);
    }
    return present;
}

void PowerTimeline::runChanged()
{
    m_data->setRun(controller() ? controller()->run().get() : nullptr);
    m_data->history = std::make_shared<PowerHistory>();
    relayout();
}

void PowerTimeline::relayout()
{
    m_data->visible = visibleTime();
    m_data->ceiling_mw = viz::niceCeiling(m_data->peak());
    m_plot = alignedPlot(PowerScene::plotFor(*m_data, font(), size()));
    setAccessibleDescription(m_data->description());
    contentChanged();
}

bool PowerTimeline::hasContent() const
{
    return !m_data->empty();
}

void PowerTimeline::resizeEvent(QResizeEvent* event)
{
    TimeView::resizeEvent(event);
    relayout();
}

void PowerTimeline::paintContent(QPainter& painter)
{
    if (m_data->empty()) {
        paintEmptyText(painter, m_data->emptyText);
        return;
    }
    const PowerScene scene(*m_data, m_plot, theme(), font(), size());
    scene.paintBelowLines(painter);
    paintLines(painter);
    scene.paintAboveLines(painter);
}

void PowerTimeline::paintLines(QPainter& painter) const
{
    painter.save();
    const QRectF area = m_plot.adjusted(0.0, -2.0, 0.0, 1.0);
    painter.setClipRect(area);
    const viz::Rect plot{m_plot.x(), m_plot.y(), m_plot.width(), m_plot.height()};
    const double pixel = 1.0 / painter.device()->devicePixelRatioF();
    const viz::TimeSeries& times = m_data->history->of(Channel::Total);
    const std::size_t shown =
        times.firstFrom(m_data->visible.end_ns) - times.firstFrom(m_data->visible.begin_ns);
    const bool few = static_cast<double>(shown) * kPixelsPerPoint < m_plot.width();
    const bool exporting = isBeingExported(*this);
    const auto columns = few ? std::vector<viz::TimeSeries::Samples>()
                             : viz::laneColumns(times, m_data->visible, plot, pixel);
    std::vector<StrokePicture::Lane> lanes;
    for (const Channel channel : kChannels) {
        if (!m_data->shows(channel))
            continue;
        const viz::TimeSeries& series = m_data->history->of(channel);
        QPen pen = theme().linePen(channel);
        if (few) {
            for (const auto& run : m_data->history->lines(channel, m_data->visible,
                                                          static_cast<int>(m_plot.width()))) {
                if (exporting)
                    paintLine(painter, run, pen);
                else
                    lanes.push_back({viz::layoutLine(run, m_data->visible, plot, m_data->ceiling_mw,
                                                     pixel, pen.widthF()),
                                     pen});
            }
            continue;
        }
        pen.setStyle(Qt::SolidLine); // the strokes are too dense for dashes
        const double thickness = channel == Channel::Total ? 2.0 * pixel : pixel;
        auto strokes = viz::layoutLane(series, columns, plot, m_data->ceiling_mw, pixel, thickness);
        if (exporting)
            paintStrokes(painter, strokes, pixel, pen.color());
        else
            lanes.push_back({std::move(strokes), pen});
    }
    if (!exporting) {
        m_strokes->clear(area, 1.0 / pixel);
        m_strokes->add(lanes);
        m_strokes->paint(painter);
    }
    painter.restore();
}

// Paints for a file, as shapes that can be scaled.
void PowerTimeline::paintLine(QPainter& painter, std::span<const viz::TimeSeries::LinePoint> points,
                              const QPen& pen) const
{
    const viz::TimeAxis axis = timeAxis();
    QPolygonF line;
    for (const auto& point : points)
        line << QPointF(axis.toX(point.time),
                        m_plot.bottom() - m_plot.height() * point.value / m_data->ceiling_mw);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.drawPolyline(line);
}

void PowerTimeline::paintOverlay(QPainter& painter)
{
    TimeView::paintOverlay(painter);
    if (controller() && controller()->cursor() && hasContent())
        PowerScene(*m_data, m_plot, theme(), font(), size())
            .paintCursor(painter, *controller()->cursor());
}

QString PowerTimeline::describe(Nanoseconds time) const
{
    const ChartDetails details = detailsAt(time);
    QStringList parts{details.title};
    for (const ChartDetails::Row& row : details.rows)
        parts << row.name + QLatin1Char(' ') + row.value;
    return parts.join(QStringLiteral(", "));
}

ChartDetails PowerTimeline::detailsAt(Nanoseconds time) const
{
    ChartDetails details;
    details.title = tr("Power at %1").arg(toQString(formatDuration(time - m_data->origin)));
    for (const PhaseBand& band : m_data->phases) {
        if (band.time.contains(time))
            details.rows.emplace_back(tr("Phase"), term(viz::title(band.phase)));
    }
    bool any = false;
    for (const Channel channel : kChannels) {
        const viz::TimeSeries& series = m_data->history->of(channel);
        const auto index = series.indexAt(time);
        const auto value = index ? series.value(*index) : std::nullopt;
        if (!value)
            continue;
        any = true;
        details.rows.emplace_back(title(channel), toQString(formatPower(Milliwatts{*value})));
    }
    const auto sample = m_data->history->of(Channel::Total).indexAt(time);
    if (sample) {
        const TimeRange window = m_data->history->of(Channel::Total).window(*sample);
        details.rows.emplace_back(tr("Mean over"), toQString(formatDuration(window.duration_ns())));
    }
    details.rows.emplace_back(tr("Provenance"),
                              energyWord(!any                            ? Provenance::Missing
                                             : m_data->history->modelled ? Provenance::Modelled
                                                                         : Provenance::Measured));
    return details;
}

void PowerTimeline::clicked(const QPointF& position, Qt::KeyboardModifiers)
{
    const Nanoseconds time = timeAxis().toTime(position.x());
    setAccessibleDescription(describe(time));
    pin(detailsAt(time));
}

ChartTable PowerTimeline::table() const
{
    ChartTable table;
    table.headings << tr("Begin (s)") << tr("Duration (ms)");
    for (const Channel channel : kChannels)
        table.headings << tr("%1 (mW)").arg(title(channel));
    const viz::TimeSeries& total = m_data->history->of(Channel::Total);
    for (std::size_t i = total.firstFrom(m_data->visible.begin_ns);
         i < total.firstFrom(m_data->visible.end_ns) && table.rows.size() < kMaxSampleRows; ++i) {
        const TimeRange window = total.window(i);
        auto& row = table.rows.emplace_back();
        row.push_back(numberCell(toSeconds(window.begin_ns - m_data->origin), 9));
        row.push_back(numberCell(toMilliseconds(window.duration_ns())));
        for (const Channel channel : kChannels)
            row.push_back(numberCell(m_data->history->of(channel).value(i)));
    }
    return table;
}

// Moves the crosshair to the middle of the next sample, or shows it at the first visible one.
void PowerTimeline::step(int direction)
{
    const auto cursor = controller()->cursor();
    const auto middle = cursor ? m_data->history->sampleBeside(*cursor, direction)
                               : m_data->history->sampleBeside(m_data->visible.begin_ns - 1, 1);
    if (!middle)
        return;
    if (!m_data->visible.contains(*middle))
        controller()->show(viz::panned(
            m_data->visible, *middle - m_data->visible.begin_ns - m_data->visible.duration_ns() / 2,
            controller()->full()));
    controller()->setCursor(*middle);
    setAccessibleDescription(describe(*middle));
}

void PowerTimeline::keyPressEvent(QKeyEvent* event)
{
    if (hasContent() && controller()) {
        switch (event->key()) {
        case Qt::Key_Left:
            step(-1);
            return;
        case Qt::Key_Right:
            step(1);
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (controller()->cursor())
                pin(detailsAt(*controller()->cursor()));
            return;
        default:
            break;
        }
    }
    TimeView::keyPressEvent(event);
}

} // namespace ep::ui
