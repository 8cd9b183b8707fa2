// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/power_chart.h"

#include "accessible_chart.h"
#include "chart_paint.h"
#include "power_plot.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"
#include "ep/viz/selection.h"

#include <QElapsedTimer>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ep::ui {

namespace {

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
    delete d->plot; // it reads d->data and must be destroyed first
}

void PowerChart::clear()
{
    *d->history = PowerHistory();
    d->data.phases.clear();
    d->data.tokens.clear();
    d->data.baseline_mw.reset();
    d->data.brush.reset();
    d->data.powerOrigin.clear();
    d->looked.reset();
    d->phaseGoesOn = false;
    d->zero.reset();
    d->data.run.reset();
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

void PowerChart::addSample(const PowerSample& sample)
{
    d->history->add(sample);
    if (!d->timer.isActive())
        d->timer.start();
}

void PowerChart::addToken(Nanoseconds end)
{
    d->data.tokens.push_back(end);
    if (!d->timer.isActive())
        d->timer.start();
}

void PowerChart::setBaseline(std::optional<Milliwatts> idle)
{
    d->data.baseline_mw = idle ? std::optional(idle->value) : std::nullopt;
    if (!d->timer.isActive())
        d->timer.start();
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
    if (!d->timer.isActive())
        d->timer.start();
}

void PowerChart::setPhases(const std::vector<PhaseSpan>& phases)
{
    d->data.phases.clear();
    d->phaseGoesOn = false;
    for (const PhaseSpan& span : phases)
        d->data.phases.push_back({span.phase, span.time});
    if (!d->timer.isActive())
        d->timer.start();
}

void PowerChart::setRun(RunPtr run)
{
    clear();
    if (!run)
        return;
    d->live = false;
    d->zero = run->trace.time.begin_ns;
    d->data.run = run->trace.time;
    d->data.finished = true;
    setPowerSource(run->info.power.source);
    for (const PowerSample& sample : run->trace.samples)
        addSample(sample);
    for (const TokenSpan& token : run->trace.tokens)
        d->data.tokens.push_back(token.time.end_ns);
    if (const auto& baseline = run->info.power.baseline)
        setBaseline(baseline->total_mw);
    setPhases(run->trace.phases);
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
    Q_EMIT spanChanged(span);
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
        double peak = 0.0;
        for (const viz::TimeSeries& series : d->history->series)
            peak = std::max(peak, series.summary(power.visible).max);
        power.ceiling_mw = d->ceiling.update(peak, samples.end_ns);
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
    const Statistics now = statistics();
    const QString text = now.mean
        ? (d->data.brush
               ? tr("%1 selected. ").arg(toQString(formatDuration(d->data.brush->duration_ns())))
               : QString())
            + tr("Total power: mean %1, peak %2%3")
                  .arg(toQString(formatPower(now.mean)), toQString(formatPower(now.peak)),
                       d->data.reservation(QStringLiteral(", ")))
        : d->data.textWithoutFigures();
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

QSize PowerChart::sizeHint() const
{
    return {640, 220};
}

QSize PowerChart::minimumSizeHint() const
{
    return {240, 140};
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
