// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/text/tokenizer.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ep::text {

// Finds a sequence of at least 20 tokens that occurs three times in a row. A shorter loop counts as
// a sequence of as many rounds as fill 20 tokens. O(longest period) per token.
class RepetitionScan {
public:
    // Index of the token at which the loop begins its second round, once it is certain.
    std::optional<std::size_t> push(TokenId id)
    {
        constexpr std::size_t kBlock = 20;
        constexpr std::size_t kTimes = 3;
        constexpr std::size_t kLongestPeriod = 2048;
        m_ids.push_back(id);
        const std::size_t last = m_ids.size() - 1;
        if (m_equal.size() < kLongestPeriod)
            m_equal.push_back(0);
        std::optional<std::size_t> onset;
        for (std::size_t period = 1; period <= m_equal.size() && period <= last; ++period) {
            std::size_t& equal = m_equal[period - 1];
            equal = m_ids[last - period] == id ? equal + 1 : 0;
            const std::size_t block = (kBlock + period - 1) / period * period;
            if (!onset && equal + period >= kTimes * block)
                onset = last + 1 - equal;
        }
        return onset;
    }

private:
    std::vector<TokenId> m_ids;
    std::vector<std::size_t> m_equal; // tokens at the end that equal those one period earlier
};

} // namespace ep::text
