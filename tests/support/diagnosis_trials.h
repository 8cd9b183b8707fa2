// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/diagnosed_run.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Diagnoses simulated runs and counts how often the diagnosis is right.
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
    std::map<energy::Cause, Score> wrong; // alone: something else is named
    Score pairs_both; // in pairs, both at least 10 %: both are named
    Score pairs_wrong; // in pairs: something else is named
    Score usual; // nothing put in: nothing is named
    Score shares; // intervals of compute, memory and static hold
    Score fitted_shares; // the same with constants fitted to the run itself
    Score savings; // intervals of the saving predicted for another number format hold
    Score explained; // intervals of what the injected causes explain hold
    std::map<std::pair<energy::Cause, energy::Cause>, int> confused; // put in, named
    std::vector<double> errors_flop, errors_byte, errors_watts; // of a fit to one varied run
};

// seeds: per cause or pair. Pairs are tried if `pairs`.
DiagnosisScores scoreDiagnoses(int seeds, bool pairs);

} // namespace ep::test
