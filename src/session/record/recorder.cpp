// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/recorder.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace ep::session {

namespace {

constexpr int kReadings = 3; // the fastest reading is used: the first one has cold caches

// More is reserved only on request: 2^21 spans take 48 MiB.
constexpr std::size_t kMaxReserve = std::size_t{1} << 21;
constexpr std::size_t kStretchesOutsideSteps = 16;
// One in this many statistics is timed; odd, so that every kind of component is included.
constexpr std::int64_t kTimedOneIn = 31;
constexpr double kStatisticsShare = 0.0025; // share of the time of the steps
constexpr double kFewestStatistics = 64; // at least one in this many tokens has statistics

// Cost of one span in the recorder; the fastest of several rounds, since other work may interrupt.
// Takes about a tenth of a millisecond.
double measureSpanCost()
{
    constexpr int kRounds = 4;
    constexpr int kSpans = 512;
    PublishedOperation published{0};
    auto best = std::numeric_limits<Nanoseconds>::max();
    for (int round = 0; round < kRounds; ++round) {
        Recorder recorder(
            {.expected_spans = kSpans, .ticks = TickClock::ofSystem(), .calibrate = false},
            published, {});
        recorder.enter(Phase::Decode, 0);
        model::Observer& observer = recorder;
        const Nanoseconds begin = monotonicNow();
        for (int i = 0; i < kSpans; ++i) {
            const model::Tap tap = model::Tap::ofComponent(i, Component::QProj);
            if (observer.wants(tap)) {
                observer.began(tap);
                observer.ended(tap, nullptr);
            }
        }
        static_cast<void>(recorder.endStep());
        best = std::min(best, monotonicNow() - begin);
    }
    return static_cast<double>(best) / kSpans;
}

} // namespace

// Without a tick between the readings, all timestamps are clamped, so any rate will do.
TickScale::TickScale(const TickReading& from, const TickReading& to)
    : m_from(from)
    , m_rate(static_cast<double>(std::max<Nanoseconds>(1, to.time - from.time))
             / static_cast<double>(std::max<std::int64_t>(1, to.tick - from.tick)))
{
}

TickReading TickClock::read() const
{
    TickReading best;
    auto narrowest = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < kReadings; ++i) {
        const std::int64_t before = m_ticks();
        const Nanoseconds time = m_clock();
        const std::int64_t width = m_ticks() - before;
        if (width < narrowest) {
            narrowest = width;
            best = {.tick = before + width / 2, .time = time};
        }
    }
    return best;
}

#if defined(__linux__) && defined(__x86_64__)

namespace {

std::int64_t timeStampCounter()
{
    unsigned processor = 0;
    return static_cast<std::int64_t>(
        __builtin_ia32_rdtscp(&processor)); // waits for preceding instructions
}

} // namespace

// The kernel uses the counter as clock only if it is consistent across all cores.
std::optional<TickClock> TickClock::ofSystem()
{
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string source;
    if (!(file >> source) || source != "tsc")
        return std::nullopt;
    return TickClock(timeStampCounter, monotonicNow);
}

#else

std::optional<TickClock> TickClock::ofSystem()
{
    return std::nullopt;
}

#endif

Recorder::Recorder(RecorderOptions options, PublishedOperation& published, SectionListener listener)
    : m_options(std::move(options))
    , m_published(published)
    , m_listener(std::move(listener))
    , m_spanCost(m_options.calibrate ? measureSpanCost() : 0.0)
{
    const std::size_t expected = std::min(m_options.expected_spans, kMaxReserve);
    m_spans.reserve(expected);
    if (m_options.depth != Depth::None)
        m_stats.reserve(expected);
    m_stretches.reserve(std::min(m_options.expected_tokens, kMaxReserve) + kStretchesOutsideSteps);
    m_stretches.push_back({});
}

void Recorder::enter(Phase phase, std::int32_t token)
{
    static_cast<void>(endStep()); // drops an interrupted step
    m_openCount = 0;
    m_stretches.push_back({.first = m_spans.size(), .token = token, .phase = phase});
    m_statisticsNow =
        m_options.depth != Depth::None && (token == kNoToken || token >= m_nextStatistics);
    m_statisticsBefore = m_statistics;
    m_planned = false;
    m_awaited.clear();
    m_timed.clear();
    m_current = {.phase = phase, .section = m_current.section, .token = token};
    m_published.store(pack(m_current), std::memory_order_relaxed);
    if (m_options.ticks)
        m_entered = m_options.ticks->read();
    else
        m_entered.time = monotonicNow();
}

