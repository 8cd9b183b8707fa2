// SPDX-License-Identifier: GPL-3.0-or-later
// The evidence for each cause.
#include "evidence.h"

#include "ep/core/format.h"
#include "ep/core/joined.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/ledger.h"
#include "ep/energy/quality.h"
#include "ep/energy/work_curve.h"
#include "ep/energy/work_nodes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ep::energy {
namespace {

constexpr double kRecorded = 0.98; // certainty of what the system reported
constexpr double kGuessed = 0.6; // certainty if something else could explain the same
constexpr const char* kRecordComponents = "Record again with --depth module.";
constexpr double kSlowEnough = 0.05; // share of the least time; a smaller delay needs no cause

const PowerQuality* qualityOf(const Scene& scene)
{
    const auto& quality = scene.parts.run.info.power.quality;
    return quality ? &*quality : nullptr;
}

double otherShare(const Scene& scene)
{
    const PowerQuality* quality = qualityOf(scene);
    return quality ? quality->other_cpu_share.value_or(0.0) : 0.0;
}

bool lowMode(const Scene& scene)
{
    const PowerQuality* quality = qualityOf(scene);
    return quality && quality->power_mode == PowerMode::Low;
}

bool onBattery(const Scene& scene)
{
    const PowerQuality* quality = qualityOf(scene);
    return quality && quality->on_battery.value_or(false);
}

bool othersBusy(const Scene& scene)
{
    const PowerQuality* quality = qualityOf(scene);
    return quality && disturbs(quality->other_cpu_share, quality->processors);
}

// Number of conditions that could have slowed all parts alike.
int reasonsToBeSlow(const Scene& scene)
{
    return (lowMode(scene) ? 1 : 0) + (othersBusy(scene) ? 1 : 0);
}

Clue uniform(const Scene& scene, double share)
{
    Clue clue;
    clue.explained = [&scene, share](const Prices& prices) {
        return share * prices.watts * uniformDelay(scene, prices);
    };
    clue.figures = {formatSignificant(scene.usual_slowness, 2)};
    return clue;
}

// Seconds that recording cost until the answer was complete.
double recordingSeconds(const Scene& scene)
{
    return scene.run_used * toSeconds(scene.parts.run.info.profiling.cost_ns);
}

bool isWork(const WorkNode& node, Phase phase)
{
    return node.kind == WorkNode::Kind::Work && node.phase == phase;
}

Amount workIn(const Scene& scene, Phase phase)
{
    Amount sum;
    for (const WorkNode& node : scene.nodes) {
        if (isWork(node, phase))
            sum += node.amount;
    }
    return sum;
}

std::string intensityText(const Amount& work)
{
    return formatSignificant(work.bytes > 0.0 ? work.flops / work.bytes : 0.0);
}

// The sum of saved(prices, node) over all nodes.
template <typename Saved>
auto summed(const Scene& scene, const Saved& saved)
{
    return [&scene, saved](const Prices& prices) {
        double sum = 0.0;
        for (const WorkNode& node : scene.nodes)
            sum += saved(prices, node);
        return sum;
    };
}

// Bytes of an average layer relative to those of the head; at most 1, and 0 without a head.
double layerShareOfHead(const Scene& scene)
{
    double head = 0.0;
    double layers = 0.0;
    for (const WorkNode& node : scene.nodes) {
        if (!isWork(node, Phase::Decode))
            continue;
        if (trafficOf(node) == Traffic::Head)
            head += node.amount.bytes;
        else if (node.component)
            layers += node.amount.bytes;
    }
    const double layer = layers / std::max(1, scene.parts.run.info.model.layers);
    return head > 0.0 ? std::min(1.0, layer / head) : 0.0;
}

bool areExperts(const WorkNode& node, Phase phase)
{
    return isWork(node, phase) && trafficOf(node) == Traffic::Experts;
}

// The routers' choices in the prefill, as a deep profile counts them.
struct Routing {
    std::vector<double> rows; // rows of each expert of each layer with experts
    double layers = 0.0;
    double busiest = 1.0; // rows of a layer's busiest expert / mean rows, averaged over layers
};

Routing routingOf(const Scene& scene)
{
    std::map<std::int32_t, std::map<std::int32_t, double>> layers;
    for (const Span& span : scene.parts.first_step.operations) {
        if (span.extras && span.extras->expert && span.extras->rows)
            layers[span.layer][*span.extras->expert] += *span.extras->rows;
    }
    Routing routing;
    routing.layers = static_cast<double>(layers.size());
    double busiest = 0.0;
    for (const auto& [layer, experts] : layers) {
        double all = 0.0;
        double most = 0.0;
        for (const auto& [expert, rows] : experts) {
            routing.rows.push_back(rows);
            all += rows;
            most = std::fmax(most, rows);
        }
        busiest += all > 0.0 ? most * scene.parts.run.info.model.experts / all : 1.0;
    }
    if (!layers.empty())
        routing.busiest = busiest / routing.layers;
    return routing;
}

// Extra cost of the prefill's experts compared with an even choice: popular experts compute many
// rows, and the program reads the weights of unpopular ones for only a few.
double costOfImbalance(const Scene& scene, const WorkNode& node, const Routing& routing,
                       const Prices& prices)
{
    double all = 0.0;
    for (const double rows : routing.rows)
        all += rows;
    const double experts = scene.parts.run.info.model.experts * routing.layers;
    const double chosen = scene.parts.run.info.model.experts_per_token;
    if (all <= 0.0 || chosen <= 0.0)
        return 0.0;
    // The node's bytes were counted as if each token chose evenly and independently.
    const double tokens = all / routing.layers / chosen;
    const double share = chosen / scene.parts.run.info.model.experts;
    const double loaded = experts * (1.0 - std::pow(1.0 - share, tokens));
    const Amount work = usedWork(scene, node);
    const double bytes = work.bytes / loaded;
    const double flops = work.flops / all;
    const auto costOf = [&](double rows) {
        return difference(prices, {.flops = flops * rows, .bytes = bytes}, {});
    };
    double uneven = 0.0;
    for (const double rows : routing.rows)
        uneven += costOf(rows);
    return std::fmax(0.0, uneven - loaded * costOf(all / loaded));
}

// Work of each step, as a trace of sections: the prefill's components as recorded; a decode step's
// share of the totals, in which attention grows with the position and everything else is constant.
RunTrace coarseTrace(const RunParts& parts)
{
    const RunTrace& whole = parts.run.trace;
    RunTrace trace;
    trace.time = whole.time;
    trace.sections = whole.sections;
    trace.components = parts.first_step.components;
    SpanWork fixed;
    SpanWork growing;
    for (const ComponentTotal& total : parts.totals) {
        const SpanWork work = total.work.value_or(SpanWork{});
        SpanWork& sum = total.component == Component::Attention ? growing : fixed;
        sum.flops += work.flops;
        sum.bytes += work.bytes;
    }
    for (const Span& span : trace.components) {
        const SpanWork work = span.work.value_or(SpanWork{});
        SpanWork& sum = span.component == Component::Attention ? growing : fixed;
        sum.flops -= work.flops;
        sum.bytes -= work.bytes;
    }
    double steps = 0.0;
    double sequences = 0.0;
    double positions = 0.0;
    for (const TokenSpan& token : whole.tokens) {
        if (token.phase != Phase::Decode)
            continue;
        steps += 1.0;
        sequences += token.sequences;
        positions += static_cast<double>(token.sequences) * (token.position + 1);
    }
    for (Span& section : trace.sections) {
        if (section.section != Section::Layers || section.phase != Phase::Decode)
            continue;
        const auto token =
            std::ranges::lower_bound(whole.tokens, section.token, {}, &TokenSpan::index);
        if (token == whole.tokens.end() || token->index != section.token || positions == 0.0)
            continue;
        const double grown =
            static_cast<double>(token->sequences) * (token->position + 1) / positions;
        const double rows = token->sequences / sequences;
        section.work =
            SpanWork{.flops = std::llround(static_cast<double>(fixed.flops) * rows
                                           + static_cast<double>(growing.flops) * grown),
                     .bytes = std::llround(static_cast<double>(fixed.bytes) / steps
                                           + static_cast<double>(growing.bytes) * grown)};
    }
    return trace;
}

} // namespace

