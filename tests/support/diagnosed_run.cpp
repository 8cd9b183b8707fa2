// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/diagnosed_run.h"

#include "support/energy_curve.h"

#include "ep/energy/attribute.h"
#include "ep/energy/baseline.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace ep::test {

namespace {

constexpr std::int32_t kLoop = 4; // number of tokens that repeat after the answer

using energy::Amount;
using energy::Cause;
using energy::Prices;

constexpr int kLayers = 4;
constexpr double kIdleSeconds = 3.0;
constexpr double kOffModel = 0.02; // energy of a kind of part that follows no model

// The parts of a layer of the model that the simulated machine runs.
enum class Role : std::uint8_t { Weights, Context, Head, Experts };

struct Part {
    Component component;
    double share; // share of a layer's parameters
    Role role;
};

constexpr double kParametersOfLayer = 2.0e8;

std::vector<Part> partsOf(const RunSetup& setup)
{
    if (setup.experts > 0)
        return {{Component::QProj, 0.15, Role::Weights},
                {Component::Attention, 0.0, Role::Context},
                {Component::OProj, 0.15, Role::Weights},
                {Component::Experts, 0.7, Role::Experts}};
    return {{Component::QProj, 0.15, Role::Weights},
            {Component::Attention, 0.0, Role::Context},
            {Component::OProj, 0.15, Role::Weights},
            {Component::GateUpProj, 0.45, Role::Weights},
            {Component::DownProj, 0.25, Role::Weights}};
}

class Machine {
public:
    explicit Machine(const RunSetup& setup)
        : m_setup(setup)
        , m_dice(setup.seed)
        , m_noise(setup.seed + 1'000'003)
        , m_parts(partsOf(setup))
    {
        Prices& p = m_out.truth;
        p.joules_per_flop = 3e-12 * m_dice.uniform(0.7, 1.4);
        p.joules_per_byte = 60e-12 * m_dice.uniform(0.7, 1.4);
        p.watts = m_dice.uniform(5.0, 9.0);
        p.seconds_per_byte = 1e-11;
        p.seconds_per_flop = p.seconds_per_byte / 30.0;
        for (double& factor : m_factors)
            factor = 1.0 + kOffModel * m_dice.uniform(-1.0, 1.0);
        for (double& slowness : m_slowness)
            slowness = 1.0 + m_dice.uniform(0.0, 0.03);
    }

    DiagnosedRun build()
    {
        describe();
        wait(kIdleSeconds, 0.0);
        RunTrace& trace = m_out.run.trace;
        const Nanoseconds begin = now();
        trace.phases.push_back({.phase = Phase::Idle, .time = {0, begin}, .energy = {}});
        step(0);
        const Nanoseconds prefilled = now();
        trace.phases.push_back({.phase = Phase::Prefill, .time = {begin, prefilled}, .energy = {}});
        for (int i = 1; i <= m_setup.steps; ++i)
            step(i);
        trace.phases.push_back({.phase = Phase::Decode, .time = {prefilled, now()}, .energy = {}});
        trace.time = {begin, now()};
        m_running = false;
        m_answered = false;
        wait(0.3, 0.0);
        finish();
        return std::move(m_out);
    }

private:
    Nanoseconds now() const { return std::llround(m_curve.end() * 1e9); }

    void wait(double seconds, double dynamicWatts)
    {
        m_curve.append(seconds, m_out.truth.watts + dynamicWatts);
        m_out.idle += m_running ? seconds * m_out.truth.watts : 0.0;
    }

    // Everything after the answer has only that cause.
    void explain(Cause cause, double joules)
    {
        if (!m_answered || cause == Cause::AfterTheAnswer)
            m_out.explained[static_cast<std::size_t>(cause)] += joules;
    }

    static double bytesOf(double bits) { return bits / 8.0; }

