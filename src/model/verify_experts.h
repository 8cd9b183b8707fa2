// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "verify_stats.h"

#include "ep/model/engine.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace ep::model {

using ExpertLayers = std::vector<ForwardResult::Experts>;

// The experts that routers chose, against [layer][position][choice]: numbers of experts in any
// order, of all positions or of the last one alone. A list with as many entries as the model has
// layers holds null for those without experts; a shorter one holds the others only.
class RouterComparison {
public:
    // An expert passes as chosen when its logit is below that of the last one chosen by at most
    // tolerance x the range of the position's logits.
    RouterComparison(const ExpertLayers& layers, double tolerance);
    void compare(const nlohmann::json& reference);

    int count() const { return m_count; }
    bool passed() const { return m_same == m_count; }
    std::string detail() const; // "94 of 96 choices the same, first other in layer 2 position 7"

private:
    void compareLayer(std::size_t layer, const nlohmann::json& expected);
    void comparePosition(std::size_t layer, std::size_t position, const nlohmann::json& expected);
    void add(bool same, std::size_t layer, std::size_t position);

    const ExpertLayers& m_layers;
    double m_tolerance;
    int m_count = 0;
    int m_same = 0;
    std::string m_where; // of the first that differs
};

// Shares of the inputs of the experts' activations below zero. A layer's entry is one number for
// all values together, a list with one for each expert (null where no position chose it), or an
// object of them by the expert's number, in which "shared" may be the shared expert's. A number of
// a layer without experts is left to others.
void compareExpertGates(const nlohmann::json& reference, const ExpertLayers& layers,
                        Comparison& comparison);

} // namespace ep::model
