// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernel_choice.h"
#include "thread_pool.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ep::model {

// Measures kernels where a decoder uses them: weights come from memory, not from a cache, so the
// trials pass through a block of at least four times the last cache, each a few megabytes further
// than the one before. A trial takes a fraction of a millisecond; the candidates of a round follow
// each other in random order, and only times of the same round are compared, so that what else the
// machine does meanwhile falls on all of them alike.
class KernelMeasurement {
public:
    explicit KernelMeasurement(std::shared_ptr<ThreadPool> pool);
    ~KernelMeasurement();

    RowWay chooseRow(const WeightKind& kind); // some hundredths of a second
    ManyWay chooseMany(const WeightKind& kind); // likewise
    // Rates of the last choice of chooseRow(): "four 15.0, spread 24.1, .. GB/s"
    const std::string& rates() const { return m_rates; }

private:
    struct Memory;

    std::shared_ptr<ThreadPool> m_pool;
    std::unique_ptr<Memory> m_memory;
    std::string m_rates;
};

// times[candidate][round] in any unit. The first candidate stays chosen unless another one's median
// of the ratios to it is below 1 - lead, and those ratios are below 1 beyond their noise
// (99.95 % by their order); then that one is what later candidates have to beat.
std::size_t chooseByTrials(std::span<const std::vector<double>> times, double lead);

std::int64_t lastCacheBytes(); // 0: unknown

} // namespace ep::model
