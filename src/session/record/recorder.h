// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/current_operation.h"

#include "ep/core/run.h"
#include "ep/core/units.h"
#include "ep/model/engine.h"
#include "ep/model/observer.h"
#include "ep/session/events.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ep::session {

// Reading of a counter and the monotonic clock at the same instant.
struct TickReading {
    std::int64_t tick = 0;
    Nanoseconds time = 0;
};

// Converts timestamps between two readings to times by linear interpolation, clamped to the
// readings.
class TickScale {
public:
    TickScale() = default; // for timestamps that already are times
    TickScale(const TickReading& from, const TickReading& to);

    Nanoseconds timeOf(std::int64_t timestamp) const
    {
        if (m_rate == 0.0)
            return timestamp;
        const auto ticks = static_cast<double>(timestamp - m_from.tick);
        return m_from.time + static_cast<Nanoseconds>(ticks * m_rate);
    }

private:
    TickReading m_from;
    double m_rate = 0.0; // ns per tick; 0: timestamps are times
};

// The counter on which the monotonic clock is based. A call of the clock itself touches several
// pages of memory, which the weights of a matmul evict from the caches: on a server core it takes
// 35 ns in a loop, 280 ns after reading 800 KB and 1.8 us after 4 MB; the counter takes 30, 37 and
// 70 ns.
class TickClock {
public:
    using Ticks = std::int64_t (*)(); // constant rate, the same on all cores
    using Clock = Nanoseconds (*)();

    TickClock(Ticks ticks, Clock clock)
        : m_ticks(ticks)
        , m_clock(clock)
    {
    }
    // Absent if the system's clock is not based on a counter that a program can read.
    static std::optional<TickClock> ofSystem();

    std::int64_t tick() const { return m_ticks(); }
    TickReading read() const;

private:
    Ticks m_ticks;
    Clock m_clock;
};

// Grows by whole chunks, so that elements never move and growing never copies. Made for plain
// records that are appended on a hot path and read afterwards.
template <typename T, std::size_t ChunkSize = 16384>
class ChunkedBuffer {
public:
    // Reserves memory and touches it, so that appending causes no page faults later.
    void reserve(std::size_t count)
    {
        while (m_chunks.size() * ChunkSize < count)
            m_chunks.push_back(std::make_unique<T[]>(ChunkSize));
    }

    std::size_t append(const T& value)
    {
        if (m_size == m_chunks.size() * ChunkSize)
            m_chunks.push_back(std::make_unique<T[]>(ChunkSize));
        (*this)[m_size] = value;
        return m_size++;
    }

    std::size_t size() const { return m_size; }
    T& operator[](std::size_t index) { return m_chunks[index / ChunkSize][index % ChunkSize]; }
    const T& operator[](std::size_t index) const
    {
        return m_chunks[index / ChunkSize][index % ChunkSize];
    }

private:
    std::vector<std::unique_ptr<T[]>> m_chunks;
    std::size_t m_size = 0;
};

struct RecorderOptions {
    Depth depth = Depth::Module;
    float sparsity_threshold = 0.01F;
    std::size_t expected_spans = 0; // memory to prepare before the run
    std::size_t expected_tokens = 0;
    int statistics_every = 0; // one in this many tokens has statistics; 0: see Recorder
    // Source of timestamps: a device, the processor's counter or, if neither is set, the monotonic
    // clock. At most one may be set.
    std::unique_ptr<model::SpanTimer> timer{};
    std::optional<TickClock> ticks{};
    std::function<void()>
        synchronize{}; // called before each timestamp with an accelerator: exact, but slow
    bool calibrate = true; // measure the cost of a span
};

// The cost of recording.
struct RecorderCost {
    std::int64_t spans = 0;
    std::int64_t statistics = 0;
    double span_ns = 0.0; // per span without statistics, calibrated when the recorder was created
    double statistic_ns = 0.0; // per statistic, from a sample of the run's statistics
    std::int64_t memory_bytes = 0; // of the records, without reserved memory
    std::int64_t lost_marks = 0; // the device's marks that could not be read

    Nanoseconds total_ns() const
    {
        return static_cast<Nanoseconds>(span_ns * static_cast<double>(spans)
                                        + statistic_ns * static_cast<double>(statistics));
    }
};

// Records what the engine announces: one timestamp at each end of a span. The second one is taken
// before the statistics, so that these count towards the parent's remainder, not the span.
// Unless the options say which tokens have statistics, they take about a quarter of a percent of
// the time, so that short tokens are not slowed down. Belongs to the inference thread; only the
// published operation is read elsewhere.
class Recorder final : public model::Observer {
public:
    struct SectionListener {
        std::function<void(const SectionEvent&)> began;
        std::function<void(const SectionEvent&)> ended;
    };

    Recorder(RecorderOptions options, PublishedOperation& published, SectionListener listener);

