// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of compressed-tensors: X.weight_packed or X.weight with X.weight_scale.
#include "packed/unpacking.h"

#include <cstring>
#include <utility>

namespace ep::model {
namespace {

// Ignores tensors for activations and the cache, which the program does not quantize.
void leaveAside(Parts& parts)
{
    for (const char* const ending : {".input_scale", ".input_zero_point", ".input_global_scale",
                                     ".output_scale", ".k_scale", ".v_scale", ".q_scale"})
        parts.take(ending);
}

// Number of groups per row for scales [rows, groups], [rows], [1] or a single number; 0 if the
// shape fits none of these.
std::int64_t groupsOfRow(const Entry& scales, std::int64_t rows)
{
    const std::int64_t count = scales.tensor.elements();
    if (count == 1)
        return 1;
    return rows > 0 && count % rows == 0 && !scales.tensor.shape.empty()
            && scales.tensor.shape.front() == rows
        ? count / rows
        : 0;
}

struct WholeNumbers {
    std::shared_ptr<const Entry> numbers; // I32: packed; or I8
    std::shared_ptr<const Entry> scales;
    std::shared_ptr<const Entry> zeros; // I32: packed along the rows; or I8; may be absent
    std::shared_ptr<const Entry> order; // group of each column; may be absent
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
        if (zeros->tensor.elements() == 1)
            return static_cast<float>(wholeAt(*zeros, 0));
        if (zeros->tensor.dtype != "I32")
            return static_cast<float>(wholeAt(*zeros, row * groups() + group));
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

Status takeScales(Parts& parts, WholeNumbers& whole)
{
    whole.scales = parts.take(".weight_scale");
    whole.zeros = parts.take(".weight_zero_point");
    whole.order = parts.take(".weight_g_idx");
    leaveAside(parts);
    if (!whole.scales)
        return parts.missing(".weight_scale");
    const std::int64_t groups = groupsOfRow(*whole.scales, whole.shape.rows);
    if (groups == 0 || whole.shape.columns % groups != 0 || !isFloat(*whole.scales)) {
        return parts.wrong(".weight_scale", *whole.scales,
                           Message("has the shape %1, which does not divide rows of %2 into groups",
                                   shapeText(whole.scales->tensor.shape), whole.shape.columns));
    }
    whole.shape.group = whole.shape.columns / groups;
    if (whole.zeros) {
        const std::int64_t inWord = kPackedWordBits / whole.shape.bits;
        const bool packed =
            whole.zeros->tensor.dtype == "I32" || whole.zeros->tensor.dtype == "U32";
        const std::int64_t rows =
            packed ? (whole.shape.rows + inWord - 1) / inWord : whole.shape.rows;
        const std::int64_t count = whole.zeros->tensor.elements();
        if (count != rows * groups && !(count == 1 && groups == 1)) {
            return parts.wrong(".weight_zero_point", *whole.zeros,
                               "does not hold a zero for each group");
        }
    }
    if (whole.order) {
        if (whole.order->tensor.elements() != whole.shape.columns) {
            return parts.wrong(".weight_g_idx", *whole.order,
                               "does not hold a group for each column");
        }
        bool set = false; // -1 means groups in order
        bool inOrder = true;
        for (std::int64_t i = 0; i < whole.shape.columns; ++i) {
            const std::int64_t group = wholeAt(*whole.order, i);
            set |= group >= 0;
            inOrder &= group == i / whole.shape.group;
            if (group >= groups) {
                return parts.wrong(
                    ".weight_g_idx", *whole.order,
                    Message("names the group %1 of %2 for the column %3", group, groups, i));
            }
        }
        if (!set || inOrder)
            whole.order = nullptr;
    }
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

void putLazily(Parts& parts, WholeNumbers whole)
{
    const bool fits = !whole.order && whole.shape.fits();
    Entry entry = *whole.numbers;
    entry.tensor.dtype = fits ? "MLX" + std::to_string(whole.shape.bits) : "F32";
    entry.tensor.shape = {whole.shape.rows, whole.shape.columns};
    entry.unpack = [whole = std::move(whole), fits]() -> Result<Entry> {
        return fits ? wholeAffine(whole) : wholePlain(whole);
    };
    parts.put(parts.prefix() + ".weight", std::move(entry));
}

} // namespace

Status joinPackedWords(Parts& parts)
{
    WholeNumbers whole;
    whole.numbers = parts.take(".weight_packed");
    const auto shape = parts.take(".weight_shape");
    if (whole.numbers->tensor.shape.size() != 2)
        return parts.wrong(".weight_packed", *whole.numbers, "is no matrix");
    if (!shape)
        return parts.missing(".weight_shape");
    if (shape->tensor.elements() != 2
        || (shape->tensor.dtype != "I64" && shape->tensor.dtype != "I32"))
        return parts.wrong(".weight_shape", *shape, "does not hold two numbers");
    whole.shape.rows = wholeAt(*shape, 0);
    whole.shape.columns = wholeAt(*shape, 1);
    const std::int64_t words = whole.numbers->tensor.shape[1];
    for (const int bits : {4, 8, 2}) {
        const std::int64_t inWord = kPackedWordBits / bits;
        if (whole.shape.columns > 0 && (whole.shape.columns + inWord - 1) / inWord == words)
            whole.shape.bits = bits;
    }
    if (whole.shape.bits == 0 || whole.shape.rows != whole.numbers->tensor.shape[0]) {
        return parts.wrong(
            ".weight_packed", *whole.numbers,
            Message("has the shape %1, which does not hold %2 x %3 numbers of 2, 4 or 8 bits",
                    shapeText(whole.numbers->tensor.shape), whole.shape.rows, whole.shape.columns));
    }
    if (const Status scales = takeScales(parts, whole); !scales)
        return scales;
    putLazily(parts, std::move(whole));
    return {};
}

Status joinWholeNumbers(Parts& parts)
{
    WholeNumbers whole;
    whole.numbers = parts.take(".weight");
    const std::vector<std::int64_t>& shape = whole.numbers->tensor.shape;
    if (shape.size() != 2 || whole.numbers->tensor.elements() == 0)
        return parts.wrong(".weight", *whole.numbers, "is no matrix");
    whole.shape = {.rows = shape[0], .columns = shape[1], .bits = 8};
    if (const Status scales = takeScales(parts, whole); !scales)
        return scales;
    putLazily(parts, std::move(whole));
    return {};
}

Status joinPackedFloats(Parts& parts)
{
    const auto numbers = parts.take(".weight_packed");
    const auto scales = parts.take(".weight_scale");
    const auto global = parts.take(".weight_global_scale");
    leaveAside(parts);
    if (!scales)
        return parts.missing(".weight_scale");
    const std::vector<std::int64_t>& shape = numbers->tensor.shape;
    if (shape.size() != 2)
        return parts.wrong(".weight_packed", *numbers, "is no matrix");
    const bool nvfp4 = scales->tensor.dtype == "F8_E4M3";
    const std::int64_t columns = 2 * shape[1];
    const std::int64_t group = nvfp4 ? 16 : 32;
    const std::vector<std::int64_t> expected{shape[0], columns / group};
    if (columns % 32 != 0 || scales->tensor.shape != expected
        || !(nvfp4 || scales->tensor.dtype == "U8")) {
        return parts.wrong(".weight_scale", *scales,
                           Message("has the shape %1, not %2 of F8_E4M3 or U8",
                                   shapeText(scales->tensor.shape), shapeText(expected)));
    }
    Entry entry = *numbers;
    Entry::Groups groups{.scales = *scales, .columns = group};
    groups.scales.tensor.dtype = nvfp4 ? "E4M3" : "E8M0";
    entry.groups = std::make_shared<const Entry::Groups>(std::move(groups));
    entry.tensor.dtype = nvfp4 ? "MLX_NVFP4" : "MLX_MXFP4";
    entry.tensor.shape = {shape[0], columns};
    if (global) {
        if (global->tensor.elements() != 1 || !isFloat(*global) || floatAt(*global, 0) == 0.0F)
            return parts.wrong(".weight_global_scale", *global,
                               "is not one number other than zero");
        Entry factor;
        factor.file = global->file;
        factor.tensor.dtype = "F32";
        const float inverse = 1.0F / floatAt(*global, 0);
        std::memcpy(memoryFor(factor, sizeof inverse)->data(), &inverse, sizeof inverse);
        entry.factor = std::make_shared<const Entry>(std::move(factor));
    }
    parts.put(parts.prefix() + ".weight", std::move(entry));
    return {};
}

} // namespace ep::model
