// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/attribute.h"

#include "uncertainty.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/metrics.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/align.h"
#include "ep/energy/baseline.h"
#include "ep/energy/cost_fit.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/quality.h"
#include "ep/energy/server_rules.h"
#include "ep/energy/work_curve.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ep::energy {
namespace {

// One execution; its decode is empty if there is only a prefill.
struct Execution {
    TimeRange prefill;
    TimeRange decode;
};

std::optional<double> energyOf(const EnergyTimeline& timeline, const Execution& execution)
{
    if (execution.prefill.empty())
        return std::nullopt;
    double sum = 0.0;
    for (const TimeRange& range : {execution.prefill, execution.decode}) {
        if (range.empty())
            continue;
        const auto energy = timeline.totalOver(range);
        if (!energy)
            return std::nullopt;
        sum += energy->value;
    }
    return sum;
}

TimeRange moved(const TimeRange& range, Nanoseconds by)
{
    return range.empty() ? range : TimeRange{range.begin_ns + by, range.end_ns + by};
}

// Measures the energies of both executions of a twin run over the steps that they share, from the
// samples and the offset found by attribution. If samples do not cover both executions, the record
// stays unchanged.
void measureTwin(Run& run)
{
    if (!run.info.profiling.twin)
        return;
    TwinRecord& twin = *run.info.profiling.twin;
    const RunTrace& trace = run.trace;
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, twin.tokens));
    if (count == 0 || count > trace.tokens.size())
        return;
    const auto& attribution = run.info.power.attribution;
    const bool shifted = attribution && attribution->offset_applied;
    const EnergyTimeline timeline(trace.samples, {}, shifted ? attribution->offset_ns : 0);
    const Nanoseconds begin = trace.time.begin_ns;
    const auto clean =
        energyOf(timeline, {moved(twin.clean_prefill, begin), moved(twin.clean_decode, begin)});
    const auto recorded = energyOf(
        timeline,
        {trace.tokens.front().time,
         count > 1 ? TimeRange{trace.tokens[1].time.begin_ns, trace.tokens[count - 1].time.end_ns}
                   : TimeRange{}});
    if (clean && recorded) {
        twin.clean_mj = clean;
        twin.instrumented_mj = recorded;
    }
}

// Two ways to distribute the energy of the same windows, and the uncertainty of the better one.
struct Distributions {
    EnergyTimeline used;
    const EnergyTimeline* other = nullptr; // absent if there is only one way
    const Uncertainty* uncertainty = nullptr;
    bool byCost = false; // `used` is by cost, the better way
    bool refused = false; // no energy is certain enough to be shown
};

// An energy split by time is known to be off by its difference from the one split by cost.
double deviation(double sd, Millijoules energy, std::optional<Millijoules> alternative,
                 const Distributions& distributions)
{
    const bool biased = !distributions.byCost && alternative;
    return biased ? withBias(sd, energy.value - alternative->value) : sd;
}

void noteValue(EnergyValue& energy, const TimeRange& time, const Distributions& distributions)
{
    if (!energy.total_mj)
        return;
    if (distributions.other != nullptr)
        energy.alternative_mj = distributions.other->totalOver(time);
    if (distributions.uncertainty == nullptr)
        return;
    const double sd = distributions.uncertainty->of(time).value_or(0.0);
    const double known = deviation(sd, *energy.total_mj, energy.alternative_mj, distributions);
    if (distributions.refused)
        energy = {};
    energy.sd_mj = Millijoules{known};
}

std::optional<double> deviationOf(const Span& span, const Uncertainty& uncertainty)
{
    return span.level == SpanLevel::Layer
        ? uncertainty.of(span.time)
        : uncertainty.of(span.time, spanKindOf(span.component), span.token == 0);
}

// Rounds to single precision, as in the stored form.
Millijoules single(double energy)
{
    return {static_cast<double>(static_cast<float>(energy))};
}

