// SPDX-License-Identifier: GPL-3.0-or-later
#include "twin.h"

#include "uncertainty.h"

#include "ep/core/metrics.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/energy_timeline.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

// Ratio clean / instrumented, and the relative standard deviation of that energy ratio.
struct Ratio {
    TwinFactors factors;
    double clean_mj = 0.0;
    double instrumented_mj = 0.0;
    double error = 0.0;
};

struct Ratios {
    Ratio prefill;
    Ratio decode;
};

TimeRange moved(const TimeRange& range, Nanoseconds by)
{
    return {range.begin_ns + by, range.end_ns + by};
}

class Measurement {
public:
    Measurement(const EnergyTimeline& timeline, double offsetSdNs)
        : m_uncertainty(timeline, nullptr, offsetSdNs)
        , m_timeline(timeline)
    {
    }

    std::optional<Ratio> ratioOf(const TimeRange& clean, const TimeRange& instrumented) const
    {
        const auto before = m_timeline.totalOver(clean);
        const auto now = m_timeline.totalOver(instrumented);
        if (clean.empty() || instrumented.empty() || !before || !now || !(before->value > 0.0)
            || !(now->value > 0.0))
            return std::nullopt;
        return Ratio{{static_cast<double>(clean.duration_ns())
                          / static_cast<double>(instrumented.duration_ns()),
                      *before / *now},
                     before->value,
                     now->value,
                     std::hypot(m_uncertainty.of(clean).value_or(0.0) / before->value,
                                m_uncertainty.of(instrumented).value_or(0.0) / now->value)};
    }

private:
    Uncertainty m_uncertainty;
    const EnergyTimeline& m_timeline;
};

// Ratios over the steps that both executions have.
std::optional<Ratios> measured(const RunTrace& trace, const TwinRecord& twin,
                               const Measurement& measurement)
{
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, twin.tokens));
    if (count == 0 || count > trace.tokens.size())
        return std::nullopt;
    const Nanoseconds begin = trace.time.begin_ns;
    const auto prefill =
        measurement.ratioOf(moved(twin.clean_prefill, begin), trace.tokens.front().time);
    if (!prefill)
        return std::nullopt;
    if (trace.tokens.size() == 1)
        return Ratios{*prefill, {}};
    if (count == 1)
        return std::nullopt;
    const auto decode =
        measurement.ratioOf(moved(twin.clean_decode, begin),
                            {trace.tokens[1].time.begin_ns, trace.tokens[count - 1].time.end_ns});
    return decode ? std::optional(Ratios{*prefill, *decode}) : std::nullopt;
}

double ratioOf(Nanoseconds clean, Nanoseconds instrumented)
{
    return instrumented > 0 ? static_cast<double>(clean) / static_cast<double>(instrumented) : 1.0;
}

// The factors that restore the stored energies of a run whose record has no factors.
std::optional<TwinScale> remembered(const RunTrace& trace, const TwinRecord& twin,
                                    const PhaseEnergies& stored)
{
    if (!twin.clean_mj)
        return std::nullopt;
    const PhaseEnergies now = phaseEnergies(trace);
    const auto factor = [](std::optional<Millijoules> before, std::optional<Millijoules> after) {
        return before && after && after->value > 0.0 ? std::optional(*before / *after)
                                                     : std::nullopt;
    };
    const auto prefill = factor(stored.prefill, now.prefill);
    const auto decode = factor(stored.decode, now.decode);
    if (!prefill || (!decode && findPhase(trace, Phase::Decode)))
        return std::nullopt;
    return TwinScale{{ratioOf(twin.clean_prefill_ns, twin.prefill_ns), *prefill},
                     {ratioOf(twin.clean_decode_ns, twin.decode_ns), decode.value_or(1.0)}};
}

void scale(std::optional<Millijoules>& energy, double factor)
{
    if (energy)
        energy->value *= factor;
}

void scale(EnergyValue& energy, const Ratio& ratio)
{
    const double factor = ratio.factors.energy;
    scale(energy.total_mj, factor);
    for (auto& rail : energy.rails_mj.values)
        scale(rail, factor);
    scale(energy.alternative_mj, factor);
    if (energy.sd_mj && energy.total_mj)
        energy.sd_mj->value =
            std::hypot(energy.sd_mj->value * factor, energy.total_mj->value * ratio.error);
}

template <typename Spans>
void scaleSpans(Spans& spans, const Ratios& ratios)
{
    for (auto& span : spans) {
        const Ratio& ratio = span.token == 0 ? ratios.prefill : ratios.decode;
        const double factor = ratio.factors.energy;
        scale(span.energy_mj, factor);
        span.energy_notes.alternative_mj *= static_cast<float>(factor);
        if (span.energy_mj)
            span.energy_notes.sd_mj = static_cast<float>(
                std::hypot(span.energy_notes.sd_mj * factor, span.energy_mj->value * ratio.error));
    }
}

// Updates a sum after one of its parts changed.
void exchange(std::optional<Millijoules>& sum, std::optional<Millijoules> before,
              std::optional<Millijoules> after)
{
    if (sum && before && after)
        *sum += *after - *before;
}

