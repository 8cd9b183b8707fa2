// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// The codebooks of ggml's formats: the numbers that the bits of a block stand for. They are
// integers, so that a value is scale x number in every format.
namespace ep::model {

// Points with kWidth values each.
template <int kPoints, int kWidth>
struct Grid {
    std::int8_t values[kPoints][kWidth];
};

extern const Grid<256, 8> kGridIq2Xxs;
extern const Grid<512, 8> kGridIq2Xs;
extern const Grid<1024, 8> kGridIq2S;
extern const Grid<256, 4> kGridIq3Xxs;
extern const Grid<512, 4> kGridIq3S;
extern const Grid<2048, 8> kGridIq1; // values times eight

// 4-bit codebooks: IQ4_NL and IQ4_XS; and E2M1, whose numbers (MXFP4 and NVFP4) are doubled.
inline constexpr std::int8_t kNonLinear[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                               1,    13,   25,  38,  53,  69,  89,  113};
inline constexpr std::int8_t kE2M1Doubled[16] = {0, 1,  2,  3,  4,  6,  8,  12,
                                                 0, -1, -2, -3, -4, -6, -8, -12};

// Builds a grid from packed points; each number of a point is packed in a few bits, lowest first.
template <int kWidth, std::size_t kPoints, std::size_t kLevels>
constexpr Grid<static_cast<int>(kPoints), kWidth> gridOf(const std::uint16_t (&points)[kPoints],
                                                         const std::int8_t (&levels)[kLevels])
{
    constexpr int kBits = kLevels == 4 ? 2 : 3;
    Grid<static_cast<int>(kPoints), kWidth> grid{};
    for (std::size_t point = 0; point < kPoints; ++point) {
        for (int i = 0; i < kWidth; ++i)
            grid.values[point][i] = levels[points[point] >> kBits * i & (kLevels - 1)];
    }
    return grid;
}

} // namespace ep::model
