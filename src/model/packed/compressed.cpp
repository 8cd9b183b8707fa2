// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of compressed-tensors: X.weight_packed or X.weight with X.weight_scale.
#include "packed/unpacking.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ep::model {
namespace {

struct WholeNumbers {
    Part numbers; // I32: packed; or I8
    Part scales;
    Part zeros; // I32: packed along the rows; or I8, I64; may be absent
    Part order; // group of each column; may be absent
    Affine shape;

    int offset() const { return 1 << (shape.bits - 1); } // packed numbers are unsigned
    std::int64_t groups() const { return shape.columns / shape.group; }
    float scale(std::int64_t row, std::int64_t group) const
    {
        return floatAt(*scales, scales->tensor.elements() == 1 ? 0 : row * groups() + group);
    }
    // The signed zero point.
    float zero(std::int64_t row, std::int64_t group) const
    {
        if (!zeros)
            return 0.0F;
        if (zeros->tensor.dtype != "I32") {
            const bool one = zeros->tensor.elements() == 1;
            return static_cast<float>(wholeAt(*zeros, one ? 0 : row * groups() + group));
        }
        const std::int64_t inWord = kPackedWordBits / shape.bits;
        const std::uint32_t word = wordAt(*zeros, row / inWord * groups() + group);
        const std::uint32_t mask = (1U << shape.bits) - 1U;
        return static_cast<float>(static_cast<int>(word >> (row % inWord * shape.bits) & mask)
                                  - offset());
    }
    int number(std::int64_t row, std::int64_t column) const
    {
        if (numbers->tensor.dtype == "I8")
            return static_cast<int>(wholeAt(*numbers, row * shape.columns + column));
        const std::int64_t inWord = kPackedWordBits / shape.bits;
        const std::int64_t words = numbers->tensor.shape[1];
        const std::uint32_t word = wordAt(*numbers, row * words + column / inWord);
        const std::uint32_t mask = (1U << shape.bits) - 1U;
        return static_cast<int>(word >> (column % inWord * shape.bits) & mask) - offset();
    }
};

Status takeScales(PackedFields& fields, WholeNumbers& whole)
{
    const auto& [rows, columns, bits, unused] = whole.shape;
    if (!fields.take(".weight_scale", whole.scales).status())
        return fields.status();
    const std::int64_t groups = std::max<std::int64_t>(1, fields.size("groups"));
    if (columns % groups != 0) {
        return fields.wrong(
            ".weight_scale", *whole.scales,
            Message("has the shape %1, which does not divide rows of %2 into groups",
                    shapeText(whole.scales->tensor.shape), columns));
    }
    whole.shape.group = columns / groups;
    const std::int64_t inWord = kPackedWordBits / bits;
    fields.set("groups", groups)
        .set("columns", columns)
        .set("numbers", rows * groups)
        .set("zeroWords", (rows + inWord - 1) / inWord)
        .take(".weight_zero_point", whole.zeros)
        .take(".weight_g_idx", whole.order);
    if (!fields.status() || !whole.order)
        return fields.status();
    bool inOrder = true;
    for (std::int64_t i = 0; i < columns; ++i)
        inOrder &= wholeAt(*whole.order, i) == i / whole.shape.group;
    if (inOrder || wholeAt(*whole.order, 0) < 0) // all indices are -1
        whole.order = nullptr;
    return {};
}

// Unpacks to f32: for groups in any order, or of a size that no format has.
Entry wholePlain(const WholeNumbers& w)
{
    return plainEntry(*w.numbers, w.shape.rows, w.shape.columns, [&](std::int64_t row, float* out) {
        for (std::int64_t i = 0; i < w.shape.columns; ++i) {
            const std::int64_t group = w.order ? wholeAt(*w.order, i) : i / w.shape.group;
            out[i] =
                w.scale(row, group) * (static_cast<float>(w.number(row, i)) - w.zero(row, group));
        }
    });
}

// Packed words store the numbers as MLX does; I8 lacks the offset, which is added.
Entry wholeAffine(const WholeNumbers& w)
{
    Entry entry = *w.numbers;
    entry.unpack = nullptr;
    if (w.numbers->tensor.dtype == "I8") {
        const auto numbers = w.numbers->tensor.bytes;
        const auto memory = memoryFor(entry, numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            (*memory)[i] = numbers[i] ^ std::byte{0x80};
    }
    addGroups(
        w.shape, [&](std::int64_t row, std::int64_t group) { return w.scale(row, group); },
        [&](std::int64_t row, std::int64_t group) {
            return w.zero(row, group) + static_cast<float>(w.offset());
        },
        entry);
    return entry;
}

Status putLazily(PackedFields& fields, WholeNumbers whole)
{
    const bool fits = !whole.order && whole.shape.fits();
    Entry entry = *whole.numbers;
    entry.tensor.dtype = fits ? "MLX" + std::to_string(whole.shape.bits) : "F32";
    entry.tensor.shape = {whole.shape.rows, whole.shape.columns};
    entry.unpack = [whole = std::move(whole), fits]() -> Result<Entry> {
        return fits ? wholeAffine(whole) : wholePlain(whole);
    };
    return fields.put(std::move(entry));
}

} // namespace

Status joinPackedWords(PackedFields& fields)
{
    WholeNumbers whole;
    Part shape;
    if (!fields.take(".weight_packed", whole.numbers).take(".weight_shape", shape).status())
        return fields.status();
    whole.shape.rows = wholeAt(*shape, 0);
    whole.shape.columns = wholeAt(*shape, 1);
    for (const int bits : {4, 8, 2}) {
        const std::int64_t inWord = kPackedWordBits / bits;
        if ((whole.shape.columns + inWord - 1) / inWord == fields.size("words"))
            whole.shape.bits = bits;
    }
    if (whole.shape.bits == 0 || whole.shape.rows != fields.size("rows")) {
        return fields.wrong(
            ".weight_packed", *whole.numbers,
            Message("has the shape %1, which does not hold %2 x %3 numbers of 2, 4 or 8 bits",
                    shapeText(whole.numbers->tensor.shape), whole.shape.rows, whole.shape.columns));
    }
    if (const Status scales = takeScales(fields, whole); !scales)
        return scales;
    return putLazily(fields, std::move(whole));
}

Status joinWholeNumbers(PackedFields& fields)
{
    WholeNumbers whole;
    if (!fields.take(".weight", whole.numbers).status())
        return fields.status();
    whole.shape = {.rows = fields.size("rows"), .columns = fields.size("columns"), .bits = 8};
    if (const Status scales = takeScales(fields, whole); !scales)
        return scales;
    return putLazily(fields, std::move(whole));
}

Status joinPackedFloats(PackedFields& fields)
{
    Part numbers;
    Part scales;
    Part global;
    if (!fields.take(".weight_packed", numbers).status())
        return fields.status();
    const std::int64_t rows = fields.size("rows");
    const std::int64_t columns = 2 * fields.size("bytes");
    if (columns % 32 != 0) {
        return fields.wrong(".weight_packed", *numbers,
                            Message("has rows of %1 numbers, which are no blocks of 32", columns));
    }
    fields.set("groupsOf16", columns / 16)
        .set("groupsOf32", columns / 32)
        .take(".weight_scale", scales)
        .take(".weight_global_scale", global);
    if (!fields.status())
        return fields.status();
    const bool nvfp4 = scales->tensor.dtype == "F8_E4M3";
    Entry entry = *numbers;
    Entry::Groups groups{.scales = *scales, .columns = nvfp4 ? 16 : 32};
    groups.scales.tensor.dtype = nvfp4 ? "E4M3" : "E8M0";
    entry.groups = std::make_shared<const Entry::Groups>(std::move(groups));
    entry.tensor.dtype = nvfp4 ? "MLX_NVFP4" : "MLX_MXFP4";
    entry.tensor.shape = {rows, columns};
    if (global) {
        Entry factor;
        factor.file = global->file;
        factor.tensor.dtype = "F32";
        const float inverse = 1.0F / floatAt(*global, 0);
        std::memcpy(memoryFor(factor, sizeof inverse)->data(), &inverse, sizeof inverse);
        entry.factor = std::make_shared<const Entry>(std::move(factor));
    }
    return fields.put(std::move(entry));
}

} // namespace ep::model
