// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run_figure.h"
#include "ep/energy/sides.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ep::energy {

// "joules_per_token > +5%": a condition that a difference from the baseline must not fulfil.
// Without the percent sign, the limit is in the figure's unit.
struct DifferenceLimit {
    RunFigure metric = RunFigure::JoulesPerToken;
    bool above = true; // true: fails above the limit; false: below it
    double limit = 0.0; // a fraction when relative
    bool relative = true;

    bool operator==(const DifferenceLimit&) const = default;
};
Result<DifferenceLimit> parseLimit(std::string_view text);

enum class LimitCheck : std::uint8_t { Within, NotKnown, Exceeded };
// Within or exceeded only if the whole interval is. baseline: mean of the figure on side A.
LimitCheck checkLimit(const DifferenceLimit& limit, const std::optional<SideTest>& test,
                      double baseline);

} // namespace ep::energy
