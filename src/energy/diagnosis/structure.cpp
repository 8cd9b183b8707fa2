// SPDX-License-Identifier: GPL-3.0-or-later
// Causes that lie in the model and the request, which make the work itself expensive.
#include "evidence.h"

#include "ep/core/format.h"

#include <algorithm>

namespace ep::energy {

namespace {

bool isWork(const WorkNode& node, Phase phase)
{
    return node.kind == WorkNode::Kind::Work && node.phase == phase;
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

} // namespace

Clue memoryBoundDecode(const Scene& scene)
{
    if (scene.cached_weights)
        return {};
    if (!scene.has_ceilings)
        return {.certainty = 0.5};
    const double head = layerShareOfHead(scene);
    double limited = 0.0;
    double all = 0.0;
    double flops = 0.0;
    double bytes = 0.0;
    for (const WorkNode& node : scene.nodes) {
        if (node.phase == Phase::Decode)
            all += node.amount.seconds;
        if (!isWork(node, Phase::Decode))
            continue;
        flops += node.amount.flops;
        bytes += node.amount.bytes;
        limited += node.amount.seconds;
    }
    Clue clue;
    clue.explained = [&scene, head](const Prices& prices) {
        double sum = 0.0;
        for (const WorkNode& node : scene.nodes) {
            const Traffic traffic = trafficOf(node);
            if (!isWork(node, Phase::Decode) || traffic == Traffic::Context
                || traffic == Traffic::Activations)
                continue;
            Amount work = usedWork(scene, node);
            work.bytes = neededBytes(scene, node);
            if (traffic == Traffic::Head)
                work = work * head;
            if (!prices.memoryBound(work))
                continue;
            Amount balanced = work; // as many bytes as can be read during the arithmetic
            balanced.bytes = work.flops * prices.seconds_per_flop / prices.seconds_per_byte;
            sum += difference(prices, work, balanced);
        }
        return sum;
    };
    clue.figures = {formatSignificant(bytes > 0.0 ? flops / bytes : 0.0),
                    all > 0.0 ? formatPercent(limited / all) : kMissingText};
    return clue;
}

Clue computeBoundPrefill(const Scene& scene)
{
    if (!scene.has_ceilings)
        return {.certainty = 0.5};
    double flops = 0.0;
    double bytes = 0.0;
    for (const WorkNode& node : scene.nodes) {
        if (!isWork(node, Phase::Prefill))
            continue;
        flops += node.amount.flops;
        bytes += node.amount.bytes;
    }
    Clue clue;
    clue.explained = [&scene](const Prices& prices) {
        double sum = 0.0;
        for (const WorkNode& node : scene.nodes) {
            const Amount work = usedWork(scene, node);
            if (!isWork(node, Phase::Prefill) || prices.memoryBound(work)
                || prices.seconds_per_flop <= 0.0)
                continue;
            Amount balanced = work;
            balanced.flops = work.bytes * prices.seconds_per_byte / prices.seconds_per_flop;
            sum += difference(prices, work, balanced);
        }
        return sum;
    };
    clue.figures = {formatSignificant(bytes > 0.0 ? flops / bytes : 0.0)};
    return clue;
}

Clue contextCost(const Scene& scene)
{
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    double context = 0.0;
    double bytes = 0.0;
    int last = 0;
    for (const WorkNode& node : scene.nodes) {
        if (!isWork(node, Phase::Decode))
            continue;
        bytes += node.amount.bytes;
        context += trafficOf(node) == Traffic::Context ? node.amount.bytes : 0.0;
    }
    for (const TokenSpan& token : scene.parts.run.trace.tokens)
        last = std::max(last, token.position + 1);
    Clue clue;
    clue.explained = [&scene](const Prices& prices) {
        double sum = 0.0;
        for (const WorkNode& node : scene.nodes) {
            if (isWork(node, Phase::Decode) && trafficOf(node) == Traffic::Context)
                sum += difference(prices, usedWork(scene, node), {});
        }
        return sum;
    };
    clue.figures = {bytes > 0.0 ? formatPercent(context / bytes) : kMissingText,
                    std::to_string(last)};
    return clue;
}

Clue headCost(const Scene& scene)
{
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    const double layer = layerShareOfHead(scene);
    Clue clue;
    clue.explained = [&scene, layer](const Prices& prices) {
        double sum = 0.0;
        for (const WorkNode& node : scene.nodes) {
            if (!isWork(node, Phase::Decode) || trafficOf(node) != Traffic::Head)
                continue;
            Amount work = usedWork(scene, node);
            work.bytes = neededBytes(scene, node);
            sum += (1.0 - layer) * difference(prices, work, {});
        }
        return sum;
    };
    clue.figures = {std::to_string(scene.parts.run.info.model.vocabulary_size),
                    layer > 0.0 ? formatSignificant(1.0 / layer, 2) : kMissingText};
    return clue;
}

} // namespace ep::energy
