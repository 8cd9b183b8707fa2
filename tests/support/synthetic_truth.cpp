// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/synthetic_truth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ep::test {

namespace {

// A machine with round figures: memory 100 GB/s, arithmetic 3 TFLOP/s.
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

// `rows` new tokens with `context` positions altogether.
Cost attention(double rows, double context)
{
    return {kBytes * (2.0 * kKv * context + 2.0 * kHidden * rows), 4.0 * kHidden * rows * context};
}

// The share of the machine's peak that a kind of work reaches.
struct TruePart {
    Component component;
    double efficiency;
    Cost (*cost)(double rows, double context);
};
constexpr std::array<TruePart, 10> kParts = {{
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

class Builder {
public:
    explicit Builder(const TruthShape& shape)
        : m_shape(shape)
        , m_chance(shape.seed)
    {
        for (double& factor : m_factors)
            factor = std::max(0.3, 1.0 + shape.off_model * deviate());
        m_phaseOfDrift = shape.drift > 0.0 ? 6.283 * m_chance.uniform() : 0.0;
        m_truth.idle_mw = kIdleMw;
        m_truth.edges = {0};
        m_truth.energy_at_edge_mj = {0.0};
        if (shape.rails)
            m_truth.gpu_at_edge_mj = m_truth.dram_at_edge_mj = {0.0};
    }

    Truth build()
    {
        const auto idle = static_cast<Nanoseconds>(std::llround(m_shape.idle_s * 1e9));
        pass(idle, {});
        m_truth.idle = {0, m_now};
        m_truth.trace.time.begin_ns = m_now;
        m_running = true;
        m_nextBurst = m_now;
        planBurst();
        phase(Phase::PreInference, [this] { pass(2'000'000, {.time = m_shape.time_mw}); });
        phase(Phase::Prefill, [this] { step(0, std::max(1, m_shape.input_tokens)); });
        phase(Phase::Decode, [this] {
            for (int i = 1; i < m_shape.output_tokens; ++i)
                step(i, 1);
        });
        phase(Phase::PostInference, [this] { pass(1'000'000, {.time = m_shape.time_mw}); });
        m_truth.trace.time.end_ns = m_now;
        m_running = false;
        pass(idle, {});
        return std::move(m_truth);
    }

private:
    double energy() const { return m_truth.energy_at_edge_mj.back(); }

    // Power above idle, in mW.
    struct Busy {
        double time = 0.0;
        double bytes = 0.0;
        double flops = 0.0;
    };

    // Mean 0, and the standard deviation of a uniform value.
    double deviate()
    {
        constexpr double kSd = 0.57735026918962576;
        if (m_shape.factors == FactorShape::Uniform)
            return m_chance.signedUniform();
        if (m_shape.factors == FactorShape::Normal)
            return kSd * m_chance.normal();
        // Student's t with 5 degrees of freedom.
        double squares = 0.0;
        for (int i = 0; i < 5; ++i) {
            const double z = m_chance.normal();
            squares += z * z;
        }
        return kSd * m_chance.normal() / std::sqrt(squares / 5.0) * std::sqrt(3.0 / 5.0);
    }

    void planBurst()
    {
        m_nextBurst = m_shape.bursts_per_s > 0.0 ? m_nextBurst
                + static_cast<Nanoseconds>(std::llround(
                    m_chance.exponential(1e9 / m_shape.bursts_per_s)))
                                                 : std::numeric_limits<Nanoseconds>::max();
    }

    // Bursts begin and end with the work that they disturb.
    double burst()
    {
        if (m_now < m_nextBurst)
            return 0.0;
        if (m_now >= m_nextBurst + static_cast<Nanoseconds>(m_shape.burst_ms * 1e6))
            planBurst();
        return m_shape.burst_mw;
    }

    void pass(Nanoseconds duration, Busy busy)
    {
        double factor = 1.0;
        double other = 0.0;
        if (m_running) {
            const double since = toSeconds(m_now - m_truth.trace.time.begin_ns);
            factor = (1.0 + m_shape.ramp * std::exp(-since))
                * (1.0 + m_shape.drift * std::sin(m_phaseOfDrift + 2.0 * since));
            other = burst();
        }
        m_now += duration;
        const double seconds = toSeconds(duration);
        m_truth.edges.push_back(m_now);
        m_truth.energy_at_edge_mj.push_back(
            energy()
            + (kIdleMw + other + factor * (busy.time + busy.bytes + busy.flops)) * seconds);
        if (!m_shape.rails)
            return;
        m_truth.gpu_at_edge_mj.push_back(m_truth.gpu_at_edge_mj.back()
                                         + factor * busy.flops * seconds);
        m_truth.dram_at_edge_mj.push_back(m_truth.dram_at_edge_mj.back()
                                          + factor * busy.bytes * seconds);
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

    // Runs something; returns its true energy.
    double work(const Cost& cost, double efficiency, double factor)
    {
        const double seconds =
            std::max(cost.bytes / kBytesPerSecond, cost.flops / kFlopsPerSecond) / efficiency;
        const double wobble = 1.0 + 0.02 * m_chance.signedUniform();
        const auto duration =
            static_cast<Nanoseconds>(std::llround((seconds * 1e9 + kLaunchNs) * wobble));
        const double scale = factor * 1e-9 / toSeconds(duration);
        const double before = energy();
        pass(duration,
             {.time = factor * m_shape.time_mw,
              .bytes = scale * cost.bytes * kPicojoulesPerByte,
              .flops = scale * cost.flops * kPicojoulesPerFlop});
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
        m_truth.trace.sections.push_back(Span::ofSection(m_phase, section, token, {begin, m_now}));
        m_truth.trace.sections.back().work = asWork(cost);
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
        m_truth.trace.sections.push_back(
            Span::ofSection(m_phase, Section::Layers, token, {layersBegin, m_now}));
        m_truth.section_mj.push_back(energy() - before);
        section(Section::LmHead, token, matrix(1, kHidden, kVocabulary), m_factors.back());
        pass(40'000, {.time = m_shape.time_mw}); // sampling, which belongs to no section
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
            const TruePart& part = kParts[i];
            const Cost cost = part.cost(rows, context);
            const Nanoseconds partBegin = m_now;
            const double mj = work(cost, part.efficiency, m_factors[i]);
            m_truth.trace.components.push_back(
                Span::ofComponent(token, layer, part.component, {partBegin, m_now}));
            m_truth.trace.components.back().work = asWork(cost);
            m_truth.component_mj.push_back(mj);
        }
        m_truth.trace.layers.push_back(Span::ofLayer(token, layer, {begin, m_now}));
    }

    TruthShape m_shape;
    Chance m_chance;
    std::array<double, kParts.size() + 1> m_factors{};
    Truth m_truth;
    Nanoseconds m_now = 0;
    Phase m_phase = Phase::Idle;
    bool m_running = false; // idle before and after the run
    double m_phaseOfDrift = 0.0;
    Nanoseconds m_nextBurst = 0;
};

} // namespace

double Truth::valueAt(const std::vector<double>& sums, Nanoseconds time, double after_mw) const
{
    const auto after = std::ranges::upper_bound(edges, time);
    if (after == edges.begin() || sums.empty())
        return 0.0;
    const auto i = static_cast<std::size_t>(after - edges.begin()) - 1;
    if (i + 1 == edges.size())
        return sums[i] + after_mw * toSeconds(time - edges[i]);
    const double share =
        static_cast<double>(time - edges[i]) / static_cast<double>(edges[i + 1] - edges[i]);
    return sums[i] + share * (sums[i + 1] - sums[i]);
}

double Truth::energyUntil(Nanoseconds time) const
{
    return valueAt(energy_at_edge_mj, time, idle_mw) + others.until(time);
}

double Truth::energyUntil(Nanoseconds time, Rail rail) const
{
    const double gpu = valueAt(gpu_at_edge_mj, time, 0.0);
    const double dram = valueAt(dram_at_edge_mj, time, 0.0);
    return rail == Rail::Gpu ? gpu : rail == Rail::Dram ? dram : energyUntil(time) - gpu - dram;
}

Truth makeTruth(const TruthShape& shape)
{
    Truth truth = Builder(shape).build();
    if (shape.others == Wave::None)
        return truth;
    Chance chance(900'000 + shape.seed);
    truth.others = OtherLoad(shape.others, shape.others_mw, truth.edges.back(), chance);
    const auto add = [&](const auto& spans, std::vector<double>& energies) {
        for (std::size_t i = 0; i < spans.size(); ++i)
            energies[i] += truth.others.over(spans[i].time);
    };
    add(truth.trace.components, truth.component_mj);
    add(truth.trace.sections, truth.section_mj);
    add(truth.trace.phases, truth.phase_mj);
    return truth;
}

std::vector<Reading> readSensor(const Truth& truth, const SensorShape& shape)
{
    Chance chance(shape.seed);
    std::vector<Reading> readings;
    std::vector<Rail> rails{Rail::Cpu};
    if (!truth.gpu_at_edge_mj.empty())
        rails = {Rail::Cpu, Rail::Gpu, Rail::Dram};
    struct Counter {
        double noiseless = 0.0;
        double shown = 0.0;
        double noise = 0.0;
    };
    std::vector<Counter> counters;
    Nanoseconds now = 13'000'000;
    for (const Rail rail : rails) {
        const double begin = truth.energyUntil(now, rail);
        counters.push_back({begin, std::floor(begin / shape.step_mj), 0.0});
    }
    Nanoseconds begin = now;
    Nanoseconds stampedBegin = now;
    while (now < truth.edges.back()) {
        const double length =
            shape.interval_ms + shape.excess_ms + shape.jitter_ms * chance.signedUniform();
        now += static_cast<Nanoseconds>(std::llround(length * kNsPerMs));
        for (std::size_t i = 0; i < rails.size(); ++i) {
            const double next = truth.energyUntil(now, rails[i]);
            counters[i].noise += shape.noise * chance.normal() * (next - counters[i].noiseless);
            counters[i].noiseless = next;
        }
        if (shape.lost > 0.0 && chance.uniform() < shape.lost)
            continue;
        Reading reading;
        reading.true_window = {begin, now};
        const Nanoseconds off =
            static_cast<Nanoseconds>(shape.timestamp_ms * kNsPerMs * chance.signedUniform());
        reading.stamped = {stampedBegin, now + off};
        reading.elapsed_ns = static_cast<Nanoseconds>(
            std::llround(static_cast<double>(now - begin) * (1.0 + shape.drift_ppm * 1e-6)));
        reading.arrival_ns = now
            + static_cast<Nanoseconds>(std::llround(chance.exponential(shape.delay_ms) * kNsPerMs));
        if (!readings.empty()) // a reading never overtakes the previous one
            reading.arrival_ns = std::max(reading.arrival_ns, readings.back().arrival_ns + 1000);
        for (std::size_t i = 0; i < rails.size(); ++i) {
            Counter& counter = counters[i];
            const double steps = std::floor((counter.noiseless + counter.noise) / shape.step_mj);
            reading.rails_mj[rails[i]] = (steps - counter.shown) * shape.step_mj;
            reading.energy_mj += *reading.rails_mj[rails[i]];
            counter.shown = steps;
        }
        readings.push_back(reading);
        begin = now;
        stampedBegin = now + off;
    }
    return readings;
}

} // namespace ep::test