// Causes that lie in the state of the machine during the run.

Clue slowRun(const Scene& scene)
{
    if (!scene.measured_ceilings || !scene.has_energies)
        return {.certainty = 0.5};
    if (reasonsToBeSlow(scene) > 0 || scene.usual_slowness < 1.0 + kSlowEnough)
        return {};
    return uniform(scene, 1.0);
}

Clue lowPower(const Scene& scene)
{
    if (!lowMode(scene) && !onBattery(scene))
        return {};
    if (!scene.measured_ceilings || !scene.has_energies)
        return lowMode(scene) ? Clue{.certainty = kRecorded,
                                     .fact = true,
                                     .remark = "The machine was in low-power "
                                               "mode."}
                              : Clue{.certainty = 0.5};
    const int reasons = std::max(1, reasonsToBeSlow(scene));
    Clue clue = uniform(scene, 1.0 / reasons);
    clue.certainty = lowMode(scene) ? kRecorded : kGuessed;
    clue.fact = lowMode(scene);
    if (reasons > 1)
        clue.sd = 0.25 * clue.explained({.watts = 1.0}); // the shares of the reasons are unknown
    clue.figures.insert(clue.figures.begin(), lowMode(scene) ? "low-power mode" : "battery");
    return clue;
}

Clue otherLoad(const Scene& scene)
{
    if (!othersBusy(scene))
        return {};
    if (!scene.measured_ceilings || !scene.has_energies) // the load is known, its cost is not
        return {
            .certainty = kRecorded, .fact = true, .figures = {formatPercent(otherShare(scene))}};
    const double share = 1.0 / std::max(1, reasonsToBeSlow(scene));
    Clue clue;
    clue.explained = [&scene, share](const Prices& prices) {
        const double slow = share * prices.watts * uniformDelay(scene, prices);
        if (scene.of_time)
            return slow;
        Amount all;
        for (const WorkNode& node : scene.nodes)
            all += node.amount;
        return slow + scene.run_used * std::fmax(0.0, scene.total - prices.of(all));
    };
    clue.certainty = kRecorded;
    clue.fact = true;
    clue.figures = {formatPercent(otherShare(scene))};
    return clue;
}

