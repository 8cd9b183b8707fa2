// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of f32 for the kernels of kernels_impl.h, which lists the required definitions. The
// loads below convert weights of any type to f32 lanes.
#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#ifndef EP_REGISTERS // registers that every processor of the architecture has
#ifdef __aarch64__
#define EP_REGISTERS 32
#else
#define EP_REGISTERS 16
#endif
#endif

namespace ep::model {
namespace {

using Index = std::int64_t;
typedef float Vec __attribute__((vector_size(EP_VECTOR_BYTES)));
typedef std::int32_t VecI __attribute__((vector_size(EP_VECTOR_BYTES)));
typedef std::uint32_t VecU __attribute__((vector_size(EP_VECTOR_BYTES)));
typedef std::uint16_t VecHalf __attribute__((vector_size(EP_VECTOR_BYTES / 2)));
typedef std::int16_t VecShort __attribute__((vector_size(EP_VECTOR_BYTES / 2)));
typedef std::int8_t VecByte __attribute__((vector_size(EP_VECTOR_BYTES / 4)));

constexpr Index kLanes = EP_VECTOR_BYTES / 4;

#define EP_INLINE inline __attribute__((always_inline))

// --- Loads: every weight type becomes f32 lanes -------------------------------------------------

EP_INLINE Vec load(const float* p)
{
    Vec v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

struct VecPair {
    Vec first;
    Vec second;
};

// loadPair() returns two vectors of weights in whichever order is cheapest; arrange() puts their
// factors into the same order.
struct InOrder {
    static EP_INLINE VecPair arrange(const float* x) { return {load(x), load(x + kLanes)}; }
};

struct TypeF32 : InOrder {
    using Stored = float;
    static EP_INLINE Vec load(const float* p) { return model::load(p); }
    static EP_INLINE VecPair loadPair(const float* p) { return {load(p), load(p + kLanes)}; }
    static EP_INLINE float one(float value) { return value; }
};

struct TypeBF16 {
    using Stored = std::uint16_t;
    static EP_INLINE Vec load(const std::uint16_t* p)
    {
        VecHalf half;
        __builtin_memcpy(&half, p, sizeof half);
        return __builtin_bit_cast(Vec, __builtin_convertvector(half, VecU) << 16);
    }
    // The even values, then the odd ones.
    static EP_INLINE VecPair loadPair(const std::uint16_t* p)
    {
        VecU both;
        __builtin_memcpy(&both, p, sizeof both);
#if defined(__AVX2__)
        // Loaded once: loading each line twice costs up to 8 % of the memory's bandwidth (Zen 5).
        __asm__("" : "+v"(both));
#endif
        return {__builtin_bit_cast(Vec, both << 16), __builtin_bit_cast(Vec, both & 0xFFFF0000U)};
    }
    static EP_INLINE VecPair arrange(const float* x)
    {
        const Vec a = model::load(x);
        const Vec b = model::load(x + kLanes);
#if EP_VECTOR_BYTES == 64
        return {__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                        30),
                __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29,
                                        31)};
#elif EP_VECTOR_BYTES == 32
        return {__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14),
                __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)};
#else
        return {__builtin_shufflevector(a, b, 0, 2, 4, 6),
                __builtin_shufflevector(a, b, 1, 3, 5, 7)};
#endif
    }
    static EP_INLINE float one(std::uint16_t bits)
    {
        return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
    }
};

// Without a conversion instruction: the bits of an f16, moved to their position in an f32, give a
// value that is 2^112 too small; the multiplication also handles subnormals. Infinity and NaN are
// not preserved; such weights are refused on loading.
struct TypeF16 : InOrder {
    using Stored = std::uint16_t;
    static EP_INLINE Vec load(const std::uint16_t* p)
    {
        VecHalf half;
        __builtin_memcpy(&half, p, sizeof half);
#if EP_VECTOR_BYTES == 64
        return _mm512_cvtph_ps(__builtin_bit_cast(__m256i, half));
#elif EP_VECTOR_BYTES == 32
        return _mm256_cvtph_ps(__builtin_bit_cast(__m128i, half));
#else
        const VecU bits = __builtin_convertvector(half, VecU);
        const Vec magnitude = __builtin_bit_cast(Vec, (bits & 0x7FFFU) << 13) * 0x1p112F;
        return __builtin_bit_cast(Vec,
                                  __builtin_bit_cast(VecU, magnitude) | ((bits & 0x8000U) << 16));
#endif
    }
    static EP_INLINE VecPair loadPair(const std::uint16_t* p)
    {
        return {load(p), load(p + kLanes)};
    }
    static EP_INLINE float one(std::uint16_t bits)
    {
#if defined(__aarch64__)
        return static_cast<float>(__builtin_bit_cast(__fp16, bits));
#else
        const std::uint32_t wide = bits;
        const float magnitude = __builtin_bit_cast(float, (wide & 0x7FFFU) << 13) * 0x1p112F;
        return wide & 0x8000U ? -magnitude : magnitude;
#endif
    }
};