// Layers, components and operations.
void fillSpans(std::vector<Span>& spans, const Distributions& distributions)
{
    for (Span& span : spans) {
        span.energy_mj = distributions.used.totalOver(span.time);
        span.sd_mj.reset();
        span.alternative_mj.reset();
        if (!span.energy_mj || distributions.uncertainty == nullptr)
            continue;
        std::optional<Millijoules> alternative;
        if (distributions.other != nullptr)
            alternative = distributions.other->totalOver(span.time);
        if (alternative)
            span.alternative_mj = single(alternative->value);
        const double sd = deviationOf(span, *distributions.uncertainty).value_or(0.0);
        const double known = deviation(sd, *span.energy_mj, alternative, distributions);
        if (distributions.refused) {
            span.energy_mj.reset();
            span.alternative_mj.reset();
        }
        span.sd_mj = single(known);
    }
}

EnergyValue valueOver(const TimeRange& time, const Distributions& distributions)
{
    EnergyValue energy = distributions.used.over(time);
    noteValue(energy, time, distributions);
    return energy;
}

// The energies of all spans, and the power in the middle of each token.
void fillEnergies(RunTrace& trace, const Distributions& distributions)
{
    for (PhaseSpan& phase : trace.phases)
        phase.energy = valueOver(phase.time, distributions);
    for (Span& section : trace.sections)
        section.setEnergy(valueOver(section.time, distributions));
    for (TokenSpan& token : trace.tokens) {
        token.energy = valueOver(token.time, distributions);
        token.power_snapshot_mw =
            distributions.used.powerAt(token.time.begin_ns + token.time.duration_ns() / 2);
    }
    fillSpans(trace.layers, distributions);
    fillSpans(trace.components, distributions);
    fillSpans(trace.operations, distributions);
}

// The mean power of each phase, and of the time before, between and after them, computed from the
// windows that lie inside. A part too short for a whole window takes the level of the previous
// part. Splitting a window by these levels is exact if the power within each phase is constant.
class PhaseLevels {
public:
    PhaseLevels(const EnergyTimeline& byTime, const RunTrace& trace);

    SpreadRule rule() const { return {.work = &m_work, .fit = m_fit, .static_mw = {}}; }

private:
    WorkCurve m_work; // FLOPs stand for the energy at that level, in pJ
    std::optional<CostFit> m_fit; // absent if no part has a level
};

struct Part {
    TimeRange time;
    std::optional<Milliwatts> level;
};

// The phases and the time around them, in order: everything from the first sample to the last.
std::vector<Part> partsOf(const EnergyTimeline& timeline, const RunTrace& trace)
{
    std::vector<Part> parts;
    Nanoseconds at = timeline.windows().front().time.begin_ns;
    const auto add = [&](const TimeRange& time) {
        if (!time.empty())
            parts.push_back({time, {}});
        at = std::max(at, time.end_ns);
    };
    for (const PhaseSpan& phase : trace.phases) {
        add({at, phase.time.begin_ns});
        add({std::max(at, phase.time.begin_ns), phase.time.end_ns});
    }
    add({at, timeline.windows().back().time.end_ns});
    return parts;
}

// Mean power of the windows inside, and the relative rms deviation of a window from it.
struct Level {
    std::optional<Milliwatts> mean;
    double energy = 0.0;
    double squares = 0.0;
    double windows = 0.0;
};

Level levelOf(const EnergyTimeline& timeline, const TimeRange& time)
{
    Level level;
    Nanoseconds length = 0;
    const auto range = timeline.touching(time);
    const auto eachInside = [&](const auto& visit) {
        for (std::size_t i = range.first; i < range.second; ++i) {
            const EnergyTimeline::Window& window = timeline.windows()[i];
            if (window.total_pj && time.contains(window.time) && !window.time.empty())
                visit(window);
        }
    };
    eachInside([&](const auto& window) {
        level.energy += fromPicojoules(*window.total_pj).value;
        length += window.time.duration_ns();
        level.windows += 1.0;
    });
    if (length == 0)
        return level;
    level.mean = meanPower({level.energy}, length);
    eachInside([&](const auto& window) {
        const Millijoules expected = energyOf(*level.mean, window.time.duration_ns());
        const double miss = fromPicojoules(*window.total_pj).value - expected.value;
        level.squares += miss * miss;
    });
    return level;
}

