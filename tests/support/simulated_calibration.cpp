// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/simulated_calibration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace ep::test {

namespace {

using What = energy::CalibrationBlock::What;

// Gives the same numbers with every standard library.
class Dice {
public:
    explicit Dice(std::uint32_t seed)
        : m_engine(seed)
    {
    }
    double uniform() { return static_cast<double>(m_engine() >> 5) / 134217728.0; }
    double either() { return 2.0 * uniform() - 1.0; }
    double normal()
    {
        double sum = -6.0;
        for (int i = 0; i < 12; ++i)
            sum += uniform();
        return sum;
    }

private:
    std::mt19937 m_engine;
};

// Power over time, piece by piece, as measured by a sensor with windows.
class Bench {
public:
    Bench(double idleMw, const CalibrationShape& shape)
        : m_idleMw(idleMw)
        , m_shape(shape)
        , m_dice(shape.seed)
        , m_phase(6.283 * m_dice.uniform())
    {
        plan();
        m_nextBurst = shape.bursts_per_s > 0.0
            ? -std::log(1.0 - m_dice.uniform()) / shape.bursts_per_s
            : 1e30;
    }

    // Repeats work of this duration and dynamic energy.
    energy::MeasuredBlock block(const energy::CalibrationBlock& what, double seconds, double each,
                                double mj)
    {
        const double begin = m_now;
        std::int64_t count = 0;
        if (what.what == What::Idle) {
            advance(seconds, 0.0);
        } else {
            count = std::max<std::int64_t>(1, std::llround(seconds / each));
            advance(static_cast<double>(count) * each, mj / each);
        }
        return {.block = what, .time = {ns(begin), ns(m_now)}, .repetitions = count};
    }

    std::vector<PowerSample> finish() { return std::move(m_samples); }

private:
    static Nanoseconds ns(double seconds) { return std::llround(seconds * 1e9); }

    void plan() { m_end = m_begin + 0.108 + 0.0015 * m_dice.either(); }

    void advance(double seconds, double busyMw)
    {
        const double until = m_now + seconds;
        while (m_now < until) {
            const double next = std::min({until, m_end, m_now + 0.02});
            const double drift = 1.0 + m_shape.drift * std::sin(m_phase + 6.283 * m_now / 120.0);
            const bool burst = m_now > m_nextBurst && m_now < m_nextBurst + 0.1;
            if (m_now > m_nextBurst + 0.1)
                m_nextBurst = m_now - std::log(1.0 - m_dice.uniform()) / m_shape.bursts_per_s;
            m_energy += (m_idleMw + drift * busyMw + (burst ? 5000.0 : 0.0)) * (next - m_now);
            m_now = next;
            if (m_now >= m_end)
                read();
        }
    }

    void read()
    {
        PowerSample sample;
        const double off = 1e-3 * m_shape.timestamp_ms * m_dice.either();
        sample.window = {ns(m_begin + m_off), ns(m_end + off)};
        m_sum += m_energy * (1.0 + m_shape.noise * m_dice.normal());
        const double shown = std::floor(m_sum); // as shown by a counter of whole millijoules
        sample.energy_mj[Rail::Cpu] = Millijoules{shown - m_shown};
        sample.power_mw[Rail::Cpu] =
            meanPower(Millijoules{shown - m_shown}, sample.window.duration_ns());
        sample.total_mw = totalOf(sample.power_mw);
        m_samples.push_back(sample);
        m_shown = shown;
        m_energy = 0.0;
        m_off = off;
        m_begin = m_end;
        plan();
    }

    double m_idleMw;
    const CalibrationShape& m_shape;
    Dice m_dice;
    double m_phase;
    double m_now = 0.0; // in seconds
    double m_begin = 0.0; // begin of the window
    double m_end = 0.0;
    double m_off = 0.0; // error of the timestamp of its begin
    double m_energy = 0.0; // energy in the window, mJ
    double m_sum = 0.0;
    double m_shown = 0.0;
    double m_nextBurst = 0.0;
    std::vector<PowerSample> m_samples;
};

} // namespace