    // The true energy of the causes of one part, removed in the order in which they are defined.
    void explainPart(Role role, bool decode, const Amount& work)
    {
        const Prices& p = m_out.truth;
        const auto difference = [&](const Amount& a, const Amount& b) {
            return p.of({a.flops - b.flops, a.bytes - b.bytes, p.least(a) - p.least(b)});
        };
        Amount left = work;
        if (role == Role::Context) {
            if (decode)
                explain(Cause::Context, difference(left, {}));
            return;
        }
        Amount less = left;
        if (m_setup.computed_bits > m_setup.stored_bits) {
            less.bytes *= m_setup.stored_bits / m_setup.computed_bits;
            explain(Cause::WideFormat, difference(left, less));
            left = less;
        }
        if (!decode) {
            Amount balanced = left;
            balanced.flops = std::fmin(left.flops, left.bytes * p.ridge());
            explain(Cause::ComputeBoundPrefill, difference(left, balanced));
        } else {
            less.bytes *= m_meanRunning;
            explain(Cause::SmallBatch, difference(left, less));
            left = less;
            if (role == Role::Experts) {
                less.bytes = left.bytes * m_setup.experts_per_token / m_meanLoaded;
                explain(Cause::Experts, difference(left, less));
                left = less;
            }
            if (role == Role::Head) {
                const double layer = std::fmin(1.0, m_layerBytes / work.bytes);
                explain(Cause::Head, (1.0 - layer) * difference(left, {}));
                left = left * layer;
            }
            Amount balanced = left;
            balanced.bytes = std::fmin(left.bytes, left.flops / p.ridge());
            explain(Cause::MemoryBoundDecode, difference(left, balanced));
        }
    }

    // Computes a part; returns its time range and work.
    std::pair<TimeRange, SpanWork> compute(Role role, double parameters, double rows, bool decode,
                                           std::size_t kind, double contextBytes, double late,
                                           bool fallen)
    {
        const Prices& p = m_out.truth;
        Amount work;
        if (role == Role::Context) {
            work.bytes = contextBytes;
            work.flops = contextBytes; // far below the ridge point
        } else {
            double loaded = 1.0;
            if (role == Role::Experts) {
                const double share =
                    static_cast<double>(m_setup.experts_per_token) / m_setup.experts;
                loaded = m_setup.experts * (1.0 - std::pow(1.0 - share, rows))
                    / m_setup.experts_per_token;
            }
            work.bytes = parameters * bytesOf(m_setup.computed_bits) * loaded;
            work.flops = 2.0 * parameters * rows;
        }
        const double least = p.least(work);
        double seconds = least * m_slowness[kind] * (1.0 + 0.004 * m_noise.normal());
        seconds *= 1.0 + m_setup.slow;
        seconds *= 1.0 + 0.5 * (m_setup.others > 0.03 ? m_setup.others : 0.0);
        const double usual = seconds;
        seconds *= 1.0 + late;
        explain(Cause::Throttling, (seconds - usual) * p.watts);
        if (fallen) {
            const double before = seconds;
            seconds *= m_setup.fallback;
            explain(Cause::Fallback, (seconds - before) * p.watts);
        }
        const double delay = (usual - least) * p.watts;
        explain(m_setup.low_power           ? Cause::LowPower
                    : m_setup.others > 0.03 ? Cause::OtherLoad
                                            : Cause::SlowRun,
                delay);
        const double dynamic = work.flops * p.joules_per_flop + work.bytes * p.joules_per_byte;
        m_out.compute += work.flops * p.joules_per_flop;
        m_out.memory += work.bytes * p.joules_per_byte;
        explainPart(role, decode, work);
        const Nanoseconds begin = now();
        wait(seconds, dynamic * m_factors[kind] / seconds);
        return {{begin, now()},
                {.flops = std::llround(work.flops), .bytes = std::llround(work.bytes)}};
    }

    int sequencesOf(int index) const
    {
        const bool full = index <= m_setup.steps / 8;
        return full ? m_setup.batch
                    : std::max(1, static_cast<int>(std::lround(m_setup.running * m_setup.batch)));
    }

