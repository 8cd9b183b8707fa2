// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace ep::energy {

// SplitMix64 (Steele et al. 2014): the same numbers on every platform, which the distributions of
// <random> do not guarantee.
class StatisticsRandom {
public:
    explicit StatisticsRandom(std::uint64_t seed)
        : m_state(seed)
    {
    }

    std::uint64_t next()
    {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }

    // 0 .. count - 1; the bias of at most count / 2^32 is negligible here.
    std::uint64_t below(std::uint64_t count) { return ((next() >> 32U) * count) >> 32U; }

private:
    std::uint64_t m_state;
};

} // namespace ep::energy