std::vector<SimulatedKind> kindsOf(const Truth& truth)
{
    std::map<std::string, SimulatedKind> kinds;
    const auto decoded = static_cast<double>(truth.trace.tokens.size()) - 1.0;
    const auto add = [&](std::string_view name, const TimeRange& time, const SpanWork& work,
                         double mj) {
        SimulatedKind& own = kinds[std::string(name)];
        const double seconds = toSeconds(time.duration_ns());
        own.kind.kind = name;
        ++own.kind.calls;
        own.kind.seconds += seconds / decoded;
        own.kind.bytes += static_cast<double>(work.bytes) / decoded;
        own.kind.flops += static_cast<double>(work.flops) / decoded;
        own.mj += (mj - truth.idle_mw * seconds) / decoded;
    };
    for (std::size_t i = 0; i < truth.trace.components.size(); ++i) {
        const Span& span = truth.trace.components[i];
        if (span.token > 0)
            add(name(span.component), span.time, *span.work, truth.component_mj[i]);
    }
    for (std::size_t i = 0; i < truth.trace.sections.size(); ++i) {
        const Span& span = truth.trace.sections[i];
        if (span.token > 0 && span.work)
            add(name(span.section), span.time, *span.work, truth.section_mj[i]);
    }
    std::vector<SimulatedKind> list;
    for (auto& [name, kind] : kinds) {
        kind.kind.calls /= static_cast<std::int64_t>(decoded);
        kind.kind.footprint_bytes = static_cast<std::int64_t>(kind.kind.bytes);
        list.push_back(std::move(kind));
    }
    return list;
}

double SimulatedCalibration::trueShare(std::size_t kind) const
{
    double all = 0.0;
    for (const SimulatedKind& one : kinds)
        all += one.mj;
    return kinds[kind].mj / all;
}

SimulatedCalibration simulateCalibration(const Truth& truth, const CalibrationShape& shape)
{
    SimulatedCalibration simulated{.kinds = kindsOf(truth), .result = {}};
    std::vector<CalibratedKind> kinds;
    double tokenMj = 0.0;
    double tokenSeconds = 0.0;
    for (const SimulatedKind& one : simulated.kinds) {
        kinds.push_back(one.kind);
        tokenMj += one.mj;
        tokenSeconds += one.kind.seconds;
    }
    tokenMj *= 1.0 + shape.overhead;
    Dice dice(shape.seed + 7'000'000);
    std::vector<double> alone; // relative energy when replayed alone
    for (const SimulatedKind& one : simulated.kinds) {
        alone.push_back((1.0 + shape.transfer * dice.normal())
                        * (one.kind.kind == shape.hot ? 1.0 - shape.hot_share : 1.0));
    }
    Bench bench(truth.idle_mw, shape);
    std::vector<energy::MeasuredBlock> blocks;
    for (const energy::CalibrationBlock& block : energy::planCalibration(kinds, shape.settings)) {
        const bool replay = block.what == What::Replay;
        double mj = replay ? 0.0 : tokenMj;
        double seconds = replay ? 0.0 : tokenSeconds;
        for (std::size_t i = 0; i < block.passes.size(); ++i) {
            const SimulatedKind& one = simulated.kinds[i];
            mj += block.passes[i] * one.mj * (replay ? alone[i] : 1.0);
            seconds += block.passes[i] * one.kind.seconds;
        }
        const double length =
            block.what == What::Idle ? shape.settings.idle_seconds : shape.settings.block_seconds;
        blocks.push_back(bench.block(block, length, seconds, mj));
    }
    simulated.seconds = toSeconds(blocks.back().time.end_ns);
    simulated.result =
        energy::estimateCalibration(kinds, blocks, bench.finish(), {}, shape.settings);
    return simulated;
}

} // namespace ep::test
