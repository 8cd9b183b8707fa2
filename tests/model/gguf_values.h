// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

// Values of a tensor on the way from HuggingFace's files to GGUF, and how they are rearranged.
namespace ep::test {

struct GgufValues {
    std::vector<std::int64_t> shape; // outermost first
    std::vector<float> data;
};

// Row j dim/2 + i of each head becomes row 2i + j.
inline void turn(GgufValues& values, int heads)
{
    const auto rows = static_cast<std::size_t>(values.shape[0]);
    const std::size_t width = values.data.size() / rows;
    const std::size_t dim = rows / static_cast<std::size_t>(heads);
    std::vector<float> turned(values.data.size());
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t inside = row % dim;
        const std::size_t to = row - inside + 2 * (inside % (dim / 2)) + inside / (dim / 2);
        std::copy_n(values.data.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                    turned.begin() + static_cast<std::ptrdiff_t>(to * width));
    }
    values.data = std::move(turned);
}

inline void transpose(GgufValues& values)
{
    const auto rows = static_cast<std::size_t>(values.shape[0]);
    const auto columns = static_cast<std::size_t>(values.shape[1]);
    std::vector<float> turned(values.data.size());
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c)
            turned[c * rows + r] = values.data[r * columns + c];
    }
    values.data = std::move(turned);
    std::swap(values.shape[0], values.shape[1]);
}

inline GgufValues stacked(const std::map<int, GgufValues>& parts)
{
    GgufValues all{.shape = parts.begin()->second.shape, .data = {}};
    all.shape.insert(all.shape.begin(), static_cast<std::int64_t>(parts.size()));
    for (const auto& [index, values] : parts)
        all.data.insert(all.data.end(), values.data.begin(), values.data.end());
    return all;
}

} // namespace ep::test