    // The following spans belong to this phase and token (kNoToken outside of steps). Spans left
    // open by an interrupted step are dropped.
    void enter(Phase phase, std::int32_t token);
    // The token's work is done: fetches its timestamps from the timer, if there is one, and adds up
    // the cost of its statistics.
    Status endStep();

    bool wants(const model::Tap& tap) override;
    void began(const model::Tap& tap) override;
    void ended(const model::Tap& tap, const model::TensorProbe* output) override;
    std::optional<float> statisticsThreshold() override
    {
        return m_statisticsNow ? std::optional(m_options.sparsity_threshold) : std::nullopt;
    }
    void deferred(std::span<const ActivationStats> stats) override;

    // Layers and components since the last enter().
    void currentStep(std::vector<Span>& layers, std::vector<Span>& components) const;
    // All records, without the steps that produced no token (index >= completedTokens): they have
    // no parent, and their time is their phase's remainder.
    void appendTo(RunTrace& trace, std::int32_t completedTokens) const;

    RecorderCost cost() const;
    // One in this many tokens had statistics, rounded.
    std::int64_t statisticsEvery() const;

private:
    static constexpr std::int32_t kNone = -1;

    struct Mark {
        // With a timer, indices of marks until endStep(); with a counter, ticks.
        Nanoseconds begin_ns = 0;
        Nanoseconds end_ns = 0; // 0: the timer could not be read
        std::int32_t notes = kNone; // index into m_stats, for operations into m_notes
        std::uint32_t key = 0; // keyOf() of the tap
    };
    static_assert(sizeof(Mark) == 24); // 40 with its statistics

    // Spans from `first` on belong to this phase and token.
    struct Stretch {
        std::size_t first = 0;
        std::int32_t token = kNoToken;
        Phase phase = Phase::Idle;
        TickScale scale{}; // for timestamps since endStep()
    };

    // The statistics of one operation.
    struct Notes {
        std::int32_t stats = kNone;
        std::uint32_t first_head =
            0; // index into m_heads: entropies, then largest weights, then sparsities
        std::int32_t heads = 0;
        std::int32_t expert = -1;
        std::int32_t rows = 0;
        float activation_kill_ratio = 0.0F; // NaN: none
        float variance_ratio = 0.0F;
    };

    static SpanLevel levelOf(std::uint32_t key);
    static std::uint32_t keyOf(const model::Tap& tap);

    Nanoseconds timestamp();
    Nanoseconds timestampAtOnce(); // without waiting for a device
    Status takeTimes();
    void planStatistics(Nanoseconds step);
    void publish(const model::Tap& tap);
    void announce(const std::function<void(const SectionEvent&)>& heard, const model::Tap& tap,
                  Nanoseconds begin, Nanoseconds end) const;
    std::int32_t describe(bool isOperation, const model::TensorProbe& output);
    std::int32_t statsOf(const model::TensorProbe& output);
    std::int32_t kept(const ActivationStats& stats);
    std::int32_t notesOf(const model::TensorProbe& output);
    std::optional<ActivationStats> statsAt(std::int32_t index) const;
    SharedExtras extrasOf(const Notes& notes) const;
    Span spanOf(const Mark& mark, const Stretch& stretch) const;

    RecorderOptions m_options;
    PublishedOperation& m_published;
    SectionListener m_listener;
    ChunkedBuffer<Mark> m_spans;
    ChunkedBuffer<ActivationStats> m_stats;
    ChunkedBuffer<Notes> m_notes;
    ChunkedBuffer<float> m_heads;
    std::vector<Stretch> m_stretches;
    std::vector<std::int32_t> m_awaited; // statistics deferred by the engine
    std::vector<Nanoseconds> m_times; // times of the timer's marks
    // Open spans, innermost last. They join m_spans when they end, because the memory of a layer's
    // span would be out of the cache by then.
    std::array<Mark, 16> m_open = {};
    std::size_t m_openCount = 0;
    bool m_statisticsNow = false; // whether this step has statistics
    std::int32_t m_nextStatistics = 0; // the next token that has statistics
    std::int64_t m_steps = 0; // of tokens
    std::int64_t m_stepsWithStatistics = 0;
    std::int64_t m_statisticsBefore = 0; // before this step
    bool m_planned = false; // whether m_nextStatistics follows from this step
    std::array<Nanoseconds, kSectionCount> m_announced = {}; // start times, by the host's clock
    CurrentOperation m_current;
    TickReading m_entered;
    std::size_t m_unstamped = 0; // first span whose times are still indices of marks
    std::int64_t m_statistics = 0;
    std::vector<TimeRange> m_timed; // timed statistics of this step, with timestamps like spans
    std::int64_t m_timedCount = 0;
    Nanoseconds m_timedTotal = 0;
    double m_spanCost = 0.0;
};

} // namespace ep::session
