// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/model/observer.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ep::model {

// Compares figures with a reference and keeps the largest difference.
class Comparison {
public:
    // A figure passes if it differs by at most tolerance x max(1, |expected|).
    explicit Comparison(double tolerance)
        : m_tolerance(tolerance)
    {
    }

    // Has no effect if the reference object has no such number.
    void add(const std::string& what, const char* key, double actual,
             const nlohmann::json& reference);
    void add(const std::string& what, double actual, double expected);

    int count() const { return m_count; }
    bool passed() const { return m_worst <= m_tolerance; }
    std::string detail() const; // "120 figures, worst 1.2e-06 (layer 2 std)"

private:
    double m_tolerance;
    int m_count = 0;
    double m_worst = 0.0;
    std::string m_where;
};

// Collects statistics of every component in the first step of a generation.
class StatsObserver final : public Observer {
public:
    bool wants(const Tap& tap) override;
    void began(const Tap&) override { }
    void ended(const Tap& tap, const TensorProbe* output) override;

    // Compares them with [layer]{module: {std, abs_mean, min, max, frac_abs_below_0.01}}.
    void compare(const nlohmann::json& modules, Comparison& comparison) const;

    // Compares the shares of negative activation inputs, one per layer.
    void compareGates(const nlohmann::json& fractions, Comparison& comparison) const;

private:
    std::map<std::pair<int, Component>, ActivationStats> m_stats; // by layer and component
    std::map<int, std::pair<double, std::int64_t>> m_gates; // share and number of values
    bool m_firstStep = true;
};

} // namespace ep::model
