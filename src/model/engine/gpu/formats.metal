// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads weights in the formats in which they are stored. block_layouts.h describes them, and
// formats_apart.h those with scales in separate tensors. Needs numbers.metal.

// dequantize() returns the numbers q of a unit; a value is scale x q + minimum.

struct Row {
    device const uchar* bytes;
    device const uchar* scales; // scales of all rows, if they are in a separate tensor
    device const uchar* biases; // biases of all rows, if they are in a separate tensor
    uint first_scale;
};

// Numbers of four bits: the low or the high nibbles of 16 bytes.
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

// Adds the bits of 16 bytes from bit `shift` on, multiplied by a factor.
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

// Scale and minimum of a group, 0 to 7, of Q4_K or Q5_K, whose blocks begin in the same way.
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

struct Q4_1 {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 2 * 20;
        nibbles(block + 4, unit % 2 * 4, q);
        scale = halfAt(block);
        minimum = halfAt(block + 2);
    }
};

// The fifth bits of 16 numbers, next to each other.
static inline void addFifthBits(device const uchar* at, thread float* q)
{
    const uint bits = *reinterpret_cast<device const ushort*>(at);
    EP_UNROLL
    for (uint i = 0; i < kUnit; ++i)
        q[i] += 16.0f * float(bits >> i & 1u);
}

struct Q5_0 {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 2 * 22;
        nibbles(block + 6, unit % 2 * 4, q);
        addFifthBits(block + 2 + unit % 2 * 2, q);
        scale = halfAt(block);
        minimum = -16.0f * scale;
    }
};

struct Q5_1 {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 2 * 24;
        nibbles(block + 8, unit % 2 * 4, q);
        addFifthBits(block + 4 + unit % 2 * 2, q);
        scale = halfAt(block);
        minimum = halfAt(block + 2);
    }
};

// Numbers of two bits: 32 bytes hold four groups, the first in the lowest bits.
// group: the group of the unit.
static inline void pairsOfBits(device const uchar* at, uint group, thread float* q)
{
    EP_UNROLL
    for (uint i = 0; i < kUnit; ++i)
        q[i] = 0.0f;
    addBits(at + group / 4 * 32, 2 * (group % 4), 3u, 1.0f, q);
}

struct Q2_K {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 16 * 84;
        const uint scales = block[unit % 16];
        pairsOfBits(block + 16 + unit % 2 * 16, unit % 16 / 2, q);
        scale = halfAt(block + 80) * float(scales & 15u);
        minimum = -halfAt(block + 82) * float(scales >> 4);
    }
};

struct Q3_K {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 16 * 110;
        device const uchar* scales = block + 96;
        const uint group = unit % 16 / 2;
        const uint inside = unit % 2 * 16;
        pairsOfBits(block + 32 + inside, group, q);
        addBits(block + inside, group, 1u, 4.0f, q);
        const uint i = unit % 16;
        const uint low = i < 8 ? scales[i] & 15u : uint(scales[i - 8]) >> 4;
        const uint high = uint(scales[8 + i % 4]) >> 2 * (i / 4) & 3u;
        scale = halfAt(block + 108) * (float(low | high << 4) - 32.0f);
        minimum = -4.0f * scale;
    }
};

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

// The codebooks of codebooks.h.
static constant constexpr float kNonLinear[16] = {-127.0f, -104.0f, -83.0f, -65.0f, -49.0f, -35.0f,
                                                  -22.0f,  -10.0f,  1.0f,   13.0f,  25.0f,  38.0f,
                                                  53.0f,   69.0f,   89.0f,  113.0f};
static constant constexpr float kE2M1[16] = {0.0f,  0.5f,  1.0f,  1.5f,  2.0f,  3.0f,  4.0f,  6.0f,
                                             -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f};

// The low or the high nibbles of 16 bytes, at any address, as indices into a codebook.
static inline void lookUp(device const uchar* at, uint shift, constant float* codebook,
                          thread float* q)
{
    EP_UNROLL
    for (uint i = 0; i < kUnit; ++i)
        q[i] = codebook[uint(at[i]) >> shift & 15u];
}

struct Iq4Nl {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 2 * 18;
        lookUp(block + 2, unit % 2 * 4, kNonLinear, q);
        scale = halfAt(block);
        minimum = 0.0f;
    }
};

struct Iq4Xs {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 16 * 136;
        const uint group = unit % 16 / 2;
        lookUp(block + 8 + group * 16, unit % 2 * 4, kNonLinear, q);
        const uint low = uint(block[4 + group / 2]) >> group % 2 * 4 & 15u;
        const uint high = uint(*reinterpret_cast<device const ushort*>(block + 2)) >> 2 * group & 3u;
        scale = halfAt(block) * (float(low | high << 4) - 32.0f);
        minimum = 0.0f;
    }
};

struct Mxfp4 {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 2 * 17;
        lookUp(block + 1, unit % 2 * 4, kE2M1, q);
        scale = powerOfTwo(block[0]);
        minimum = 0.0f;
    }
};

struct Nvfp4 {
    static void dequantize(Row row, uint unit, constant Shape&, thread float* q, thread float& scale,
                      thread float& minimum)
    {
        device const uchar* block = row.bytes + unit / 4 * 36;
        device const uchar* numbers = block + 4 + unit % 4 * 8;
        EP_UNROLL
        for (uint i = 0; i < kUnit / 2; ++i) {
            q[i] = kE2M1[numbers[i] & 15u];
            q[i + kUnit / 2] = kE2M1[uint(numbers[i]) >> 4];
        }
        // Ignores the sign of the scale; NaN in E4M3 becomes 0.
        const uint bits = block[unit % 4] & 127u;
        scale = bits == 127u ? 0.0f : valueOfE4M3(bits);
        minimum = 0.0f;
    }
};

// A stream of numbers of a fixed number of bits, which may straddle two words of 16 bits.
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

typedef Mlx<1> Mlx1;
typedef Mlx<2> Mlx2;
typedef Mlx<3> Mlx3;
typedef Mlx<4> Mlx4;
typedef Mlx<5> Mlx5;
typedef Mlx<6> Mlx6;
typedef Mlx<8> Mlx8;

static inline float scaleOfUnit(Row row, uint unit, constant Shape& shape)
{
    if (!shape.has_scales)
        return 1.0f;
    return numberAt(row.scales, row.first_scale + unit / shape.units_of_scale, shape.scale_type);
}

// Numbers in E2M1, as in MLX's mxfp4 and nvfp4.
struct MlxE2M1 {
    static void dequantize(Row row, uint unit, constant Shape& shape, thread float* q,
                      thread float& scale, thread float& minimum)
    {
        device const uchar* numbers = row.bytes + unit * (kUnit / 2);
        EP_UNROLL
        for (uint i = 0; i < kUnit / 2; ++i) {
            q[2 * i] = kE2M1[numbers[i] & 15u];
            q[2 * i + 1] = kE2M1[uint(numbers[i]) >> 4];
        }
        scale = scaleOfUnit(row, unit, shape);
        minimum = 0.0f;
    }
};

struct Fp8 {
    static void dequantize(Row row, uint unit, constant Shape& shape, thread float* q,
                      thread float& scale, thread float& minimum)
    {
        EP_UNROLL
        for (uint i = 0; i < kUnit; ++i)
            q[i] = valueOfE4M3(row.bytes[unit * kUnit + i]);
        scale = scaleOfUnit(row, unit, shape);
        minimum = 0.0f;
    }
};

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
