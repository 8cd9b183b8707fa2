// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/tally.h"
#include "ep/core/trace.h"

#include <optional>
#include <span>

namespace ep {

// How much of the spans' deviations averages out over a phase. The error of a span has two parts:
// one that spans of its kind share in all tokens, and one from the sensor's windows that all spans
// of its token share. Adding up the second part over tokens is far too pessimistic, since each
// window errs independently. Comparing its size in the tokens with that in their phase shows how
// much of it is left.
class PhaseErrors {
public:
    PhaseErrors() = default; // without known errors, deviations are added up
    PhaseErrors(std::span<const TokenSpan> tokens, std::span<const PhaseSpan> phases);

    // Returns a sum over spans in all tokens of a phase (prefill: token 0) with the deviation that
    // is left.
    Tally averaged(const Tally& sum, Phase phase) const;

private:
    struct Relative {
        double added = 0.0; // sum of the deviations of the tokens
        double left = 0.0; // deviation of the phase
    };
    static std::optional<Relative> relativeOf(std::span<const TokenSpan> tokens,
                                              std::span<const PhaseSpan> phases, Phase phase);

    std::optional<Relative> m_prefill;
    std::optional<Relative> m_decode;
};

} // namespace ep
