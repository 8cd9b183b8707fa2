// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/synthetic_truth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace ep::test {

namespace {

// A machine of round figures: memory 100 GB/s, arithmetic 3 TFLOP/s.
constexpr double kBytesPerSecond = 100e9;
constexpr double kFlopsPerSecond = 3e12;
constexpr double kIdleMw = 3000.0;
constexpr double kPicojoulesPerByte = 60.0;
constexpr double kPicojoulesPerFlop = 3.0;
constexpr double kLaunchNs = 6000.0;

// A model of about a billion parameters in 16 bits.
constexpr double kHidden = 2048;
constexpr double kKv = 512;
constexpr double kInner = 5632;
constexpr double kVocabulary = 32000;
constexpr double kBytes = 2;

struct Cost {
    double bytes = 0.0;
    double flops = 0.0;
};

Cost matrix(double rows, double inputs, double outputs)
{
    return {kBytes * (inputs * outputs + rows * (inputs + outputs)), 2.0 * rows * inputs * outputs};
}

Cost perElement(double elements, double flops)
{
    return {kBytes * 2.0 * elements, flops * elements};
}

// rows new tokens over `context` positions in all.
Cost attention(double rows, double context)
{
    return {kBytes * (2.0 * kKv * context + 2.0 * kHidden * rows), 4.0 * kHidden * rows * context};
}

// Share of the machine's peak that a kind of work reaches.
struct Part {
    Component component;
    double efficiency;
    Cost (*cost)(double rows, double context);
};
constexpr std::array<Part, 10> kParts = {{
    {Component::InputLayernorm, 0.5, [](double r, double) { return perElement(r * kHidden, 5); }},
    {Component::QProj, 0.85, [](double r, double) { return matrix(r, kHidden, kHidden); }},
    {Component::KProj, 0.6, [](double r, double) { return matrix(r, kHidden, kKv); }},
    {Component::VProj, 0.6, [](double r, double) { return matrix(r, kHidden, kKv); }},
    {Component::Attention, 0.35, [](double r, double c) { return attention(r, c); }},
    {Component::OProj, 0.85, [](double r, double) { return matrix(r, kHidden, kHidden); }},
    {Component::PostAttentionLayernorm, 0.5,
     [](double r, double) { return perElement(r * kHidden, 5); }},
    {Component::GateProj, 0.9, [](double r, double) { return matrix(r, kHidden, kInner); }},
    {Component::Activation, 0.4, [](double r, double) { return perElement(r * kInner, 4); }},
    {Component::DownProj, 0.8, [](double r, double) { return matrix(r, kInner, kHidden); }},
}};

// Uniform in [0, 1), the same with every standard library.
class Chance {
public:
    explicit Chance(std::uint32_t seed)
        : m_engine(seed)
    {
    }
    double uniform() { return static_cast<double>(m_engine() >> 5) / 134217728.0; }
    double signedUniform() { return 2.0 * uniform() - 1.0; }
    double normal()
    {
        double sum = -6.0;
        for (int i = 0; i < 12; ++i)
            sum += uniform();
        return sum;
    }
    double exponential(double mean) { return -mean * std::log(1.0 - uniform()); }

private:
    std::mt19937 m_engine;
};

class Builder {
public:
    explicit Builder(const TruthShape& shape)
        : m_shape(shape)
        , m_chance(shape.seed)
    {
        for (double& factor : m_factors)
            factor = 1.0 + shape.off_model * m_chance.signedUniform();
        m_truth.idle_mw = kIdleMw;
        m_truth.edges = {0};
        m_truth.energy_at_edge_mj = {0.0};
    }

    Truth build()
    {
        constexpr Nanoseconds kIdle = 3'000'000'000;
        pass(kIdle, 0.0);
        m_truth.idle = {0, m_now};
        m_truth.trace.time.begin_ns = m_now;
        phase(Phase::PreInference, [this] { pass(2'000'000, m_shape.time_mw); });
        phase(Phase::Prefill, [this] { step(0, std::max(1, m_shape.input_tokens)); });
        phase(Phase::Decode, [this] {
            for (int i = 1; i < m_shape.output_tokens; ++i)
                step(i, 1);
        });
        phase(Phase::PostInference, [this] { pass(1'000'000, m_shape.time_mw); });
        m_truth.trace.time.end_ns = m_now;
        pass(kIdle, 0.0);
        return std::move(m_truth);
    }

private:
    double energy() const { return m_truth.energy_at_edge_mj.back(); }

    void pass(Nanoseconds duration, double busy_mw)
    {
        m_now += duration;
        m_truth.edges.push_back(m_now);
        m_truth.energy_at_edge_mj.push_back(energy() + (kIdleMw + busy_mw) * toSeconds(duration));
    }

    template <typename Body>
    void phase(Phase phase, Body body)
    {
        const Nanoseconds begin = m_now;
        const double before = energy();
        m_phase = phase;
        body();
        m_truth.trace.phases.push_back({.phase = phase, .time = {begin, m_now}, .energy = {}});
        m_truth.phase_mj.push_back(energy() - before);
    }