bool Recorder::wants(const model::Tap& tap)
{
    switch (tap.level) {
    case SpanLevel::Section:
        return true;
    case SpanLevel::Layer:
    case SpanLevel::Component:
        return m_options.depth != Depth::None;
    case SpanLevel::Operation:
        return m_options.depth == Depth::Deep;
    }
    return false;
}

SpanLevel Recorder::levelOf(std::uint32_t key)
{
    return static_cast<SpanLevel>(key >> 30);
}

std::uint32_t Recorder::keyOf(const model::Tap& tap)
{
    const auto part = tap.level == SpanLevel::Section ? static_cast<std::uint32_t>(tap.section)
                                                      : static_cast<std::uint32_t>(tap.component);
    const auto operation =
        tap.level == SpanLevel::Operation ? static_cast<std::uint32_t>(tap.operation) : 0U;
    return static_cast<std::uint32_t>(tap.level) << 30 | part << 24 | operation << 16
        | static_cast<std::uint16_t>(tap.layer);
}

static_assert(kComponentCount <= 64 && kSectionCount <= 64);

Nanoseconds Recorder::timestamp()
{
    if (m_options.synchronize)
        m_options.synchronize();
    return timestampAtOnce();
}

Nanoseconds Recorder::timestampAtOnce()
{
    if (m_options.ticks)
        return m_options.ticks->tick();
    return m_options.timer ? static_cast<Nanoseconds>(m_options.timer->mark()) : monotonicNow();
}

void Recorder::publish(const model::Tap& tap)
{
    if (tap.level == SpanLevel::Operation)
        return;
    if (tap.level == SpanLevel::Section)
        m_current.section = tap.section;
    m_current.layer = tap.layer;
    m_current.has_component = tap.level == SpanLevel::Component;
    m_current.component = tap.component;
    m_published.store(pack(m_current), std::memory_order_relaxed);
}

// Uses the host's clock: timestamps of devices and counters are converted later.
void Recorder::announce(const std::function<void(const SectionEvent&)>& heard,
                        const model::Tap& tap, Nanoseconds begin, Nanoseconds end) const
{
    heard({.phase = m_current.phase,
           .section = tap.section,
           .token = m_current.token,
           .time = {begin, end}});
}

void Recorder::began(const model::Tap& tap)
{
    if (m_openCount == m_open.size())
        return;
    publish(tap);
    Mark& open = m_open[m_openCount++];
    open.key = keyOf(tap);
    open.begin_ns = timestamp();
    if (tap.level == SpanLevel::Section && m_listener.began) {
        const Nanoseconds now = monotonicNow();
        m_announced[static_cast<std::size_t>(tap.section)] = now;
        announce(m_listener.began, tap, now, now);
    }
}

void Recorder::ended(const model::Tap& tap, const model::TensorProbe* output)
{
    const Nanoseconds end = timestamp();
    const std::uint32_t key = keyOf(tap);
    // An interrupted part leaves inner spans open; they are dropped with it.
    std::size_t depth = m_openCount;
    while (depth > 0 && m_open[depth - 1].key != key)
        --depth;
    if (depth == 0)
        return;
    m_openCount = depth - 1;
    Mark& open = m_open[m_openCount];
    if (tap.level == SpanLevel::Section && m_listener.ended) {
        announce(m_listener.ended, tap, m_announced[static_cast<std::size_t>(tap.section)],
                 monotonicNow());
    }
    open.end_ns = end;
    open.notes = output != nullptr && m_statisticsNow
        ? describe(tap.level == SpanLevel::Operation, *output)
        : kNone;
    m_spans.append(open);
}

std::int32_t Recorder::describe(bool isOperation, const model::TensorProbe& output)
{
    const bool timed = m_statistics++ % kTimedOneIn == 0;
    const Nanoseconds begin = timed ? timestampAtOnce() : 0;
    const std::int32_t notes = isOperation ? notesOf(output) : statsOf(output);
    if (timed)
        m_timed.push_back({begin, timestampAtOnce()});
    return notes;
}

std::int32_t Recorder::statsOf(const model::TensorProbe& output)
{
    if (!output.hasStats())
        return kNone;
    if (output.defer(m_options.sparsity_threshold)) {
        m_awaited.push_back(static_cast<std::int32_t>(m_stats.append({})));
        return m_awaited.back();
    }
    return kept(output.stats(m_options.sparsity_threshold));
}

