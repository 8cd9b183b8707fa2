// SPDX-License-Identifier: GPL-3.0-or-later
//
// Operations between matmuls, each as one kernel. LibTorch takes up to nine kernels for them, and
// each of those reads and writes the activations. Intermediate values are f32. Needs numbers.metal.

static constant constexpr uint kFusedThreads = 128; // threads of a threadgroup
static constant constexpr uint kFusedGroups = kFusedThreads / kLanes;

// Same layout as GpuNormShape in gpu_fused.cpp.
struct NormShape {
    uint width;
    uint weight_rows; // row r of the input has weights r % weight_rows
    uint centred; // whether the mean is subtracted first
    uint rounds; // whether values are rounded to the type of activations before the weights
    uint has_bias;
    float epsilon;
};

// A threadgroup computes a row.
template <typename Activation, typename Weight>
[[kernel]] void normalizeRow(device const typename Activation::Stored* x [[buffer(0)]],
                             device const typename Weight::Stored* weights [[buffer(1)]],
                             device const typename Weight::Stored* bias [[buffer(2)]],
                             device typename Activation::Stored* out [[buffer(3)]],
                             constant NormShape& shape [[buffer(4)]],
                             uint3 group [[threadgroup_position_in_grid]],
                             uint part [[simdgroup_index_in_threadgroup]],
                             uint lane [[thread_index_in_simdgroup]])
{
    threadgroup float sums[2 * kFusedGroups];
    const uint first = part * kLanes + lane;
    const ulong at_row = ulong(group.x) * shape.width;
    device const typename Activation::Stored* row = x + at_row;
    float means[2] = {0.0f, 0.0f}; // mean of the values, and of the squares of the centred values
    for (uint pass = shape.centred ? 0u : 1u; pass < 2u; ++pass) {
        float sum = 0.0f;
        for (uint i = first; i < shape.width; i += kFusedThreads) {
            const float value = Activation::get(row[i]) - means[0];
            sum += pass == 0u ? value : value * value;
        }
        sum = simd_sum(sum);
        if (lane == 0)
            sums[pass * kFusedGroups + part] = sum;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        float total = 0.0f;
        EP_UNROLL
        for (uint i = 0; i < kFusedGroups; ++i)
            total += sums[pass * kFusedGroups + i];
        means[pass] = total / float(shape.width);
    }
    const float factor = rsqrt(means[1] + shape.epsilon);
    const uint of_row = group.x % shape.weight_rows * shape.width;
    for (uint i = first; i < shape.width; i += kFusedThreads) {
        float value = (Activation::get(row[i]) - means[0]) * factor;
        if (shape.rounds)
            value = Activation::get(Activation::put(value));
        value *= Weight::get(weights[of_row + i]);
        if (shape.has_bias)
            value += Weight::get(bias[of_row + i]);
        out[at_row + i] = Activation::put(value);
    }
}

// Same layout as GpuRotationShape in gpu_fused.cpp.
struct RotationShape {
    uint count; // number of all values
    uint heads;
    uint dim; // values of a head
    uint pairs; // rotated pairs of a head; the values after them are kept
    uint interleaved; // pairs are (2i, 2i + 1) instead of (i, i + pairs)
};

// A thread computes one value of x [rows, heads x dim]; cosines and sines are [rows, pairs].
template <typename Activation>
[[kernel]] void rotateValue(device const typename Activation::Stored* x [[buffer(0)]],
                            device const typename Activation::Stored* cosines [[buffer(1)]],
                            device const typename Activation::Stored* sines [[buffer(2)]],
                            device typename Activation::Stored* out [[buffer(3)]],
                            constant RotationShape& shape [[buffer(4)]],
                            uint3 group [[threadgroup_position_in_grid]],
                            uint part [[simdgroup_index_in_threadgroup]],
                            uint lane [[thread_index_in_simdgroup]])
{
    const uint index = group.x * kFusedThreads + part * kLanes + lane;
    if (index >= shape.count)
        return;
    const uint place = index % shape.dim;
    if (place >= 2 * shape.pairs) {
        out[index] = x[index];
        return;
    }
    const uint distance = shape.interleaved ? 1u : shape.pairs;
    const bool second = (shape.interleaved ? place % 2u : place / shape.pairs) == 1u;
    const uint pair = shape.interleaved ? place / 2u : place % shape.pairs;
    const uint angle = index / (shape.heads * shape.dim) * shape.pairs + pair;
    const float cosine = Activation::get(cosines[angle]);
    const float sine = Activation::get(sines[angle]);
    const float own = Activation::get(x[index]);
    const float other = Activation::get(x[second ? index - distance : index + distance]);
    out[index] = Activation::put(own * cosine + (second ? other : -other) * sine);
}

