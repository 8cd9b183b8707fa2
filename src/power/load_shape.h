// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace ep::power {

// What is known of the load of the machine at any time, whatever its counters do.
struct LoadFeatures {
    double cores_busy = 0.0; // 0..1
    double gpu_mw = 0.0; // where the GPU's counter is a live one, else 0

    static constexpr std::size_t kCount = 3; // with the constant
    std::array<double, kCount> values() const { return {1.0, cores_busy, gpu_mw}; }
};

// Learns from whole batches of a counter how its power follows the load, to tell within a batch
// when the energy was used: power = a + b x cores busy + c x power of the GPU, none of them
// negative, by least squares. What does not help is left out; with nothing learnt power is even.
class LoadShape {
public:
    // A batch: the mean load and the mean power over so many seconds.
    void learn(const LoadFeatures& load, double power_mw, double seconds);
    // Power under such a load, as far as it is known; above 0. Only ratios of two count.
    double weight(const LoadFeatures& load) const;

private:
    using Vector = std::array<double, LoadFeatures::kCount>;

    void fit();

    std::array<Vector, LoadFeatures::kCount> m_squares{}; // sum of f f^T, weighted by time
    Vector m_products{}; // sum of f x power
    double m_power = 0.0; // sum of power^2
    double m_mean = 0.0; // of the fit's power over what was learnt
    Vector m_factors{};
};

} // namespace ep::power
