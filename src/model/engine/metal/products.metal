// SPDX-License-Identifier: GPL-3.0-or-later
//
// Products of activations with weights as they are stored, for Apple's GPUs: x W^T (+ bias), with x
// [inputs, columns], W [rows, columns] and the result [inputs, rows]. Activations and results have
// one type, everything in between is f32. The formats are described in block_layouts.h and, with
// scales apart, in formats_apart.h.
//
// This text is compiled by Metal at run time, which is C++14 with address spaces, and by the tests
// as C++ with an imitation of Metal's library. The program appends a line for each kernel that it
// needs (metal_formats.h).
#include <metal_stdlib>
#include <metal_simdgroup_matrix>

using namespace metal;

#ifndef EP_UNROLL
#define EP_UNROLL _Pragma("clang loop unroll(full)")
#endif

// As MetalShape in metal_formats.h.
struct Shape {
    uint rows;
    uint columns; // a multiple of 32
    uint inputs;
    uint row_bytes;
    uint row_scales; // scales of a row, where they are apart
    uint units_of_scale; // units with a common scale
    uint scale_type; // as GroupScales::Type: f32, bf16, f16
    uint has_factors;
    uint has_bias;
};

// The piece of a row that one thread takes at a time. In every format its values have one scale.
static constant constexpr uint kUnit = 16;
static constant constexpr uint kLanes = 32; // threads of a SIMD group

// --- Numbers -------------------------------------------------------------------------------------

static inline float floatOfBf16(ushort bits)
{
    return as_type<float>(uint(bits) << 16);
}

static inline float halfAt(device const uchar* at)
{
    return float(*reinterpret_cast<device const half*>(at));
}

// Types of activations. Metal's own bfloat needs macOS 14.
struct InF32 {
    typedef float Stored;
    static float get(float value) { return value; }
    static float put(float value) { return value; }
};

struct InF16 {
    typedef half Stored;
    static float get(half value) { return float(value); }
    static half put(float value) { return half(value); }
};

struct InBf16 {
    typedef ushort Stored;
    static float get(ushort value) { return floatOfBf16(value); }
    static ushort put(float value) // to the nearest, to even in the middle
    {
        const uint bits = as_type<uint>(value);
        if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
            return ushort(bits >> 16 | 64u); // not a number
        return ushort((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
    }
};

// --- Formats -------------------------------------------------------------------------------------
// dequantize(): the numbers q of a unit; a value is scale x q + minimum.

struct Row {
    device const uchar* bytes;
    device const uchar* scales; // of all rows, where they are apart
    device const uchar* biases; // likewise
    uint first_scale;
};

// Numbers of four bits: the low or the high halves of 16 bytes.
static inline void nibbles(device const uchar* at, uint shift, thread float* q)
{
    device const ushort* words = reinterpret_cast<device const ushort*>(at);
    EP_UNROLL
    for (uint i = 0; i < kUnit / 2; ++i) {
        const uint word = uint(words[i]) >> shift;
        q[2 * i] = float(word & 15u);
        q[2 * i + 1] = float(word >> 8 & 15u);
    }
}

// Adds some bits of 16 bytes, from bit `shift` on, times a factor.
static inline void addBits(device const uchar* at, uint shift, uint mask, float factor,
                           thread float* q)
{
    device const ushort* words = reinterpret_cast<device const ushort*>(at);
    EP_UNROLL
    for (uint i = 0; i < kUnit / 2; ++i) {
        const uint word = uint(words[i]) >> shift;
        q[2 * i] += factor * float(word & mask);
        q[2 * i + 1] += factor * float(word >> 8 & mask);
    }
}

struct Q8_0 {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 2 * 34;
        device const ushort* words = reinterpret_cast<device const ushort*>(block + 2) + unit % 2 * 8;
        EP_UNROLL
        for (uint i = 0; i < kUnit / 2; ++i) {
            const uint word = words[i];
            q[2 * i] = float(int8_t(word & 255u));
            q[2 * i + 1] = float(int8_t(word >> 8));
        }
        scale = halfAt(block);
        minimum = 0.0f;
    }
};

struct Q4_0 {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 2 * 18;
        nibbles(block + 2, unit % 2 * 4, q);
        scale = halfAt(block);
        minimum = -8.0f * scale;
    }
};

