// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/run_part.h"
#include "ep/core/run_tree.h"
#include "ep/core/tally.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/machine_costs.h"

#include <string>
#include <vector>

// The leaves of a run's tree by phase and kind, with their work, and their division into compute,
// memory, static power and a remainder. Pure functions; any thread.
namespace ep::energy {

// All nodes of one kind in one phase: a component over all layers and steps, a section outside of
// the layers, or the time between nodes.
struct WorkNode {
    enum class Kind : std::uint8_t {
        Work, // computes and moves bytes
        Host, // a section without counted work: tokenization, sampling
        Gap, // the part of a node that its children do not cover
    };
    Kind kind = Kind::Gap;
    Phase phase = Phase::Decode; // Idle: outside of all phases
    std::optional<Section> section{};
    std::optional<Component> component{};
    Tally sum;
    Amount amount{};

    std::string word() const; // stored words: "q_proj", "lm_head", "between parts"
    RunPart part() const;
};

// A run as it is read here: everything except its millions of spans.
struct RunParts {
    const Run& run; // phases, sections, tokens and samples
    const std::vector<ComponentTotal>& totals; // over all steps
    const RunTrace& first_step; // components of step 0, which are the prefill's
};

// Times and energies of the nodes add up to those of the run. Energies are the stored ones.
std::vector<WorkNode> nodesOf(const RunParts& parts);

// Work and energy of each sample window, from the counts of the steps. Windows that are not
// completely known are left out. For fitEnergies().
std::vector<CostWindow> costWindowsOf(const RunParts& parts);

// Fits the costs of a run to its own windows. Costs that the windows do not determine are Unknown,
// as are the limits: the best rates of a run are not the limits of the machine.
MachineCosts fitMachineCosts(const RunParts& parts);

// Parts of one energy in whole picojoules (or of a time in whole picoseconds), so that they add up
// exactly: whole = compute + memory + idle + rest.
struct Division {
    Picojoules whole = 0;
    Picojoules compute = 0; // W e_f
    Picojoules memory = 0; // Q e_m
    Picojoules idle = 0; // pi_0 T
    Picojoules rest = 0; // energy that the model does not explain; may be negative
    double whole_sd = 0.0; // standard deviations in J or s
    double compute_sd = 0.0;
    double memory_sd = 0.0;
    double idle_sd = 0.0;
    double rest_sd = 0.0;

    bool operator==(const Division&) const = default;
};
inline constexpr double kPico = 1e-12; // J or s of one unit of a Division

Division divideEnergy(const Tally& sum, const Amount& amount, const MachineCosts& costs);
// The minimum time of the work counts as compute or as memory, whichever limits it.
Division divideTime(const Amount& amount, const MachineCosts& costs);
// All nodes share the errors of the constants, so deviations add up.
Division operator+(const Division& a, const Division& b);

} // namespace ep::energy
