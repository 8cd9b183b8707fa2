// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/jobs.h"
#include "ep/viz/scene.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What one job cost, as charts and words. Pure.
namespace ep::ui {

struct RequestEnergy {
    std::string id; // id of the run
    std::optional<Millijoules> energy{};
    std::int64_t input_tokens = 0;
    std::int64_t output_tokens = 0;
};

viz::Scene requestChart(const std::vector<RequestEnergy>& requests, double width, double height);
// texts: energies in the order of JobText.
viz::Scene jobTextChart(const std::vector<std::optional<double>>& texts, double width,
                        double height);
// What was read again, what the cache saved, and the time spent waiting.
QString jobFactsText(const session::Job& job);

} // namespace ep::ui
