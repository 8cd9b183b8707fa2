// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/diagnosis.h"

#include <functional>
#include <vector>

namespace ep::energy {

// What one cause explains, as a function of the machine's constants, and how far the evidence goes
// beyond those figures.
struct Clue {
    // J (or s) that would be saved without the cause; empty: no evidence.
    std::function<double(const Prices&)> explained{};
    double sd = 0.0; // in addition to the error of the constants
    // Probability that the cause is there at all, whatever it explains.
    double certainty = 1.0;
    std::vector<std::string> figures{}; // of the evidence
    std::string remark{}; // a sentence of evidence that only some runs have
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
    double total = 0.0; // of the run, J or s
    double seconds = 0.0; // of the run
    int batch = 1;
    double mean_sequences = 1.0; // of the decode's steps
    // Shares of the time before the answer was complete. What comes after is a cause of its own, so
    // the other causes explain only what was before.
    double decode_used = 1.0;
    double run_used = 1.0;
    double after_answer = 0.0; // J or s after it
    std::int64_t tokens_after = 0;
    double wide_share = 0.0; // of a weight's bytes, beyond what is stored
    double unused_experts = 0.0; // of the experts' bytes
    double usual_slowness = 1.0; // time / least time, median over the time of the nodes
    double throttled_s = 0.0; // time lost in later steps, until the answer was complete
    double throttled_share = 0.0; // by which later steps are slower
    bool throttling_clear = false; // beyond the scatter of the steps
};
Scene lookAt(const DiagnosisRequest& request, const std::vector<WorkNode>& nodes, bool ofTime,
             const MachineCosts& costs);

// Bytes that are read per step of a part of a layer.
enum class Traffic : std::uint8_t { Weights, Context, Head, Experts, Activations };
Traffic trafficOf(const WorkNode& node);

// The weights' bytes of a node that remain without the causes that have reasons of their own: wide
// format, a batch that emptied, unused experts.
double neededBytes(const Scene& scene, const WorkNode& node);

// Bits of a weight in a number format, from its name ("bf16", "q4_0"), with half a bit for the
// scales of blocks; 0: unknown.
double bitsOf(const std::string& dtype);
// Share of a node's time and work before the answer was complete.
double usedShare(const Scene& scene, const WorkNode& node);
// The least work of a node before the answer was complete.
Amount usedWork(const Scene& scene, const WorkNode& node);
// A part that takes several times as long as all others do for their work has a reason of its own.
bool fellBehind(const Scene& scene, const WorkNode& node, const Prices& prices);
// Time beyond the least, of all nodes alike, before the answer was complete: without steps that got
// slower and parts that fell back.
double uniformDelay(const Scene& scene, const Prices& prices);
// What `a` costs more than `b`, each done in its least time.
double difference(const Prices& prices, const Amount& a, const Amount& b);

// Kinds of parts follow the model of energy no better than this.
constexpr double kPartsOffModel = 0.007;

// One function per cause, in structure.cpp, experts.cpp, waste.cpp and conditions.cpp.
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
