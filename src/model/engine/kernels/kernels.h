// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// Inner loops of the decoder on the processor: single-threaded, no allocation, f32 arithmetic. The
// same source (kernels_impl.h) is compiled for several instruction sets; kernels() picks the best
// variant for this machine. Pointers need no alignment beyond that of their type.
namespace ep::model {

enum class Activation : std::uint8_t {
    Silu,
    GeluTanh,
    GeluErf,
    QuickGelu,
    Relu,
    ReluSquared,
    Sigmoid
};

// Sums of one pass over values, relative to a shift that keeps the variance accurate if the mean is
// far from zero.
struct ValueSums {
    double abs_sum = 0.0;
    double shifted_sum = 0.0; // sum of x - shift
    double shifted_square_sum = 0.0; // sum of (x - shift)^2
    float max_abs = 0.0F;
    std::int64_t below = 0; // count of |x| < threshold
    std::int64_t count = 0;

    ValueSums& operator+=(const ValueSums& other) // requires the same shift
    {
        abs_sum += other.abs_sum;
        shifted_sum += other.shifted_sum;
        shifted_square_sum += other.shifted_square_sum;
        max_abs = other.max_abs > max_abs ? other.max_abs : max_abs;
        below += other.below;
        count += other.count;
        return *this;
    }
};

// Figures of one head's attention weights w.
struct WeightFigures {
    float entropy = 0.0F; // -sum w ln w
    float largest = 0.0F;
    float square_sum = 0.0F; // sum w^2
    std::int64_t below = 0; // count below the threshold
};

// For formats with separate scales: one scale, and one minimum if there are biases, for each tile
// of rows and columns; [rows / of each, columns / of each], both rounded up.
struct GroupScales {
    enum class Type : std::uint8_t { F32, BF16, F16, E8M0, E4M3 };
    const void* scales = nullptr; // null: 1
    const void* biases = nullptr;
    std::int64_t columns = 0; // 32, 64 or 128; 16 for MlxNvfp4
    Type type = Type::F32;
    std::int64_t rows = 1;
};

// Rows of a weight, row-major [rows, columns]; 16-bit values are passed as bit patterns.
struct WeightRows {
    const void* values = nullptr;
    std::int64_t columns = 0;
    const float* scales = nullptr; // a factor per row, applied before the bias; null: 1
    const float* bias = nullptr; // per row; may be null
    GroupScales groups{}; // for formats with separate scales
    // For matmuls of many rows with block formats: columns [begin, begin + count) of a row,
    // without its factor. Set by the kernels themselves.
    void (*part)(const WeightRows& weights, std::int64_t row, std::int64_t begin, float* out,
                 std::int64_t count) = nullptr;
};

// 16-bit activations [columns], for weights in block formats: value x scale of its group of 32.
// The memory is a multiple of 256 columns; whatever follows the last column is zero.
struct BlockedRow {
    const std::int16_t* values = nullptr;
    const float* scales = nullptr; // per group
    const float* sums = nullptr; // per group: the sum of its values x its scale
    const float* half_sums = nullptr; // like `sums`, per half group
    // The values as bytes: for every 64 values the upper bytes, then the lower ones, where
    // value = 256 x upper + lower. Only where kernels multiply bytes.
    const std::int8_t* bytes = nullptr;
};

// Some positions of one value head, for the recurrence of a state S [key_dim, value_dim]. At each
// position, the state decays, stores value v under key k, and is read with query q:
//   S = decay S,  S = S + k (factor u)^T,  out = S^T q + skip v
//  where u is v or, by the delta rule, v - S^T k: the part that the state does not yet contain.
struct RecurrentRows {
    const float* queries = nullptr; // first position; the next is `key_stride` further
    const float* keys = nullptr; // laid out like `queries`
    std::int64_t key_stride = 0;
    const float* values = nullptr;
    std::int64_t value_stride = 0;
    const float* factors = nullptr;
    std::int64_t factor_stride = 0;
    const float* decays = nullptr;
    std::int64_t decay_stride = 0;
    float* out = nullptr;
    std::int64_t out_stride = 0;
    std::int64_t rows = 0;
    std::int64_t key_dim = 0;
    std::int64_t value_dim = 0;
    float skip = 0.0F;
    bool delta = false;
};

// How GEMV, the product with one row of activations, traverses the rows of a weight: four rows at a
// time, each from a quarter of the range, so that memory is read in four streams. All shapes
// compute the same; which is fastest depends on the processor, the type and the number of columns
// (kernel_choice.h).
enum class RowShape : std::uint8_t {
    Spread,
    SpreadAhead, // prefetches a fixed distance ahead
    Pairs, // native products of pairs, for some types (PairKernels::row)
};
inline constexpr int kRowShapes = 3;
inline constexpr int kPlainRowShapes = 2; // the shapes that every type has

// Kernels that use instructions for pairs of 16-bit numbers; null where the processor has none. The
// kernels for many rows round the activations: to bf16 for bf16 weights, to 16 bits for int8.
struct PairKernels {
    // Like Kernels::packPanel(), into the same memory; for kMinPairColumns columns or more.
    void (*pack)(const float* x, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                 std::int64_t panel, float* panels) = nullptr;
    // Like MatmulKernels::manyRows().
    void (*multiply)(const WeightRows& weights, const float* panels, std::int64_t rows,
                     float* scratch, float* out, std::int64_t out_stride, std::int64_t begin,
                     std::int64_t end) = nullptr;
    // Rounds each activation of a row to the sum of two bf16 numbers. `rounded` has as many values
    // as there are columns, rounded up to a multiple of kMinPairColumns.
    void (*roundRow)(const float* x, std::int64_t columns, float* rounded) = nullptr;
    // Like MatmulKernels::row, for a rounded row.
    void (*row)(const WeightRows& weights, const float* rounded, float* out, std::int64_t begin,
                std::int64_t end) = nullptr;
};
inline constexpr std::int64_t kMinPairColumns = 32;

// The matmuls with weights of one type.
struct MatmulKernels {
    // out[r] = weights[r, :] . x (+ bias[r]) for begin <= r < end.
    void (*row[kPlainRowShapes])(const WeightRows& weights, const float* x, float* out,
                                 std::int64_t begin, std::int64_t end);
    // out[i, r] = weights[r, :] . x[i, :] (+ bias[r]) for begin <= r < end and all `inputs` rows
    // of x; reads the weights once.
    void (*fewRows)(const WeightRows& weights, const float* x, std::int64_t x_stride,
                    std::int64_t inputs, float* out, std::int64_t out_stride, std::int64_t begin,
                    std::int64_t end);
    // Multiplies like fewRows, for `rows` rows of activations that packPanel() has packed. scratch:
    // memory of the thread for panelScratch(rows) values, all finite at first use.
    void (*manyRows)(const WeightRows& weights, const float* panels, std::int64_t rows,
                     float* scratch, float* out, std::int64_t out_stride, std::int64_t begin,
                     std::int64_t end);
    PairKernels pairs;
    void (*dequantize)(const void* in, float* out,
                       std::int64_t count); // without a factor; not for block formats
    // One row of activations, for weights in block formats only, whose row[] and fewRows are null.
    void (*blockRow)(const WeightRows& weights, const BlockedRow& x, float* out, std::int64_t begin,
                     std::int64_t end);
    // out = weights[row, :], with all factors, for any type.
    void (*dequantizeRow)(const WeightRows& weights, std::int64_t row, float* out);
    bool (*finite)(const void* blocks, std::int64_t count); // blocks: whether factors are finite
};

inline constexpr int kWeightTypes = 39; // number of values of DType
inline constexpr int kBf16Weights = 1; // DType::BF16

struct Kernels {
    const char* name; // "AVX2", "portable"
    int vector_bytes; // width of its registers