// The compiler's own vector conversion takes many steps. The portable version goes through 16
// bits, since GCC 12 takes twice as long for the direct conversion.
struct TypeI8 : InOrder {
    using Stored = std::int8_t;
    static EP_INLINE Vec load(const std::int8_t* p)
    {
#if EP_VECTOR_BYTES == 64
        return _mm512_cvtepi32_ps(
            _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
#elif EP_VECTOR_BYTES == 32
        return _mm256_cvtepi32_ps(
            _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
#else
        VecByte bytes;
        __builtin_memcpy(&bytes, p, sizeof bytes);
        const VecShort shorts = __builtin_convertvector(bytes, VecShort);
        return __builtin_convertvector(__builtin_convertvector(shorts, VecI), Vec);
#endif
    }
    static EP_INLINE VecPair loadPair(const std::int8_t* p)
    {
        return {load(p), load(p + kLanes)};
    }
    static EP_INLINE float one(std::int8_t value)
    {
        return static_cast<float>(value);
    }
};

EP_INLINE void store(float* p, Vec v)
{
    __builtin_memcpy(p, &v, sizeof v);
}

// Interleaves the lanes of the lower, or upper, halves of two vectors.
EP_INLINE Vec interleaveLow(Vec a, Vec b)
{
#if EP_VECTOR_BYTES == 64
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
#elif EP_VECTOR_BYTES == 32
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
#else
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
#endif
}

EP_INLINE Vec interleaveHigh(Vec a, Vec b)
{
#if EP_VECTOR_BYTES == 64
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
#elif EP_VECTOR_BYTES == 32
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
#else
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
#endif
}

// Folds halves onto each other: a chain of steps from lane to lane would take as long as a short
// row does. `combine` accepts vectors and lanes.
template <typename V, typename Combine>
EP_INLINE auto fold(V v, Combine combine)
{
#if EP_VECTOR_BYTES == 64
    v = combine(
        v, __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    v = combine(
        v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
    v = combine(
        v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
#elif EP_VECTOR_BYTES == 32
    v = combine(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
    v = combine(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
#else
    v = combine(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
#endif
    return combine(v[0], v[1]);
}

struct Plus {
    template <typename T>
    EP_INLINE T operator()(T a, T b) const
    {
        return a + b;
    }
};

struct Larger {
    template <typename T>
    EP_INLINE T operator()(T a, T b) const
    {
        return a > b ? a : b;
    }
};

EP_INLINE float sum(Vec v)
{
    return fold(v, Plus{});
}

EP_INLINE std::int32_t sum(VecI v)
{
    return fold(v, Plus{});
}

EP_INLINE float largestOf(Vec v)
{
    return fold(v, Larger{});
}

// Lane i: the sum of the lanes of v[i]. Adds halves in all vectors at once.
EP_INLINE Vec sumEach(Vec (&v)[kLanes])
{
    for (Index count = kLanes / 2; count > 0; count /= 2) {
        for (Index i = 0; i < count; ++i)
            v[i] = interleaveLow(v[i], v[i + count]) + interleaveHigh(v[i], v[i + count]);
    }
    return v[0];
}

EP_INLINE Vec select(VecI mask, Vec yes, Vec no)
{
    return mask ? yes : no;
}

// The compiler would generate a comparison and a selection, which delays the sums of rows.
EP_INLINE Vec larger(Vec a, Vec b)
{
#if EP_VECTOR_BYTES == 64
    return _mm512_max_ps(a, b);
#elif EP_VECTOR_BYTES == 32
    return _mm256_max_ps(a, b);
#else
    return select(a > b, a, b);
#endif
}

EP_INLINE Vec absolute(Vec v)
{
    return __builtin_bit_cast(Vec, __builtin_bit_cast(VecI, v) & 0x7FFF'FFFF);
}

} // namespace
} // namespace ep::model
