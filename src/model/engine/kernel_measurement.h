// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernel_choice.h"
#include "thread_pool.h"

#include "ep/core/cancel.h"
#include "ep/model/engine_library.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ep::model {

// Measures kernels under the conditions of a decoder: weights come from memory, not from a cache,
// so the trials pass through memory of at least four times the last cache, each a few megabytes
// further than the previous one. A trial takes a fraction of a millisecond. The candidates of a
// round follow each other in random order, and only times of one round are compared, so that
// anything else the machine does affects all of them alike. Once it is cancelled, it ends soon and
// its choices mean nothing.
class KernelMeasurement {
public:
    explicit KernelMeasurement(std::shared_ptr<ThreadPool> pool, CancelToken cancel = {});
    ~KernelMeasurement();

    RowWay chooseRow(const WeightKind& kind); // takes some hundredths of a second
    ManyWay chooseMany(const WeightKind& kind); // takes as long as chooseRow()
    // Rates of the last choice of chooseRow(): "four 15.0, spread 24.1, .. GB/s"
    const std::string& rates() const { return m_rates; }

private:
    struct Memory;

    std::shared_ptr<ThreadPool> m_pool;
    CancelToken m_cancel;
    std::unique_ptr<Memory> m_memory;
    std::string m_rates;
};

// Chooses by times[candidate][round], in any unit. A later candidate replaces the best one so far
// if the median of the ratios of their times is below 1 - lead and, with a probability of 99.95 %,
// the true median is below 1.
std::size_t chooseByTrials(std::span<const std::vector<double>> times, double lead);

std::int64_t lastCacheBytes(); // 0: unknown

// The number of threads for an engine if `asked` were requested (0: choose).
int chooseThreads(int asked);

// Passes on what LibTorch throws.
Result<MatmulTimes> timeMatmulsOf(const MatmulRequest& request);

} // namespace ep::model
