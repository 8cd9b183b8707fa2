// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of Metal's language and library that the kernels use, as CUDA C++. NVIDIA's compiler
// (NVRTC) gets this text as <metal_stdlib>. Functions run on the device
// (--device-as-default-execution-space).
#pragma once

#define device
#define constant const
#define thread
#define threadgroup __shared__
#define EP_UNROLL _Pragma("unroll")

typedef signed char int8_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long long ulong;

// A 16-bit float. Its arithmetic is that of f32, because every value is converted explicitly.
struct half {
    ushort bits;
    half() = default;
    explicit half(float value) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value)); }
    operator float() const
    {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
    }
};

namespace metal {

template <typename To, typename From>
To as_type(From from)
{
    static_assert(sizeof(To) == sizeof(From), "other bits");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

template <typename T>
T min(T a, T b)
{
    return a < b ? a : b;
}

inline float exp(float x)
{
    return expf(x);
}

enum class mem_flags { mem_threadgroup };

inline void threadgroup_barrier(mem_flags)
{
    __syncthreads();
}

inline float simd_sum(float value)
{
    EP_UNROLL
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xFFFFFFFFu, value, distance);
    return value;
}

// Two values per lane: row lane / 4, columns lane % 4 * 2 and the next.
struct simdgroup_float8x8 {
    float own[2];
};

template <typename T, int kSide>
simdgroup_float8x8 make_filled_simdgroup_matrix(T value)
{
    return {{value, value}};
}

inline void simdgroup_load(simdgroup_float8x8& to, const float* from, uint stride)
{
    const uint lane = threadIdx.x % 32;
    for (uint i = 0; i < 2; ++i)
        to.own[i] = from[lane / 4 * stride + lane % 4 * 2 + i];
}

inline void simdgroup_store(const simdgroup_float8x8& from, float* to, uint stride)
{
    const uint lane = threadIdx.x % 32;
    for (uint i = 0; i < 2; ++i)
        to[lane / 4 * stride + lane % 4 * 2 + i] = from.own[i];
}

// result = a b + c
inline void simdgroup_multiply_accumulate(simdgroup_float8x8& result, const simdgroup_float8x8& a,
                                          const simdgroup_float8x8& b, const simdgroup_float8x8& c)
{
    const uint lane = threadIdx.x % 32;
    result = c;
    EP_UNROLL
    for (uint k = 0; k < 8; ++k) {
        const float left = __shfl_sync(0xFFFFFFFFu, a.own[k % 2], lane / 4 * 4 + k / 2);
        EP_UNROLL
        for (uint i = 0; i < 2; ++i)
            result.own[i] += left * __shfl_sync(0xFFFFFFFFu, b.own[i], k * 4 + lane % 4);
    }
}

} // namespace metal

// An argument of a kernel: a pointer to anything.
struct Buffer {
    void* at;
    template <typename T>
    operator T*() const
    {
        return static_cast<T*>(at);
    }
};