void fillUnknown(std::vector<Part>& parts)
{
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (!parts[i].level)
            parts[i].level = parts[i - 1].level;
    }
    for (std::size_t i = parts.size(); i-- > 1;) {
        if (!parts[i - 1].level)
            parts[i - 1].level = parts[i].level;
    }
}

PhaseLevels::PhaseLevels(const EnergyTimeline& byTime, const RunTrace& trace)
{
    if (byTime.windows().empty())
        return;
    std::vector<Part> parts = partsOf(byTime, trace);
    double energy = 0.0;
    double squares = 0.0;
    double windows = 0.0;
    for (Part& part : parts) {
        const Level level = levelOf(byTime, part.time);
        part.level = level.mean;
        energy += level.energy;
        squares += level.squares;
        windows += level.windows;
    }
    fillUnknown(parts);
    if (!(energy > 0.0))
        return;
    std::vector<WorkCurve::Load> loads;
    for (const Part& part : parts) {
        const double pj = energyOf(part.level.value_or(Milliwatts{}), part.time.duration_ns()).value
            * kPicojoulesPerMillijoule;
        loads.push_back({part.time, {.flops = std::llround(std::min(pj, 1e18)), .bytes = 0}});
    }
    m_work = WorkCurve(loads, trace.time);
    UnitCosts costs;
    costs.pj_per_flop = 1.0;
    costs.relative_residual = std::sqrt(squares / windows) / (energy / windows);
    m_fit.emplace();
    for (auto& rail : m_fit->rails.values)
        rail = costs;
    m_fit->windows = static_cast<std::int64_t>(windows);
}

// Sums one parent's children, which are added in order of time.
class ClosureSum {
public:
    ClosureSum(const EnergyTimeline& timeline, const TimeRange& parent)
        : m_timeline(timeline)
        , m_parent(parent)
        , m_until(parent.begin_ns)
    {
    }

    void add(const TimeRange& child, std::optional<Millijoules> value)
    {
        gap(child.begin_ns);
        m_known = m_known && value && child.begin_ns >= m_until && m_parent.contains(child);
        m_sum += value ? value->value : 0.0;
        m_until = std::max(m_until, child.end_ns);
    }

    // 0 if the whole or a part is missing or children overlap: then no sum is expected to match.
    double error(std::optional<Millijoules> whole)
    {
        gap(m_parent.end_ns);
        if (!m_known || !whole || whole->value == 0.0)
            return 0.0;
        return std::abs(m_sum - whole->value) / std::abs(whole->value);
    }

private:
    void gap(Nanoseconds until)
    {
        if (until <= m_until)
            return;
        const auto energy = m_timeline.totalOver({m_until, until});
        m_known = m_known && energy;
        m_sum += energy ? energy->value : 0.0;
        m_until = until;
    }

    const EnergyTimeline& m_timeline;
    TimeRange m_parent;
    Nanoseconds m_until;
    double m_sum = 0.0;
    bool m_known = true;
};

std::optional<Millijoules> energyOf(const Span& span)
{
    return span.energy_mj;
}
template <typename Node>
std::optional<Millijoules> energyOf(const Node& node)
{
    return node.energy.total_mj;
}

// Both lists must be sorted by time, since `child` only moves forward.
template <typename Parent, typename Child>
double levelError(const EnergyTimeline& timeline, const std::vector<Parent>& parents,
                  const std::vector<Child>& children)
{
    double worst = 0.0;
    auto child = children.begin();
    for (const Parent& parent : parents) {
        while (child != children.end() && child->time.begin_ns < parent.time.begin_ns)
            ++child;
        ClosureSum sum(timeline, parent.time);
        for (; child != children.end() && child->time.begin_ns < parent.time.end_ns; ++child)
            sum.add(child->time, energyOf(*child));
        worst = std::max(worst, sum.error(energyOf(parent)));
    }
    return worst;
}

