// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence.h"

#include "ep/core/component_kinds.h"
#include "ep/core/quantile.h"
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ep::energy {

namespace {

double amountIn(const Tally& sum, double seconds, bool ofTime)
{
    if (ofTime)
        return seconds;
    return sum.energy_mj ? sum.energy_mj->value / kMillijoulesPerJoule : 0.0;
}

void lookAtAnswer(Scene& scene, const DiagnosisRequest& request)
{
    if (!request.answered_at)
        return;
    double decode = 0.0;
    double after = 0.0;
    Tally energy;
    for (const TokenSpan& token : request.parts.run.trace.tokens) {
        if (token.phase != Phase::Decode)
            continue;
        const double seconds = toSeconds(token.time.duration_ns());
        decode += seconds;
        if (token.index < *request.answered_at)
            continue;
        after += seconds;
        energy.add(tallyOf(token.time, token.energy));
        scene.tokens_after += token.sequences;
    }
    scene.after_answer = amountIn(energy, after, scene.of_time);
    scene.decode_used = decode > 0.0 ? 1.0 - after / decode : 1.0;
    scene.run_used = scene.seconds > 0.0 ? std::fmax(0.0, 1.0 - after / scene.seconds) : 1.0;
}

// Compares the time of each decode step with the bytes it has to read.
void lookAtSteps(Scene& scene, const DiagnosisRequest& request)
{
    constexpr std::size_t kMinSteps = 24;
    double fixed = 0.0;
    double growing = 0.0;
    for (const WorkNode& node : scene.nodes) {
        if (node.phase == Phase::Decode)
            (trafficOf(node) == Traffic::Context ? growing : fixed) += node.amount.bytes;
    }
    std::vector<const TokenSpan*> steps;
    double positions = 0.0;
    for (const TokenSpan& token : scene.parts.run.trace.tokens) {
        if (token.phase != Phase::Decode)
            continue;
        steps.push_back(&token);
        positions += static_cast<double>(token.sequences) * (token.position + 1);
    }
    if (steps.size() < kMinSteps || fixed + growing <= 0.0)
        return;
    std::vector<double> bytes;
    std::vector<double> rates;
    for (const TokenSpan* step : steps) {
        bytes.push_back(fixed / static_cast<double>(steps.size())
                        + growing * step->sequences * (step->position + 1) / positions);
        rates.push_back(toSeconds(step->time.duration_ns()) / bytes.back());
    }
    const std::size_t quarter = steps.size() / 4;
    const auto first = std::span<const double>(rates).first(quarter);
    const double early = medianOf(first);
    const double late = medianOf(std::span<const double>(rates).last(quarter));
    std::vector<double> scatter;
    for (const double rate : first)
        scatter.push_back(std::fabs(rate / early - 1.0));
    constexpr double kClear = 5.0; // standard deviations
    const double sd = robustSd(scatter) / std::sqrt(static_cast<double>(quarter));
    scene.throttled_share = late / early - 1.0;
    scene.throttling_clear = scene.throttled_share > std::fmax(kClear * sd, 0.03);
    for (std::size_t i = quarter; i < rates.size(); ++i) {
        if (!request.answered_at || steps[i]->index < *request.answered_at)
            scene.throttled_s += (rates[i] - early) * bytes[i];
    }
    scene.throttled_s = scene.throttling_clear ? std::fmax(0.0, scene.throttled_s) : 0.0;
}

double usualSlowness(const std::vector<WorkNode>& nodes, const Prices& prices)
{
    std::vector<std::pair<double, double>> slow; // slowness, seconds
    double all = 0.0;
    for (const WorkNode& node : nodes) {
        const double least = prices.least(node.amount);
        if (node.kind != WorkNode::Kind::Work || !(least > 0.0))
            continue;
        slow.emplace_back(node.amount.seconds / least, least);
        all += least;
    }
    std::ranges::sort(slow);
    double before = 0.0;
    for (const auto& [slowness, least] : slow) {
        before += least;
        if (before >= all / 2.0)
            return slowness;
    }
    return 1.0;
}

} // namespace

double bitsOf(const std::string& dtype)
{
    constexpr double kScales = 0.5;
    const std::size_t digits = dtype.find_first_of("0123456789");
    if (digits == std::string::npos)
        return 0.0;
    const double bits = std::strtod(dtype.c_str() + digits, nullptr);
    return dtype.starts_with('q') || dtype.starts_with("mlx") ? bits + kScales : bits;
}

Traffic trafficOf(const WorkNode& node)
{
    if (node.section)
        return node.section == Section::LmHead ? Traffic::Head : Traffic::Activations;
    switch (roleOf(node.component.value_or(Component::Residual))) {
    case ComponentRole::Weights:
        return Traffic::Weights;
    case ComponentRole::Experts:
        return Traffic::Experts;
    case ComponentRole::Cache:
    case ComponentRole::Attention:
        return Traffic::Context;
    case ComponentRole::Norm:
    case ComponentRole::State:
    case ComponentRole::Elementwise:
        break;
    }
    return Traffic::Activations;
}

bool readsWeights(const WorkNode& node)
{
    const Traffic traffic = trafficOf(node);
    return node.kind == WorkNode::Kind::Work
        && (traffic == Traffic::Weights || traffic == Traffic::Head || traffic == Traffic::Experts);
}

Scene lookAt(const DiagnosisRequest& request, const std::vector<WorkNode>& nodes, bool ofTime,
             const MachineCosts& costs)
{
    const RunInfo& info = request.parts.run.info;
    Scene scene{.parts = request.parts, .nodes = nodes, .prices = costs.mean, .of_time = ofTime};
    scene.has_energies = ofTime || costs.energies != CostOrigin::Unknown;
    scene.has_ceilings = costs.ceilings != CostOrigin::Unknown;
    scene.measured_ceilings = costs.ceilings == CostOrigin::Measured;
    scene.cached_weights = info.device == "cpu" && info.model.weight_bytes > 0
        && info.model.weight_bytes <= request.cache_bytes;
    double seconds = 0.0;
    for (const WorkNode& node : nodes)
        seconds += node.amount.seconds;
    scene.seconds = seconds;
    scene.total = amountIn(tallyOf(request.parts.run.trace.time, request.parts.run.metrics.energy),
                           seconds, ofTime);

    scene.batch = std::max(1, static_cast<int>(info.batch.size()));
    double steps = 0.0;
    double sequences = 0.0;
    for (const TokenSpan& token : request.parts.run.trace.tokens) {
        if (token.phase != Phase::Decode)
            continue;
        steps += 1.0;
        sequences += token.sequences;
    }
    scene.mean_sequences = steps > 0.0 ? sequences / steps : scene.batch;
    const double stored = bitsOf(info.model.stored_dtype);
    const double computed = bitsOf(info.dtype);
    if (stored > 0.0 && computed > stored)
        scene.wide_share = 1.0 - stored / computed;
    if (info.model.experts > 0 && info.model.experts_per_token > 0) {
        // Tokens choose experts evenly (docs of ep/model/analytic.h).
        const double experts = info.model.experts;
        const double chosen = info.model.experts_per_token;
        const double loaded =
            experts * (1.0 - std::pow(1.0 - chosen / experts, scene.mean_sequences));
        scene.unused_experts = loaded > chosen ? 1.0 - chosen / loaded : 0.0;
    }
    lookAtAnswer(scene, request);
    lookAtSteps(scene, request);
    if (scene.has_ceilings)
        scene.usual_slowness = usualSlowness(nodes, costs.mean);
    return scene;
}

double usedShare(const Scene& scene, const WorkNode& node)
{
    return node.phase == Phase::Decode ? scene.decode_used : 1.0;
}

Amount usedWork(const Scene& scene, const WorkNode& node)
{
    Amount work = node.amount * usedShare(scene, node);
    const Traffic traffic = trafficOf(node);
    if (traffic == Traffic::Weights || traffic == Traffic::Head || traffic == Traffic::Experts)
        work.bytes *= 1.0 - scene.wide_share;
    return work;
}

double neededBytes(const Scene& scene, const WorkNode& node)
{
    double bytes = usedWork(scene, node).bytes;
    const Traffic traffic = trafficOf(node);
    if (node.phase != Phase::Decode || traffic == Traffic::Context
        || traffic == Traffic::Activations)
        return bytes;
    bytes *= std::fmin(1.0, scene.mean_sequences / scene.batch);
    return traffic == Traffic::Experts ? bytes * (1.0 - scene.unused_experts) : bytes;
}

double difference(const Prices& prices, const Amount& a, const Amount& b)
{
    const Amount saved{.flops = a.flops - b.flops,
                       .bytes = a.bytes - b.bytes,
                       .seconds = prices.least(a) - prices.least(b)};
    return prices.of(saved);
}

bool fellBehind(const Scene& scene, const WorkNode& node, const Prices& prices)
{
    constexpr double kFarSlower = 3.0;
    constexpr double kWorthLooking = 0.01;
    const double usual = prices.least(node.amount) * scene.usual_slowness;
    return node.kind == WorkNode::Kind::Work && node.component && usual > 0.0
        && node.amount.seconds > kFarSlower * usual
        && node.amount.seconds - usual > kWorthLooking * scene.seconds;
}

double uniformDelay(const Scene& scene, const Prices& prices)
{
    double delay = -scene.throttled_s;
    for (const WorkNode& node : scene.nodes) {
        if (node.kind != WorkNode::Kind::Work)
            continue;
        const double least = prices.least(node.amount);
        const double usual = least * scene.usual_slowness;
        const double taken = fellBehind(scene, node, scene.prices) ? usual : node.amount.seconds;
        delay += usedShare(scene, node) * (taken - least);
    }
    return std::fmax(0.0, delay);
}

} // namespace ep::energy
