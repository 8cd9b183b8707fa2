// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace ep::session {

// Grows by whole chunks, so that elements never move and growing never copies. Made for plain
// records that are appended on a hot path and read afterwards.
template <typename T, std::size_t ChunkSize = 16384>
class ChunkedBuffer {
public:
    // Reserves memory and touches it, so that appending causes no page faults later.
    void reserve(std::size_t count)
    {
        while (m_chunks.size() * ChunkSize < count)
            m_chunks.push_back(std::make_unique<T[]>(ChunkSize));
    }

    std::size_t append(const T& value)
    {
        if (m_size == m_chunks.size() * ChunkSize)
            m_chunks.push_back(std::make_unique<T[]>(ChunkSize));
        (*this)[m_size] = value;
        return m_size++;
    }

    std::size_t size() const { return m_size; }
    T& operator[](std::size_t index) { return m_chunks[index / ChunkSize][index % ChunkSize]; }
    const T& operator[](std::size_t index) const
    {
        return m_chunks[index / ChunkSize][index % ChunkSize];
    }

private:
    std::vector<std::unique_ptr<T[]>> m_chunks;
    std::size_t m_size = 0;
};

} // namespace ep::session