// Largest |sum of parts - whole| / whole over the levels of both trees. The parts are the children
// in the trace and the intervals between them, taken from the timeline.
double closureOf(const RunTrace& trace, const EnergyTimeline& timeline)
{
    std::vector<PhaseSpan> phases;
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase != Phase::Idle)
            phases.push_back(phase);
    }
    const std::vector<PhaseSpan> run{
        {.phase = Phase::Idle, .time = trace.time, .energy = timeline.over(trace.time)}};
    return std::max({levelError(timeline, run, phases),
                     levelError(timeline, phases, trace.sections),
                     levelError(timeline, trace.tokens, trace.sections),
                     levelError(timeline, trace.layers, trace.components),
                     levelError(timeline, trace.components, trace.operations)});
}

LoadShape loadOf(const RunTrace& trace, const WorkCurve& work, bool mayLead)
{
    LoadShape load;
    load.work = &work;
    load.may_lead = mayLead;
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase == Phase::Prefill)
            load.first.push_back(phase.time);
        else if (phase.phase == Phase::Decode)
            load.second.push_back(phase.time);
    }
    return load;
}

// A smaller offset is neither found nor applied, so it may still be there.
constexpr double kUnseenOffsetNs = 0.5e6;

// Searches for an offset; returns the standard deviation of the windows' times that remains.
double takeOffset(const RunTrace& trace, const LoadShape& load, AttributionRecord& record)
{
    const Offset offset = findOffset(trace.samples, load);
    record.offset_ns = offset.ns;
    record.offset_sd_ns = offset.sd_ns;
    if (!offset.significant)
        return kUnseenOffsetNs;
    // A shift that uncovers a part of the run would cost it its energy.
    const auto covered = [&](Nanoseconds shift) {
        return EnergyTimeline(trace.samples, {}, shift).known(trace.time).covered_ns;
    };
    record.offset_applied = covered(offset.ns) >= covered(0);
    return record.offset_applied ? offset.sd_ns
                                 : std::hypot(offset.sd_ns, static_cast<double>(offset.ns));
}

// Whether the energy is too uncertain to say anything. Only the energy of the whole run is judged:
// parts may be more uncertain than their sum, and their intervals show it.
bool isRefused(const EnergyValue& run)
{
    return run.total_mj && run.sd_mj && run.provenance != Provenance::Modelled
        && run.sd_mj->value > kMaxUncertain * std::abs(run.total_mj->value);
}

// The rails of the windows, or `system` if there is only a total without components.
std::vector<Rail> fittedRails(const EnergyTimeline& timeline)
{
    return timeline.rails().empty() ? std::vector{Rail::System} : timeline.rails();
}

// Marks decoded tokens and all of their parts. Even a measured energy is partly a share, because a
// token begins and ends in the middle of a window.
void markCalibrated(RunTrace& trace)
{
    for (TokenSpan& token : trace.tokens) {
        if (token.phase == Phase::Decode)
            token.energy.provenance = std::max(token.energy.provenance, Provenance::Calibrated);
    }
}

// Spreads energy evenly over time, where the idle power is known only inside the run.
SpreadRule timeRule(const EnergyTimeline& timeline, const WorkCurve& work, const TimeRange& run,
                    const PerRail<Milliwatts>& idle)
{
    SpreadRule rule{.work = &work, .fit = CostFit{}, .static_mw = idle, .run = run};
    for (const Rail rail : fittedRails(timeline))
        rule.fit->rails[rail] = UnitCosts{.time_mw = 1.0};
    return rule;
}

