// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/power_chart.h"

#include "accessible_chart.h"
#include "chart_paint.h"
#include "power_scene.h"

#include "ep/ui/charts/chart_export.h"
#include "ep/viz/selection.h"
#include "ep/viz/time_gesture.h"

#include <QChart>
#include <QChartView>
#include <QElapsedTimer>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLegend>
#include <QLineSeries>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QTimer>
#include <QToolButton>
#include <QValueAxis>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace ep::ui {

namespace {

// The plot itself. QtCharts draws the lines; bands, grid, labels and the cursor are painted below
// and above them, because its axes truncate labels and do not support direct labels.
class PowerPlot : public QChartView {
public:
    PowerPlot(const PowerData& shown, int maxPoints, QWidget* parent);

    // Callbacks for wheel, drags and keys; all must be set.
    std::function<void(Nanoseconds anchor, double factor)> zoom; // below 1: zooms in
    std::function<void(double share)> pan; // fraction of the visible range
    std::function<void(TimeRange range)> look; // shows this range
    std::function<void(std::optional<TimeRange> range)> brush; // absent: removes the brush
    std::function<double()> taken; // width of the buttons to the right of the badges, in pixels

    void rebuild(); // call after the data changed
    int pointCount(Channel channel) const;

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void applyTheme();
    void layoutPlot();
    QLineSeries* seriesFor(Channel channel, std::size_t run);
    viz::TimeAxis timeAxis() const;
    PowerScene scene() const;
    void stepCursor(int direction, bool brushing);

    const PowerData& m_data;
    int m_maxPoints;
    Theme m_theme;
    QRectF m_plot;
    std::array<std::vector<QLineSeries*>, kChannelCount> m_lines; // owned by the chart
    QValueAxis* m_timeAxis = nullptr; // owned by the chart
    QValueAxis* m_powerAxis = nullptr;
    std::optional<Nanoseconds> m_cursor;
    viz::TimeGesture m_gesture;
    std::optional<Nanoseconds> m_anchor; // where the keys began the brush
};

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
    // Both axes stay at 0..1, because changing them would lay out every line again, twice.
    const TimeRange visible = m_data.visible;
    const auto whole = static_cast<double>(std::max<Nanoseconds>(1, visible.duration_ns()));
    for (const Channel channel : kChannels) {
        const auto runs = m_data.history->lines(channel, visible, m_maxPoints);
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
        // If extremes alternate every few pixels, wide lines would merge into a block.
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

viz::TimeAxis PowerPlot::timeAxis() const
{
    return {m_data.visible, m_plot.left(), m_plot.width()};
}

PowerScene PowerPlot::scene() const
{
    return {m_data, m_plot, m_theme, font(), viewport()->size()};
}

void PowerPlot::layoutPlot()
{
    const QRectF plot = PowerScene::plotFor(m_data, font(), viewport()->size());
    if (plot == m_plot)
        return;
    m_plot = plot;
    chart()->setPlotArea(m_plot);
}

void PowerPlot::drawBackground(QPainter* painter, const QRectF& rect)
{
    painter->fillRect(rect, m_theme.surface);
    painter->setFont(font());
    if (m_data.empty())
        return;
    scene().paintBelowLines(*painter);
}

void PowerPlot::drawForeground(QPainter* painter, const QRectF&)
{
    painter->setFont(font());
    const QRectF all = viewport()->rect();
    const bool exporting = isBeingExported(*this);
    if (m_data.empty()) {
        paintEmpty(*painter, all, m_theme, m_data.emptyText);
    } else {
        const PowerScene parts = scene();
        parts.paintAboveLines(*painter, taken());
        const bool zooming = m_gesture.active() && m_gesture.kind() == viz::TimeGesture::Kind::Zoom;
        if (zooming && !exporting)
            paintTimeBrush(*painter, m_plot, timeAxis(), m_gesture.range(), true, m_theme);
        else if (m_data.brush)
            paintTimeBrush(*painter, m_plot, timeAxis(), *m_data.brush, false, m_theme);
        if (m_cursor && !exporting)
            parts.paintCursor(*painter, *m_cursor);
    }
    if (hasFocus() && !exporting)
        paintFocusRing(*painter, all, m_theme);
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

bool PowerPlot::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::NativeGesture && !m_data.empty()) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoom(timeAxis().toTime(gesture->position().x()),
                 std::clamp(1.0 - gesture->value(), 0.2, 5.0));
            return true;
        }
    }
    return QChartView::viewportEvent(event);
}

void PowerPlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_data.empty())
        return;
    if (m_plot.adjusted(-viz::kGripSlack, 0.0, viz::kGripSlack, 0.0).contains(event->position()))
        m_gesture.press(timeAxis(), m_data.brush, event->position().x(),
                        event->modifiers().testFlag(Qt::ShiftModifier));
}

void PowerPlot::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_gesture.active())
        return;
    switch (m_gesture.release(timeAxis(), event->position().x())) {
    case viz::TimeGesture::Kind::Brush:
        brush(m_gesture.range());
        break;
    case viz::TimeGesture::Kind::Zoom:
        look(m_gesture.range());
        break;
    case viz::TimeGesture::Kind::Click:
    case viz::TimeGesture::Kind::None:
        break;
    }
    viewport()->update();
}

void PowerPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_data.brush)
        brush(std::nullopt);
}

void PowerPlot::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    const QPoint moved = event->pixelDelta();
    const double steps = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    if (!m_data.empty()) {
        if (event->modifiers().testFlag(Qt::ControlModifier))
            zoom(timeAxis().toTime(event->position().x()), std::pow(1.25, -steps));
        else if (!moved.isNull()) // touch pad: content follows the fingers and their momentum
            pan(-(moved.x() != 0 ? moved.x() : moved.y()) / m_plot.width());
        else
            pan(-0.1 * steps);
    }
    event->accept();
}

void PowerPlot::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    const viz::TimeAxis axis = timeAxis();
    const bool inside = m_plot.contains(event->position()) && !m_data.empty();
    if (m_gesture.active() && !m_data.empty()) {
        const auto range = m_gesture.move(axis, x);
        if (range && m_gesture.kind() == viz::TimeGesture::Kind::Brush)
            brush(range);
        else if (range)
            viewport()->update();
    } else {
        const bool grip = inside && viz::brushEndAt(axis, m_data.brush, x);
        viewport()->setCursor(grip ? Qt::SizeHorCursor : Qt::ArrowCursor);
    }
    const auto cursor = inside ? std::optional(axis.toTime(x)) : std::nullopt;
    if (cursor != m_cursor) {
        m_cursor = cursor;
        m_anchor.reset();
        viewport()->update();
    }
}

void PowerPlot::leaveEvent(QEvent* event)
{
    m_cursor.reset();
    viewport()->update();
    QChartView::leaveEvent(event);
}

void PowerPlot::stepCursor(int direction, bool brushing)
{
    // Moves from the sample under the cursor to the next one; without a cursor, from the newest.
    const auto next = m_cursor
        ? m_data.history->sampleBeside(*m_cursor, direction)
        : m_data.history->sampleBeside(std::numeric_limits<Nanoseconds>::max(), -1);
    const std::optional<Nanoseconds> before = m_cursor;
    if (next && m_data.visible.contains(*next))
        m_cursor = next;
    if (!brushing || !before)
        m_anchor.reset();
    else if (!m_anchor)
        m_anchor = before;
    if (m_anchor && *m_anchor != *m_cursor)
        brush(TimeRange{std::min(*m_anchor, *m_cursor), std::max(*m_anchor, *m_cursor)});
    viewport()->update();
}

void PowerPlot::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        stepCursor(-1, event->modifiers().testFlag(Qt::ShiftModifier));
        break;
    case Qt::Key_Right:
        stepCursor(1, event->modifiers().testFlag(Qt::ShiftModifier));
        break;
    case Qt::Key_Escape:
        if (m_gesture.active()) {
            m_gesture.cancel();
        } else if (m_data.brush) {
            brush(std::nullopt);
        } else if (!m_cursor) {
            event->ignore();
            return;
        }
        m_cursor.reset();
        m_anchor.reset();
        viewport()->update();
        break;
    default:
        event->ignore(); // the surrounding chart handles more keys
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

constexpr int kTickMs = 100;
constexpr Nanoseconds kMinute = 60'000'000'000;
constexpr Nanoseconds kMinLiveSpan =
    10'000'000'000; // minimum, so that the first seconds are not stretched

} // namespace

class PowerChart::Private {
public:
    explicit Private(PowerChart* owner)
        : plot(new PowerPlot(data, kMaxPoints, owner))
        , lastMinute(new QToolButton(owner))
        , all(new QToolButton(owner))
        , follow(new QToolButton(owner))
    {
        data.history = history;
    }

