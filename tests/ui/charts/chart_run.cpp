// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_run.h"

#include <array>
#include <cmath>
#include <random>

namespace ep::test {

namespace {

struct Part {
    Component component;
    double weight; // share of a layer's time
    double sparsity;
};
constexpr std::array<Part, 12> kParts{{
    {Component::InputLayernorm, 0.012, 0.02},
    {Component::QProj, 0.10, 0.03},
    {Component::KProj, 0.03, 0.03},
    {Component::VProj, 0.03, 0.05},
    {Component::KvCache, 0.01, 0.0},
    {Component::Attention, 0.14, 0.08},
    {Component::OProj, 0.10, 0.06},
    {Component::PostAttentionLayernorm, 0.012, 0.02},
    {Component::GateProj, 0.18, 0.04},
    {Component::UpProj, 0.18, 0.04},
    {Component::Activation, 0.02, 0.62},
    {Component::DownProj, 0.18, 0.05},
}};

constexpr std::array<const char*, 16> kWords{
    " the", " quick", " fox",     ",",  " which", " was", " tired", ".",
    " It",  " ran",   " through", " a", " field", " of",  " snow",  "\n"};

class Builder {
public:
    explicit Builder(const ChartRunShape& shape)
        : m_shape(shape)
    {
    }

    RunPtr operator()()
    {
        RunTrace& trace = m_run->trace;
        m_now = 5'000'000'000;
        trace.time.begin_ns = m_now;
        phase(Phase::PreInference, [&] {
            section(Section::Tokenization, kNoToken, 2'000'000, 6000.0);
            section(Section::TensorTransfer, kNoToken, 4'000'000, 7000.0);
            section(Section::KvCacheInit, kNoToken, 9'000'000, 7500.0);
        });
        phase(Phase::Prefill, [&] { token(0, Phase::Prefill, m_shape.decode_ns * 6, 21000.0); });
        phase(Phase::Decode, [&] {
            for (int k = 1; k < m_shape.tokens; ++k)
                token(k, Phase::Decode, m_shape.decode_ns * (200 + k) / 200, 15000.0);
        });
        phase(Phase::PostInference, [&] {
            section(Section::Detokenization, kNoToken, 1'500'000, 6000.0);
            section(Section::MemoryCleanup, kNoToken, 6'000'000, 6000.0);
        });
        trace.time.end_ns = m_now;
        m_run->metrics.duration_ns = trace.time.duration_ns();
        if (m_shape.energy) {
            samples();
            EnergyValue whole = energy(0.0, trace.time);
            Millijoules sum;
            for (const PhaseSpan& span : trace.phases)
                sum += *span.energy.total_mj;
            whole.total_mj = sum * 1.004;
            m_run->metrics.energy = whole;
        }
        return m_run;
    }

private:
    double noise(double share)
    {
        return 1.0 + share * std::normal_distribution<double>()(m_random);
    }

    EnergyValue energy(double milliwatts, TimeRange time) const
    {
        EnergyValue value;
        if (m_shape.energy) {
            value.total_mj = energyOf({milliwatts}, time.duration_ns());
            value.provenance = m_shape.modelled ? Provenance::Modelled : Provenance::Attributed;
        }
        return value;
    }

    template <typename Body>
    void phase(Phase phase, Body body)
    {
        PhaseSpan span;
        span.phase = phase;
        span.time.begin_ns = m_now;
        const Millijoules before = m_spent;
        body();
        span.time.end_ns = m_now;
        if (m_shape.energy) {
            span.energy = energy(0.0, span.time);
            span.energy.total_mj = (m_spent - before) * 1.01;
        }
        m_run->trace.phases.push_back(span);
    }

    void section(Section section, int token, Nanoseconds duration, double milliwatts)
    {
        const TimeRange time{m_now, m_now + duration};
        const EnergyValue spent = energy(milliwatts, time);
        m_now = time.end_ns;
        m_spent += spent.total_mj.value_or(Millijoules{});
        m_run->trace.sections.push_back(
            Span::ofSection(sectionPhase(token, section), section, token, time, spent));
    }

