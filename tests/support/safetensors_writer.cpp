// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/safetensors_writer.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace ep::test {
namespace {

std::uint16_t toBfloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7F80'0000U) == 0x7F80'0000U) // infinity and NaN are kept and must not be rounded
        return static_cast<std::uint16_t>((bits >> 16) | ((bits & 0xFFFFU) ? 0x40U : 0U));
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

std::uint16_t toFloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const auto exponent = static_cast<int>((bits >> 23) & 0xFFU) - 127;
    const std::uint32_t mantissa = bits & 0x7F'FFFFU;
    if (exponent == 128)
        return static_cast<std::uint16_t>(sign | 0x7C00U | (mantissa ? 0x200U : 0U));
    if (exponent < -25)
        return static_cast<std::uint16_t>(sign);
    const int drop = exponent < -14 ? -1 - exponent : 13; // number of bits that do not fit
    const std::uint32_t full = exponent < -14 ? (mantissa | 0x80'0000U) : mantissa;
    const std::uint32_t base =
        exponent < -14 ? 0U : static_cast<std::uint32_t>(exponent + 15) << 10;
    std::uint32_t result = base + (full >> drop);
    const std::uint32_t rest = full & ((1U << drop) - 1U);
    const std::uint32_t half = 1U << (drop - 1);
    if (rest > half || (rest == half && (result & 1U)))
        ++result;
    return static_cast<std::uint16_t>(sign | (exponent > 15 ? 0x7C00U : result));
}

template <typename T>
void append(std::vector<std::byte>& bytes, T value)
{
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
}

} // namespace

StoredTensor makeTensor(std::string name, std::vector<std::int64_t> shape,
                        const std::vector<float>& values, const std::string& dtype)
{
    StoredTensor tensor{std::move(name), dtype, std::move(shape), {}};
    tensor.bytes.reserve(values.size() * 4);
    for (const float value : values) {
        if (dtype == "BF16")
            append(tensor.bytes, toBfloat16(value));
        else if (dtype == "F16")
            append(tensor.bytes, toFloat16(value));
        else
            append(tensor.bytes, value);
    }
    return tensor;
}

std::string safetensorsHeader(const std::vector<StoredTensor>& tensors)
{
    nlohmann::ordered_json header;
    header["__metadata__"] = {{"format", "pt"}};
    std::size_t offset = 0;
    for (const StoredTensor& tensor : tensors) {
        header[tensor.name] = {{"dtype", tensor.dtype},
                               {"shape", tensor.shape},
                               {"data_offsets", {offset, offset + tensor.bytes.size()}}};
        offset += tensor.bytes.size();
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return text;
}

void writeSafetensors(const std::filesystem::path& file, const std::vector<StoredTensor>& tensors)
{
    std::vector<std::byte> data;
    for (const StoredTensor& tensor : tensors)
        data.insert(data.end(), tensor.bytes.begin(), tensor.bytes.end());
    writeSafetensorsRaw(file, safetensorsHeader(tensors), data);
}

void writeSafetensorsRaw(const std::filesystem::path& file, const std::string& header,
                         const std::vector<std::byte>& data, std::int64_t headerLength)
{
    const std::uint64_t length =
        headerLength < 0 ? header.size() : static_cast<std::uint64_t>(headerLength);
    std::string text(8, '\0');
    std::memcpy(text.data(), &length, 8);
    text += header;
    text.append(reinterpret_cast<const char*>(data.data()), data.size());
    writeText(file, text);
}

void writeText(const std::filesystem::path& file, const std::string& text)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream)
        throw std::runtime_error("cannot write " + file.string());
}

} // namespace ep::test
