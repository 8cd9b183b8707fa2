// SPDX-License-Identifier: GPL-3.0-or-later
#include "packed/unpacking.h"

#include "number_bits.h"

#include <cstring>
#include <utility>

namespace ep::model {
namespace {

template <typename Number>
Number numberAt(const Entry& part, std::int64_t index)
{
    Number number{};
    std::memcpy(&number,
                part.tensor.bytes.data() + index * static_cast<std::int64_t>(sizeof number),
                sizeof number);
    return number;
}

} // namespace

std::int64_t wholeAt(const Entry& part, std::int64_t index)
{
    const std::string& type = part.tensor.dtype;
    if (type == "I8")
        return numberAt<std::int8_t>(part, index);
    if (type == "U8")
        return numberAt<std::uint8_t>(part, index);
    if (type == "I64")
        return numberAt<std::int64_t>(part, index);
    return numberAt<std::int32_t>(part, index);
}

std::uint32_t wordAt(const Entry& part, std::int64_t index)
{
    return numberAt<std::uint32_t>(part, index);
}

float floatAt(const Entry& part, std::int64_t index)
{
    const std::string& type = part.tensor.dtype;
    if (type == "F16")
        return valueOfHalf(numberAt<std::uint16_t>(part, index));
    if (type == "BF16")
        return valueOfBrain(numberAt<std::uint16_t>(part, index));
    if (type == "F8_E4M3" || type == "E4M3")
        return valueOfE4M3(numberAt<std::uint8_t>(part, index));
    return numberAt<float>(part, index);
}

bool isFloat(const Entry& part)
{
    const std::string& type = part.tensor.dtype;
    return type == "F32" || type == "F16" || type == "BF16";
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const std::int64_t extent : shape)
        text += (text.empty() ? "" : " x ") + std::to_string(extent);
    return text.empty() ? "a single number" : text;
}

std::shared_ptr<std::vector<std::byte>> memoryFor(Entry& entry, std::size_t bytes)
{
    auto memory = std::make_shared<std::vector<std::byte>>(bytes);
    entry.tensor.bytes = *memory;
    entry.mapping = memory;
    return memory;
}

void addGroups(const Affine& shape, const OfGroup& scale, const OfGroup& zero, Entry& entry)
{
    const std::int64_t stored = shape.stored();
    const std::int64_t ofRow = shape.columns / stored;
    const std::int64_t inGroup = shape.group / stored;
    Entry::Groups groups{.scales = {}, .columns = stored};
    groups.biases.emplace();
    const auto bytes = static_cast<std::size_t>(shape.rows * ofRow) * sizeof(float);
    for (Entry* const numbers : {&groups.scales, &*groups.biases}) {
        numbers->tensor.dtype = "F32";
        numbers->tensor.shape = {shape.rows, ofRow};
        numbers->file = entry.file;
    }
    auto* const scales = reinterpret_cast<float*>(memoryFor(groups.scales, bytes)->data());
    auto* const biases = reinterpret_cast<float*>(memoryFor(*groups.biases, bytes)->data());
    for (std::int64_t row = 0; row < shape.rows; ++row) {
        for (std::int64_t g = 0; g < shape.columns / shape.group; ++g) {
            const float s = scale(row, g);
            const float bias = -(s * zero(row, g));
            for (std::int64_t i = 0; i < inGroup; ++i) {
                scales[row * ofRow + g * inGroup + i] = s;
                biases[row * ofRow + g * inGroup + i] = bias;
            }
        }
    }
    entry.groups = std::make_shared<const Entry::Groups>(std::move(groups));
    entry.tensor.dtype = "MLX" + std::to_string(shape.bits);
    entry.tensor.shape = {shape.rows, shape.columns};
}

Entry plainEntry(const Entry& like, std::int64_t rows, std::int64_t columns,
                 const std::function<void(std::int64_t row, float* values)>& fill)
{
    Entry entry;
    entry.file = like.file;
    entry.tensor.dtype = "F32";
    entry.tensor.shape = {rows, columns};
    const auto memory = memoryFor(entry, static_cast<std::size_t>(rows * columns) * sizeof(float));
    auto* const values = reinterpret_cast<float*>(memory->data());
    for (std::int64_t row = 0; row < rows; ++row)
        fill(row, values + row * columns);
    return entry;
}

} // namespace ep::model