    Phase sectionPhase(int token, Section section) const
    {
        if (token == 0)
            return Phase::Prefill;
        if (token > 0)
            return Phase::Decode;
        const bool before = section == Section::Tokenization || section == Section::KvCacheInit
            || (section == Section::TensorTransfer && m_run->trace.tokens.empty());
        return before ? Phase::PreInference : Phase::PostInference;
    }

    void token(int index, Phase phase, Nanoseconds duration, double milliwatts)
    {
        const double power = milliwatts * noise(0.08);
        TokenSpan span;
        span.index = index;
        span.position = index + 9;
        span.id = 300 + index * 17 % 9000;
        span.text = kWords[static_cast<std::size_t>(index) % kWords.size()];
        span.phase = phase;
        span.time.begin_ns = m_now;
        const auto part = [&](double share) {
            return std::llround(static_cast<double>(duration) * share * noise(0.05));
        };
        section(Section::Embedding, index, part(0.01), power);
        const Nanoseconds layersBegin = m_now;
        section(Section::Layers, index, part(0.8), power);
        layers(index, {layersBegin, m_now}, power);
        section(Section::FinalNorm, index, part(0.01), power);
        section(Section::LmHead, index, part(0.16), power);
        section(phase == Phase::Prefill ? Section::KvCacheStore : Section::KvCacheAppend, index,
                part(0.01), power);
        span.time.end_ns = m_now;
        span.probability = static_cast<float>(0.3 + 0.6 * std::abs(std::sin(index)));
        span.energy = energy(power, span.time);
        m_run->trace.tokens.push_back(span);
    }

    void layers(int token, TimeRange time, double power)
    {
        const double each = static_cast<double>(time.duration_ns()) / m_shape.layers;
        Nanoseconds now = time.begin_ns;
        for (int layer = 0; layer < m_shape.layers; ++layer) {
            const double depth = 1.0 + 0.15 * std::sin(layer * 0.4);
            for (const Part& part : kParts) {
                Span span = Span::ofComponent(token, layer, part.component);
                const auto duration = std::max<Nanoseconds>(
                    1, std::llround(each * part.weight * depth * 0.9 * std::abs(noise(0.06))));
                span.time = {now, now + duration};
                now += duration;
                if (m_shape.energy)
                    span.energy_mj = energyOf({power}, duration);
                if (part.component != Component::KvCache)
                    span.stats = ActivationStats{static_cast<float>(0.2 + 0.05 * layer),
                                                 static_cast<float>(0.4 + 0.04 * layer),
                                                 static_cast<float>(4.0 + layer),
                                                 static_cast<float>(part.sparsity)};
                m_run->trace.components.push_back(span);
            }
        }
    }

    void samples()
    {
        const TimeRange run = m_run->trace.time;
        Nanoseconds at = run.begin_ns - 800'000'000;
        double busy = 0.1;
        while (at < run.end_ns + 300'000'000) {
            const auto length = std::llround(static_cast<double>(m_shape.sample_interval_ns) * 1.08
                                             * std::abs(noise(0.03)));
            PowerSample sample;
            sample.window = {at, at + length};
            at += length;
            const bool inside = run.contains(sample.window.begin_ns);
            busy += ((inside ? 1.0 : 0.08) - busy) * 0.6;
            sample.power_mw[Rail::Cpu] = Milliwatts{400.0 + 3200.0 * busy * std::abs(noise(0.12))};
            sample.power_mw[Rail::Gpu] = Milliwatts{60.0 + 9500.0 * busy * std::abs(noise(0.07))};
            sample.power_mw[Rail::Ane] = Milliwatts{0.0};
            sample.power_mw[Rail::Dram] = Milliwatts{300.0 + 1100.0 * busy * std::abs(noise(0.05))};
            sample.total_mw = totalOf(sample.power_mw);
            sample.modelled = m_shape.modelled;
            m_run->trace.samples.push_back(sample);
        }
    }

    ChartRunShape m_shape;
    std::mt19937 m_random{7};
    std::shared_ptr<Run> m_run = std::make_shared<Run>();
    Nanoseconds m_now = 0;
    Millijoules m_spent;
};

} // namespace

RunPtr makeChartRun(const ChartRunShape& shape)
{
    return Builder(shape)();
}

} // namespace ep::test
