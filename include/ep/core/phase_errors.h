// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/tally.h"
#include "ep/core/trace.h"

#include <optional>
#include <span>

namespace ep {

// What of the deviations of spans averages out over a phase. The error of a span has a part that
// its kind has in all tokens, and a part of the sensor's windows, which its whole token shares.
// Added up, the second is far too large, since each window errs on its own. How much it is of the
// tokens when it is added up, and how much is left of it in the phase, is known from both.
class PhaseErrors {
public:
    PhaseErrors() = default; // nothing is known: deviations stay added up
    PhaseErrors(std::span<const TokenSpan> tokens, std::span<const PhaseSpan> phases);

    // A sum over spans of all tokens of a phase (prefill: token 0, or decode), with its deviation.
    Tally averaged(const Tally& sum, Phase phase) const;

private:
    struct Relative {
        double added = 0.0; // deviations of the tokens, added up
        double left = 0.0; // of the phase
    };
    static std::optional<Relative> relativeOf(std::span<const TokenSpan> tokens,
                                              std::span<const PhaseSpan> phases, Phase phase);

    std::optional<Relative> m_prefill;
    std::optional<Relative> m_decode;
};

} // namespace ep
