// SPDX-License-Identifier: GPL-3.0-or-later
// Causes that lie in how the run was set up: work that was not necessary.
#include "evidence.h"

#include "ep/core/format.h"

#include <algorithm>

namespace ep::energy {

namespace {

bool readsWeights(const WorkNode& node)
{
    const Traffic traffic = trafficOf(node);
    return node.kind == WorkNode::Kind::Work
        && (traffic == Traffic::Weights || traffic == Traffic::Head || traffic == Traffic::Experts);
}

// Seconds that recording cost until the answer was complete.
double recordingSeconds(const Scene& scene)
{
    return scene.run_used * toSeconds(scene.parts.run.info.profiling.cost_ns);
}

} // namespace

Clue wideFormat(const Scene& scene)
{
    if (scene.wide_share <= 0.0)
        return {};
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    Clue clue;
    clue.explained = [&scene](const Prices& prices) {
        double sum = 0.0;
        for (const WorkNode& node : scene.nodes) {
            if (!readsWeights(node))
                continue;
            const Amount narrow = usedWork(scene, node);
            Amount wide = narrow;
            wide.bytes = narrow.bytes / (1.0 - scene.wide_share);
            sum += difference(prices, wide, narrow);
        }
        return sum;
    };
    const RunInfo& info = scene.parts.run.info;
    clue.figures = {info.model.stored_dtype, info.dtype};
    return clue;
}

Clue smallBatch(const Scene& scene)
{
    if (scene.batch < 2 || scene.mean_sequences > 0.98 * scene.batch)
        return {};
    if (!scene.has_energies || !scene.has_ceilings)
        return {.certainty = 0.5};
    Clue clue;
    clue.explained = [&scene](const Prices& prices) {
        double sum = 0.0;
        const double full = scene.mean_sequences / scene.batch;
        for (const WorkNode& node : scene.nodes) {
            if (!readsWeights(node) || node.phase != Phase::Decode)
                continue;
            const Amount now = usedWork(scene, node);
            Amount shared = now;
            shared.bytes = now.bytes * full;
            sum += difference(prices, now, shared);
        }
        return sum;
    };
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
    double seconds = 0.0;
    double all = 0.0;
    // A command does not report what it does before the prefill, such as loading the model.
    const bool command = scene.parts.run.info.profiling.command.has_value();
    for (const WorkNode& node : scene.nodes) {
        all += node.amount.seconds;
        if (command && node.phase != Phase::Prefill && node.phase != Phase::Decode)
            continue;
        const bool part = node.section == Section::Layers && node.kind == WorkNode::Kind::Host;
        if (node.kind != WorkNode::Kind::Work && !part && !node.component)
            seconds += usedShare(scene, node) * node.amount.seconds;
    }
    seconds = std::max(0.0, seconds - recordingSeconds(scene));
    if (!scene.has_energies)
        return {.certainty = 0.5};
    if (all <= 0.0)
        return {};
    Clue clue;
    clue.explained = [seconds](const Prices& prices) { return seconds * prices.watts; };
    clue.figures = {formatPercent(seconds / all)};
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

} // namespace ep::energy