// Scale and minimum of group 0 to 7 of Q4_K and Q5_K, whose blocks begin alike.
static inline void sixBits(device const uchar* block, uint group, thread float& scale,
                           thread float& minimum)
{
    device const uchar* s = block + 4;
    uint first;
    uint second;
    if (group < 4) {
        first = s[group] & 63u;
        second = s[group + 4] & 63u;
    } else {
        first = (s[group + 4] & 15u) | uint(s[group - 4]) >> 6 << 4;
        second = uint(s[group + 4]) >> 4 | uint(s[group]) >> 6 << 4;
    }
    scale = halfAt(block) * float(first);
    minimum = -halfAt(block + 2) * float(second);
}

struct Q4_K {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 16 * 144;
        const uint group = unit % 16 / 2;
        nibbles(block + 16 + group / 2 * 32 + unit % 2 * 16, group % 2 * 4, q);
        sixBits(block, group, scale, minimum);
    }
};

struct Q5_K {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 16 * 176;
        const uint group = unit % 16 / 2;
        nibbles(block + 48 + group / 2 * 32 + unit % 2 * 16, group % 2 * 4, q);
        addBits(block + 16 + unit % 2 * 16, group, 1u, 16.0f, q);
        sixBits(block, group, scale, minimum);
    }
};

struct Q6_K {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 16 * 210;
        const uint half128 = unit % 16 / 8;
        const uint quarter = unit % 8 / 2;
        const uint inside = unit % 2 * 16;
        nibbles(block + half128 * 64 + quarter % 2 * 32 + inside, quarter / 2 * 4, q);
        addBits(block + 128 + half128 * 32 + inside, 2 * quarter, 3u, 16.0f, q);
        scale = halfAt(block + 208) * float(int8_t(block[192 + unit % 16]));
        minimum = -32.0f * scale;
    }
};

static inline float numberAt(device const uchar* numbers, uint index, uint type)
{
    if (type == 0)
        return reinterpret_cast<device const float*>(numbers)[index];
    if (type == 1)
        return floatOfBf16(reinterpret_cast<device const ushort*>(numbers)[index]);
    return float(reinterpret_cast<device const half*>(numbers)[index]);
}

// A stream of numbers of so many bits, which may begin in one word of 16 bits and end in the next.
template <uint kBits>
struct Mlx {
    static void dequantize(Row row, uint unit, constant Shape& shape, thread float* q,
                      thread float& scale, thread float& minimum)
    {
        device const ushort* words =
            reinterpret_cast<device const ushort*>(row.bytes + unit * (2 * kBits));
        EP_UNROLL
        for (uint i = 0; i < kUnit; ++i) {
            const uint bit = i * kBits;
            uint word = uint(words[bit / 16]) >> bit % 16;
            if (bit % 16 + kBits > 16)
                word |= uint(words[bit / 16 + 1]) << (16 - bit % 16);
            q[i] = float(word & ((1u << kBits) - 1u));
        }
        const uint index = row.first_scale + unit / shape.units_of_scale;
        scale = numberAt(row.scales, index, shape.scale_type);
        minimum = numberAt(row.biases, index, shape.scale_type);
    }
};

typedef Mlx<4> Mlx4;
typedef Mlx<6> Mlx6;
typedef Mlx<8> Mlx8;

static inline Row rowAt(device const uchar* weights, device const uchar* scales,
                        device const uchar* biases, constant Shape& shape, uint index)
{
    Row row;
    row.bytes = weights + ulong(index) * shape.row_bytes;
    row.scales = scales;
    row.biases = biases;
    row.first_scale = index * shape.row_scales;
    return row;
}

