// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace ep::power {

// Load of the machine at a point in time, known independently of its counters.
struct LoadFeatures {
    double cores_busy = 0.0; // 0..1
    double gpu_mw = 0.0; // 0 unless the GPU's counter is live

    static constexpr std::size_t kCount = 3; // including the constant
    std::array<double, kCount> values() const { return {1.0, cores_busy, gpu_mw}; }
};

// Learns from complete batches of a counter how its power depends on the load, to estimate when
// within a batch energy was used: power = a + b x cores busy + c x GPU power, with non-negative
// coefficients, by least squares. Useless terms are left out; without data, power is constant.
class LoadShape {
public:
    // A batch: the mean load and the mean power over the given number of seconds.
    void learn(const LoadFeatures& load, double power_mw, double seconds);
    // Estimated power under this load, mW; above 0. Before anything was learnt, 1 for every load.
    double weight(const LoadFeatures& load) const;

private:
    using Vector = std::array<double, LoadFeatures::kCount>;

    void fit();

    std::array<Vector, LoadFeatures::kCount> m_squares{}; // sum of f f^T, weighted by time
    Vector m_matmul{}; // sum of f x power
    double m_power = 0.0; // sum of power^2
    double m_mean = 0.0; // mean power of the fit over the learnt data
    Vector m_factors{};
};

} // namespace ep::power
