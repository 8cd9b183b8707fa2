// SPDX-License-Identifier: GPL-3.0-or-later
// bitsandbytes: nf4 and fp4, whose values are in a table of f32, and 8 bits with a factor per
// row.
#include "packed/unpacking.h"

#include "ep/json/document.h"
#include "ep/json/value.h"

#include <array>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

constexpr std::string_view kState = ".weight.quant_state.bitsandbytes__";

struct FourBits {
    Part numbers; // U8: the high half of a byte comes first
    Part table; // F32 [16]
    Part largest; // per block: F32, or U8 indices into a table
    Part nestedTable; // F32 [256]
    Part nestedLargest; // F32
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t block = 64;
    std::int64_t nestedBlock = 256;
    double nestedOffset = 0.0;

    float scale(std::int64_t at) const
    {
        if (!nestedTable)
            return floatAt(*largest, at);
        const float number = floatAt(*nestedTable, wholeAt(*largest, at));
        return number * floatAt(*nestedLargest, at / nestedBlock)
            + static_cast<float>(nestedOffset);
    }
};

// Reads what the JSON text in a tensor says about the matrix.
Status readState(const Entry& state, const std::string& ending, const PackedFields& fields,
                 FourBits& four)
{
    const auto bytes = state.tensor.bytes;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto json = json::parseUniqueKeys(text);
    if (!json)
        return fields.wrong(ending, state, Message("is no JSON: %1", json.error().message));
    try {
        const json::Value top(*json);
        const json::Value shape = top.at("shape");
        if (shape.requireArray().size() != 2)
            return fields.wrong(ending, state, "is not of a matrix");
        constexpr std::int64_t kMax = std::int64_t{1} << 31; // so that the product fits
        four.rows = shape.at(0).asInteger(1, kMax);
        four.columns = shape.at(1).asInteger(1, kMax);
        four.block = top.integer("blocksize", 64, 1, 1 << 20);
        four.nestedBlock = top.integer("nested_blocksize", 256, 1, 1 << 20);
        four.nestedOffset = top.number("nested_offset", 0.0, -1e30, 1e30);
    } catch (const json::ReadError& problem) {
        return fields.wrong(ending, state,
                            Message("does not describe a matrix: %1", problem.message()));
    }
    return {};
}

} // namespace

Status joinFourBits(PackedFields& fields)
{
    FourBits four;
    Part state;
    std::string ending = std::string(kState) + "fp4";
    if (!fields.has(ending))
        ending = std::string(kState) + "nf4";
    if (!fields.take(ending, state).status())
        return fields.status();
    if (const Status read = readState(*state, ending, fields, four); !read)
        return read;
    fields.take(".weight.nested_quant_map", four.nestedTable);
    const std::int64_t count = four.rows * four.columns;
    const std::int64_t blocks = (count + four.block - 1) / four.block;
    fields.set("bytes", (count + 1) / 2)
        .set(four.nestedTable ? "roundedBlocks" : "blocks", blocks)
        .set("nestedBlocks", (blocks + four.nestedBlock - 1) / four.nestedBlock)
        .take(".weight", four.numbers)
        .take(".weight.quant_map", four.table)
        .take(".weight.absmax", four.largest);
    if (four.nestedTable)
        fields.take(".weight.nested_absmax", four.nestedLargest);
    if (!fields.status())
        return fields.status();
    Entry entry = *four.numbers;
    entry.tensor.dtype = "F32";
    entry.tensor.shape = {four.rows, four.columns};
    entry.unpack = [four]() -> Result<Entry> {
        std::array<float, 16> table{};
        for (std::size_t i = 0; i < table.size(); ++i)
            table[i] = floatAt(*four.table, static_cast<std::int64_t>(i));
        return plainEntry(
            *four.numbers, four.rows, four.columns, [&](std::int64_t row, float* out) {
                std::int64_t block = -1;
                float scale = 0.0F;
                for (std::int64_t i = 0; i < four.columns; ++i) {
                    const std::int64_t at = row * four.columns + i;
                    if (at / four.block != block) {
                        block = at / four.block;
                        scale = four.scale(block);
                    }
                    const auto byte = static_cast<std::size_t>(wholeAt(*four.numbers, at / 2));
                    out[i] = table[at % 2 == 0 ? byte >> 4U : byte & 15U] * scale;
                }
            });
    };
    return fields.put(std::move(entry));
}

Status joinEightBits(PackedFields& fields)
{
    Part numbers;
    Part largest;
    if (!fields.take(".weight", numbers).take(".SCB", largest).status())
        return fields.status();
    const std::int64_t rows = fields.size("rows");
    Entry entry = *numbers;
    entry.tensor.dtype = "INT8";
    Entry factor;
    factor.file = largest->file;
    factor.tensor.dtype = "F32";
    factor.tensor.shape = {rows};
    const auto memory = memoryFor(factor, static_cast<std::size_t>(rows) * sizeof(float));
    auto* const factors = reinterpret_cast<float*>(memory->data());
    for (std::int64_t row = 0; row < rows; ++row)
        factors[row] = floatAt(*largest, row) / 127.0F;
    entry.factor = std::make_shared<const Entry>(std::move(factor));
    return fields.put(std::move(entry));
}

} // namespace ep::model