Clue throttling(const Scene& scene)
{
    if (scene.throttled_s <= 0.0 || !scene.has_energies)
        return {};
    const PowerQuality* quality = qualityOf(scene);
    const ThermalPressure pressure = quality ? quality->thermal : ThermalPressure::Unknown;
    const bool known = pressure != ThermalPressure::Unknown;
    // Without the thermal state heat is a guess, which a recorded reason for slow steps rules out.
    if (pressure == ThermalPressure::Nominal || (!known && reasonsToBeSlow(scene) > 0))
        return {};
    Clue clue;
    clue.fact = known;
    clue.explained = [seconds = scene.throttled_s](const Prices& prices) {
        return seconds * prices.watts;
    };
    clue.sd = 0.1 * scene.throttled_s * (scene.of_time ? 1.0 : 0.0);
    clue.certainty = known ? kRecorded : kGuessed;
    clue.figures = {formatPercent(scene.throttled_share),
                    known ? std::string(name(pressure)) : "unknown"};
    return clue;
}

Clue fallback(const Scene& scene)
{
    if (scene.parts.run.info.device == "cpu" || scene.parts.run.info.device.empty())
        return {}; // a processor has no slower device to fall back to
    if (!scene.has_ceilings || !scene.has_energies)
        return {.certainty = 0.5};
    std::vector<std::string> parts;
    for (const WorkNode& node : scene.nodes) {
        if (fellBehind(scene, node, scene.prices))
            parts.push_back(std::string(name(node.phase)) + ' ' + node.word());
    }
    if (parts.empty())
        return {};
    Clue clue;
    clue.explained = [&scene](const Prices& prices) {
        double lost = 0.0;
        for (const WorkNode& node : scene.nodes) {
            if (!fellBehind(scene, node, scene.prices))
                continue;
            const double usual = prices.least(node.amount) * scene.usual_slowness;
            lost += usedShare(scene, node) * (node.amount.seconds - usual);
        }
        return lost * prices.watts;
    };
    clue.certainty = 0.95; // the kernel itself may be that slow
    clue.figures = {joined(parts, ", ")};
    return clue;
}

