// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/diagnosis.h"

#include <functional>
#include <vector>

namespace ep::energy {

// The evidence for one cause: the amount that the cause explains, as a function of the machine's
// constants, and how certain the evidence is.
struct Clue {
    // J (or s) that would be saved without the cause; empty: no evidence.
    std::function<double(const Prices&)> explained{};
    double sd = 0.0; // in addition to the error of the constants
    // Probability that the cause is present, regardless of how much it explains.
    double certainty = 1.0;
    bool fact = false; // reported by the system, whether or not its effect can be divided
    std::vector<Message> figures{}; // figures of the evidence
    Message remark{}; // a sentence of evidence that only some runs have
    // An instruction that would settle the cause for this run, instead of the one of its facts.
    const char* settles = nullptr;
};

// Everything the causes look at, computed once.
struct Scene {
    const RunParts& parts;
    const std::vector<WorkNode>& nodes;
    Prices prices{}; // the machine's constants without their errors
    bool of_time = false;
    bool has_energies = false; // e_f, e_m and pi_0 are known, or time is explained
    bool has_ceilings = false; // t_f and t_m, from anywhere
    bool measured_ceilings = false;
    bool cached_weights = false; // the weights fit into the processor's cache
    double total = 0.0; // whole run, J or s
    double seconds = 0.0; // duration of the run
    int batch = 1;
    double mean_sequences = 1.0; // mean over the decode's steps
    // Shares of the time before the answer was complete. Whatever followed is a separate cause, so
    // the other causes explain only the time before.
    double decode_used = 1.0;
    double run_used = 1.0;
    double after_answer = 0.0; // J or s after the answer was complete
    std::int64_t tokens_after = 0;
    double wide_share = 0.0; // share of a weight's bytes beyond those of its stored format
    double unused_experts = 0.0; // share of the experts' bytes
    double usual_slowness = 1.0; // time / least time, median over the time of the nodes
    double throttled_s = 0.0; // time lost in later steps, until the answer was complete
    double throttled_share = 0.0; // relative slowdown of the later steps
    bool throttling_clear = false; // larger than the scatter of the steps
};
Scene lookAt(const DiagnosisRequest& request, const std::vector<WorkNode>& nodes, bool ofTime,
             const MachineCosts& costs);

const char* phraseOf(Phase phase); // "prefill": follows "was spent in" and "went into"

// The data that a part of a layer reads in each step.
enum class Traffic : std::uint8_t { Weights, Context, Head, Experts, Activations };
Traffic trafficOf(const WorkNode& node);
bool readsWeights(const WorkNode& node);

// The bytes of a node's weights, except those that other causes explain: a wide format, a batch
// that emptied, unused experts.
double neededBytes(const Scene& scene, const WorkNode& node);

// Share of a node's time and work before the answer was complete.
double usedShare(const Scene& scene, const WorkNode& node);
// The least work of a node before the answer was complete.
Amount usedWork(const Scene& scene, const WorkNode& node);
// Whether a part is several times slower for its work than the others, so that it must have a cause
// of its own.
bool fellBehind(const Scene& scene, const WorkNode& node, const Prices& prices);
// Time above the roofline minimum that all nodes share, before the answer was complete: without
// steps that got slower and parts that fell back.
double uniformDelay(const Scene& scene, const Prices& prices);
// How much more `a` costs than `b`, each done in its least time.
double difference(const Prices& prices, const Amount& a, const Amount& b);

// Relative error of the energy model for a kind of part.
constexpr double kPartsOffModel = 0.007;

// One function per cause, in findings.cpp.
Clue memoryBoundDecode(const Scene& scene);
Clue computeBoundPrefill(const Scene& scene);
Clue slowRun(const Scene& scene);
Clue gaps(const Scene& scene);
Clue fallback(const Scene& scene);
Clue contextCost(const Scene& scene);
Clue headCost(const Scene& scene);
Clue unusedExperts(const Scene& scene);
Clue smallBatch(const Scene& scene);
Clue throttling(const Scene& scene);
Clue lowPower(const Scene& scene);
Clue otherLoad(const Scene& scene);
Clue recordingCost(const Scene& scene);
Clue wideFormat(const Scene& scene);
Clue afterTheAnswer(const Scene& scene);

} // namespace ep::energy
