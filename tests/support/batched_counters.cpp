// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/batched_counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace ep::test {

namespace {

constexpr double kMaxBusy = 1.0;
constexpr double kMaxGpu = 30'000.0; // in mW

Nanoseconds nanoseconds(double seconds)
{
    return std::llround(seconds * 1e9);
}

} // namespace

BatchedMac::BatchedMac(const BatchShape& shape)
    : m_shape(shape)
    , m_random(shape.seed)
{
    // Idle, prompt, answer, ...; the load varies every 50 to 400 ms.
    Nanoseconds time = 0;
    const auto fill = [&](Nanoseconds until, double busy, double gpu_mw) {
        while (time < until) {
            const double waver = between(0.85, 1.15);
            Piece piece{{time, std::min(until, time + nanoseconds(between(0.05, 0.4)))},
                        std::min(kMaxBusy, busy * waver),
                        std::min(kMaxGpu, gpu_mw * waver)};
            time = piece.time.end_ns;
            if (!m_pieces.empty()) {
                for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Dram})
                    piece.before_mj[static_cast<std::size_t>(rail)] =
                        energy(rail, piece.time.begin_ns);
            }
            m_pieces.push_back(piece);
        }
    };
    fill(nanoseconds(between(3.0, 6.0)), 0.05, 0.0); // before the run
    for (int i = 0; i < shape.phases; ++i) {
        const Nanoseconds begin = time;
        const std::array<std::array<double, 2>, 3> loads = {
            {{0.05, 0.0},
             {between(0.6, 0.9), between(10'000.0, 25'000.0)},
             {between(0.15, 0.5), between(4'000.0, 15'000.0)}}};
        const auto& load = loads[static_cast<std::size_t>(i) % loads.size()];
        fill(begin + nanoseconds(between(shape.phase_s, 2.0 * shape.phase_s)), load[0], load[1]);
        m_phases.push_back({begin, time});
    }
    fill(time + nanoseconds(shape.most_batch_s + 1.0), 0.05, 0.0); // until everything is published
    m_now = nanoseconds(between(1.0, 2.0));
    m_nextBatch = nanoseconds(between(0.0, 1.0));
    publish(m_now);
}

double BatchedMac::between(double least, double most)
{
    return std::uniform_real_distribution(least, most)(m_random);
}

double BatchedMac::power(Rail rail, const Piece& piece)
{
    switch (rail) {
    case Rail::Cpu:
        return 800.0 + 38'000.0 * piece.busy;
    case Rail::Gpu:
        return piece.gpu_mw;
    default: // DRAM: used by both
        return 400.0 + 2'500.0 * piece.busy + 0.12 * piece.gpu_mw;
    }
}

double BatchedMac::mostPower(Rail rail) const
{
    return power(rail, {.time = {}, .busy = kMaxBusy, .gpu_mw = kMaxGpu});
}

// The last piece that begins before that time.
const BatchedMac::Piece& BatchedMac::pieceAt(Nanoseconds time) const
{
    const auto after = std::ranges::lower_bound(
        m_pieces, time, {}, [](const Piece& piece) { return piece.time.begin_ns; });
    return after == m_pieces.begin() ? *after : *std::prev(after);
}

double BatchedMac::energy(Rail rail, Nanoseconds until) const
{
    const Piece& piece = pieceAt(until);
    const Nanoseconds part = std::min(until, piece.time.end_ns) - piece.time.begin_ns;
    return piece.before_mj[static_cast<std::size_t>(rail)]
        + power(rail, piece) * static_cast<double>(part) * 1e-9;
}

double BatchedMac::energyOf(Rail rail, const TimeRange& time) const
{
    return energy(rail, time.end_ns) - energy(rail, time.begin_ns);
}

double BatchedMac::energyOf(const TimeRange& time) const
{
    double sum = 0.0;
    for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Dram})
        sum += energyOf(rail, time);
    return sum;
}

double BatchedMac::busyOver(const TimeRange& time) const
{
    double sum = 0.0;
    for (const Piece* piece = &pieceAt(time.begin_ns);
         piece <= &m_pieces.back() && piece->time.begin_ns < time.end_ns; ++piece)
        sum += piece->busy * static_cast<double>(intersection(piece->time, time).duration_ns());
    return sum / static_cast<double>(time.duration_ns());
}

void BatchedMac::publish(Nanoseconds until)
{
    while (std::min(m_nextBatch, m_nextTail > 0 ? m_nextTail : m_nextBatch) <= until) {
        if (m_nextTail > 0) {
            m_timestamp = std::exchange(m_nextTail, 0);
            for (Batched* counter : {&m_cpu, &m_dram})
                counter->published += std::exchange(counter->rest, 0.0);
            continue;
        }
        m_timestamp = m_nextBatch;
        double batch = 0.0;
        const double held = between(0.0, 0.05); // part of the batch that comes with the tail
        for (const auto& [rail, counter] :
             {std::pair(Rail::Cpu, &m_cpu), std::pair(Rail::Dram, &m_dram)}) {
            const double gained = energy(rail, m_timestamp) - counter->published;
            batch += gained;
            counter->rest = held * gained;
            counter->published += gained - counter->rest;
        }
        m_largestBatch = std::max(m_largestBatch, batch);
        m_nextTail = m_timestamp + nanoseconds(between(0.009, 0.029));
        m_nextBatch =
            m_timestamp + nanoseconds(between(m_shape.least_batch_s, m_shape.most_batch_s));
    }
}

bool BatchedMac::wait()
{
    const Nanoseconds before = m_now;
    m_now += nanoseconds(between(0.100, 0.108));
    if (m_now > m_pieces.back().time.end_ns)
        return false;
    publish(m_now);
    // The kernel counts in hundredths of a second per core.
    m_busy =
        static_cast<float>(std::clamp(busyOver({before, m_now}) + between(-0.01, 0.01), 0.0, 1.0));
    return true;
}

std::vector<power::CounterReading> BatchedMac::read()
{
    std::vector<power::CounterReading> readings;
    const auto add = [&](Rail rail, double value, double& last, Nanoseconds timestamp) {
        const double whole = std::floor(value);
        readings.push_back({.rail = rail, .advance_mj = whole - last, .timestamp = timestamp});
        last = whole;
    };
    add(Rail::Cpu, m_cpu.published, m_cpu.read, m_timestamp);
    add(Rail::Gpu, energy(Rail::Gpu, m_now), m_gpuRead, m_now);
    add(Rail::Dram, m_dram.published, m_dram.read, m_timestamp);
    return readings;
}

} // namespace ep::test