// --- Few rows of activations ---------------------------------------------------------------------
// A SIMD group computes four outputs of one row of activations: its lanes take the units of the
// columns by turns. Neighbouring threadgroups read the same weights for different activations.

static constant constexpr uint kVectorRows = 4;
static constant constexpr uint kVectorGroups = 2; // SIMD groups of a threadgroup

template <typename Format, typename Activation>
[[kernel]] void vectorProduct(device const uchar* weights [[buffer(0)]],
                              device const uchar* scales [[buffer(1)]],
                              device const uchar* biases [[buffer(2)]],
                              device const float* factors [[buffer(3)]],
                              device const typename Activation::Stored* x [[buffer(4)]],
                              device const typename Activation::Stored* bias [[buffer(5)]],
                              device typename Activation::Stored* out [[buffer(6)]],
                              constant Shape& shape [[buffer(7)]],
                              uint3 group [[threadgroup_position_in_grid]],
                              uint part [[simdgroup_index_in_threadgroup]],
                              uint lane [[thread_index_in_simdgroup]])
{
    const uint first = (group.y * kVectorGroups + part) * kVectorRows;
    Row rows[kVectorRows];
    float sums[kVectorRows];
    EP_UNROLL
    for (uint r = 0; r < kVectorRows; ++r) { // beyond the last row the last one again
        rows[r] = rowAt(weights, scales, biases, shape, min(first + r, shape.rows - 1));
        sums[r] = 0.0f;
    }
    device const typename Activation::Stored* input = x + ulong(group.x) * shape.columns;
    for (uint unit = lane; unit < shape.columns / kUnit; unit += kLanes) {
        float values[kUnit];
        float sum = 0.0f;
        EP_UNROLL
        for (uint i = 0; i < kUnit; ++i) {
            values[i] = Activation::get(input[unit * kUnit + i]);
            sum += values[i];
        }
        EP_UNROLL
        for (uint r = 0; r < kVectorRows; ++r) {
            float q[kUnit];
            float scale;
            float minimum;
            Format::dequantize(rows[r], unit, shape, q, scale, minimum);
            float product = 0.0f;
            EP_UNROLL
            for (uint i = 0; i < kUnit; ++i)
                product += q[i] * values[i];
            sums[r] += scale * product + minimum * sum;
        }
    }
    EP_UNROLL
    for (uint r = 0; r < kVectorRows; ++r) {
        float value = simd_sum(sums[r]);
        const uint row = first + r;
        if (lane == 0 && row < shape.rows) {
            if (shape.has_factors)
                value *= factors[row];
            if (shape.has_bias)
                value += Activation::get(bias[row]);
            out[ulong(group.x) * shape.rows + row] = Activation::put(value);
        }
    }
}

// --- Many rows of activations --------------------------------------------------------------------
// A threadgroup of four SIMD groups computes a tile of the result, 32 columns at a time: it dequantizes
// a tile of weights and one of activations into its memory, and each SIMD group multiplies a
// quarter of the result, 16 inputs by 32 rows, in matrices of 8 x 8.

static constant constexpr uint kTileRows = 64; // of the weight
static constant constexpr uint kTileInputs = 32;
static constant constexpr uint kTileColumns = 32;
static constant constexpr uint kTileThreads = 128;

