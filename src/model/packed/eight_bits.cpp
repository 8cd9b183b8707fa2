// SPDX-License-Identifier: GPL-3.0-or-later
// FP8 with a scale per block, row or matrix, and gpt-oss' MXFP4.
#include "packed/unpacking.h"

#include <cstring>
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

Status joinFp8(Parts& parts)
{
    const auto numbers = parts.take(".weight");
    auto scales = parts.take(".weight_scale_inv"); // multiplies despite its name
    const std::string ending = scales ? ".weight_scale_inv" : ".weight_scale";
    if (!scales)
        scales = parts.take(".weight_scale");
    for (const char* const other :
         {".input_scale", ".activation_scale", ".input_scale_ub", ".k_scale", ".v_scale"})
        parts.take(other);
    const std::vector<std::int64_t>& shape = numbers->tensor.shape;
    if (shape.size() != 2)
        return parts.wrong(".weight", *numbers, "is no matrix");
    const std::int64_t rows = shape[0];
    const std::int64_t columns = shape[1];
    std::int64_t blockRows = 0;
    std::int64_t blockColumns = 0;
    if (scales) {
        const std::vector<std::int64_t>& of = scales->tensor.shape;
        const auto wrong = [&] {
            return parts.wrong(
                ending, *scales,
                Message(
                    "has the shape %1, which is no scale for each block, row or the whole of %2",
                    shapeText(of), shapeText(shape)));
        };
        if (!isFloat(*scales))
            return wrong();
        const std::int64_t count = scales->tensor.elements();
        const bool forRows = count == rows && (of.size() == 1 || of[1] == 1);
        if (count != 1 && !forRows) {
            if (of.size() != 2)
                return wrong();
            blockRows = blockOf(rows, of[0]);
            blockColumns = blockOf(columns, of[1]);
            if (blockRows == 0 || blockColumns == 0)
                return wrong();
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
        parts.put(parts.prefix() + ".weight", std::move(entry));
        return {};
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
    parts.put(parts.prefix() + ".weight", std::move(entry));
    return {};
}

Status joinMxfp4(Parts& parts)
{
    const auto numbers = parts.take("_blocks");
    const auto scales = parts.take("_scales");
    if (!scales)
        return parts.missing("_scales");
    const std::vector<std::int64_t>& shape = numbers->tensor.shape;
    constexpr std::int64_t kBytes = 16; // bytes for 32 numbers
    if (shape.size() < 3 || shape.back() != kBytes || numbers->tensor.dtype != "U8") {
        return parts.wrong(
            "_blocks", *numbers,
            Message("has the shape %1, which is not that of blocks of 16 bytes", shapeText(shape)));
    }
    const std::vector<std::int64_t> expected(shape.begin(), shape.end() - 1);
    if (scales->tensor.shape != expected || scales->tensor.dtype != "U8") {
        return parts.wrong("_scales", *scales,
                           Message("has the shape %1, not %2 of U8",
                                   shapeText(scales->tensor.shape), shapeText(expected)));
    }
    Entry entry = *numbers;
    Entry::Groups groups{.scales = *scales, .columns = 32};
    groups.scales.tensor.dtype = "E8M0";
    entry.groups = std::make_shared<const Entry::Groups>(std::move(groups));
    entry.tensor.dtype = "MLX_MXFP4";
    entry.tensor.shape = expected;
    entry.tensor.shape.back() *= 32;
    parts.put(parts.prefix(), std::move(entry)); // gpt-oss' names have no ".weight"
    return {};
}

} // namespace ep::model