    // Runs something; answers with its true energy.
    double work(const Cost& cost, double efficiency, double factor)
    {
        const double seconds =
            std::max(cost.bytes / kBytesPerSecond, cost.flops / kFlopsPerSecond) / efficiency;
        const double wobble = 1.0 + 0.02 * m_chance.signedUniform();
        const auto duration =
            static_cast<Nanoseconds>(std::llround((seconds * 1e9 + kLaunchNs) * wobble));
        const double busy_mj =
            (cost.bytes * kPicojoulesPerByte + cost.flops * kPicojoulesPerFlop) * 1e-9
            + m_shape.time_mw * toSeconds(duration);
        const double before = energy();
        pass(duration, busy_mj * factor / toSeconds(duration));
        return energy() - before;
    }

    static SpanWork asWork(const Cost& cost)
    {
        return {.flops = static_cast<std::int64_t>(cost.flops),
                .bytes = static_cast<std::int64_t>(cost.bytes)};
    }

    void section(Section section, std::int32_t token, const Cost& cost, double factor)
    {
        const Nanoseconds begin = m_now;
        const double mj = work(cost, 0.8, factor);
        m_truth.trace.sections.push_back({.phase = m_phase,
                                          .section = section,
                                          .token = token,
                                          .time = {begin, m_now},
                                          .energy = {},
                                          .work = asWork(cost)});
        m_truth.section_mj.push_back(mj);
    }

    void step(std::int32_t token, int rows)
    {
        const Nanoseconds begin = m_now;
        const double context = token == 0 ? rows : std::max(1, m_shape.input_tokens) + token;
        section(Section::Embedding, token, perElement(rows * kHidden, 1), 1.0);
        const Nanoseconds layersBegin = m_now;
        const double before = energy();
        for (int layer = 0; layer < m_shape.layers; ++layer)
            this->layer(token, layer, rows, context);
        m_truth.trace.sections.push_back({.phase = m_phase,
                                          .section = Section::Layers,
                                          .token = token,
                                          .time = {layersBegin, m_now},
                                          .energy = {}});
        m_truth.section_mj.push_back(energy() - before);
        section(Section::LmHead, token, matrix(1, kHidden, kVocabulary), m_factors.back());
        pass(40'000, m_shape.time_mw); // sampling, in no section
        TokenSpan span;
        span.index = token;
        span.phase = m_phase;
        span.time = {begin, m_now};
        m_truth.trace.tokens.push_back(std::move(span));
    }

    void layer(std::int32_t token, int layer, double rows, double context)
    {
        const Nanoseconds begin = m_now;
        for (std::size_t i = 0; i < kParts.size(); ++i) {
            const Part& part = kParts[i];
            const Cost cost = part.cost(rows, context);
            const Nanoseconds partBegin = m_now;
            const double mj = work(cost, part.efficiency, m_factors[i]);
            m_truth.trace.components.push_back({.token = token,
                                                .layer = layer,
                                                .component = part.component,
                                                .time = {partBegin, m_now},
                                                .stats = {},
                                                .energy_mj = {},
                                                .work = asWork(cost)});
            m_truth.component_mj.push_back(mj);
        }
        m_truth.trace.layers.push_back(
            {.token = token, .layer = layer, .time = {begin, m_now}, .stats = {}, .energy_mj = {}});
    }

    TruthShape m_shape;
    Chance m_chance;
    std::array<double, kParts.size() + 1> m_factors{};
    Truth m_truth;
    Nanoseconds m_now = 0;
    Phase m_phase = Phase::Idle;
};

} // namespace

double Truth::energyUntil(Nanoseconds time) const
{
    const auto after = std::ranges::upper_bound(edges, time);
    if (after == edges.begin())
        return 0.0;
    const auto i = static_cast<std::size_t>(after - edges.begin()) - 1;
    if (i + 1 == edges.size())
        return energy_at_edge_mj[i] + idle_mw * toSeconds(time - edges[i]);
    const double share =
        static_cast<double>(time - edges[i]) / static_cast<double>(edges[i + 1] - edges[i]);
    return energy_at_edge_mj[i] + share * (energy_at_edge_mj[i + 1] - energy_at_edge_mj[i]);
}

Truth makeTruth(const TruthShape& shape)
{
    return Builder(shape).build();
}

std::vector<Reading> readSensor(const Truth& truth, const SensorShape& shape)
{
    constexpr double kMs = 1e6;
    Chance chance(shape.seed);
    std::vector<Reading> readings;
    Nanoseconds now = 13'000'000;
    double noiseless = truth.energyUntil(now);
    double shown = std::floor(noiseless / shape.step_mj);
    double noise = 0.0;
    while (now < truth.edges.back()) {
        Reading reading;
        const double length =
            shape.interval_ms + shape.excess_ms + shape.jitter_ms * chance.signedUniform();
        const Nanoseconds end = now + static_cast<Nanoseconds>(std::llround(length * kMs));
        reading.true_window = {now, end};
        reading.elapsed_ns =
            static_cast<Nanoseconds>(std::llround(length * kMs * (1.0 + shape.drift_ppm * 1e-6)));
        reading.arrival_ns =
            end + static_cast<Nanoseconds>(std::llround(chance.exponential(shape.delay_ms) * kMs));
        if (!readings.empty()) // one reading never overtakes another
            reading.arrival_ns = std::max(reading.arrival_ns, readings.back().arrival_ns + 1000);
        const double next = truth.energyUntil(end);
        noise += shape.noise * chance.normal() * (next - noiseless);
        noiseless = next;
        const double counter = std::floor((noiseless + noise) / shape.step_mj);
        reading.energy_mj = (counter - shown) * shape.step_mj;
        shown = counter;
        readings.push_back(reading);
        now = end;
    }
    return readings;
}

} // namespace ep::test
