// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify_experts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <set>

namespace ep::model {
namespace {

using Json = nlohmann::json;
using Gate = ForwardResult::Experts::Gate;

// Calls visit(layer, entry) for every entry of the reference, for either kind of list.
template <typename Visit>
void eachLayer(const Json& reference, const ExpertLayers& layers, const Visit& visit)
{
    if (!reference.is_array())
        return;
    std::vector<std::size_t> listed;
    const bool all = reference.size() >= layers.size();
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        if (all || !layers[layer].gates.empty())
            listed.push_back(layer);
    }
    for (std::size_t i = 0; i < std::min(listed.size(), reference.size()); ++i)
        visit(listed[i], reference[i]);
}

// Up to two values may have the other sign.
void compareGate(const std::string& what, const Gate& actual, const Json& expected,
                 Comparison& comparison)
{
    if (!expected.is_number())
        return;
    const double off = std::abs(actual.negative_fraction - expected.get<double>());
    const bool within = actual.count > 0 && off <= 2.0 / static_cast<double>(actual.count);
    comparison.add(what, within ? 0.0 : off, 0.0);
}

Gate gateOf(const ForwardResult::Experts& layer, const std::string& key)
{
    if (key.starts_with("shared"))
        return layer.shared;
    std::size_t expert = layer.gates.size();
    std::from_chars(key.data(), key.data() + key.size(), expert);
    return expert < layer.gates.size() ? layer.gates[expert] : Gate{std::nan(""), 0};
}

Gate together(const std::vector<Gate>& gates)
{
    double negative = 0.0;
    Gate sum;
    for (const Gate& gate : gates) {
        negative += gate.negative_fraction * static_cast<double>(gate.count);
        sum.count += gate.count;
    }
    sum.negative_fraction = negative / static_cast<double>(std::max<std::int64_t>(1, sum.count));
    return sum;
}

} // namespace

RouterComparison::RouterComparison(const ExpertLayers& layers, double tolerance)
    : m_layers(layers)
    , m_tolerance(tolerance)
{
}

void RouterComparison::compare(const Json& reference)
{
    eachLayer(reference, m_layers, [this](std::size_t layer, const Json& expected) {
        if (expected.is_array())
            compareLayer(layer, expected);
    });
}

void RouterComparison::compareLayer(std::size_t layer, const Json& expected)
{
    const std::size_t positions = m_layers[layer].chosen.size();
    if (!expected.empty() && expected.front().is_number()) {
        comparePosition(layer, positions == 0 ? 0 : positions - 1, expected);
        return;
    }
    for (std::size_t position = 0; position < expected.size(); ++position)
        comparePosition(layer, position, expected[position]);
}

void RouterComparison::comparePosition(std::size_t layer, std::size_t position,
                                       const Json& expected)
{
    const ForwardResult::Experts& actual = m_layers[layer];
    const bool known = position < actual.chosen.size() && expected.is_array();
    if (!known || expected.size() != actual.chosen[position].size()) {
        add(false, layer, position);
        return;
    }
    const std::vector<float>& logits = actual.logits[position];
    const auto [least, most] = std::minmax_element(logits.begin(), logits.end());
    const auto weakest = static_cast<std::size_t>(actual.chosen[position].back());
    const double bound =
        static_cast<double>(logits[weakest]) - m_tolerance * static_cast<double>(*most - *least);
    std::set<std::size_t> seen;
    for (const Json& choice : expected) {
        const std::size_t expert =
            choice.is_number_unsigned() ? choice.get<std::size_t>() : logits.size();
        const bool same = expert < logits.size() && seen.insert(expert).second
            && static_cast<double>(logits[expert]) >= bound;
        add(same, layer, position);
    }
}

void RouterComparison::add(bool same, std::size_t layer, std::size_t position)
{
    ++m_count;
    m_same += same ? 1 : 0;
    if (!same && m_where.empty())
        m_where = "layer " + std::to_string(layer) + " position " + std::to_string(position);
}

std::string RouterComparison::detail() const
{
    return std::to_string(m_same) + " of " + std::to_string(m_count) + " choices the same"
        + (m_where.empty() ? "" : ", the first that differs in " + m_where);
}

void compareExpertGates(const Json& reference, const ExpertLayers& layers, Comparison& comparison)
{
    eachLayer(reference, layers, [&](std::size_t index, const Json& expected) {
        const ForwardResult::Experts& layer = layers[index];
        const std::string where = "layer " + std::to_string(index);
        if (expected.is_number() && !layer.gates.empty())
            compareGate(where, together(layer.gates), expected, comparison);
        if (!expected.is_structured())
            return;
        for (const auto& [key, value] : expected.items())
            compareGate(where + " expert " + key, gateOf(layer, key), value, comparison);
    });
}

} // namespace ep::model