    void step(int index)
    {
        const bool decode = index > 0;
        m_running = true;
        m_answered = m_out.answered_at && index >= *m_out.answered_at;
        RunTrace& trace = m_out.run.trace;
        const int sequences = decode ? sequencesOf(index) : m_setup.batch;
        const double rows = decode ? sequences : m_setup.prompt_rows;
        const double late = decode && index > m_setup.steps * 35 / 100 ? m_setup.throttled : 0.0;
        const Phase phase = decode ? Phase::Decode : Phase::Prefill;
        const double context = decode ? m_setup.context * m_weightBytes / kLayers
                * (m_setup.prompt_rows + index) / (m_setup.prompt_rows + m_setup.steps / 2.0)
                                      : 0.001 * m_weightBytes / kLayers;
        const Nanoseconds begin = now();
        for (int layer = 0; layer < kLayers; ++layer) {
            const Nanoseconds layerBegin = now();
            for (std::size_t i = 0; i < m_parts.size(); ++i) {
                const Part& part = m_parts[i];
                const auto [time, work] =
                    compute(part.role, part.share * kParametersOfLayer, rows, decode, i, context,
                            late, i == 2 && m_setup.fallback > 1.0);
                trace.components.push_back(Span::ofComponent(index, layer, part.component, time));
                trace.components.back().work = work;
            }
            trace.layers.push_back(Span::ofLayer(index, layer, {layerBegin, now()}));
        }
        trace.sections.push_back(Span::ofSection(phase, Section::Layers, index, {begin, now()}));
        const auto [time, work] =
            compute(Role::Head, m_setup.head * kParametersOfLayer, decode ? sequences : 1.0, decode,
                    m_parts.size(), 0.0, late, false);
        trace.sections.push_back(Span::ofSection(phase, Section::LmHead, index, time));
        trace.sections.back().work = work;
        const double unit = m_weightBytes * m_out.truth.seconds_per_byte;
        const double gap = m_setup.gap * unit;
        explain(Cause::Gaps, gap * m_out.truth.watts);
        wait(gap, 0.0);
        const double recording = m_setup.recording * unit;
        if (recording > 0.0) {
            const double dynamic = 6.0 * m_dice.uniform(0.7, 1.3);
            explain(Cause::Recording, recording * (m_out.truth.watts + dynamic));
            m_recorded += recording;
            wait(recording, dynamic);
        }
        TokenSpan token;
        token.index = index;
        token.sequences = sequences;
        token.position = static_cast<int>(m_setup.prompt_rows) + index - 1;
        token.id = index < m_setup.answer * (m_setup.steps + 1) ? 1000 + index : index % kLoop;
        token.phase = phase;
        token.time = {begin, now()};
        trace.tokens.push_back(std::move(token));
    }

    void describe()
    {
        RunInfo& info = m_out.run.info;
        info.id = "00000000-0000-0000-0000-000000000000";
        info.status = RunStatus::Complete;
        info.device = m_setup.fallback > 1.0 ? "mps" : "cpu";
        const auto format = [](double bits) {
            return std::string(bits == 8        ? "int"
                                   : bits == 16 ? "bf"
                                                : "f")
                + std::to_string(static_cast<int>(bits));
        };
        info.dtype = format(m_setup.computed_bits);
        info.model.stored_dtype = format(m_setup.stored_bits);
        info.model.layers = kLayers;
        info.model.vocabulary_size = 32000;
        info.model.experts = m_setup.experts;
        info.model.experts_per_token = m_setup.experts_per_token;
        info.input_tokens = static_cast<int>(m_setup.prompt_rows);
        if (m_setup.answer < 1.0) {
            m_out.answered_at = static_cast<std::int32_t>(std::ceil(
                                    m_setup.answer * static_cast<double>(m_setup.steps + 1)))
                + kLoop;
        }
        info.batch.resize(static_cast<std::size_t>(m_setup.batch));
        PowerQuality quality;
        quality.thermal =
            m_setup.throttled > 0.0 ? ThermalPressure::Heavy : ThermalPressure::Nominal;
        quality.power_mode = m_setup.low_power ? PowerMode::Low : PowerMode::Automatic;
        quality.on_battery = m_setup.low_power;
        quality.other_cpu_share = std::fmax(0.0, m_setup.others * (1.0 + 0.1 * m_dice.normal()));
        info.power.quality = quality;
        info.power.source = "rapl";
        m_layerBytes = 0.0;
        double sequences = 0.0;
        for (int i = 1; i <= m_setup.steps; ++i)
            sequences += sequencesOf(i);
        m_meanRunning = sequences / m_setup.steps / m_setup.batch;
        if (m_setup.experts > 0) {
            const double share = static_cast<double>(m_setup.experts_per_token) / m_setup.experts;
            m_meanLoaded =
                m_setup.experts * (1.0 - std::pow(1.0 - share, m_meanRunning * m_setup.batch));
        }
        for (const Part& part : m_parts)
            m_layerBytes += part.share * kParametersOfLayer * bytesOf(m_setup.computed_bits)
                * (part.role == Role::Experts ? m_meanLoaded / m_setup.experts_per_token : 1.0);
        m_layerBytes += m_setup.context * m_weightBytes / kLayers;
        if (m_setup.others > 0.03)
            m_othersWatts = m_setup.others * 40.0;
    }