    MatmulKernels matmuls[kWeightTypes]; // by DType
    // Converts x [columns] to the memory of a BlockedRow; `bytes` has twice as many elements as
    // `values`.
    void (*quantizeRow)(const float* x, std::int64_t columns, std::int16_t* values, float* scales,
                        float* sums, float* half_sums, std::int8_t* bytes);
    std::int64_t panel_rows; // rows of activations in a panel
    // Packs one panel of x [rows, columns]. panels: the memory for all panels, `columns` values
    // per row; the number of rows is rounded up to whole panels.
    void (*packPanel)(const float* x, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                      std::int64_t panel, float* panels);
    std::int64_t (*panelScratch)(std::int64_t rows);

    void (*rmsNorm)(const float* x, const float* weight, float epsilon, float* out,
                    std::int64_t count);
    void (*layerNorm)(const float* x, const float* weight, const float* bias, float epsilon,
                      float* out, std::int64_t count); // bias may be null

    void (*add)(float* x, const float* y, std::int64_t count); // x += y
    // out = f(x), or f(x) * multiplier if multiplier is not null.
    void (*activate)(Activation kind, const float* x, const float* multiplier, float* out,
                     std::int64_t count);

    // out[c] = bias[c] + sum over j < taps of weights[j, c] * inputs[j][c]; bias may be null.
    void (*convolve)(const float* const* inputs, std::int64_t taps, const float* weights,
                     const float* bias, float* out, std::int64_t count);
    // Handles columns [begin, end) of the values, independently of the other columns.
    void (*recur)(const RecurrentRows& rows, float* state, std::int64_t begin, std::int64_t end);

