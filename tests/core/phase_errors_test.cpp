// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_tree.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ep {
namespace {

EnergyValue energyOf(double mj, double sd)
{
    return {.rails_mj = {},
            .total_mj = Millijoules{mj},
            .provenance = Provenance::Attributed,
            .sd_mj = Millijoules{sd}};
}

struct Phases {
    std::vector<TokenSpan> tokens;
    std::vector<PhaseSpan> phases;
};

// A hundred tokens of 10 mJ, each known to 5 %, their sum to 0.5 %.
Phases decoding()
{
    Phases result;
    for (int i = 1; i <= 100; ++i) {
        TokenSpan& token = result.tokens.emplace_back();
        token.index = i;
        token.time = {i * 10, i * 10 + 10};
        token.energy = energyOf(10.0, 0.5);
    }
    result.phases.push_back({Phase::Decode, {10, 1010}, energyOf(1000.0, 5.0)});
    return result;
}

Tally ofComponent(double mj, double sd)
{
    return tallyOf(400, Millijoules{mj}, Provenance::Attributed, Millijoules{sd});
}

// A component whose spans have an error of 13 %: 12 % common to all of them, and 5 % from the
// windows.
TEST(PhaseErrors, WhatWindowsErrByAveragesOutAndWhatAKindErrsByDoesNot)
{
    const Phases known = decoding();
    const PhaseErrors errors(known.tokens, known.phases);
    const Tally sum = errors.averaged(ofComponent(200.0, 0.13 * 200.0), Phase::Decode);
    EXPECT_NEAR(sum.sd_mj->value, 200.0 * std::hypot(0.12, 0.005), 1e-9);
    EXPECT_EQ(sum.energy_mj, Millijoules{200.0});
    const Tally exact = errors.averaged(ofComponent(200.0, 0.05 * 200.0), Phase::Decode);
    EXPECT_NEAR(exact.sd_mj->value, 200.0 * 0.005, 1e-9);
}

TEST(PhaseErrors, NothingChangesWhereOneOfThemIsUnknown)
{
    const Tally sum = ofComponent(200.0, 26.0);
    EXPECT_EQ(PhaseErrors().averaged(sum, Phase::Decode), sum);
    const Phases known = decoding();
    EXPECT_EQ(PhaseErrors(known.tokens, known.phases).averaged(sum, Phase::Prefill), sum);
    EXPECT_EQ(PhaseErrors(known.tokens, {}).averaged(sum, Phase::Decode), sum);
    Phases lacking = decoding();
    lacking.tokens[7].energy = {};
    EXPECT_EQ(PhaseErrors(lacking.tokens, lacking.phases).averaged(sum, Phase::Decode), sum);
    Phases wide = decoding();
    wide.phases[0].energy = energyOf(1000.0, 80.0);
    EXPECT_EQ(PhaseErrors(wide.tokens, wide.phases).averaged(sum, Phase::Decode), sum);
}

} // namespace
} // namespace ep