// The remainder of a layer follows its last component, that of a component its last operation.
std::int32_t Recorder::kept(const ActivationStats& stats)
{
    const std::size_t last = m_stats.size() - 1;
    const bool known = m_stats.size() > 0 && m_stats[last] == stats;
    return static_cast<std::int32_t>(known ? last : m_stats.append(stats));
}

std::int32_t Recorder::notesOf(const model::TensorProbe& output)
{
    const model::OperationFigures figures = output.figures(m_options.sparsity_threshold);
    Notes notes{.stats = figures.stats ? kept(*figures.stats) : statsOf(output),
                .first_head = static_cast<std::uint32_t>(m_heads.size()),
                .heads = static_cast<std::int32_t>(figures.attention_entropy.size()),
                .expert = figures.expert,
                .rows = figures.rows,
                .activation_kill_ratio = figures.activation_kill_ratio,
                .variance_ratio = figures.variance_ratio};
    for (const auto& values :
         {figures.attention_entropy, figures.max_attention_weight, figures.attention_sparsity}) {
        for (const float value : values)
            m_heads.append(value);
    }
    return static_cast<std::int32_t>(m_notes.append(notes));
}

void Recorder::deferred(std::span<const ActivationStats> stats)
{
    const std::size_t count = std::min(stats.size(), m_awaited.size());
    for (std::size_t i = 0; i < count; ++i)
        m_stats[static_cast<std::size_t>(m_awaited[i])] = stats[i];
    m_awaited.clear();
}

Status Recorder::endStep()
{
    const TickReading left =
        m_options.ticks ? m_options.ticks->read() : TickReading{0, monotonicNow()};
    if (m_options.ticks)
        m_stretches.back().scale = TickScale(m_entered, left);
    const bool waiting = m_options.timer && m_unstamped < m_spans.size();
    if (const Status read = waiting ? takeTimes() : Status(); !read)
        return read;
    const TickScale& scale = m_stretches.back().scale;
    for (const TimeRange& time : m_timed)
        m_timedTotal += scale.timeOf(time.end_ns) - scale.timeOf(time.begin_ns);
    m_timedCount += static_cast<std::int64_t>(m_timed.size());
    m_timed.clear();
    planStatistics(left.time - m_entered.time);
    return {};
}

// Chooses the next token that has statistics, once for each step.
void Recorder::planStatistics(Nanoseconds step)
{
    const std::int32_t token = m_stretches.back().token;
    if (token == kNoToken || m_planned)
        return;
    m_planned = true;
    ++m_steps;
    if (!m_statisticsNow)
        return;
    ++m_stepsWithStatistics;
    int every = m_options.statistics_every;
    if (every <= 0) {
        const auto statistics = static_cast<double>(m_statistics - m_statisticsBefore);
        const double each = m_timedCount > 0
            ? static_cast<double>(m_timedTotal) / static_cast<double>(m_timedCount)
            : 0.0;
        const double share = step > 0 ? statistics * each / static_cast<double>(step) : 0.0;
        every = static_cast<int>(
            std::clamp(std::ceil(share / kStatisticsShare), 1.0, kFewestStatistics));
    }
    m_nextStatistics = token + every;
}

std::int64_t Recorder::statisticsEvery() const
{
    return m_stepsWithStatistics > 0
        ? std::max<std::int64_t>(
            1,
            std::lround(static_cast<double>(m_steps) / static_cast<double>(m_stepsWithStatistics)))
        : std::max(1, m_options.statistics_every);
}

// A device's clock may be slightly off the host's; spans are clamped to their token.
Status Recorder::takeTimes()
{
    const Status read = m_options.timer->read(m_times);
    const Nanoseconds now = monotonicNow();
    const auto timeOf = [&](Nanoseconds mark) {
        const auto index = static_cast<std::size_t>(mark);
        return index < m_times.size() ? std::clamp(m_times[index], m_entered.time, now)
                                      : m_entered.time;
    };
    for (; m_unstamped < m_spans.size(); ++m_unstamped) {
        Mark& span = m_spans[m_unstamped];
        span.begin_ns = timeOf(span.begin_ns);
        span.end_ns = read ? timeOf(span.end_ns) : 0;
    }
    for (TimeRange& time : m_timed)
        time = {timeOf(time.begin_ns), timeOf(time.end_ns)};
    m_openCount = 0;
    return read;
}