// Same layout as GpuGateShape in gpu_fused.cpp.
struct GateShape {
    uint count;
    uint gelu; // GELU (tanh approximation) instead of SiLU
};

static inline float sigmoid(float x)
{
    return 1.0f / (1.0f + metal::exp(min(-x, 80.0f))); // the result is 0 in f32 anyway above 80
}

// A thread computes one value of f(x) y.
template <typename Activation>
[[kernel]] void gateValue(device const typename Activation::Stored* x [[buffer(0)]],
                          device const typename Activation::Stored* y [[buffer(1)]],
                          device typename Activation::Stored* out [[buffer(2)]],
                          constant GateShape& shape [[buffer(3)]],
                          uint3 group [[threadgroup_position_in_grid]],
                          uint part [[simdgroup_index_in_threadgroup]],
                          uint lane [[thread_index_in_simdgroup]])
{
    const uint index = group.x * kFusedThreads + part * kLanes + lane;
    if (index >= shape.count)
        return;
    const float value = Activation::get(x[index]);
    // (1 + tanh(u)) / 2 is the sigmoid of 2 u.
    const float inner = shape.gelu
        ? 2.0f * 0.7978845608f * (value + 0.044715f * value * value * value) // sqrt(2 / pi)
        : value;
    out[index] = Activation::put(value * sigmoid(inner) * Activation::get(y[index]));
}

static constant constexpr uint kStatisticsThreads = 256;
static constant constexpr uint kStatisticsGroups = kStatisticsThreads / kLanes;

// Same layout as GpuStatisticsShape in gpu_fused.cpp.
struct StatisticsShape {
    uint count; // of values, at least 1
    float threshold;
};

// One threadgroup computes the mean of |x|, the standard deviation, the largest |x|, and the share of
// |x| below the threshold. Deviations are taken from the first value, so that their squares
// lose fewer digits.
template <typename Activation>
[[kernel]] void summarize(device const typename Activation::Stored* x [[buffer(0)]],
                          device float* out [[buffer(1)]],
                          constant StatisticsShape& shape [[buffer(2)]],
                          uint3 group [[threadgroup_position_in_grid]],
                          uint part [[simdgroup_index_in_threadgroup]],
                          uint lane [[thread_index_in_simdgroup]])
{
    threadgroup float sums[4 * kStatisticsGroups];
    threadgroup float largest[kStatisticsThreads];
    const uint first = part * kLanes + lane;
    const float origin = Activation::get(x[0]);
    float own[4] = {0.0f, 0.0f, 0.0f, 0.0f}; // |x|, deviations, their squares, values below
    float most = 0.0f;
    for (uint i = first; i < shape.count; i += kStatisticsThreads) {
        const float value = Activation::get(x[i]);
        const float magnitude = value < 0.0f ? -value : value;
        const float deviation = value - origin;
        own[0] += magnitude;
        own[1] += deviation;
        own[2] += deviation * deviation;
        own[3] += magnitude < shape.threshold ? 1.0f : 0.0f;
        most = magnitude > most ? magnitude : most;
    }
    largest[first] = most;
    EP_UNROLL
    for (uint i = 0; i < 4; ++i) {
        const float sum = simd_sum(own[i]);
        if (lane == 0)
            sums[i * kStatisticsGroups + part] = sum;
    }
    for (uint distance = kStatisticsThreads / 2; distance > 0; distance /= 2) {
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (first < distance && largest[first + distance] > largest[first])
            largest[first] = largest[first + distance];
    }
    if (group.x != 0 || first != 0)
        return;
    float means[4];
    EP_UNROLL
    for (uint i = 0; i < 4; ++i) {
        float total = 0.0f;
        EP_UNROLL
        for (uint p = 0; p < kStatisticsGroups; ++p)
            total += sums[i * kStatisticsGroups + p];
        means[i] = total / float(shape.count);
    }
    const float variance = means[2] - means[1] * means[1];
    out[0] = means[0];
    out[1] = variance > 0.0f ? variance * rsqrt(variance) : 0.0f;
    out[2] = largest[0];
    out[3] = means[3];
}
