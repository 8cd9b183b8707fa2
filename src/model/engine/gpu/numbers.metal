// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parameters of the kernels for GPUs, and the types of numbers that they compute with.
//
// numbers.metal, formats.metal and matmul.metal are joined in this order. Metal compiles the text
// at run time as C++14 with address spaces, NVIDIA's compiler as CUDA C++ with cuda_words.metal in
// place of Metal's library; the tests compile it as C++ with an imitation. The program appends the
// code that makes kernels of the functions that it needs (gpu_source.h).
#include <metal_stdlib>
#include <metal_simdgroup_matrix>

using namespace metal;

#ifndef EP_UNROLL
#define EP_UNROLL _Pragma("clang loop unroll(full)")
#endif

// Same layout as GpuShape in gpu_formats.h.
struct Shape {
    uint rows;
    uint columns; // a multiple of 32
    uint inputs;
    uint row_bytes;
    uint row_scales; // scales of a row, if they are in a separate tensor
    uint units_of_scale; // units that share a scale
    uint scale_type; // a GroupScales::Type: f32, bf16, f16, E8M0, E4M3
    uint has_scales;
    uint has_factors;
    uint has_bias;
};

// The piece of a row that a thread processes at a time. Its values share a scale in every format.
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

// A power of two with an exponent of eight bits (E8M0).
static inline float powerOfTwo(uint exponent)
{
    return as_type<float>(exponent == 0u ? 0x00400000u : exponent << 23);
}

static inline float valueOfE4M3(uint bits)
{
    const uint exponent = bits >> 3 & 15u;
    const uint fraction = bits & 7u;
    const float value = exponent == 0u ? float(fraction) * 0.001953125f // 2^-9
                                       : as_type<float>((exponent + 120u) << 23 | fraction << 20);
    return bits & 128u ? -value : value;
}

// Reads number `index` of an array of the given type.
static inline float numberAt(device const uchar* numbers, uint index, uint type)
{
    if (type == 0)
        return reinterpret_cast<device const float*>(numbers)[index];
    if (type == 1)
        return floatOfBf16(reinterpret_cast<device const ushort*>(numbers)[index]);
    if (type == 3)
        return powerOfTwo(numbers[index]);
    if (type == 4)
        return valueOfE4M3(numbers[index]);
    return float(reinterpret_cast<device const half*>(numbers)[index]);
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
    static ushort put(float value) // rounds to nearest, ties to even
    {
        const uint bits = as_type<uint>(value);
        if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
            return ushort(bits >> 16 | 64u); // NaN
        return ushort((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
    }
};
