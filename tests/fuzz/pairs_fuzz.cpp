// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a table of pairs, and the decision made from it.
#include "ep/energy/paired_test.h"
#include "ep/powerlog/pairs.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto table = ep::powerlog::readPairs(
        std::string_view(reinterpret_cast<const char*>(data), size), "pairs");
    if (!table)
        return 0;
    for (std::size_t i = 0; i < table->figures.size(); ++i) {
        const auto ratios = table->ratios(i);
        if (ratios.empty())
            continue;
        const auto result = ep::energy::decidePairs(ratios);
        const auto& estimate = result.estimate;
        if (result.pairs_used > static_cast<std::int64_t>(ratios.size())
            || std::isnan(estimate.ratio)
            || (estimate.interval
                && !(estimate.interval->low <= estimate.ratio
                     && estimate.ratio <= estimate.interval->high)))
            std::abort();
    }
    return 0;
}
