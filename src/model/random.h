// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace ep::model {

// xoshiro256** (Blackman and Vigna), seeded through splitmix64: the same numbers on every platform,
// which the distributions of the standard library do not guarantee.
class Random {
public:
    explicit Random(std::uint64_t seed)
    {
        for (std::uint64_t& word : m_state) {
            seed += 0x9E37'79B9'7F4A'7C15U;
            std::uint64_t z = seed;
            z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9U;
            z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBU;
            word = z ^ (z >> 31);
        }
    }

    std::uint64_t next()
    {
        const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
        const std::uint64_t shifted = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= shifted;
        m_state[3] = std::rotl(m_state[3], 45);
        return result;
    }

    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; } // in [0, 1)

private:
    std::array<std::uint64_t, 4> m_state{};
};

} // namespace ep::model