// Causes that lie in how the run was set up: work that was not necessary.

// The savings if weights had another number of bytes: saved(prices, work), summed over the nodes
// that read weights.
template <typename Saved>
auto savedOnWeights(const Scene& scene, std::optional<Phase> phase, const Saved& saved)
{
    return summed(scene, [&scene, phase, saved](const Prices& prices, const WorkNode& node) {
        const bool counts = readsWeights(node) && node.phase == phase.value_or(node.phase);
        return counts ? saved(prices, usedWork(scene, node)) : 0.0;
    });
}

Clue wideFormat(const Scene& scene)
{
    if (scene.wide_share <= 0.0)
        return {};
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    const auto saved = [&scene](const Prices& prices, const Amount& narrow) {
        Amount wide = narrow;
        wide.bytes = narrow.bytes / (1.0 - scene.wide_share);
        return difference(prices, wide, narrow);
    };
    const RunInfo& info = scene.parts.run.info;
    Clue clue;
    clue.explained = savedOnWeights(scene, {}, saved);
    clue.figures = {info.model.stored_dtype, info.dtype};
    return clue;
}

Clue smallBatch(const Scene& scene)
{
    if (scene.batch < 2 || scene.mean_sequences > 0.98 * scene.batch)
        return {};
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    const auto saved = [&scene](const Prices& prices, const Amount& now) {
        Amount shared = now;
        shared.bytes = now.bytes * (scene.mean_sequences / scene.batch);
        return difference(prices, now, shared);
    };
    Clue clue;
    clue.explained = savedOnWeights(scene, Phase::Decode, saved);
    clue.figures = {formatSignificant(scene.mean_sequences, 2), std::to_string(scene.batch)};
    return clue;
}

Clue recordingCost(const Scene& scene)
{
    const double seconds = recordingSeconds(scene);
    const double all = scene.seconds;
    if (seconds <= 0.0 || all <= 0.0)
        return {};
    Clue clue;
    // The processor computes meanwhile, so power is between static power and about the mean.
    const double mean = scene.total / all;
    clue.explained = [seconds, mean](const Prices& prices) {
        return seconds * (prices.watts + mean) / 2.0;
    };
    clue.sd = scene.of_time ? 0.0 : 0.2 * seconds * mean;
    clue.figures = {formatPercent(seconds / all)};
    return clue;
}

Clue gaps(const Scene& scene)
{
    double seconds = 0.0; // until the answer was complete
    double between = 0.0;
    double all = 0.0;
    for (const WorkNode& node : scene.nodes) {
        all += node.amount.seconds;
        if (node.part() != RunPart::Rest)
            continue;
        between += node.amount.seconds;
        seconds += usedShare(scene, node) * node.amount.seconds;
    }
    const double recording = std::min(seconds, recordingSeconds(scene));
    seconds -= recording;
    if (!scene.has_energies)
        return {.certainty = 0.5};
    if (all <= 0.0)
        return {};
    Clue clue;
    clue.explained = [seconds](const Prices& prices) { return seconds * prices.watts; };
    clue.figures = {formatPercent(between / all)};
    if (recording > 0.0)
        clue.remark = {"Of that, %1 is recording, a cause of its own.",
                       formatPercent(recording / all)};
    return clue;
}

