// SPDX-License-Identifier: GPL-3.0-or-later
#include "unicode_age.h"

#include "unicode_additions.h"

#include <algorithm>
#include <array>

namespace ep::model {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

constexpr std::array newPunctuation = std::to_array<Range>({
    {0x61d, 0x61d},     {0x9fd, 0x9fd},     {0xa76, 0xa76},     {0xc77, 0xc77},
    {0xc84, 0xc84},     {0x1b4e, 0x1b4f},   {0x1b7d, 0x1b7f},   {0x2e43, 0x2e4f},
    {0x2e52, 0x2e5d},   {0x10d6e, 0x10d6e}, {0x10ead, 0x10ead}, {0x10f55, 0x10f59},
    {0x10f86, 0x10f89}, {0x113d4, 0x113d5}, {0x113d7, 0x113d8}, {0x1144b, 0x1144f},
    {0x1145a, 0x1145b}, {0x1145d, 0x1145d}, {0x11660, 0x1166c}, {0x116b9, 0x116b9},
    {0x1183b, 0x1183b}, {0x11944, 0x11946}, {0x119e2, 0x119e2}, {0x11a3f, 0x11a46},
    {0x11a9a, 0x11a9c}, {0x11a9e, 0x11aa2}, {0x11b00, 0x11b09}, {0x11be1, 0x11be1},
    {0x11c41, 0x11c45}, {0x11c70, 0x11c71}, {0x11ef7, 0x11ef8}, {0x11f43, 0x11f4f},
    {0x11fff, 0x11fff}, {0x12ff1, 0x12ff2}, {0x16d6d, 0x16d6f}, {0x16e97, 0x16e9a},
    {0x16fe2, 0x16fe2}, {0x1e5ff, 0x1e5ff}, {0x1e95e, 0x1e95f},
});

constexpr std::array newDecompositions = std::to_array<Range>({
    {0x32ff, 0x32ff},
    {0xa7f2, 0xa7f4},
    {0xab69, 0xab69},
    {0x10781, 0x10785},
    {0x10787, 0x107b0},
    {0x107b2, 0x107ba},
    {0x11938, 0x11938},
    {0x1e030, 0x1e06d},
    {0x1f16c, 0x1f16c},
    {0x1fbf0, 0x1fbf9},
});

template <std::size_t Count>
bool contains(const std::array<Range, Count>& ranges, char32_t c)
{
    const auto found =
        std::lower_bound(ranges.begin(), ranges.end(), c,
                         [](const Range& range, char32_t value) { return range.last < value; });
    return found != ranges.end() && c >= found->first;
}

} // namespace

bool isNewPunctuation(char32_t c)
{
    return contains(newPunctuation, c);
}

bool hasNewDecomposition(char32_t c)
{
    return contains(newDecompositions, c) || !addedCategory(c).empty();
}

} // namespace ep::model
