// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit_change.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ep::powerlog {

namespace {

// Units are a thousand or more apart, but the load may change as well.
constexpr double kUnits = 95.0;

constexpr double kApart = 30.0; // between the largest of one group and the smallest of the other

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace

std::optional<std::size_t> unitChangeIn(std::span<const double> steps)
{
    constexpr std::size_t kFewest = 3; // on each side
    const std::size_t count = steps.size();
    if (count < 2 * kFewest + 1)
        return std::nullopt;
    struct Range {
        double least = std::numeric_limits<double>::infinity();
        double most = 0.0;
        void add(double value)
        {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    };
    std::vector<Range> after(count + 1);
    for (std::size_t i = count; i-- > 0;) {
        after[i] = after[i + 1];
        after[i].add(steps[i]);
    }
    Range before;
    for (std::size_t i = 0; i + 1 + kFewest <= count; before.add(steps[i]), ++i) {
        if (i < kFewest)
            continue;
        const Range& rest = after[i + 1];
        if (rest.least < kApart * before.most && before.least < kApart * rest.most)
            continue;
        const double ratio =
            medianOf({steps.begin() + static_cast<std::ptrdiff_t>(i) + 1, steps.end()})
            / medianOf({steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i)});
        if (ratio > kUnits || ratio < 1.0 / kUnits)
            return i + 1;
    }
    return std::nullopt;
}

void ValueGroups::add(double value, std::int64_t row)
{
    if (!(value > 0.0) || !std::isfinite(value))
        return;
    const int bucket = std::clamp(
        static_cast<int>(std::floor(2.0 * std::log2(value))) + kBuckets / 2, 0, kBuckets - 1);
    Bucket& own = m_buckets[static_cast<std::size_t>(bucket)];
    if (own.count++ == 0)
        own.row = row;
}

std::optional<std::int64_t> ValueGroups::otherRow() const
{
    const auto bucketOf = [&](std::int64_t rank) {
        for (std::size_t i = 0; i < m_buckets.size(); ++i) {
            rank -= m_buckets[i].count;
            if (rank < 0)
                return static_cast<double>(i);
        }
        return 0.0;
    };
    std::int64_t total = 0;
    for (const Bucket& bucket : m_buckets)
        total += bucket.count;
    const double emptyBuckets = 2.0 * std::log2(kApart);
    std::int64_t below = 0;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < m_buckets.size(); ++i) {
        if (m_buckets[i].count == 0)
            continue;
        if (last && static_cast<double>(i - *last) > emptyBuckets) {
            const double octaves =
                (bucketOf(below + (total - below) / 2) - bucketOf(below / 2)) / 2.0;
            if (std::exp2(octaves) > kUnits) {
                const bool lower = 2 * below <= total;
                const auto from = lower ? std::size_t{0} : i;
                const auto until = lower ? i : m_buckets.size();
                std::int64_t row = std::numeric_limits<std::int64_t>::max();
                for (std::size_t j = from; j < until; ++j)
                    row = m_buckets[j].count > 0 ? std::min(row, m_buckets[j].row) : row;
                return row;
            }
        }
        below += m_buckets[i].count;
        last = i;
    }
    return std::nullopt;
}

} // namespace ep::powerlog
