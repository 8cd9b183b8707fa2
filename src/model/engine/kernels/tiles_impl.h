// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of many rows of activations with bf16 weights by a matrix unit (Intel AMX): a tile of
// 16 outputs by kLanes rows, 16 pairs of columns at a time. The panels are those of pairs_impl.h,
// whose lines are the unit's rows, padded to whole tiles.
#pragma once

#include "pairs_impl.h"

#if defined(EP_PLAIN_TILES) || defined(__AMX_BF16__)

namespace ep::model {
namespace {

constexpr Index kTileRows = 16;
constexpr Index kTilePairs = 16;

// Macros, because the instructions encode the number of a tile. EP_PLAIN_TILES: the same in plain
// arithmetic, for tests.
#if defined(EP_PLAIN_TILES)
#define EP_TILE_ZERO(tile) PlainUnit::zero(tile)
#define EP_TILE_LOAD(tile, from, stride) PlainUnit::load(tile, from, stride)
#define EP_TILE_STORE(tile, to, stride) PlainUnit::store(tile, to, stride)
#define EP_TILE_PLUS_PRODUCTS(sums, weights, rows) PlainUnit::plusProducts(sums, weights, rows)

class PlainUnit {
public:
    static void zero(int tile) { __builtin_memset(tiles()[tile], 0, sizeof tiles()[tile]); }
    static void load(int tile, const float* from, Index stride)
    {
        for (Index row = 0; row < kTileRows; ++row)
            __builtin_memcpy(tiles()[tile][row], from + row * stride, widthOf(tile));
    }
    static void store(int tile, float* to, Index stride)
    {
        for (Index row = 0; row < kTileRows; ++row)
            __builtin_memcpy(to + row * stride, tiles()[tile][row], widthOf(tile));
    }
    static void plusProducts(int sums, int weights, int rows)
    {
        for (Index output = 0; output < kTileRows; ++output) {
            for (Index row = 0; row < kLanes; ++row) {
                Word& bits = tiles()[sums][output][row];
                float sum = __builtin_bit_cast(float, bits);
                for (Index pair = 0; pair < kTilePairs; ++pair) {
                    const Word a = tiles()[weights][output][pair];
                    const Word b = tiles()[rows][pair][row];
                    sum += value(a << 16) * value(b << 16)
                        + value(a & 0xFFFF0000U) * value(b & 0xFFFF0000U);
                }
                bits = __builtin_bit_cast(Word, sum);
            }
        }
    }

private:
    using Word = std::uint32_t;
    using Tile = Word[kTileRows][16];

    static float value(Word bits) { return __builtin_bit_cast(float, bits); }
    static Tile* tiles()
    {
        thread_local Tile all[8];
        return all;
    }
    static std::size_t widthOf(int tile)
    {
        const bool weights = tile == 4 || tile == 5;
        return sizeof(Word) * static_cast<std::size_t>(weights ? kTilePairs : kLanes);
    }
};

template <int kRowBytes>
struct Tiles {
};
#else
#define EP_TILE_BYTES(stride) (static_cast<std::size_t>(stride) * sizeof(float))
#define EP_TILE_ZERO(tile) _tile_zero(tile)
#define EP_TILE_LOAD(tile, from, stride) _tile_loadd(tile, from, EP_TILE_BYTES(stride))
#define EP_TILE_STORE(tile, to, stride) _tile_stored(tile, to, EP_TILE_BYTES(stride))
#define EP_TILE_PLUS_PRODUCTS(sums, weights, rows) _tile_dpbf16ps(sums, weights, rows)

// Configures the tiles that the thread uses while it multiplies: sums in 0 to 3, weights in 4 and
// 5, with kRowBytes bytes in each of their 16 rows, and the activations for these in 6 and 7.
template <int kRowBytes>
class Tiles {
public:
    Tiles()
    {
        // In static memory, because GCC 12 declares that the instruction reads eight bytes, and
        // drops stores to the other bytes of an object on the stack.
        static constexpr Configuration kConfiguration;
        _tile_loadconfig(&kConfiguration);
    }
    ~Tiles() { _tile_release(); }
    Tiles(const Tiles&) = delete;
    Tiles& operator=(const Tiles&) = delete;

private:
    struct Configuration {
        std::uint8_t palette = 1;
        std::uint8_t start_row = 0;
        std::uint8_t reserved[14] = {};
        std::uint16_t row_bytes[16] = {64, 64, 64, 64, kRowBytes, kRowBytes, 64, 64};
        std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, kRowBytes / 4, kRowBytes / 4};
    };
    static_assert(sizeof(Configuration) == 64);
};
#endif

struct TilePairs : Bf16Pairs {
    static constexpr Index kLinesAtOnce = kTilePairs;
};

// See DequantizedWeights. Tiles 0 to 3 hold sums of two tiles of outputs by two vectors of rows; 4
// and 5 hold weights, 6 and 7 activations.
struct TiledWeights {
    static constexpr int kOutputs = 2 * kTileRows;
    using Use = Tiles<4 * kTilePairs>;
    static Index lines(Index columns) { return pairLines<TilePairs>(columns); }
    static EP_INLINE void bring(const WeightRows& w, Index row, Index begin, float* out,
                                Index count)
    {
        PairedWeights<Bf16Pairs>::bring(w, row, begin, out, count);
        const Index pairs = pairsOf(count);
        __builtin_memset(out + pairs, 0,
                         static_cast<std::size_t>(lines(count) - pairs) * sizeof *out);
    }
    static EP_INLINE void prefetch(const WeightRows& w, Index row, Index begin, Index count)
    {
        PairedWeights<Bf16Pairs>::prefetch(w, row, begin, count);
    }
    template <int Vectors>
    static EP_INLINE void multiply(const float* panel, const float* weights, Index columns,
                                   bool first, float* sums, Index sumsStride)
    {
        float* const below = sums + kTileRows * sumsStride;
        // GCC's loads do not declare that they read memory, so earlier stores must be completed
        // first.
        __asm__ volatile("" ::: "memory");
        if (first) {
            EP_TILE_ZERO(0);
            EP_TILE_ZERO(1);
            EP_TILE_ZERO(2);
            EP_TILE_ZERO(3);
        } else {
            EP_TILE_LOAD(0, sums, sumsStride);
            EP_TILE_LOAD(1, below, sumsStride);
            if constexpr (Vectors == 2) {
                EP_TILE_LOAD(2, sums + kLanes, sumsStride);
                EP_TILE_LOAD(3, below + kLanes, sumsStride);
            }
        }
        for (Index line = 0; line < lines(columns); line += kTilePairs) {
            EP_TILE_LOAD(4, weights + line, kDepth);
            EP_TILE_LOAD(5, weights + kTileRows * kDepth + line, kDepth);
            EP_TILE_LOAD(6, panel + line * kPanelRows, kPanelRows);
            EP_TILE_PLUS_PRODUCTS(0, 4, 6);
            EP_TILE_PLUS_PRODUCTS(1, 5, 6);
            if constexpr (Vectors == 2) {
                EP_TILE_LOAD(7, panel + line * kPanelRows + kLanes, kPanelRows);
                EP_TILE_PLUS_PRODUCTS(2, 4, 7);
                EP_TILE_PLUS_PRODUCTS(3, 5, 7);
            }
        }
        EP_TILE_STORE(0, sums, sumsStride);
        EP_TILE_STORE(1, below, sumsStride);
        if constexpr (Vectors == 2) {
            EP_TILE_STORE(2, sums + kLanes, sumsStride);
            EP_TILE_STORE(3, below + kLanes, sumsStride);
        }
    }
};

} // namespace
} // namespace ep::model

#endif
