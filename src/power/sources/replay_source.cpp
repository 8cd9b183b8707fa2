// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/replay_source.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <cmath>

namespace ep::power {

namespace {
constexpr int kReadingsPerTurn = 64; // so that stop() is handled during a fast replay
}

ReplaySource::ReplaySource(std::string file, double speed, bool endless, QObject* parent)
    : Source(parent)
    , m_reader(std::move(file))
    , m_speed(speed)
    , m_endless(endless && speed > 0.0)
    , m_timer(this)
{
    m_end = monotonicNow();
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &ReplaySource::deliverDue);
}

ReplaySource::ReplaySource(std::shared_ptr<const std::vector<PowerSample>> recorded,
                           std::string name, double speed, bool endless, QObject* parent)
    : ReplaySource(std::move(name), speed, endless, parent)
{
    m_recorded = std::move(recorded);
}

Message ReplaySource::detail() const
{
    std::string text = (m_recorded ? "run " : "") + m_reader.file() + ", "
        + std::to_string(m_readings) + " readings";
    if (m_rounds > 0)
        text += ", repeated " + std::to_string(m_rounds) + (m_rounds == 1 ? " time" : " times");
    if (m_reader.skipped() > 0)
        text += ", " + std::to_string(m_reader.skipped()) + " unusable documents skipped";
    return text;
}

SourceFacts ReplaySource::facts() const
{
    return {.dropped = m_reader.skipped(),
            .rated_mw = {},
            .sample_kind = m_recorded ? std::nullopt : std::optional(SampleKind::Power)};
}

void ReplaySource::start(int /*intervalMs*/)
{
    const Status opened = m_recorded ? Status() : m_reader.open();
    // An endless replay covers the time from its creation on, however late its thread starts.
    if (!m_endless)
        m_end = monotonicNow();
    m_timer.start(0);
    if (!opened) {
        m_timer.stop();
        QMetaObject::invokeMethod(
            this, [this, message = opened.error().message] { finish(message); },
            Qt::QueuedConnection);
    }
}

void ReplaySource::stop()
{
    // An endless replay covers the time up to here: windows that are overdue, because a busy
    // machine delayed them, and a part of the last one.
    const Nanoseconds now = monotonicNow();
    while (m_endless && !m_ended && m_end < now) {
        if (!m_next)
            m_next = readNext();
        if (!m_next)
            break;
        const Nanoseconds whole = scaled(m_next->window.duration_ns());
        const Nanoseconds begin = beginOfNext();
        const Nanoseconds part = std::min(now - begin, whole);
        if (part <= 0)
            break;
        const double share = static_cast<double>(part) / static_cast<double>(whole);
        for (auto& energy : m_next->energy_mj.values)
            energy = energy ? std::optional(*energy * share) : std::nullopt;
        deliver(begin, part);
    }
    finish({});
}

std::optional<PowerSample> ReplaySource::readNext()
{
    auto sample = readHere();
    if (!sample && m_endless && beginAgain())
        sample = readHere();
    if (sample)
        m_read_ns += scaled(sample->window.duration_ns());
    return sample;
}

std::optional<PowerSample> ReplaySource::readHere()
{
    if (m_recorded) {
        if (m_position == m_recorded->size())
            return std::nullopt;
        PowerSample sample = (*m_recorded)[m_position];
        const Nanoseconds gap = m_position == 0
            ? 0
            : sample.window.begin_ns - (*m_recorded)[m_position - 1].window.end_ns;
        const Nanoseconds begin = std::max<Nanoseconds>(0, gap);
        sample.window = {begin, begin + sample.window.duration_ns()};
        ++m_position;
        return sample;
    }
    auto reading = m_reader.next();
    return reading ? std::optional(std::move(reading->sample)) : std::nullopt;
}

// Refuses a round that takes no time, which would never end.
bool ReplaySource::beginAgain()
{
    constexpr Nanoseconds kShortest = 1'000'000;
    if (m_read_ns < kShortest || !m_reader.problem().empty())
        return false;
    m_read_ns = 0;
    ++m_rounds;
    m_position = 0;
    if (m_recorded)
        return true;
    m_reader = CaptureReader(m_reader.file());
    return m_reader.open().has_value();
}

Nanoseconds ReplaySource::beginOfNext() const
{
    const Nanoseconds gap = m_next->window.begin_ns;
    return m_end + (gap > 0 ? scaled(gap) : 0);
}

void ReplaySource::deliver(Nanoseconds begin, Nanoseconds length)
{
    PowerSample sample = std::move(*m_next);
    m_next.reset();
    ++m_readings;
    sample.window = {begin, begin + length};
    m_end = sample.window.end_ns;
    sample.arrival_ns = monotonicNow();
    if (m_speed > 0.0 && m_speed != 1.0) {
        for (auto& energy : sample.energy_mj.values)
            energy = energy ? std::optional(*energy / m_speed) : std::nullopt;
    }
    Source::deliver(std::move(sample));
}

void ReplaySource::deliverDue()
{
    for (int i = 0; i < kReadingsPerTurn && !m_ended; ++i) {
        if (!m_next)
            m_next = readNext();
        if (!m_next)
            return finish(m_reader.problem());
        const auto length = scaled(m_next->window.duration_ns());
        const Nanoseconds begin = beginOfNext();
        const auto wait = m_speed > 0.0 ? begin + length - monotonicNow() : 0;
        if (wait > 0) {
            constexpr Nanoseconds kMillisecond = 1'000'000;
            constexpr Nanoseconds kLongest = 3'600'000; // then the time is checked again
            const auto ms = std::min((wait + kMillisecond - 1) / kMillisecond, kLongest);
            m_timer.start(static_cast<int>(ms));
            return;
        }
        deliver(begin, length);
    }
    if (!m_ended)
        m_timer.start(0);
}

void ReplaySource::finish(const Message& problem)
{
    if (m_ended)
        return;
    m_ended = true;
    m_timer.stop();
    Q_EMIT ended(problem);
}

Nanoseconds ReplaySource::scaled(Nanoseconds recorded) const
{
    if (m_speed <= 0.0 || m_speed == 1.0)
        return recorded;
    return std::max<Nanoseconds>(1, std::llround(static_cast<double>(recorded) / m_speed));
}

} // namespace ep::power
