// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/pays_runner.h"
#include "ep/viz/scene.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

// Texts about a measurement of pairs, in the window's language. Pure.
namespace ep::ui {

// The difference after a number of pairs.
struct PaysPoint {
    std::int64_t pairs = 0;
    double relative = 0.0; // energy per token of B against that of A
    std::optional<std::pair<double, double>> interval{};
};
std::optional<PaysPoint> pointOf(const session::PaysDecision& decision);

// Estimate and interval over the pairs, in percent, with the smallest difference that matters.
// decision: after the last pair; names the figure.
viz::Scene paysChart(const session::PaysDecision& decision, const std::vector<PaysPoint>& course,
                     double smallestDifference, double width, double height);

QString paysVerdictText(const session::PaysResult& result); // same text as in the terminal
QString paysFiguresText(const session::PaysDecision& decision); // one line each, then the caveats
QString paysFigureTitle(const std::string& name); // "Energy per output token"

} // namespace ep::ui
