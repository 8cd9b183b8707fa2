// SPDX-License-Identifier: GPL-3.0-or-later
// FP8 with a scale per block, row or matrix, and gpt-oss' MXFP4.
#include "packed/unpacking.h"

#include <utility>

namespace ep::model {
namespace {

bool isPowerOfTwo(std::int64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

// The block size if `count` blocks cover `extent`: the smallest power of two, at least 32, with
// that many blocks, the last of which may be cut off; 128 if that fits.
std::int64_t blockOf(std::int64_t extent, std::int64_t count)
{
    constexpr std::int64_t kUsual = 128;
    const auto fits = [&](std::int64_t block) { return (extent + block - 1) / block == count; };
    if (fits(kUsual))
        return kUsual;
    for (std::int64_t block = 1; block <= extent * 2; block *= 2) {
        if (fits(block))
            return block;
    }
    return 0;
}

} // namespace

Status joinFp8(PackedFields& fields)
{
    Part numbers;
    Part scales;
    std::string ending = ".weight_scale_inv"; // multiplies despite its name
    fields.take(".weight", numbers).take(ending, scales);
    if (!scales)
        fields.take(ending = ".weight_scale", scales);
    if (!fields.status())
        return fields.status();
    const std::int64_t rows = fields.size("rows");
    const std::int64_t columns = fields.size("columns");
    std::int64_t blockRows = 0;
    std::int64_t blockColumns = 0;
    if (fields.size("rowBlocks") > 0) {
        blockRows = blockOf(rows, fields.size("rowBlocks"));
        blockColumns = blockOf(columns, fields.size("columnBlocks"));
        if (blockRows == 0 || blockColumns == 0) {
            return fields.wrong(
                ending, *scales,
                Message(
                    "has the shape %1, which is no scale for each block, row or the whole of %2",
                    shapeText(scales->tensor.shape), shapeText(numbers->tensor.shape)));
        }
    }
    Entry entry = *numbers;
    if (columns % 32 == 0
        && (blockColumns == 0 || (blockColumns % 32 == 0 && isPowerOfTwo(blockColumns)))) {
        entry.tensor.dtype = "FP8";
        if (scales && blockColumns > 0) {
            entry.groups = std::make_shared<const Entry::Groups>(
                Entry::Groups{.scales = *scales, .columns = blockColumns, .rows = blockRows});
        } else if (scales) {
            entry.factor = scales;
        }
        return fields.put(std::move(entry));
    }
    entry.tensor.dtype = "F32"; // for rows that are not a multiple of 32
    entry.unpack = [=, numbers = numbers, scales = scales]() -> Result<Entry> {
        return plainEntry(*numbers, rows, columns, [&](std::int64_t row, float* out) {
            for (std::int64_t i = 0; i < columns; ++i) {
                const std::int64_t ofRow = blockColumns > 0 ? scales->tensor.shape[1] : 1;
                const std::int64_t place = blockColumns > 0
                    ? row / blockRows * ofRow + i / blockColumns
                    : (scales && scales->tensor.elements() > 1 ? row : 0);
                out[i] = floatAt(*numbers, row * columns + i)
                    * (scales ? floatAt(*scales, place) : 1.0F);
            }
        });
    };
    return fields.put(std::move(entry));
}

Status joinMxfp4(PackedFields& fields)
{
    Part numbers;
    Part scales;
    if (!fields.take("_blocks", numbers).take("_scales", scales).status())
        return fields.status();
    Entry entry = *numbers;
    Entry::Groups groups{.scales = *scales, .columns = 32};
    groups.scales.tensor.dtype = "E8M0";
    entry.groups = std::make_shared<const Entry::Groups>(std::move(groups));
    entry.tensor.dtype = "MLX_MXFP4";
    entry.tensor.shape = scales->tensor.shape;
    entry.tensor.shape.back() *= 32;
    return fields.put(fields.prefix(), std::move(entry)); // gpt-oss' names have no ".weight"
}

} // namespace ep::model
