// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "packed/packed_fields.h"

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

// Shared by the ways to pack weights.
namespace ep::model {

using Entry = Checkpoint::Entry;
using Part = std::shared_ptr<const Entry>; // a field of a packed matrix

inline constexpr int kPackedWordBits = 32;

// Reads numbers of a field that was checked: integers (I8, U8, I32, I64) or floats (F32, F16, BF16,
// E4M3).
std::int64_t wholeAt(const Entry& part, std::int64_t index);
float floatAt(const Entry& part, std::int64_t index);
std::uint32_t wordAt(const Entry& part, std::int64_t index); // I32, U32
bool isFloat(const Entry& part);

std::string shapeText(const std::vector<std::int64_t>& shape); // "4 x 8"

// Allocates memory for an entry that is not in a file.
std::shared_ptr<std::vector<std::byte>> memoryFor(Entry& entry, std::size_t bytes);

// The shape of a matrix with groups.
struct Affine {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    int bits = 0;
    std::int64_t group = 0; // number of columns with a common scale
    // Whether MLX's formats can represent the matrix: their groups have 32, 64 or 128 columns.
    bool fits() const { return columns % 32 == 0 && group % 32 == 0 && columns % group == 0; }
    std::int64_t stored() const // columns per group in the entry
    {
        return group % 128 == 0 ? 128 : group % 64 == 0 ? 64 : 32;
    }
};

// Adds scales, and biases -zero x scale, to an entry whose bytes are numbers as stored by MLX.
using OfGroup = std::function<float(std::int64_t row, std::int64_t group)>;
void addGroups(const Affine& shape, const OfGroup& scale, const OfGroup& zero, Entry& entry);

// A plain matrix in f32.
Entry plainEntry(const Entry& like, std::int64_t rows, std::int64_t columns,
                 const std::function<void(std::int64_t row, float* values)>& fill);

// One function for each way to pack weights; it takes the parts and puts X.weight.
Status joinGptq(const PackedSettings& settings, PackedFields& fields);
Status joinAwq(const PackedSettings& settings, PackedFields& fields);
Status joinPackedWords(PackedFields& fields); // compressed-tensors: int4, int8
Status joinPackedFloats(PackedFields& fields); // compressed-tensors: nvfp4, mxfp4
Status joinWholeNumbers(PackedFields& fields); // compressed-tensors: I8 with scales
Status joinFp8(PackedFields& fields);
Status joinMxfp4(PackedFields& fields); // gpt-oss: X_blocks, X_scales
Status joinFourBits(PackedFields& fields); // bitsandbytes: nf4, fp4
Status joinEightBits(PackedFields& fields); // bitsandbytes

} // namespace ep::model