Clue afterTheAnswer(const Scene& scene)
{
    if (scene.after_answer <= 0.0)
        return {};
    Clue clue;
    clue.explained = [value = scene.after_answer](const Prices&) { return value; };
    clue.certainty = 0.97;
    clue.figures = {std::to_string(scene.tokens_after)};
    return clue;
}

// Causes that lie in the model and the request, which make the work itself expensive.

Clue memoryBoundDecode(const Scene& scene)
{
    if (scene.cached_weights)
        return {};
    if (!scene.has_ceilings)
        return {.certainty = 0.5};
    const double head = layerShareOfHead(scene);
    double all = 0.0;
    for (const WorkNode& node : scene.nodes) {
        if (node.phase == Phase::Decode)
            all += node.amount.seconds;
    }
    Clue clue;
    clue.explained = summed(scene, [&scene, head](const Prices& prices, const WorkNode& node) {
        const Traffic traffic = trafficOf(node);
        if (!isWork(node, Phase::Decode) || traffic == Traffic::Context
            || traffic == Traffic::Activations)
            return 0.0;
        Amount work = usedWork(scene, node);
        work.bytes = neededBytes(scene, node);
        if (traffic == Traffic::Head)
            work = work * head;
        if (!prices.memoryBound(work))
            return 0.0;
        Amount balanced = work; // as many bytes as can be read during the arithmetic
        balanced.bytes = work.flops * prices.seconds_per_flop / prices.seconds_per_byte;
        return difference(prices, work, balanced);
    });
    const Amount work = workIn(scene, Phase::Decode);
    clue.figures = {intensityText(work),
                    all > 0.0 ? formatPercent(work.seconds / all) : kMissingText};
    return clue;
}

Clue computeBoundPrefill(const Scene& scene)
{
    if (!scene.has_ceilings)
        return {.certainty = 0.5};
    Clue clue;
    clue.explained = summed(scene, [&scene](const Prices& prices, const WorkNode& node) {
        const Amount work = usedWork(scene, node);
        if (!isWork(node, Phase::Prefill) || prices.memoryBound(work)
            || prices.seconds_per_flop <= 0.0)
            return 0.0;
        Amount balanced = work;
        balanced.flops = work.bytes * prices.seconds_per_byte / prices.seconds_per_flop;
        return difference(prices, work, balanced);
    });
    clue.figures = {intensityText(workIn(scene, Phase::Prefill))};
    return clue;
}

Clue contextCost(const Scene& scene)
{
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    const auto isContext = [](const WorkNode& node) {
        return isWork(node, Phase::Decode) && trafficOf(node) == Traffic::Context;
    };
    double context = 0.0;
    for (const WorkNode& node : scene.nodes)
        context += isContext(node) ? node.amount.bytes : 0.0;
    const double bytes = workIn(scene, Phase::Decode).bytes;
    int last = 0;
    for (const TokenSpan& token : scene.parts.run.trace.tokens)
        last = std::max(last, token.position + 1);
    Clue clue;
    clue.explained = summed(scene, [&scene, isContext](const Prices& prices, const WorkNode& node) {
        return isContext(node) ? difference(prices, usedWork(scene, node), {}) : 0.0;
    });
    clue.figures = {bytes > 0.0 ? formatPercent(context / bytes) : kMissingText,
                    std::to_string(last)};
    return clue;
}

Clue headCost(const Scene& scene)
{
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    const double layer = layerShareOfHead(scene);
    if (layer <= 0.0) // no layer to compare the head with
        return {.certainty = 0.5, .settles = kRecordComponents};
    Clue clue;
    clue.explained = summed(scene, [&scene, layer](const Prices& prices, const WorkNode& node) {
        if (!isWork(node, Phase::Decode) || trafficOf(node) != Traffic::Head)
            return 0.0;
        Amount work = usedWork(scene, node);
        work.bytes = neededBytes(scene, node);
        return (1.0 - layer) * difference(prices, work, {});
    });
    clue.figures = {std::to_string(scene.parts.run.info.model.vocabulary_size),
                    formatSignificant(1.0 / layer, 2)};
    return clue;
}