    // Rotates the pairs (i, i + half) of each of `heads` vectors at distance `stride`.
    void (*rotate)(float* x, std::int64_t heads, std::int64_t stride, const float* cosines,
                   const float* sines, std::int64_t half);
    // x = softmax(scale * x)
    void (*softmax)(float* x, std::int64_t count, float scale);
    // x = cap * tanh(scale * x / cap)
    void (*softCap)(float* x, std::int64_t count, float scale, float cap);
    // out[o, d] = sum over t < count of weights[o, t] * rows[t, d]; count > 0
    void (*weightedSums)(const float* weights, std::int64_t weights_stride, std::int64_t outputs,
                         const float* rows, std::int64_t count, std::int64_t dimension, float* out,
                         std::int64_t out_stride);

    // The parts of a norm and of an activation function, for decomposed computation.
    float (*mean)(const float* x, std::int64_t count); // count > 0
    float (*meanSquare)(const float* x, float shift, std::int64_t count); // mean of (x - shift)^2
    // out = (x - shift) * factor
    void (*normalize)(const float* x, float shift, float factor, float* out, std::int64_t count);
    // x = x * weight (+ bias)
    void (*scaleShift)(float* x, const float* weight, const float* bias, std::int64_t count);
    void (*multiply)(const float* x, const float* y, float* out, std::int64_t count);
    void (*scale)(float* x, float factor, std::int64_t count);
    // x = softmax(x), with the figures as by-products: with e = exp(x - max) and Z = sum e, the
    // entropy is ln Z - sum e (x - max) / Z, and the largest weight 1 / Z.
    WeightFigures (*softmaxFigures)(float* x, std::int64_t count, float threshold);

    float (*maximum)(const float* x, std::int64_t count); // count > 0
    double (*sumOfExp)(const float* x, std::int64_t count, float shift); // sum of exp(x - shift)

    void (*accumulate)(const float* x, std::int64_t count, float threshold, float shift,
                       ValueSums& sums);
    std::int64_t (*countNegative)(const float* x, std::int64_t count);
    bool (*finiteF32)(const void* x, std::int64_t count); // no infinity, no NaN
    bool (*finiteBF16)(const void* x, std::int64_t count);
    bool (*finiteF16)(const void* x, std::int64_t count);
};

// The best variant for this machine within the limit that LibTorch also obeys: the environment
// variable ATEN_CPU_CAPABILITY ("avx2": no AVX-512; "default": no AVX2 either), as read at the
// first call.
const Kernels& kernels();

enum class DType : std::uint8_t; // ep/model/dtype.h

// The kernels for weights of this type.
const MatmulKernels& matmulsFor(const Kernels& kernels, DType dtype);

// A copy of the table under another name and with other kernels for pairs of bf16 weights.
Kernels withPairsOfBf16(const Kernels& table, const PairKernels& pairs, const char* name);

// The variants; null if not available in this build or on this machine (kernel_tables.h lists all
// available ones).
const Kernels* portableKernels();
const Kernels* avx2Kernels();
const Kernels* avxVnniKernels();
const Kernels* avx512Kernels();
const Kernels* avx512VnniKernels();
const Kernels* avx512Bf16Kernels();
const Kernels* amxKernels();
const Kernels* dotprodKernels();
const Kernels* bf16Kernels(); // NEON with bf16 products

} // namespace ep::model