// Unit costs of the total, and its idle power if every rail's idle power is known.
SplitModel::Input modelInput(const EnergyTimeline& timeline, const KindWork& work,
                             const std::optional<BaselineRecord>& baseline)
{
    SplitModel::Input input{.timeline = timeline, .work = work, .costs = {}, .prior = {}};
    if (!baseline)
        return input;
    Milliwatts idle{};
    for (const Rail rail : fittedRails(timeline)) {
        const auto& known = baseline->power_mw[rail];
        if (!known)
            return input;
        idle += *known;
    }
    input.idle = idle;
    // Error of one baseline: its own scatter, and 1 % because the machine may change afterwards.
    constexpr double kDrift = 0.01;
    const auto ofMean = netDeviation(Millijoules{}, Nanoseconds{1'000'000'000}, baseline);
    input.idle_sd_mw = std::hypot(ofMean.value_or(Millijoules{}).value, kDrift * idle.value);
    return input;
}

UnitCosts sumOf(const CostFit& fit)
{
    UnitCosts sum;
    for (const auto& costs : fit.rails.values) {
        if (!costs)
            continue;
        sum.pj_per_byte += costs->pj_per_byte;
        sum.pj_per_flop += costs->pj_per_flop;
        sum.time_mw += costs->time_mw;
    }
    return sum;
}

// Scales each rail's unit costs like those of the total; costs that no rail had are spread
// evenly.
CostFit changed(CostFit fit, const UnitCosts& from, const UnitCosts& to)
{
    const auto rails = static_cast<double>(std::ranges::count_if(
        fit.rails.values, [](const auto& costs) { return costs.has_value(); }));
    for (auto& costs : fit.rails.values) {
        if (!costs)
            continue;
        const auto change = [&](double UnitCosts::*field) {
            double& own = (*costs).*field;
            own = from.*field > 0.0 ? own * (to.*field / from.*field) : to.*field / rails;
        };
        change(&UnitCosts::pj_per_byte);
        change(&UnitCosts::pj_per_flop);
        change(&UnitCosts::time_mw);
    }
    return fit;
}

// Unit costs learned from decoding alone say nothing about prefill, which computes far more for
// each byte.
bool hardlyAnyPrefill(const RunTrace& trace)
{
    constexpr double kHardlyAny = 0.05;
    Nanoseconds prefill = 0;
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase == Phase::Prefill)
            prefill += phase.time.duration_ns();
    }
    return static_cast<double>(prefill)
        < kHardlyAny * static_cast<double>(trace.time.duration_ns());
}

// A calibration knows shares of the total. Every rail gets the same unit costs, so that the rails
// add up to those shares.
CostFit ofAllRails(CostFit fit, const UnitCosts& costs)
{
    for (auto& own : fit.rails.values) {
        if (own)
            own = costs;
    }
    return fit;
}

// A command may generate more than once: the run has the tokens of all generations, and the steps
// and phases of one. Which generation used the energy of a step is unknown if others ran with it.
void countGenerations(Run& run)
{
    const auto& command = run.info.profiling.command;
    if (!command || command->generations < 2)
        return;
    const EnergyValue energy = run.metrics.energy;
    RunMetrics& metrics = run.metrics;
    metrics = computeMetrics(run.trace, static_cast<int>(command->shown_input_tokens), energy);
    setPerToken(run.info.output_tokens, metrics);
    if (command->overlapping) {
        metrics.joules_per_input_token.reset();
        metrics.joules_per_output_token.reset();
        metrics.joules_per_typical_token.reset();
    }
}

// The start of a command, such as its imports, does not count as waiting for the first token.
void countFromTheGeneration(Run& run)
{
    const PhaseSpan* prefill = findPhase(run.trace, Phase::Prefill);
    if (run.info.profiling.command && prefill != nullptr && !run.trace.tokens.empty())
        run.metrics.time_to_first_token_ns =
            run.trace.tokens.front().time.end_ns - prefill->time.begin_ns;
}

} // namespace

