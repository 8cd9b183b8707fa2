// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of many rows of activations with the rows of a weight. The activations are packed once
// per matmul into panels that all threads read: for a block of kDepth columns, kPanelRows rows
// side by side, so that a vector register holds one column of several rows. Each thread then
// dequantizes the weights of its outputs, whatever their type, one block at a time, which stays in
// the L2 cache, and multiplies every panel (in the L1 cache) by it, kTileOutputs outputs in
// registers.
#pragma once

#include "matmul_impl.h"
#include "simd.h"

namespace ep::model {
namespace {

constexpr int kPanelVectors = 2;
constexpr Index kPanelRows = kPanelVectors * kLanes;
constexpr int kTileOutputs = EP_REGISTERS == 32 ? 12 : 6;
constexpr Index kDepth = 256; // columns per block: 16 KiB per panel with AVX2
constexpr Index kBlockOutputs = 96; // outputs per block of weights

Index paddedRows(Index rows)
{
    return (rows + kPanelRows - 1) / kPanelRows * kPanelRows;
}

// Returns the columns per block: blocks of equal size, rather than full ones and a short last one,
// in whole groups of quantized weights.
EP_INLINE Index depthOf(Index columns)
{
    constexpr Index kStep = 32;
    const Index blocks = (columns + kDepth - 1) / kDepth;
    return blocks == 0 ? 0 : ((columns + blocks - 1) / blocks + kStep - 1) / kStep * kStep;
}

// Transposes kLanes vectors: each step interleaves the halves.
EP_INLINE void transpose(Vec (&v)[kLanes])
{
    for (Index step = 1; step < kLanes; step *= 2) {
        Vec next[kLanes];
        for (Index i = 0; i < kLanes / 2; ++i) {
            const Vec a = v[i];
            const Vec b = v[i + kLanes / 2];
            next[2 * i] = interleaveLow(a, b);
            next[2 * i + 1] = interleaveHigh(a, b);
        }
        for (Index i = 0; i < kLanes; ++i)
            v[i] = next[i];
    }
}

// Packs panel number `panel` of x [rows, columns]. panels is the whole memory, with the layout
// [block of columns][panel][column][kPanelRows]. Rows beyond the last are zero.
void packPanel(const float* x, Index stride, Index rows, Index columns, Index panel, float* panels)
{
    const Index padded = paddedRows(rows);
    const Index depth = depthOf(columns);
    for (Index begin = 0; begin < columns; begin += depth) {
        const Index count = columns - begin < depth ? columns - begin : depth;
        float* const out = panels + begin * padded + panel * kPanelRows * count;
        for (int part = 0; part < kPanelVectors; ++part) {
            const Index first = panel * kPanelRows + part * kLanes;
            float* const to = out + part * kLanes;
            Index c = 0;
            for (; c + kLanes <= count && first + kLanes <= rows; c += kLanes) {
                Vec block[kLanes];
                for (Index i = 0; i < kLanes; ++i)
                    block[i] = load(x + (first + i) * stride + begin + c);
                transpose(block);
                for (Index i = 0; i < kLanes; ++i)
                    store(to + (c + i) * kPanelRows, block[i]);
            }
            for (; c < count; ++c) {
                for (Index i = 0; i < kLanes; ++i) {
                    to[c * kPanelRows + i] =
                        first + i < rows ? x[(first + i) * stride + begin + c] : 0.0F;
                }
            }
        }
    }
}

// Columns added up in one chain: the rounding error grows with its length.
constexpr Index kChain = 64;

// sums[o][row] (+)= weights[o] . columns of row, over `depth` columns.
template <int Vectors>
EP_INLINE void multiplyTile(const float* panel, const float* weights, Index depth, bool first,
                            float* sums, Index sumsStride)
{
    for (Index begin = 0; begin < depth; begin += kChain) {
        const Index end = depth - begin < kChain ? depth : begin + kChain;
        Vec acc[kTileOutputs][Vectors];
        for (int o = 0; o < kTileOutputs; ++o) {
            for (int v = 0; v < Vectors; ++v)
                acc[o][v] = Vec{};
        }
        for (Index c = begin; c < end; ++c) {
            Vec x[Vectors];
            for (int v = 0; v < Vectors; ++v)
                x[v] = load(panel + c * kPanelRows + v * kLanes);
            for (int o = 0; o < kTileOutputs; ++o) {
                for (int v = 0; v < Vectors; ++v)
                    acc[o][v] += x[v] * weights[o * kDepth + c];
            }
        }
        for (int o = 0; o < kTileOutputs; ++o) {
            for (int v = 0; v < Vectors; ++v) {
                float* const place = sums + o * sumsStride + v * kLanes;
                store(place, first && begin == 0 ? acc[o][v] : load(place) + acc[o][v]);
            }
        }
    }
}

// out[row][o] = scales[o] * sums[o][row] + bias[o]
EP_INLINE void finishOutputs(const WeightRows& w, Index begin, Index count, const float* sums,
                             Index sumsStride, Index rows, float* out, Index outStride)
{
    Index o = 0;
    for (; o + kLanes <= count; o += kLanes) {
        const Vec scales = w.scales ? load(w.scales + begin + o) : Vec{} + 1.0F;
        const Vec bias = w.bias ? load(w.bias + begin + o) : Vec{};
        for (Index row = 0; row < rows; row += kLanes) {
            Vec block[kLanes];
            for (Index i = 0; i < kLanes; ++i)
                block[i] = load(sums + (o + i) * sumsStride + row);
            transpose(block);
            const Index last = rows - row < kLanes ? rows - row : kLanes;
            for (Index i = 0; i < last; ++i)
                store(out + (row + i) * outStride + begin + o, block[i] * scales + bias);
        }
    }
    for (; o < count; ++o) {
        const float scale = w.scales ? w.scales[begin + o] : 1.0F;
        const float bias = w.bias ? w.bias[begin + o] : 0.0F;
        for (Index row = 0; row < rows; ++row)
            out[row * outStride + begin + o] = scale * sums[o * sumsStride + row] + bias;
    }
}

Index panelScratch(Index rows)
{
    return kBlockOutputs * (kDepth + paddedRows(rows));
}

// Prefetches `count` values into the L2 cache.
template <typename Stored>
EP_INLINE void prefetchStored(const Stored* values, Index count)
{
    constexpr Index kLine = 64 / static_cast<Index>(sizeof(Stored));
    for (Index at = 0; at < count; at += kLine)
        __builtin_prefetch(values + at, 0, 2);
}

// Rows of numbers that are stored individually.
template <typename Type>
struct PlainRows {
    static EP_INLINE void dequantize(const WeightRows& w, Index row, Index begin, float* out,
                                     Index count)
    {
        const auto* const weights = static_cast<const typename Type::Stored*>(w.values);
        model::dequantize<Type>(weights + row * w.columns + begin, out, count);
    }
    static EP_INLINE void prefetch(const WeightRows& w, Index row, Index begin, Index count)
    {
        const auto* const weights = static_cast<const typename Type::Stored*>(w.values);
        prefetchStored(weights + row * w.columns + begin, count);
    }
};

// The factor of a panel: weights as f32. Rows::dequantize() and Rows::prefetch() handle values
// [begin, begin + count) of a row.
template <typename Rows>
struct DequantizedWeights {
    static constexpr int kOutputs = kTileOutputs;
    struct Use { }; // memory of a thread during the matmul
    // Number of lines of kPanelRows values in a panel with this many columns.
    static Index lines(Index columns) { return columns; }
    static EP_INLINE void bring(const WeightRows& w, Index row, Index begin, float* out,
                                Index count)
    {
        Rows::dequantize(w, row, begin, out, count);
    }
    static EP_INLINE void prefetch(const WeightRows& w, Index row, Index begin, Index count)
    {
        Rows::prefetch(w, row, begin, count);
    }
    // Multiplies by kOutputs rows of weights, which are kDepth apart.
    template <int Vectors>
    static EP_INLINE void multiply(const float* panel, const float* weights, Index columns,
                                   bool first, float* sums, Index sumsStride)
    {
        multiplyTile<Vectors>(panel, weights, columns, first, sums, sumsStride);
    }
};

// A block of weights: outputs [begin, end), columns [column, column + count).
struct Block {
    Index begin = 0;
    Index end = 0;
    Index column = 0;
    Index count = 0;
};

// Returns the next block of the same outputs or, after the last one, the first block of the next
// outputs; empty after `end`.
EP_INLINE Block blockAfter(const Block& block, Index columns, Index depth, Index end)
{
    Block next = block;
    next.column += depth;
    if (next.column >= columns) {
        next.column = 0;
        next.begin = block.end;
        next.end = end - next.begin < kBlockOutputs ? end : next.begin + kBlockOutputs;
    }
    next.count = columns - next.column < depth ? columns - next.column : depth;
    return next;
}

// While a block is multiplied, the next one is prefetched, a few rows of it with each tile. The
// rows lie apart in memory, and each piece is too short for the processor to detect.
template <typename Weights>
void multiplyBlocks(const WeightRows& w, const float* panels, Index rows, float* scratch,
                    float* out, Index outStride, Index begin, Index end)
{
    [[maybe_unused]] const typename Weights::Use use;
    const Index padded = paddedRows(rows);
    const Index depth = depthOf(w.columns);
    constexpr Index kTiles = (kBlockOutputs + Weights::kOutputs - 1) / Weights::kOutputs;
    const Index tiles = kTiles * (padded / kPanelRows);
    const Index prefetchedAtOnce = (kBlockOutputs + tiles - 1) / tiles;
    float* const weights = scratch; // [kBlockOutputs][kDepth]
    float* const sums = scratch + kBlockOutputs * kDepth; // [kBlockOutputs][padded]
    const float* panel = panels;
    Block block =
        blockAfter({.begin = begin, .end = begin, .column = w.columns}, w.columns, depth, end);
    while (block.begin < block.end) {
        const Index outputs = block.end - block.begin;
        const bool first = block.column == 0;
        const Block next = blockAfter(block, w.columns, depth, end);
        Index prefetched = next.begin;
        for (Index o = 0; o < outputs; ++o)
            Weights::bring(w, block.begin + o, block.column, weights + o * kDepth, block.count);
        if (first)
            panel = panels;
        for (Index row = 0; row < rows; row += kPanelRows) {
            // The last tile may extend beyond the last output: those outputs are computed from
            // what an earlier block left there and are not used.
            for (Index o = 0; o < outputs; o += Weights::kOutputs) {
                for (Index i = 0; i < prefetchedAtOnce && prefetched < next.end; ++i)
                    Weights::prefetch(w, prefetched++, next.column, next.count);
                if (rows - row > kLanes) {
                    Weights::template multiply<kPanelVectors>(panel, weights + o * kDepth,
                                                              block.count, first,
                                                              sums + o * padded + row, padded);
                } else {
                    Weights::template multiply<1>(panel, weights + o * kDepth, block.count, first,
                                                  sums + o * padded + row, padded);
                }
            }
            panel += Weights::lines(block.count) * kPanelRows;
        }
        if (next.column == 0)
            finishOutputs(w, block.begin, outputs, sums, padded, rows, out, outStride);
        block = next;
    }
}

template <typename Rows>
void multiplyPanels(const WeightRows& w, const float* panels, Index rows, float* scratch,
                    float* out, Index outStride, Index begin, Index end)
{
    multiplyBlocks<DequantizedWeights<Rows>>(w, panels, rows, scratch, out, outStride, begin, end);
}

} // namespace
} // namespace ep::model