void scaleEnergies(Run& run, const Ratios& ratios)
{
    const auto of = [&](Phase phase) -> const Ratio* {
        return phase == Phase::Prefill ? &ratios.prefill
            : phase == Phase::Decode   ? &ratios.decode
                                       : nullptr;
    };
    const auto scaleOne = [&](EnergyValue& energy, Phase phase) {
        if (const Ratio* ratio = of(phase))
            scale(energy, *ratio);
    };
    RunTrace& trace = run.trace;
    EnergyValue& whole = run.metrics.energy;
    double variance = 0.0;
    for (PhaseSpan& phase : trace.phases) {
        if (phase.phase == Phase::Idle)
            continue;
        const EnergyValue before = phase.energy;
        scaleOne(phase.energy, phase.phase);
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            exchange(whole.rails_mj.values[rail], before.rails_mj.values[rail],
                     phase.energy.rails_mj.values[rail]);
        exchange(whole.total_mj, before.total_mj, phase.energy.total_mj);
        exchange(whole.alternative_mj, before.alternative_mj, phase.energy.alternative_mj);
        const double sd = phase.energy.sd_mj.value_or(Millijoules{}).value;
        variance += sd * sd;
    }
    if (whole.sd_mj)
        whole.sd_mj->value = std::sqrt(variance);
    for (SectionSpan& section : trace.sections)
        scaleOne(section.energy, section.phase);
    for (TokenSpan& token : trace.tokens) {
        scaleOne(token.energy, token.phase);
        if (const Ratio* ratio = of(token.phase); ratio != nullptr && token.power_snapshot_mw)
            token.power_snapshot_mw->value *= ratio->factors.energy / ratio->factors.time;
    }
    scaleSpans(trace.layers, ratios);
    scaleSpans(trace.components, ratios);
    scaleSpans(trace.operations, ratios);
}

std::optional<Milliwatts> peakOf(const EnergyTimeline& timeline, const TimeRange& range)
{
    std::optional<Milliwatts> peak;
    const auto [first, last] = timeline.touching(range);
    for (std::size_t i = first; i < last; ++i) {
        const EnergyTimeline::Window& window = timeline.windows()[i];
        if (!window.total_pj)
            continue;
        const auto power = meanPower(fromPicojoules(*window.total_pj), window.time.duration_ns());
        peak = std::max(peak.value_or(power), power);
    }
    return peak;
}

Nanoseconds shortened(Nanoseconds duration, double factor)
{
    return std::llround(static_cast<double>(duration) * factor);
}

void takeFigures(Run& run, const EnergyTimeline& timeline)
{
    const RunTrace& trace = run.trace;
    const TwinRecord& twin = *run.info.profiling.twin;
    RunMetrics metrics = computeMetrics(trace, run.info.input_tokens, run.metrics.energy);
    for (const PhaseSpan& phase : trace.phases) {
        const Nanoseconds duration = phase.time.duration_ns();
        metrics.duration_ns += shortened(duration, twin.scale->of(phase.phase).time) - duration;
    }
    if (metrics.time_to_first_token_ns) {
        const Nanoseconds first = trace.tokens.front().time.duration_ns();
        *metrics.time_to_first_token_ns += shortened(first, twin.scale->prefill.time) - first;
    }
    if (metrics.tokens_per_second && twin.scale->decode.time > 0.0)
        *metrics.tokens_per_second /= twin.scale->decode.time;
    if (metrics.prefill_tokens_per_second && twin.scale->prefill.time > 0.0)
        *metrics.prefill_tokens_per_second /= twin.scale->prefill.time;
    if (metrics.energy.total_mj && metrics.duration_ns > 0) {
        metrics.mean_power_mw = meanPower(*metrics.energy.total_mj, metrics.duration_ns);
        metrics.edp_joule_seconds =
            metrics.energy.total_mj->value / kMillijoulesPerJoule * toSeconds(metrics.duration_ns);
    }
    const TimeRange clean{twin.clean_prefill.begin_ns,
                          std::max(twin.clean_prefill.end_ns, twin.clean_decode.end_ns)};
    metrics.peak_power_mw.reset(); // the peak of the recorded execution does not apply
    if (!twin.clean_prefill.empty())
        setPeak(peakOf(timeline, moved(clean, trace.time.begin_ns)), metrics);
    run.metrics = metrics;
}

} // namespace

PhaseEnergies phaseEnergies(const RunTrace& trace)
{
    const auto of = [&](Phase phase) {
        const PhaseSpan* span = findPhase(trace, phase);
        return span ? span->energy.total_mj : std::nullopt;
    };
    return {of(Phase::Prefill), of(Phase::Decode)};
}

void takeCleanExecution(Run& run, const PhaseEnergies& stored)
{
    if (!run.info.profiling.twin)
        return;
    TwinRecord& twin = *run.info.profiling.twin;
    const auto& attribution = run.info.power.attribution;
    const bool shifted = attribution && attribution->offset_applied;
    const EnergyTimeline timeline(run.trace.samples, {}, shifted ? attribution->offset_ns : 0);
    std::optional<Ratios> ratios =
        measured(run.trace, twin, Measurement(timeline, shifted ? attribution->offset_sd_ns : 0.0));
    if (ratios) {
        twin.clean_mj = ratios->prefill.clean_mj + ratios->decode.clean_mj;
        twin.instrumented_mj = ratios->prefill.instrumented_mj + ratios->decode.instrumented_mj;
        twin.scale = TwinScale{ratios->prefill.factors, ratios->decode.factors};
    } else {
        if (!twin.scale)
            twin.scale = remembered(run.trace, twin, stored);
        if (!twin.scale || !run.metrics.energy.total_mj) {
            twin.scale.reset();
            twin.clean_mj.reset();
            twin.instrumented_mj.reset();
            return;
        }
        ratios = Ratios{{twin.scale->prefill, 0.0, 0.0, 0.0}, {twin.scale->decode, 0.0, 0.0, 0.0}};
    }
    scaleEnergies(run, *ratios);
    takeFigures(run, timeline);
}

} // namespace ep::energy
