// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/run_tree.h"
#include "ep/energy/diagnosis.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

// Runs on a simulated machine with known constants, into which causes are injected.
namespace ep::test {

// What is unusual about a run. By default nothing is: a batch that keeps arithmetic and memory
// equally busy, a short context, a small head, no waiting.
struct RunSetup {
    int batch = 30;
    double running = 1.0; // share of the batch that still runs after an eighth of the steps
    double prompt_rows = 30; // all sequences together
    int steps = 160;
    double stored_bits = 16;
    double computed_bits = 16;
    double context = 0.02; // bytes of keys and values / bytes of weights, while decoding
    double head = 0.5; // bytes of the head / bytes of a layer
    int experts = 0;
    int experts_per_token = 0;
    double slow = 0.0; // all parts take this much longer (share)
    double gap = 0.005; // time between parts / time of the weights' bytes
    double fallback = 1.0; // factor on the time of one part, on an accelerator
    double throttled = 0.0; // later steps take this much longer (share)
    bool low_power = false;
    double others = 0.01; // share of all cores
    double recording = 0.0; // time / time of the weights' bytes
    double answer = 1.0; // share of the steps that the answer needs
    std::uint32_t seed = 1;

    bool operator==(const RunSetup&) const = default;
};

// Makes a run in which the causes explain something; strength 0 (barely) to 3 (strongly).
void inject(RunSetup& setup, energy::Cause cause, int strength);

struct DiagnosedRun {
    Run run; // including samples and energies
    std::vector<ComponentTotal> totals;
    RunTrace first_step;
    energy::MachineCosts measured; // true values with measurement errors
    std::optional<std::int32_t> answered_at;

    energy::Prices truth; // prices of the machine
    double joules = 0.0; // true energy
    double compute = 0.0;
    double memory = 0.0;
    double idle = 0.0;
    std::array<double, energy::kCauseCount> explained{}; // J, by the definition of each cause

    energy::DiagnosisRequest request(bool withMeasured = true) const;
};
DiagnosedRun diagnosedRun(const RunSetup& setup);

} // namespace ep::test
