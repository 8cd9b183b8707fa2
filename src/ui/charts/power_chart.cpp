// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/charts/power_chart.h"

#include "chart_paint.h"
#include "power_plot.h"

#include "ep/core/format.h"
#include "ep/ui/charts/chart_export.h"

#include <QElapsedTimer>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr int kTickMs = 100;
constexpr Nanoseconds kMinute = 60'000'000'000;
constexpr Nanoseconds kLeastLiveSpan = 10'000'000'000; // the first seconds do not stretch

Rail railOf(Channel channel)
{
    switch (channel) {
    case Channel::Gpu:
        return Rail::Gpu;
    case Channel::Ane:
        return Rail::Ane;
    case Channel::Dram:
        return Rail::Dram;
    case Channel::Cpu:
    case Channel::Total:
        break;
    }
    return Rail::Cpu;
}

std::optional<double> valueOf(const PowerSample& sample, Channel channel)
{
    const std::optional<Milliwatts> power = channel != Channel::Total
        ? sample.power_mw[railOf(channel)]
        : sample.total_mw ? sample.total_mw
                          : totalOf(sample.power_mw);
    return power ? std::optional(power->value) : std::nullopt;
}

} // namespace

class PowerChart::Private {
public:
    explicit Private(PowerChart* owner)
        : plot(new PowerPlot(data, kMaxPoints, owner))
        , lastMinute(new QToolButton(owner))
        , all(new QToolButton(owner))
    {
    }

    TimeRange samplesTime() const { return data.of(Channel::Total).time(); }

    PowerData data;
    PowerPlot* plot; // the widgets are owned by the chart
    QToolButton* lastMinute;
    QToolButton* all;
    QTimer timer;
    viz::LiveCeiling ceiling;
    std::optional<Nanoseconds> zero;
    Span span = Span::LastMinute;
    bool live = true; // samples may follow
    bool phaseGoesOn = false; // the last phase ends with the newest sample, so far
    QElapsedTimer sinceDescribed;
};

PowerChart::PowerChart(QWidget* parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(this))
{
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
    setUp(d->lastMinute, tr("60 s"), tr("Show the last 60 seconds (M)"), Span::LastMinute);
    setUp(d->all, tr("All"), tr("Show all samples (A)"), Span::All);

    // The buttons lie on the free corner of the plot, beside the badges.
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(2);
    buttons->addWidget(d->lastMinute);
    buttons->addWidget(d->all);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(d->plot, 0, 0);
    layout->addLayout(buttons, 0, 0, Qt::AlignTop | Qt::AlignRight);
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
    delete d->plot; // it reads d->data and must go first
}

void PowerChart::clear()
{
    for (viz::TimeSeries& series : d->data.series)
        series.clear();
    d->data.phases.clear();
    d->phaseGoesOn = false;
    d->data.modelled = false;
    d->zero.reset();
    d->ceiling.clear();
    d->live = true;
    d->sinceDescribed.invalidate();
    refresh();
}

void PowerChart::setZero(Nanoseconds zero)
{
    d->zero = zero;
    d->timer.start();
}

void PowerChart::addSample(const PowerSample& sample)
{
    for (const Channel channel : kChannels)
        d->data.series[static_cast<std::size_t>(channel)].append(sample.window,
                                                                 valueOf(sample, channel));
    d->data.modelled = d->data.modelled || sample.modelled;
    if (!d->timer.isActive())
        d->timer.start();
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
    for (const PowerSample& sample : run->trace.samples)
        addSample(sample);
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
    const bool changed = span != d->span;
    d->span = span;
    d->lastMinute->setChecked(span == Span::LastMinute);
    d->all->setChecked(span == Span::All);
    if (!changed)
        return;
    d->ceiling.clear();
    refresh();
    Q_EMIT spanChanged(span);
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
    if (!power.empty()) {
        const TimeRange samples = d->samplesTime();
        power.origin = d->zero.value_or(samples.begin_ns);
        const Nanoseconds begin = std::min(samples.begin_ns, power.origin);
        power.visible = {begin, std::max(samples.end_ns, begin + 1)};
        if (d->span == Span::LastMinute)
            power.visible.begin_ns = std::max(begin, samples.end_ns - kMinute);
        if (d->live)
            power.visible.end_ns =
                std::max(power.visible.end_ns, power.visible.begin_ns + kLeastLiveSpan);
        double peak = 0.0;
        for (const viz::TimeSeries& series : power.series)
            peak = std::max(peak, series.summary(power.visible).max);
        power.ceiling_mw = d->ceiling.update(peak, samples.end_ns);
    }
    if (d->phaseGoesOn) {
        TimeRange& time = power.phases.back().time;
        time.end_ns = std::max(time.begin_ns, d->samplesTime().end_ns);
    }
    d->plot->rebuild();

    // Screen readers are told once a second while samples come in, at once otherwise.
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
        ? tr("Total power: mean %1, peak %2%3")
              .arg(fromUtf8(formatPower(now.mean)), fromUtf8(formatPower(now.peak)),
                   now.modelled ? tr(", modelled") : QString())
        : d->data.emptyText;
    d->plot->setAccessibleDescription(text);
    setAccessibleDescription(text);
}

PowerChart::Statistics PowerChart::statistics() const
{
    const viz::TimeSeries& total = d->data.of(Channel::Total);
    Statistics result;
    result.samples = total.size();
    result.modelled = d->data.modelled;
    const viz::SeriesSummary shown = total.summary(d->data.visible);
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
    return {360, 140};
}

void PowerChart::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_A)
        setSpan(Span::All);
    else if (event->key() == Qt::Key_M)
        setSpan(Span::LastMinute);
    else
        QWidget::keyPressEvent(event);
}

} // namespace ep::ui