template <typename Format, typename Activation>
[[kernel]] void tileProduct(device const uchar* weights [[buffer(0)]],
                            device const uchar* scales [[buffer(1)]],
                            device const uchar* biases [[buffer(2)]],
                            device const float* factors [[buffer(3)]],
                            device const typename Activation::Stored* x [[buffer(4)]],
                            device const typename Activation::Stored* bias [[buffer(5)]],
                            device typename Activation::Stored* out [[buffer(6)]],
                            constant Shape& shape [[buffer(7)]],
                            uint3 group [[threadgroup_position_in_grid]],
                            uint part [[simdgroup_index_in_threadgroup]],
                            uint lane [[thread_index_in_simdgroup]])
{
    threadgroup float weightTile[kTileColumns * kTileRows]; // [column][row]; the results at the end
    threadgroup float inputTile[kTileInputs * kTileColumns]; // [input][column]

    const uint thread_index = part * kLanes + lane;
    const uint first_row = group.y * kTileRows;
    const uint first_input = group.x * kTileInputs;

    // Each thread dequantizes one unit of a row of weights, and eight activations.
    const uint tile_row = thread_index / 2;
    const uint tile_unit = thread_index % 2;
    const Row row =
        rowAt(weights, scales, biases, shape, min(first_row + tile_row, shape.rows - 1));
    const uint tile_input = thread_index / 4;
    const uint tile_column = thread_index % 4 * 8;
    device const typename Activation::Stored* input = x
        + ulong(min(first_input + tile_input, shape.inputs - 1)) * shape.columns + tile_column;

    // The quarter of this SIMD group.
    const uint inputs_at = part / 2 * 16;
    const uint rows_at = part % 2 * 32;
    simdgroup_float8x8 sums[2][4];
    EP_UNROLL
    for (uint i = 0; i < 2; ++i) {
        EP_UNROLL
        for (uint r = 0; r < 4; ++r)
            sums[i][r] = make_filled_simdgroup_matrix<float, 8>(0.0f);
    }

    for (uint column = 0; column < shape.columns; column += kTileColumns) {
        float q[kUnit];
        float scale;
        float minimum;
        Format::dequantize(row, column / kUnit + tile_unit, shape, q, scale, minimum);
        threadgroup_barrier(mem_flags::mem_threadgroup); // the tiles before have been read
        EP_UNROLL
        for (uint i = 0; i < kUnit; ++i)
            weightTile[(tile_unit * kUnit + i) * kTileRows + tile_row] = scale * q[i] + minimum;
        EP_UNROLL
        for (uint i = 0; i < 8; ++i) {
            inputTile[tile_input * kTileColumns + tile_column + i] =
                Activation::get(input[column + i]);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        EP_UNROLL
        for (uint k = 0; k < kTileColumns; k += 8) {
            simdgroup_float8x8 left[2];
            simdgroup_float8x8 right[4];
            EP_UNROLL
            for (uint i = 0; i < 2; ++i) {
                simdgroup_load(left[i], inputTile + (inputs_at + 8 * i) * kTileColumns + k,
                               kTileColumns);
            }
            EP_UNROLL
            for (uint r = 0; r < 4; ++r)
                simdgroup_load(right[r], weightTile + k * kTileRows + rows_at + 8 * r, kTileRows);
            EP_UNROLL
            for (uint i = 0; i < 2; ++i) {
                EP_UNROLL
                for (uint r = 0; r < 4; ++r)
                    simdgroup_multiply_accumulate(sums[i][r], left[i], right[r], sums[i][r]);
            }
        }
    }

    threadgroup_barrier(mem_flags::mem_threadgroup);
    EP_UNROLL
    for (uint i = 0; i < 2; ++i) {
        EP_UNROLL
        for (uint r = 0; r < 4; ++r) { // [input][row]
            simdgroup_store(sums[i][r], weightTile + (inputs_at + 8 * i) * kTileRows + rows_at + 8 * r,
                            kTileRows);
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = thread_index; i < kTileInputs * kTileRows; i += kTileThreads) {
        const uint at_input = first_input + i / kTileRows;
        const uint at_row = first_row + i % kTileRows;
        if (at_input < shape.inputs && at_row < shape.rows) {
            float value = weightTile[i];
            if (shape.has_factors)
                value *= factors[at_row];
            if (shape.has_bias)
                value += Activation::get(bias[at_row]);
            out[ulong(at_input) * shape.rows + at_row] = Activation::put(value);
        }
    }
}