void tagPhases(std::vector<PowerSample>& samples, const std::vector<PhaseSpan>& phases)
{
    for (PowerSample& sample : samples) {
        const Nanoseconds duration = sample.window.duration_ns();
        Nanoseconds idle = duration;
        Nanoseconds longest = 0;
        sample.phase = Phase::Idle;
        for (const PhaseSpan& phase : phases) {
            const Nanoseconds inside = intersection(sample.window, phase.time).duration_ns();
            if (phase.phase != Phase::Idle)
                idle -= inside;
            if (phase.phase != Phase::Idle && inside > longest) {
                longest = inside;
                sample.phase = phase.phase;
            }
        }
        if (idle >= longest) {
            longest = idle;
            sample.phase = Phase::Idle;
        }
        sample.phase_confidence =
            duration > 0 ? static_cast<double>(longest) / static_cast<double>(duration) : 0.0;
    }
}

void attributeByTime(RunTrace& trace, const std::vector<Rail>& rails)
{
    tagPhases(trace.samples, trace.phases);
    SpreadRule evenly;
    evenly.rails = rails;
    Distributions distributions{.used = EnergyTimeline(trace.samples, evenly)};
    fillEnergies(trace, distributions);
}

Attribution attribute(RunTrace& trace, const AttributionSettings& settings,
                      const std::optional<BaselineRecord>& baseline)
{
    tagPhases(trace.samples, trace.phases);
    const WorkCurve work(trace);
    Attribution result;
    AttributionRecord& record = result.record;
    record.asked = settings.method;
    const double offsetSdNs = settings.align
        ? takeOffset(trace, loadOf(trace, work, settings.power_may_lead), record)
        : kUnseenOffsetNs;
    const Nanoseconds shift = record.offset_applied ? record.offset_ns : 0;

    const PerRail<Milliwatts> idle = baseline ? baseline->power_mw : PerRail<Milliwatts>{};
    const EnergyTimeline evenly(trace.samples, {}, shift);
    const CostFinding costs = findCosts(evenly, work, trace.time, idle);
    record.fit = costs.fit;
    const bool usable = costs.fit && costs.problem.empty();
    const bool calibrated =
        settings.method == AttributionMethod::Calibrated && settings.calibration.has_value();
    const bool cost = settings.method != AttributionMethod::Time && (usable || calibrated);
    record.method = calibrated ? AttributionMethod::Calibrated
        : cost                 ? AttributionMethod::Cost
                               : AttributionMethod::Time;
    if (settings.method != AttributionMethod::Time && !usable && !calibrated)
        record.note = costs.problem;
    if (calibrated)
        record.calibration = settings.calibration;

    const KindWork kinds(trace);
    SplitModel::Input input = modelInput(evenly, kinds, baseline);
    input.costs = usable                        ? sumOf(*costs.fit)
        : calibrated && hardlyAnyPrefill(trace) ? costsOf(*settings.calibration)
                                                : UnitCosts{.time_mw = 1.0};
    input.prior = usable ? uncalibratedPrior() : timeOnlyPrior();
    if (calibrated)
        input.prior = calibratedPrior(input.prior, *settings.calibration, input.costs);
    input.learn = usable;
    const SplitModel model(input);
    const auto finish = [&](const EnergyTimeline& used, const EnergyTimeline* other) {
        const Uncertainty uncertainty(used, &model, offsetSdNs);
        Distributions distributions{.used = used,
                                    .other = other,
                                    .uncertainty = &uncertainty,
                                    .byCost = record.method != AttributionMethod::Time};
        result.run = valueOver(trace.time, distributions);
        if (isRefused(result.run)) {
            distributions.refused = true;
            result.run = valueOver(trace.time, distributions);
            record.note = sequence(
                {std::move(record.note),
                 Message("too short for this sensor: the run's energy has a standard deviation "
                         "above %1 and is not shown; repeat it",
                         formatPercent(kMaxUncertain))},
                "; ");
        }
        fillEnergies(trace, distributions);
        if (record.method == AttributionMethod::Calibrated)
            markCalibrated(trace);
        record.closure = closureOf(trace, distributions.used);
    };

    const SpreadRule evenRule = timeRule(evenly, work, trace.time, idle);
    const EnergyTimeline byTime(trace.samples, evenRule, shift);
    if (settings.phase_levels) {
        const PhaseLevels levels(evenly, trace);
        record.method = AttributionMethod::Time;
        record.note = "windows with two phases are split by the mean power of each";
        finish(EnergyTimeline(trace.samples, levels.rule(), shift), &byTime);
        return result;
    }
    const WorkCurve weighted(trace, model.factors());
    SpreadRule rule{.work = &weighted, .fit = evenRule.fit, .static_mw = idle, .run = trace.time};
    if (calibrated)
        rule.fit = ofAllRails(*(usable ? costs.fit : evenRule.fit), model.costs());
    else if (usable)
        rule.fit = changed(*costs.fit, input.costs, model.costs());
    const EnergyTimeline byCost(trace.samples, rule, shift);
    finish(cost ? byCost : byTime, cost ? &byTime : usable ? &byCost : nullptr);
    return result;
}

