// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/component_total.h"
#include "ep/core/run.h"
#include "ep/session/explain.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ep::ui {

// How the bars below the answer divide the run.
enum class AnswerBy { Part, Phase, Layer, Token };

// A bar, and what a click on it selects: a layer, a token, or the bar's own place.
struct RankedBar {
    session::AnswerBar bar;
    std::optional<std::int32_t> layer{};
    std::optional<std::int32_t> token{};
};

// At most five bars, largest first: joules, or seconds if the energy of some part is unknown.
// Titles of phases are terms; those of layers and tokens are in the window's language. Parts
// without a share of the run are left out.
std::vector<RankedBar> rankedBars(const session::Explanation& explanation, const Run& run,
                                  const std::vector<ComponentTotal>& totals, AnswerBy by);

} // namespace ep::ui
