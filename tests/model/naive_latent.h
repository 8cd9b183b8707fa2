// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_math.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

// Interleaved rotation, DeepSeek's latent attention and expert groups, in f64.
namespace ep::test {

// Like naiveRotate(), but rotates elements 2i and 2i + 1 of each head together.
inline void naiveRotatePairs(NaiveRow& row, std::size_t dim, const NaiveRope& rope,
                             std::int64_t position)
{
    for (std::size_t start = 0; start < row.size(); start += dim) {
        for (std::size_t i = 0; i < rope.frequencies.size(); ++i) {
            const double angle = static_cast<double>(position) * rope.frequencies[i];
            double& a = row[start + 2 * i];
            double& b = row[start + 2 * i + 1];
            const double turned = (a * std::cos(angle) - b * std::sin(angle)) * rope.factor;
            b = (b * std::cos(angle) + a * std::sin(angle)) * rope.factor;
            a = turned;
        }
    }
}

struct NaiveLatent {
    std::size_t heads = 0;
    std::size_t plain = 0; // width of the part without rotation
    std::size_t turned = 0;
    std::size_t value = 0;
};

// q: unrotated and rotated part of each head; wide: unrotated keys and values of each head;
// shared: the rotated part of the keys, the same for all heads.
inline NaiveRows naiveLatent(const NaiveRows& q, const NaiveRows& wide, const NaiveRows& shared,
                             const NaiveLatent& sizes,
                             const std::function<void(NaiveRow&, std::size_t position)>& turn)
{
    const auto append = [](NaiveRow& to, const NaiveRow& from, std::size_t at, std::size_t count) {
        const auto first = from.begin() + static_cast<std::ptrdiff_t>(at);
        to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(count));
    };
    NaiveRows queries(q.size());
    NaiveRows keys(q.size());
    NaiveRows values(q.size());
    for (std::size_t row = 0; row < q.size(); ++row) {
        NaiveRow key = shared[row];
        turn(key, row);
        for (std::size_t head = 0; head < sizes.heads; ++head) {
            const std::size_t own = head * (sizes.plain + sizes.turned);
            const std::size_t both = head * (sizes.plain + sizes.value);
            NaiveRow query;
            append(query, q[row], own + sizes.plain, sizes.turned);
            turn(query, row);
            append(queries[row], q[row], own, sizes.plain);
            append(queries[row], query, 0, sizes.turned);
            append(keys[row], wide[row], both, sizes.plain);
            append(keys[row], key, 0, sizes.turned);
            append(values[row], wide[row], both + sizes.plain, sizes.value);
        }
    }
    NaiveAttention shape;
    shape.heads = shape.kv_heads = static_cast<int>(sizes.heads);
    shape.scale = 1.0 / std::sqrt(static_cast<double>(sizes.plain + sizes.turned));
    return naiveAttend(queries, keys, values, shape);
}

// Keeps the groups whose best scores have the largest sum; sets the other scores to 0.
inline void naiveDropGroups(NaiveRow& scores, std::size_t groups, std::size_t kept,
                            std::size_t best)
{
    const std::size_t size = scores.size() / groups;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t group = 0; group < groups; ++group) {
        const auto first = scores.begin() + static_cast<std::ptrdiff_t>(group * size);
        NaiveRow own(first, first + static_cast<std::ptrdiff_t>(size));
        std::sort(own.rbegin(), own.rend());
        double sum = 0.0;
        for (std::size_t i = 0; i < best; ++i)
            sum += own[i];
        order.emplace_back(sum, group);
    }
    std::sort(order.rbegin(), order.rend());
    for (std::size_t i = kept; i < groups; ++i) {
        for (std::size_t e = 0; e < size; ++e)
            scores[order[i].second * size + e] = 0.0;
    }
}

} // namespace ep::test
