// SPDX-License-Identifier: GPL-3.0-or-later
// Mixtures of experts: weights that are loaded for few tokens, and routers that choose unevenly.
#include "evidence.h"

#include "ep/core/format.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ep::energy {

namespace {

bool areExperts(const WorkNode& node, Phase phase)
{
    return node.kind == WorkNode::Kind::Work && node.phase == phase
        && trafficOf(node) == Traffic::Experts;
}

// What the routers chose in the prefill, as a deep profile counts it.
struct Routing {
    std::vector<double> rows; // rows of each expert of each layer with experts
    double layers = 0.0;
    double busiest = 1.0; // rows of a layer's busiest expert / mean rows, averaged over layers
};

Routing routingOf(const Scene& scene)
{
    std::map<std::int32_t, std::map<std::int32_t, double>> layers;
    for (const OperationSpan& span : scene.parts.first_step.operations) {
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

// What the prefill's experts cost compared with an even choice: some compute many rows while the
// weights of others are read for only a few.
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

} // namespace

Clue unusedExperts(const Scene& scene)
{
    const ModelFacts& model = scene.parts.run.info.model;
    const Routing routing = routingOf(scene);
    if (model.experts <= 0 || (scene.unused_experts <= 0.0 && routing.rows.empty()))
        return {};
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    Clue clue;
    clue.explained = [&scene, routing](const Prices& prices) {
        double sum = 0.0;
        for (const WorkNode& node : scene.nodes) {
            if (areExperts(node, Phase::Prefill))
                sum += costOfImbalance(scene, node, routing, prices);
            if (!areExperts(node, Phase::Decode))
                continue;
            Amount needed = usedWork(scene, node);
            needed.bytes = neededBytes(scene, node);
            Amount loaded = needed;
            loaded.bytes = needed.bytes / (1.0 - scene.unused_experts);
            sum += difference(prices, loaded, needed);
        }
        return sum;
    };
    clue.figures = {formatSignificant(model.experts_per_token / (1.0 - scene.unused_experts), 2),
                    std::to_string(model.experts_per_token)};
    if (!routing.rows.empty())
        clue.remark = Message("In the prefill the busiest expert of a layer computed %1 times its "
                              "even share of the rows.",
                              formatSignificant(routing.busiest, 2));
    return clue;
}

} // namespace ep::energy
