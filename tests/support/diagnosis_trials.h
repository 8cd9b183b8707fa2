// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/diagnosed_run.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Diagnoses simulated runs and counts how often the diagnosis is correct.
namespace ep::test {

struct Score {
    int runs = 0;
    int good = 0;

    void add(bool isGood)
    {
        ++runs;
        good += isGood ? 1 : 0;
    }
    double share() const { return runs > 0 ? static_cast<double>(good) / runs : 0.0; }
};

struct DiagnosisScores {
    std::map<energy::Cause, Score> first; // alone and at least 10 % of the energy: named first
    std::map<energy::Cause, Score> wrong; // cause injected alone: something else is named
    Score pairs_both; // two causes, both at least 10 %: both are named
    Score pairs_wrong; // two causes: something else is named
    Score usual; // no cause injected: nothing is named
    Score shares; // intervals of compute, memory and static contain the truth
    Score fitted_shares; // like shares, with constants fitted to the run itself
    Score savings; // intervals of the saving predicted for another number format hold
    Score explained; // intervals of the explained energy of injected causes contain the truth
    std::map<std::pair<energy::Cause, energy::Cause>, int> confused; // injected cause, named cause
    std::vector<double> errors_flop, errors_byte, errors_watts; // errors of fits to varied runs
};

// seeds: number per cause or pair. pairs: also tries pairs of causes.
DiagnosisScores scoreDiagnoses(int seeds, bool pairs);

} // namespace ep::test
