// SPDX-License-Identifier: GPL-3.0-or-later
// Formats with scales in separate tensors, in plain code: MLX's affine formats, and four- and
// eight-bit floats (E2M1, E4M3) from MLX and from FP8 folders.
#pragma once

#include "block_formats.h"
#include "codebooks.h"

namespace ep::model {
namespace {

struct TwoWords {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};
// Loads up to twelve bytes into registers. Loading a vector from memory that was just written in
// pieces would stall until the last piece is stored.
template <int kBytes>
EP_INLINE TwoWords twoWords(const std::uint8_t* in)
{
    static_assert(kBytes <= 8 || kBytes == 12);
    TwoWords words;
    __builtin_memcpy(&words.low, in, kBytes < 8 ? kBytes : 8);
    if constexpr (kBytes == 12) {
        std::uint32_t rest = 0;
        __builtin_memcpy(&rest, in + 8, sizeof rest);
        words.high = rest;
    }
    return words;
}

// A stream of kBits-bit numbers.
template <int kBits>
struct Apart {
    struct Place {
        const std::uint8_t* values;
        Index first; // first scale of the row
        Index group; // within the row
        int shift; // 1 << shift groups share a scale
        const GroupScales* scales;
    };
    static constexpr int kGroups = 1;
    static constexpr bool kHalves = false;
    static constexpr bool kSigned = false;
    static constexpr bool kMinima = false;
    static constexpr bool kFloats = false;
    static constexpr int kZero = 0;
    static constexpr Index kBytes = kGroup * kBits / 8; // per group

    static EP_INLINE Place place(const WeightRows& w, Index row)
    {
        const GroupScales& s = w.groups;
        const Index columns = s.columns == 0 ? w.columns : s.columns;
        const Index ofRow = (w.columns + columns - 1) / columns;
        return {.values = static_cast<const std::uint8_t*>(w.values)
                    + row * (w.columns / kGroup) * kBytes,
                .first = row / s.rows * ofRow,
                .group = 0,
                .shift = columns < kGroup
                    ? 0
                    : __builtin_ctzll(static_cast<std::uint64_t>(columns / kGroup)),
                .scales = &s};
    }
    static EP_INLINE Place at(Place place, Index group)
    {
        place.values += group * kBytes;
        place.group += group;
        return place;
    }
    static EP_INLINE Index scaleIndex(const Place& row, Index group)
    {
        return row.first + ((row.group + group) >> row.shift);
    }
    // A tensor of a safetensors file may begin at any byte.
    template <typename Number>
    static EP_INLINE Number load(const void* numbers, Index index)
    {
        Number number;
        __builtin_memcpy(&number, static_cast<const Number*>(numbers) + index, sizeof number);
        return number;
    }
    static EP_INLINE float number(const void* numbers, Index index, GroupScales::Type type)
    {
        switch (type) {
        case GroupScales::Type::F16:
            return TypeF16::one(load<std::uint16_t>(numbers, index));
        case GroupScales::Type::BF16:
            return TypeBF16::one(load<std::uint16_t>(numbers, index));
        case GroupScales::Type::E8M0:
            return powerOfTwo(static_cast<const std::uint8_t*>(numbers)[index]);
        case GroupScales::Type::E4M3:
            return valueOfE4M3(static_cast<const std::uint8_t*>(numbers)[index]);
        case GroupScales::Type::F32:
            break;
        }
        return load<float>(numbers, index);
    }
    static EP_INLINE float scale(const Place& row, Index group, int)
    {
        return number(row.scales->scales, scaleIndex(row, group), row.scales->type);
    }
    static EP_INLINE float minimum(const Place&, Index, int) { return 0.0F; }
};

// scale q + minimum ("bias")
template <int kBits>
struct FormatMlx : Apart<kBits> {
    using Base = Apart<kBits>;
    using Place = typename Base::Place;
    static constexpr bool kSigned = kBits == 8; // stored as q - 128, for products of signed bytes
    static constexpr int kZero = kBits == 8 ? -128 : 0;
    static constexpr bool kMinima = true;

    static EP_INLINE void values(const Place& row, Index group, std::int8_t* out)
    {
        const std::uint8_t* const in = row.values + group * Base::kBytes;
        for (int i = 0; i < kGroup; ++i) {
            const int bit = i * kBits;
            // A number may begin in one byte and end in the next.
            const int word = in[bit / 8] | (bit % 8 + kBits > 8 ? in[bit / 8 + 1] << 8 : 0);
            const int q = word >> bit % 8 & ((1 << kBits) - 1);
            out[i] = byteOf(kSigned ? q + kZero : q);
        }
    }
    static EP_INLINE float minimum(const Place& row, Index group, int)
    {
        return Base::number(row.scales->biases, Base::scaleIndex(row, group), row.scales->type);
    }
};

// E2M1 numbers with a scale for every 32 or 16.
template <bool kOf16>
struct FormatE2M1 : Apart<4> {
    static constexpr bool kSigned = true;
    static constexpr bool kHalves = kOf16;
    static EP_INLINE void values(const Place& row, Index group, std::int8_t* out)
    {
        const std::uint8_t* const in = row.values + group * kBytes;
        for (int i = 0; i < kGroup; ++i)
            out[i] = kE2M1Doubled[in[i / 2] >> 4 * (i % 2) & 15];
    }
    static EP_INLINE float scale(const Place& row, Index group, int half)
    {
        const Index index =
            kOf16 ? row.first + 2 * (row.group + group) + half : scaleIndex(row, group);
        return number(row.scales->scales, index, row.scales->type) * 0.5F;
    }
};

using FormatMlxMxfp4 = FormatE2M1<false>;
using FormatMlxNvfp4 = FormatE2M1<true>;

// E4M3 numbers, with or without scales.
struct FormatFp8 : Apart<8> {
    static constexpr bool kFloats = true;
    static EP_INLINE void floats(const Place& row, Index group, float* out)
    {
        const std::uint8_t* const in = row.values + group * kBytes;
        for (int i = 0; i < kGroup; ++i)
            out[i] = valueOfE4M3(in[i]);
    }
    static EP_INLINE float scale(const Place& row, Index group, int half)
    {
        return row.scales->scales ? Apart<8>::scale(row, group, half) : 1.0F;
    }
};

} // namespace
} // namespace ep::model
