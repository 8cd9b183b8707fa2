// SPDX-License-Identifier: GPL-3.0-or-later
//
// Matmuls of activations with weights in their stored format, for GPUs: x W^T (+ bias), with
// x [inputs, columns], W [rows, columns] and the result [inputs, rows]. Activations and results have
// the same type; intermediate values are f32. Needs formats.metal.

// The value of an output from the sum of its products.
template <typename Activation>
static inline typename Activation::Stored
finished(float sum, uint row, device const float* factors,
         device const typename Activation::Stored* bias, constant Shape& shape)
{
    if (shape.has_factors)
        sum *= factors[row];
    if (shape.has_bias)
        sum += Activation::get(bias[row]);
    return Activation::put(sum);
}

// --- GEMV: few rows of activations ---------------------------------------------------------------
// A SIMD group computes four outputs of one row of activations: its lanes take turns at the
// units of the columns. Neighbouring threadgroups read the same weights for different activations.

static constant constexpr uint kVectorRows = 4;
static constant constexpr uint kVectorGroups = 2; // SIMD groups of a threadgroup

template <typename Format, typename Activation>
[[kernel]] void gemv(device const uchar* weights [[buffer(0)]],
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
    for (uint r = 0; r < kVectorRows; ++r) { // past the last row, repeats the last one
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
        const float sum = simd_sum(sums[r]);
        const uint row = first + r;
        if (lane == 0 && row < shape.rows) {
            out[ulong(group.x) * shape.rows + row] =
                finished<Activation>(sum, row, factors, bias, shape);
        }
    }
}

// --- Matmul: many rows of activations ------------------------------------------------------------
// A threadgroup of four SIMD groups computes a tile of the result, 32 columns at a time: it dequantizes
// a tile of weights and one of activations into its memory, and each SIMD group multiplies a
// quarter of the result, 16 inputs by 32 rows, in matrices of 8 x 8.

static constant constexpr uint kTileRows = 64; // rows of the weights in a tile
static constant constexpr uint kTileInputs = 32;
static constant constexpr uint kTileColumns = 32;
static constant constexpr uint kTileThreads = 128;

// The results of a SIMD group: 16 inputs by 32 rows.
struct TileSums {
    simdgroup_float8x8 sums[2][4];

    void clear()
    {
        EP_UNROLL
        for (uint i = 0; i < 2; ++i) {
            EP_UNROLL
            for (uint r = 0; r < 4; ++r)
                sums[i][r] = make_filled_simdgroup_matrix<float, 8>(0.0f);
        }
    }
    // Adds the products of 16 x 8 activations and 8 x 32 weights.
    void add(thread simdgroup_float8x8 (&left)[2], thread simdgroup_float8x8 (&right)[4])
    {
        EP_UNROLL
        for (uint i = 0; i < 2; ++i) {
            EP_UNROLL
            for (uint r = 0; r < 4; ++r)
                simdgroup_multiply_accumulate(sums[i][r], left[i], right[r], sums[i][r]);
        }
    }
};

template <typename Format, typename Activation>
[[kernel]] void tileMatmul(device const uchar* weights [[buffer(0)]],
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

    // This SIMD group's quarter of the tile.
    const uint inputs_at = part / 2 * 16;
    const uint rows_at = part % 2 * 32;
    TileSums own;
    own.clear();

    for (uint column = 0; column < shape.columns; column += kTileColumns) {
        float q[kUnit];
        float scale;
        float minimum;
        Format::dequantize(row, column / kUnit + tile_unit, shape, q, scale, minimum);
        threadgroup_barrier(mem_flags::mem_threadgroup); // after the previous tiles were read
        EP_UNROLL
        for (uint i = 0; i < kUnit; ++i)
            weightTile[(tile_unit * kUnit + i) * kTileRows + tile_row] = scale * q[i] + minimum;
        EP_UNROLL
        for (uint i = 0; i < 8; ++i) // a thread's activations follow those of the thread before
            inputTile[thread_index * 8 + i] = Activation::get(input[column + i]);
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
            own.add(left, right);
        }
    }

    threadgroup_barrier(mem_flags::mem_threadgroup);
    EP_UNROLL
    for (uint i = 0; i < 8; ++i) { // [input][row]
        simdgroup_store(own.sums[i / 4][i % 4],
                        weightTile + (inputs_at + i / 4 * 8) * kTileRows + rows_at + i % 4 * 8, kTileRows);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = thread_index; i < kTileInputs * kTileRows; i += kTileThreads) {
        const uint at_input = first_input + i / kTileRows;
        const uint at_row = first_row + i % kTileRows;
        if (at_input < shape.inputs && at_row < shape.rows) {
            out[ulong(at_input) * shape.rows + at_row] =
                finished<Activation>(weightTile[i], at_row, factors, bias, shape);
        }
    }
}

// --- Weights in the type of the activations ------------------------------------------------------
// For GPUs whose matrix units LibTorch uses better than a tile does. A thread dequantizes a unit of a row.

static constant constexpr uint kDequantizeThreads = 128;

template <typename Format, typename Activation>
[[kernel]] void dequantizeUnit(device const uchar* weights [[buffer(0)]],
                               device const uchar* scales [[buffer(1)]],
                               device const uchar* biases [[buffer(2)]],
                               device const float* factors [[buffer(3)]],
                               device typename Activation::Stored* out [[buffer(4)]],
                               constant Shape& shape [[buffer(5)]],
                               uint3 group [[threadgroup_position_in_grid]],
                               uint part [[simdgroup_index_in_threadgroup]],
                               uint lane [[thread_index_in_simdgroup]])
{
    const uint unit = group.y * kDequantizeThreads + part * kLanes + lane;
    if (unit >= shape.columns / kUnit)
        return;
    float q[kUnit];
    float scale;
    float minimum;
    Format::dequantize(rowAt(weights, scales, biases, shape, group.x), unit, shape, q, scale, minimum);
    const float factor = shape.has_factors ? factors[group.x] : 1.0f;
    device typename Activation::Stored* at = out + ulong(group.x) * shape.columns + unit * kUnit;
    EP_UNROLL
    for (uint i = 0; i < kUnit; ++i)
        at[i] = Activation::put(factor * (scale * q[i] + minimum));
}