    void finish()
    {
        Run& run = m_out.run;
        if (m_othersWatts > 0.0) { // for the whole run
            const double begin = static_cast<double>(run.trace.time.begin_ns) * 1e-9;
            const double end = static_cast<double>(run.trace.time.end_ns) * 1e-9;
            m_curve.add(begin, end, m_othersWatts);
            explain(Cause::OtherLoad, m_othersWatts * (usedEnd() - begin));
        }
        run.trace.samples = m_curve.read(m_setup.seed + 77);
        m_out.joules = m_curve.joulesAt(static_cast<double>(run.trace.time.end_ns) * 1e-9)
            - m_curve.joulesAt(static_cast<double>(run.trace.time.begin_ns) * 1e-9);
        run.info.profiling.cost_ns = std::llround(m_recorded * 1e9);
        run.info.power.baseline =
            energy::measureBaseline(run.trace.samples, run.trace.phases.front().time,
                                    run.trace.time.begin_ns, BaselineMoment::AfterLoad);
        energy::attribute(run, {});
        m_out.totals = totalsOf(run.trace);
        m_out.first_step.components.assign(
            run.trace.components.begin(),
            std::ranges::find_if(run.trace.components,
                                 [](const Span& span) { return span.token > 0; }));
        if (m_out.answered_at) {
            explain(Cause::AfterTheAnswer,
                    m_curve.joulesAt(static_cast<double>(run.trace.time.end_ns) * 1e-9)
                        - m_curve.joulesAt(usedEnd()));
        }
        measureMachine();
    }

    // When the run could have ended at the earliest.
    double usedEnd() const
    {
        for (const TokenSpan& token : m_out.run.trace.tokens) {
            if (m_out.answered_at && token.index >= *m_out.answered_at)
                return static_cast<double>(token.time.begin_ns) * 1e-9;
        }
        return static_cast<double>(m_out.run.trace.time.end_ns) * 1e-9;
    }

    void measureMachine()
    {
        constexpr double kError = 0.01;
        m_out.measured.energies = energy::CostOrigin::Measured;
        m_out.measured.ceilings = energy::CostOrigin::Measured;
        Dice dice(m_setup.seed + 99);
        for (const auto constant : energy::MachineCosts::kConstants) {
            const double truth = m_out.truth.*constant;
            m_out.measured.mean.*constant = truth * (1.0 + kError * dice.normal());
            m_out.measured.addSpread(constant, kError * truth);
        }
    }

    RunSetup m_setup;
    Dice m_dice;
    Dice m_noise;
    DiagnosedRun m_out;
    std::vector<Part> m_parts;
    std::array<double, 6> m_factors{};
    std::array<double, 6> m_slowness{};
    EnergyCurve m_curve;
    double m_weightBytes = kLayers * kParametersOfLayer * 2.0; // stored in 16 bits
    double m_layerBytes = 0.0;
    double m_meanRunning = 1.0;
    double m_meanLoaded = 1.0;
    double m_recorded = 0.0;
    double m_othersWatts = 0.0;
    bool m_running = false;
    bool m_answered = false;
};

} // namespace

energy::DiagnosisRequest DiagnosedRun::request(bool withMeasured) const
{
    energy::DiagnosisRequest request{
        .parts = {.run = run, .totals = totals, .first_step = first_step}};
    if (withMeasured)
        request.measured = measured;
    request.answered_at = answered_at;
    return request;
}

DiagnosedRun diagnosedRun(const RunSetup& setup)
{
    return Machine(setup).build();
}

} // namespace ep::test