// Mixtures of experts: weights that are loaded for few tokens, and routers that choose unevenly.

Clue unusedExperts(const Scene& scene)
{
    const ModelFacts& model = scene.parts.run.info.model;
    const Routing routing = routingOf(scene);
    if (model.experts <= 0 || (scene.unused_experts <= 0.0 && routing.rows.empty()))
        return {};
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    Clue clue;
    clue.explained = summed(scene, [&scene, routing](const Prices& prices, const WorkNode& node) {
        if (areExperts(node, Phase::Prefill))
            return costOfImbalance(scene, node, routing, prices);
        if (!areExperts(node, Phase::Decode))
            return 0.0;
        Amount needed = usedWork(scene, node);
        needed.bytes = neededBytes(scene, node);
        Amount loaded = needed;
        loaded.bytes = needed.bytes / (1.0 - scene.unused_experts);
        return difference(prices, loaded, needed);
    });
    clue.figures = {formatSignificant(model.experts_per_token / (1.0 - scene.unused_experts), 2),
                    std::to_string(model.experts_per_token)};
    if (!routing.rows.empty())
        clue.remark = Message("In the prefill the busiest expert of a layer computed %1 times its "
                              "even share of the rows.",
                              formatSignificant(routing.busiest, 2));
    return clue;
}

// The machine's costs from one run alone; its limits cannot be known from it.

std::vector<CostWindow> costWindowsOf(const RunParts& parts)
{
    const Run& run = parts.run;
    const RunTrace coarse = coarseTrace(parts);
    const WorkCurve work(coarse);
    if (work.empty())
        return {};
    const Ledger ledger(RunPtr(&run, [](const Run*) {})); // lives as long as the parts
    const PhaseSpan* idle = findPhase(run.trace, Phase::Idle);
    std::vector<CostWindow> windows;
    for (const EnergyTimeline::Window& window : ledger.timeline().windows()) {
        const bool inside = run.trace.time.contains(window.time);
        const bool resting = idle != nullptr && idle->time.contains(window.time);
        if (!window.total_pj || (!inside && !resting))
            continue;
        const WorkCurve::Work done = work.over(window.time);
        windows.push_back({.amount = {.flops = inside ? done.flops : 0.0,
                                      .bytes = inside ? done.bytes : 0.0,
                                      .seconds = toSeconds(window.time.duration_ns())},
                           .joules = toDouble(*window.total_pj) * kPico});
    }
    return windows;
}

MachineCosts fitMachineCosts(const RunParts& parts)
{
    MachineCosts costs;
    std::optional<KnownIdle> idle;
    const auto& baseline = parts.run.info.power.baseline;
    const bool recorded = findPhase(parts.run.trace, Phase::Idle) != nullptr;
    if (baseline && baseline->total_mw && !recorded) {
        constexpr double kUnknownError = 0.02; // relative to the mean, if the record states none
        const double watts = baseline->total_mw->value / kMillijoulesPerJoule;
        const double count = std::max(
            1.0, baseline->effective_samples.value_or(static_cast<double>(baseline->samples)));
        idle = {watts,
                baseline->total_sd_mw
                    ? baseline->total_sd_mw->value / kMillijoulesPerJoule / std::sqrt(count)
                    : kUnknownError * watts};
    }
    const auto windows = costWindowsOf(parts);
    if (const auto fit = fitEnergies(windows, idle)) {
        costs = fit->costs;
        // The residuals do not show an error that all windows of the same parts share.
        for (const auto constant : {&Prices::joules_per_flop, &Prices::joules_per_byte})
            costs.addSpread(constant, kPartsOffModel * (costs.mean.*constant));
    }
    return costs;
}

} // namespace ep::energy