void markImported(Run& run)
{
    const auto mark = [](EnergyValue& energy) {
        if (energy.total_mj)
            energy.provenance = Provenance::Imported;
    };
    mark(run.metrics.energy);
    for (PhaseSpan& phase : run.trace.phases)
        mark(phase.energy);
    for (Span& section : run.trace.sections) {
        if (section.energy_mj)
            section.provenance = Provenance::Imported;
    }
    for (TokenSpan& token : run.trace.tokens)
        mark(token.energy);
}

void completeEnergies(Run& run)
{
    if (run.trace.samples.empty() || run.metrics.energy.total_mj)
        return;
    PowerInfo& power = run.info.power;
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase == Phase::Idle && !power.baseline)
            power.baseline = measureBaseline(run.trace.samples, phase.time, run.trace.time.begin_ns,
                                             BaselineMoment::AfterLoad);
    }
    if (power.source.empty() || power.source == "none")
        power.source = kImportedSource;
    attribute(run, {});
    if (!power.quality)
        power.quality = assessQuality(run.trace, 0);
}

void attribute(Run& run, const AttributionSettings& settings)
{
    const auto& server = run.info.profiling.server;
    const bool imported = run.info.power.source == kImportedSource;
    // The import has already divided a recording's energy among several requests, by its own rule.
    if (server && (server->group || imported))
        return;
    AttributionSettings own = settings;
    own.phase_levels = own.phase_levels || server.has_value();
    own.power_may_lead = imported;
    // A replay begins with the run, so it needs no alignment.
    own.align = own.align && !run.info.power.source.starts_with("replay");
    Message mismatch;
    if (own.method == AttributionMethod::Calibrated) {
        mismatch = own.calibration ? mismatchOf(*own.calibration, calibrationKeyOf(run.info))
                                   : Message("This machine was not calibrated with this model.");
        if (!mismatch.empty())
            own.calibration.reset();
    }
    Attribution result = attribute(run.trace, own, run.info.power.baseline);
    result.record.note = sequence({std::move(result.record.note), std::move(mismatch)}, ". ");
    run.metrics =
        computeMetrics(run.trace, run.info.input_tokens, result.run, server ? &*server : nullptr);
    if (run.trace.samples.empty())
        run.info.power.attribution.reset();
    else
        run.info.power.attribution = std::move(result.record);
    countGenerations(run);
    countFromTheGeneration(run);
    measureTwin(run);
    applyServerRules(run);
    if (imported)
        markImported(run);
    auto& record = run.info.power.attribution;
    if (const Tally known = knownEnergy(run); record && known.partial()) {
        record->known_mj = known.energy_mj;
        record->known_ns = known.energy_duration_ns;
    }
}

} // namespace ep::energy