    TimeRange samplesTime() const { return history->time(); }
    // The range of all available data.
    TimeRange full() const
    {
        const Nanoseconds begin = std::min(samplesTime().begin_ns, data.origin);
        TimeRange whole{begin, std::max(samplesTime().end_ns, begin + 1)};
        if (live)
            whole.end_ns = std::max(whole.end_ns, whole.begin_ns + kMinLiveSpan);
        return whole;
    }
    TimeRange followed() const
    {
        TimeRange shown = full();
        if (span == Span::LastMinute)
            shown.begin_ns = std::max(shown.begin_ns, samplesTime().end_ns - kMinute);
        return shown;
    }

    std::shared_ptr<PowerHistory> history = std::make_shared<PowerHistory>();

    PowerData data;
    PowerPlot* plot; // the chart owns the widgets
    QToolButton* lastMinute;
    QToolButton* all;
    QToolButton* follow;
    std::optional<TimeRange> looked; // range that the user chose; absent: follows the newest data
    QTimer timer;
    viz::LiveCeiling ceiling;
    std::optional<Nanoseconds> zero;
    Span span = Span::LastMinute;
    bool live = true; // more samples may arrive
    bool phaseGoesOn = false; // the last phase is still open
    QElapsedTimer sinceDescribed;
};

PowerChart::PowerChart(QWidget* parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this))
{
    installChartAccessibility(); // before the plot has a name, since the interface is cached when
                                 // it is first requested
    d->data.emptyText = tr("No power samples yet.");
    d->timer.setSingleShot(true);
    d->timer.setInterval(kTickMs);
    connect(&d->timer, &QTimer::timeout, this, &PowerChart::refresh);

    const auto setUp = [this](QToolButton* button, const QString& text, const QString& tip,
                              Span span) {
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setMinimumSize(24, 24);
        connect(button, &QToolButton::clicked, this, [this, span] { setSpan(span); });
    };
    d->lastMinute->setObjectName(QStringLiteral("powerLastMinute"));
    d->all->setObjectName(QStringLiteral("powerAll"));
    setUp(d->lastMinute, tr("60 s"), tr("Show the last 60 seconds (M)"), Span::LastMinute);
    setUp(d->all, tr("All"), tr("Show all samples (A)"), Span::All);
    d->follow->setText(tr("Follow"));
    d->follow->setToolTip(tr("Show the newest samples again (F)"));
    d->follow->setAccessibleName(d->follow->toolTip());
    d->follow->setObjectName(QStringLiteral("powerFollow"));
    d->follow->setMinimumSize(24, 24);
    connect(d->follow, &QToolButton::clicked, this, [this] { setFollowing(true); });
    d->plot->zoom = [this](Nanoseconds anchor, double factor) {
        d->looked = viz::zoomed(d->data.visible, anchor, factor, d->full());
        refresh();
    };
    d->plot->pan = [this](double share) {
        const auto by = share * static_cast<double>(d->data.visible.duration_ns());
        d->looked = viz::panned(d->data.visible, std::llround(by), d->full());
        refresh();
    };

    d->plot->look = [this](TimeRange range) {
        d->looked = range;
        refresh();
    };
    d->plot->brush = [this](std::optional<TimeRange> range) {
        d->data.brush = range;
        refresh();
        updateDescription();
    };

    d->plot->taken = [this] {
        double width = 0.0;
        for (const QToolButton* button : {d->follow, d->lastMinute, d->all})
            width += button->isHidden() ? 0.0 : button->sizeHint().width() + 2.0;
        return width;
    };

    // The buttons are in the free corner of the plot, next to the badges.
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    buttons->addWidget(d->follow);
    buttons->addWidget(d->lastMinute);
    buttons->addWidget(d->all);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(d->plot, 0, 0);
    layout->addLayout(buttons, 0, 0, Qt::AlignTop | Qt::AlignRight);
    d->follow->raise();
    d->lastMinute->raise();
    d->all->raise();

    setFocusProxy(d->plot);
    setSpan(Span::LastMinute);
    d->plot->setAccessibleName(tr("Power over time"));
    setAccessibleName(tr("Power over time"));
    addExportActions(*d->plot, QStringLiteral("power"));
    refresh();
}

PowerChart::~PowerChart()
{
    delete d->plot; // the plot reads d->data and must be destroyed first
}

void PowerChart::clear()
{
    *d->history = PowerHistory();
    d->data.setRun(nullptr);
    d->looked.reset();
    d->phaseGoesOn = false;
    d->zero.reset();
    d->data.finished = false;
    d->ceiling.clear();
    d->live = true;
    d->sinceDescribed.invalidate();
    refresh();
}

