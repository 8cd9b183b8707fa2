// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

// Finds numbers whose unit changes within a column, such as from ms to s. Pure.
namespace ep::powerlog {

// The index from which on all steps are about a thousand times, or a thousandth of, those before;
// the step in between may be anything. Absent: there is no such index.
std::optional<std::size_t> unitChangeIn(std::span<const double> steps);

// Whether values form two groups, of which one is about a thousand times the other with nothing in
// between. Constant memory.
class ValueGroups {
public:
    void add(double value, std::int64_t row);
    // A row of the smaller group; absent: there is one group, or the two are not that far apart.
    std::optional<std::int64_t> otherRow() const;

private:
    static constexpr int kBuckets = 400; // half octaves around 1
    struct Bucket {
        std::int64_t count = 0;
        std::int64_t row = 0; // the first one
    };
    std::array<Bucket, kBuckets> m_buckets{};
};

} // namespace ep::powerlog
