// SPDX-License-Identifier: GPL-3.0-or-later
#include "safetensors.h"

#include "ep/json/document.h"
#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000; // as in the format's own library

struct TypeSize {
    std::string_view word;
    std::int64_t bits;
};
// The types of the format. Whether they can be computed is decided where a tensor is needed.
constexpr std::array<TypeSize, 22> kTypeSizes{
    {{"F64", 64},    {"F32", 32},        {"F16", 16},        {"BF16", 16},   {"I64", 64},
     {"I32", 32},    {"I16", 16},        {"I8", 8},          {"U64", 64},    {"U32", 32},
     {"U16", 16},    {"U8", 8},          {"BOOL", 8},        {"F8_E4M3", 8}, {"F8_E5M2", 8},
     {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6},
     {"F4", 4},      {"C64", 64}}};

// The size of one value; absent for a type from a later version of the format.
std::optional<std::int64_t> bitsOf(std::string_view word)
{
    const auto* const known = std::find_if(kTypeSizes.begin(), kTypeSizes.end(),
                                           [&](const TypeSize& type) { return type.word == word; });
    return known == kTypeSizes.end() ? std::nullopt : std::optional(known->bits);
}

// Reads one tensor of the header; throws json::ReadError.
StoredTensor readEntry(const json::Value& entry, std::span<const std::byte> data)
{
    constexpr std::int64_t kLimit = std::numeric_limits<std::int64_t>::max();
    StoredTensor tensor;
    tensor.dtype = entry.string("dtype");
    const std::optional<std::int64_t> bits = bitsOf(tensor.dtype);

    const json::Value shape = entry.at("shape");
    std::int64_t expected = bits.value_or(1);
    for (const json::Value& item : shape.elements()) {
        const std::int64_t extent = item.asInteger(0, kLimit);
        if (extent > 0 && expected > kLimit / extent)
            shape.fail(Message("is impossible: %1", json::textOf(shape.json())));
        expected *= extent;
        tensor.shape.push_back(extent);
    }

    const json::Value offsets = entry.at("data_offsets");
    if (offsets.requireArray().size() != 2)
        offsets.fail("must hold a begin and an end");
    const std::int64_t begin = offsets.at(0).asInteger(0, kLimit);
    const std::int64_t end = offsets.at(1).asInteger(0, kLimit);
    const auto length = static_cast<std::int64_t>(data.size());
    if (begin > end)
        entry.fail("ends before it begins");
    if (end > length) {
        entry.fail(Message("is beyond the end of the file, which is therefore incomplete (%1 bytes "
                           "of data promised, %2 there)",
                           end, length));
    }
    if (bits && expected % 8 != 0)
        entry.fail(
            Message("does not end at the end of a byte, but its shape %1 of %2 needs %3 bits",
                    json::textOf(shape.json()), tensor.dtype, expected));
    expected /= 8;
    if (bits && end - begin != expected) {
        entry.fail(Message("takes %1 bytes, but its shape %2 of %3 needs %4", end - begin,
                           json::textOf(shape.json()), tensor.dtype, expected));
    }
    // The size of a type from a later version is unknown, but no values take no bytes.
    if (!bits && (tensor.elements() == 0) != (begin == end)) {
        entry.fail(Message("takes %1 bytes, but its shape is %2", end - begin,
                           json::textOf(shape.json())));
    }
    tensor.bytes =
        data.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    return tensor;
}

// The tensors that the header describes; throws json::ReadError.
std::map<std::string, StoredTensor> readHeader(const json::Value& header,
                                               std::span<const std::byte> data)
{
    std::map<std::string, StoredTensor> tensors;
    for (const auto& [name, entry] : header.requireObject().json().items()) {
        if (name != "__metadata__")
            tensors.emplace(name, readEntry(header.part(entry), data));
    }
    return tensors;
}

// The name of a tensor whose bytes overlap those of another.
std::optional<std::string> overlapping(const std::map<std::string, StoredTensor>& tensors)
{
    std::vector<std::pair<std::span<const std::byte>, const std::string*>> byPlace;
    for (const auto& [name, tensor] : tensors) {
        if (!tensor.bytes.empty())
            byPlace.emplace_back(tensor.bytes, &name);
    }
    std::sort(byPlace.begin(), byPlace.end(),
              [](const auto& a, const auto& b) { return a.first.data() < b.first.data(); });
    for (std::size_t i = 1; i < byPlace.size(); ++i) {
        const auto& previous = byPlace[i - 1].first;
        if (previous.data() + previous.size() > byPlace[i].first.data())
            return *byPlace[i].second;
    }
    return std::nullopt;
}

} // namespace

std::int64_t StoredTensor::elements() const
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

Result<SafetensorsFile> SafetensorsFile::open(const std::filesystem::path& path)
{
    auto mapping = MappedFile::open(path);
    if (!mapping)
        return mapping.error();
    const std::span<const std::byte> bytes = (*mapping)->bytes();
    const auto broken = [&](const Message& what) {
        if (const Status unchanged = (*mapping)->unchanged(); !unchanged)
            return unchanged.error();
        return Error{
            ErrorCode::InvalidInput,
            {"%1 is not a usable safetensors file: %2; download it again.", path.string(), what}};
    };

    std::uint64_t headerLength = 0;
    if (bytes.size() < sizeof headerLength)
        return broken(Message("it has only %1 bytes", bytes.size()));
    std::memcpy(&headerLength, bytes.data(), sizeof headerLength);
    const std::uint64_t afterLength = bytes.size() - sizeof headerLength;
    if (headerLength > kMaxHeaderBytes || headerLength > afterLength) {
        return broken(Message("it promises a header of %1 bytes, but has %2 bytes in all",
                              headerLength, afterLength));
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + sizeof headerLength,
                                headerLength);
    const auto header = json::parseUniqueKeys(text);
    if (!header)
        return broken(Message("its header is %1", header.error().message));

    SafetensorsFile file;
    const std::span<const std::byte> data = bytes.subspan(sizeof headerLength + headerLength);
    try {
        file.m_tensors = readHeader(json::Value(*header), data);
    } catch (const json::ReadError& problem) {
        return broken(Message("in its header, %1", problem.message()));
    }
    if (const auto name = overlapping(file.m_tensors))
        return broken(Message("the tensor %1 overlaps another one", *name));
    if (const Status unchanged = (*mapping)->unchanged(); !unchanged)
        return unchanged.error();
    file.m_mapping = std::move(*mapping);
    return file;
}

} // namespace ep::model
