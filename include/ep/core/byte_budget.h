// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace ep {

// How many bytes the program keeps of what one outsider sends. Everything that grows with the input
// is charged here, so that each door has one limit. One thread.
class ByteBudget {
public:
    explicit ByteBudget(std::size_t most)
        : m_left(most)
    {
    }

    // False: it does not fit, and must not be kept.
    bool take(std::size_t bytes)
    {
        if (bytes > m_left) {
            m_exceeded = true;
            return false;
        }
        m_left -= bytes;
        return true;
    }
    void giveBack(std::size_t bytes) { m_left += bytes; }
    bool exceeded() const { return m_exceeded; } // whether something did not fit

private:
    std::size_t m_left;
    bool m_exceeded = false;
};

} // namespace ep
