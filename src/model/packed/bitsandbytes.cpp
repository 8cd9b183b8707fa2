// SPDX-License-Identifier: GPL-3.0-or-later
// bitsandbytes: nf4 and fp4, whose values are in a table of f32, and 8 bits with a factor per
// row.
#include "packed/unpacking.h"

#include "ep/json/document.h"
#include "ep/json/value.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

constexpr std::string_view kState = ".weight.quant_state.bitsandbytes__";

struct FourBits {
    std::shared_ptr<const Entry> numbers; // U8: the high half of a byte comes first
    std::shared_ptr<const Entry> table; // F32 [16]
    std::shared_ptr<const Entry> largest; // per block: F32, or U8 indices into a table
    std::shared_ptr<const Entry> nestedTable; // F32 [256]
    std::shared_ptr<const Entry> nestedLargest; // F32
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
Status readState(const Entry& state, const std::string& ending, const Parts& parts, FourBits& four)
{
    const auto bytes = state.tensor.bytes;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto json = json::parseUniqueKeys(text);
    if (!json)
        return parts.wrong(ending, state, Message("is no JSON: %1", json.error().message));
    try {
        const json::Value top(*json);
        const json::Value shape = top.at("shape");
        if (shape.requireArray().size() != 2)
            return parts.wrong(ending, state, "is not of a matrix");
        constexpr std::int64_t kMax = std::int64_t{1} << 31; // so that the product fits
        four.rows = shape.at(0).asInteger(1, kMax);
        four.columns = shape.at(1).asInteger(1, kMax);
        four.block = top.integer("blocksize", 64, 1, 1 << 20);
        four.nestedBlock = top.integer("nested_blocksize", 256, 1, 1 << 20);
        four.nestedOffset = top.number("nested_offset", 0.0, -1e30, 1e30);
    } catch (const json::ReadError& problem) {
        return parts.wrong(ending, state,
                           Message("does not describe a matrix: %1", problem.message()));
    }
    return {};
}

bool holdsNumbers(const std::shared_ptr<const Entry>& part, std::string_view type,
                  std::int64_t count)
{
    return part && part->tensor.dtype == type && part->tensor.elements() == count;
}

} // namespace

Status joinFourBits(Parts& parts)
{
    FourBits four;
    std::string ending;
    std::shared_ptr<const Entry> state;
    for (const char* const kind : {"nf4", "fp4"}) {
        if (parts.has(std::string(kState) + kind)) {
            ending = std::string(kState) + kind;
            state = parts.take(ending);
        }
    }
    if (!state)
        return parts.missing(std::string(kState) + "nf4");
    if (const Status read = readState(*state, ending, parts, four); !read)
        return read;
    four.numbers = parts.take(".weight");
    four.table = parts.take(".weight.quant_map");
    four.largest = parts.take(".weight.absmax");
    four.nestedTable = parts.take(".weight.nested_quant_map");
    four.nestedLargest = parts.take(".weight.nested_absmax");
    const std::int64_t count = four.rows * four.columns;
    const std::int64_t blocks = (count + four.block - 1) / four.block;
    if (four.numbers->tensor.elements() != (count + 1) / 2) {
        return parts.wrong(
            ".weight", *four.numbers,
            Message("does not hold %1 x %2 numbers of 4 bits", four.rows, four.columns));
    }
    if (!four.table || !four.largest)
        return parts.missing(four.table ? ".weight.absmax" : ".weight.quant_map");
    if (!holdsNumbers(four.table, "F32", 16))
        return parts.wrong(".weight.quant_map", *four.table, "does not hold 16 numbers of F32");
    if (!holdsNumbers(four.largest, four.nestedTable ? "U8" : "F32", blocks))
        return parts.wrong(".weight.absmax", *four.largest,
                           "does not hold a number for each block");
    if (four.nestedTable
        && (!holdsNumbers(four.nestedTable, "F32", 256)
            || !holdsNumbers(four.nestedLargest, "F32",
                             (blocks + four.nestedBlock - 1) / four.nestedBlock))) {
        return parts.wrong(".weight.nested_quant_map", *four.nestedTable,
                           "and its scales do not fit the blocks");
    }
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
    parts.put(parts.prefix() + ".weight", std::move(entry));
    return {};
}

Status joinEightBits(Parts& parts)
{
    const auto numbers = parts.take(".weight");
    const auto largest = parts.take(".SCB");
    parts.take(".weight_format");
    const std::vector<std::int64_t>& shape = numbers->tensor.shape;
    if (shape.size() != 2 || !holdsNumbers(largest, "F32", shape[0]))
        return parts.wrong(".weight", *numbers, "has no scale for each row");
    Entry entry = *numbers;
    entry.tensor.dtype = "INT8";
    Entry factor;
    factor.file = largest->file;
    factor.tensor.dtype = "F32";
    factor.tensor.shape = {shape[0]};
    const auto memory = memoryFor(factor, static_cast<std::size_t>(shape[0]) * sizeof(float));
    auto* const factors = reinterpret_cast<float*>(memory->data());
    for (std::int64_t row = 0; row < shape[0]; ++row)
        factors[row] = floatAt(*largest, row) / 127.0F;
    entry.factor = std::make_shared<const Entry>(std::move(factor));
    parts.put(parts.prefix() + ".weight", std::move(entry));
    return {};
}

} // namespace ep::model
