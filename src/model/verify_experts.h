// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "verify_stats.h"

#include "ep/model/engine.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace ep::model {

using ExpertLayers = std::vector<ForwardResult::Experts>;

// Compares the experts chosen by routers with [layer][position][choice]: indices of experts in any
// order, for all positions or only the last. A list with as many entries as the model has layers
// contains null for layers without experts; a shorter one has only layers with experts.
class RouterComparison {
public:
    // An expert counts as chosen if its logit is at most tolerance x the range of the position's
    // logits below that of the last chosen one.
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
    std::string m_where; // where the first difference is
};

// Compares the shares of the experts' activation inputs below zero. A layer's entry is one number
// for all values together, a list with one per expert (null if no position chose it), or an object
// by expert index, in which "shared" may be the shared expert's. Numbers of layers without experts
// are compared elsewhere.
void compareExpertGates(const nlohmann::json& reference, const ExpertLayers& layers,
                        Comparison& comparison);

} // namespace ep::model