void PowerChart::setZero(Nanoseconds zero)
{
    d->zero = zero;
    d->data.run = {zero, std::numeric_limits<Nanoseconds>::max()};
    d->timer.start();
}

void PowerChart::refreshSoon()
{
    if (!d->timer.isActive())
        d->timer.start();
}

void PowerChart::addSample(const PowerSample& sample)
{
    d->history->add(sample);
    refreshSoon();
}

void PowerChart::addToken(Nanoseconds end)
{
    d->data.tokens.push_back(end);
    refreshSoon();
}

void PowerChart::setBaseline(std::optional<Milliwatts> idle)
{
    d->data.baseline_mw = idle ? std::optional(idle->value) : std::nullopt;
    refreshSoon();
}

void PowerChart::setPowerSource(std::string_view source)
{
    d->data.powerOrigin = powerOriginLabel(source);
}

void PowerChart::beginPhase(Phase phase, Nanoseconds begin)
{
    auto& phases = d->data.phases;
    if (d->phaseGoesOn)
        phases.back().time.end_ns = begin;
    phases.push_back({phase, {begin, begin}});
    d->phaseGoesOn = true;
    refreshSoon();
}

void PowerChart::setRun(RunPtr run)
{
    clear();
    if (!run)
        return;
    d->live = false;
    d->zero = run->trace.time.begin_ns;
    d->data.setRun(run.get());
    d->data.finished = true;
    for (const PowerSample& sample : run->trace.samples)
        d->history->add(sample);
    setSpan(Span::All);
    refresh();
}

void PowerChart::setEmptyText(const QString& text)
{
    d->data.emptyText = text;
    refresh();
}

void PowerChart::setSpan(Span span)
{
    const bool changed = span != d->span || d->looked;
    d->span = span;
    d->looked.reset();
    d->lastMinute->setChecked(span == Span::LastMinute);
    d->all->setChecked(span == Span::All);
    if (!changed)
        return;
    d->ceiling.clear();
    refresh();
}

void PowerChart::setFollowing(bool following)
{
    if (following == isFollowing())
        return;
    if (following)
        d->looked.reset();
    else
        d->looked = d->data.visible;
    refresh();
}

bool PowerChart::isFollowing() const
{
    return !d->looked;
}

TimeRange PowerChart::visible() const
{
    return d->data.visible;
}

std::optional<TimeRange> PowerChart::brush() const
{
    return d->data.brush;
}

PowerChart::Span PowerChart::span() const
{
    return d->span;
}

void PowerChart::refresh()
{
    d->timer.stop();
    PowerData& power = d->data;
    d->lastMinute->setVisible(!power.empty());
    d->all->setVisible(!power.empty());
    d->follow->setVisible(!power.empty() && !isFollowing());
    if (!power.empty()) {
        const TimeRange samples = d->samplesTime();
        power.origin = d->zero.value_or(samples.begin_ns);
        power.visible = d->looked ? viz::clampedInside(*d->looked, d->full()) : d->followed();
        d->history->findGaps();
        power.ceiling_mw = d->ceiling.update(power.peak(), samples.end_ns);
    }
    if (d->phaseGoesOn) {
        TimeRange& time = power.phases.back().time;
        time.end_ns = std::max(time.begin_ns, d->samplesTime().end_ns);
    }
    d->plot->rebuild();

    // Screen readers are updated once a second while samples arrive, otherwise immediately.
    if (power.empty() || !d->live || !d->sinceDescribed.isValid()
        || d->sinceDescribed.hasExpired(1000)) {
        d->sinceDescribed.start();
        updateDescription();
    }
}

void PowerChart::updateDescription()
{
    const QString text = d->data.description();
    d->plot->setAccessibleDescription(text);
    setAccessibleDescription(text);
}

PowerChart::Statistics PowerChart::statistics() const
{
    const viz::TimeSeries& total = d->history->of(Channel::Total);
    Statistics result;
    result.samples = total.size();
    result.modelled = d->history->modelled;
    const viz::SeriesSummary shown = total.summary(d->data.counted());
    if (!shown.empty()) {
        result.mean = Milliwatts{shown.mean()};
        result.peak = Milliwatts{shown.max};
    }
    return result;
}

int PowerChart::pointCount(Channel channel) const
{
    return d->plot->pointCount(channel);
}

void PowerChart::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_A)
        setSpan(Span::All);
    else if (event->key() == Qt::Key_M)
        setSpan(Span::LastMinute);
    else if (event->key() == Qt::Key_F)
        setFollowing(true);
    else
        QWidget::keyPressEvent(event);
}

} // namespace ep::ui