RecorderCost Recorder::cost() const
{
    const auto bytes = m_spans.size() * sizeof(Mark) + m_stats.size() * sizeof(ActivationStats)
        + m_notes.size() * sizeof(Notes) + m_heads.size() * sizeof(float)
        + m_stretches.size() * sizeof(Stretch);
    return {.spans = static_cast<std::int64_t>(m_spans.size()),
            .statistics = m_statistics,
            .span_ns = m_spanCost,
            .statistic_ns = m_timedCount > 0
                ? static_cast<double>(m_timedTotal) / static_cast<double>(m_timedCount)
                : 0.0,
            .memory_bytes = static_cast<std::int64_t>(bytes),
            .lost_marks = m_options.timer ? m_options.timer->lost() : 0};
}

// Turns what was recorded into the spans of a trace.

std::optional<ActivationStats> Recorder::statsAt(std::int32_t index) const
{
    if (index < 0)
        return std::nullopt;
    return m_stats[static_cast<std::size_t>(index)];
}

SharedExtras Recorder::extrasOf(const Notes& notes) const
{
    OperationExtras extras;
    std::size_t place = notes.first_head;
    for (auto* const values :
         {&extras.attention_entropy, &extras.max_attention_weight, &extras.attention_sparsity}) {
        for (std::int32_t head = 0; head < notes.heads; ++head)
            values->push_back(m_heads[place++]);
    }
    if (!std::isnan(notes.activation_kill_ratio))
        extras.activation_kill_ratio = notes.activation_kill_ratio;
    if (!std::isnan(notes.variance_ratio))
        extras.variance_ratio = notes.variance_ratio;
    if (notes.expert >= 0) {
        extras.expert = notes.expert;
        extras.rows = notes.rows;
    }
    return SharedExtras(std::move(extras));
}

Span Recorder::spanOf(const Mark& mark, const Stretch& stretch) const
{
    const TimeRange time{stretch.scale.timeOf(mark.begin_ns), stretch.scale.timeOf(mark.end_ns)};
    const SpanLevel level = levelOf(mark.key);
    const auto part = (mark.key >> 24) & 0x3FU;
    const auto component = static_cast<Component>(part);
    const auto operation = static_cast<Operation>((mark.key >> 16) & 0xFFU);
    const auto layer = static_cast<std::int16_t>(mark.key & 0xFFFFU);
    Span span = level == SpanLevel::Section
        ? Span::ofSection(stretch.phase, static_cast<Section>(part), stretch.token, time)
        : level == SpanLevel::Layer ? Span::ofLayer(stretch.token, layer, time)
        : level == SpanLevel::Component
        ? Span::ofComponent(stretch.token, layer, component, time)
        : Span::ofOperation(stretch.token, layer, component, operation, time);
    if (level != SpanLevel::Operation) {
        span.stats = statsAt(mark.notes);
    } else if (mark.notes >= 0) {
        const Notes& notes = m_notes[static_cast<std::size_t>(mark.notes)];
        span.stats = statsAt(notes.stats);
        span.extras = extrasOf(notes);
    }
    return span;
}

void Recorder::currentStep(std::vector<Span>& layers, std::vector<Span>& components) const
{
    const Stretch& stretch = m_stretches.back();
    for (std::size_t i = stretch.first; i < m_spans.size(); ++i) {
        const SpanLevel level = levelOf(m_spans[i].key);
        if (m_spans[i].end_ns == 0)
            continue;
        if (level == SpanLevel::Layer)
            layers.push_back(spanOf(m_spans[i], stretch));
        else if (level == SpanLevel::Component)
            components.push_back(spanOf(m_spans[i], stretch));
    }
}

void Recorder::appendTo(RunTrace& trace, std::int32_t completedTokens) const
{
    std::array<std::size_t, kSpanLevels.size()> counts{};
    for (std::size_t i = 0; i < m_spans.size(); ++i)
        ++counts[static_cast<std::size_t>(levelOf(m_spans[i].key))];
    for (const SpanLevel level : kSpanLevels) {
        std::vector<Span>& spans = trace.spans(level);
        spans.reserve(spans.size() + counts[static_cast<std::size_t>(level)]);
    }
    for (std::size_t s = 0; s < m_stretches.size(); ++s) {
        const Stretch& stretch = m_stretches[s];
        if (stretch.token >= completedTokens)
            continue;
        const std::size_t end =
            s + 1 < m_stretches.size() ? m_stretches[s + 1].first : m_spans.size();
        for (std::size_t i = stretch.first; i < end; ++i) {
            if (m_spans[i].end_ns != 0)
                trace.spans(levelOf(m_spans[i].key)).push_back(spanOf(m_spans[i], stretch));
        }
    }
}

} // namespace ep::session
