// SPDX-License-Identifier: GPL-3.0-or-later
#include "safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000; // the limit of the format's own library
constexpr std::size_t kMaxDimensions = 8;

struct DTypeSize {
    std::string_view word;
    std::uint64_t bytes;
};
constexpr std::array<DTypeSize, 15> kDTypes{{{"F64", 8},
                                             {"F32", 4},
                                             {"F16", 2},
                                             {"BF16", 2},
                                             {"I64", 8},
                                             {"I32", 4},
                                             {"I16", 2},
                                             {"I8", 1},
                                             {"U64", 8},
                                             {"U32", 4},
                                             {"U16", 2},
                                             {"U8", 1},
                                             {"BOOL", 1},
                                             {"F8_E4M3", 1},
                                             {"F8_E5M2", 1}}};

// Parses like Json::parse, but a key that occurs twice in one object is an error: which of the two
// tensors would be meant is a guess.
Result<Json> parseUnique(std::string_view text)
{
    std::optional<std::string> duplicate;
    std::vector<std::set<std::string>> keys;
    const auto watch = [&](int, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start)
            keys.emplace_back();
        else if (event == Json::parse_event_t::object_end)
            keys.pop_back();
        else if (event == Json::parse_event_t::key
                 && !keys.back().insert(value.get<std::string>()).second && !duplicate)
            duplicate = value.get<std::string>();
        return true;
    };
    try {
        Json json = Json::parse(text.begin(), text.end(), watch);
        if (duplicate)
            return Error{ErrorCode::InvalidInput, "it names \"" + *duplicate + "\" twice"};
        if (!json.is_object())
            return Error{ErrorCode::InvalidInput, "it is not a JSON object"};
        return json;
    } catch (const Json::exception&) {
        return Error{ErrorCode::InvalidInput, "it is not valid JSON"};
    }
}

bool unsignedIntegers(const Json& value)
{
    return value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& item) {
               return item.is_number_unsigned();
           });
}

// What is wrong with an entry, or nothing and the tensor filled in.
std::optional<std::string> readEntry(const Json& entry, std::span<const std::byte> data,
                                     StoredTensor& tensor)
{
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string()
        || !entry.contains("shape") || !unsignedIntegers(entry["shape"])
        || !entry.contains("data_offsets") || !unsignedIntegers(entry["data_offsets"])
        || entry["data_offsets"].size() != 2) {
        return "lacks a proper dtype, shape or data_offsets";
    }
    tensor.dtype = entry["dtype"].get<std::string>();
    const auto* const known = std::find_if(
        kDTypes.begin(), kDTypes.end(), [&](const DTypeSize& d) { return d.word == tensor.dtype; });
    if (known == kDTypes.end())
        return "has the unknown dtype " + tensor.dtype;

    if (entry["shape"].size() > kMaxDimensions)
        return "has more than " + std::to_string(kMaxDimensions) + " dimensions";
    constexpr auto kLimit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t expected = known->bytes;
    for (const Json& item : entry["shape"]) {
        const auto extent = item.get<std::uint64_t>();
        if (extent > kLimit || (extent > 0 && expected > kLimit / extent))
            return "has an impossible shape " + entry["shape"].dump();
        expected *= extent;
        tensor.shape.push_back(static_cast<std::int64_t>(extent));
    }

    const auto begin = entry["data_offsets"][0].get<std::uint64_t>();
    const auto end = entry["data_offsets"][1].get<std::uint64_t>();
    if (begin > end)
        return "ends before it begins";
    if (end > data.size()) {
        return "lies beyond the end of the file, which is therefore incomplete ("
            + std::to_string(end) + " bytes of data promised, " + std::to_string(data.size())
            + " there)";
    }
    if (end - begin != expected) {
        return "takes " + std::to_string(end - begin) + " bytes, but its shape "
            + entry["shape"].dump() + " of " + tensor.dtype + " needs " + std::to_string(expected);
    }
    tensor.bytes = data.subspan(begin, end - begin);
    return std::nullopt;
}

// Name of a tensor whose bytes another one uses as well.
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
    const auto broken = [&](const std::string& what) {
        return Error{ErrorCode::InvalidInput,
                     path.string() + " is not a usable safetensors file: " + what
                         + "; download it again."};
    };

    std::uint64_t headerLength = 0;
    if (bytes.size() < sizeof headerLength)
        return broken("it has only " + std::to_string(bytes.size()) + " bytes");
    std::memcpy(&headerLength, bytes.data(), sizeof headerLength);
    const std::uint64_t afterLength = bytes.size() - sizeof headerLength;
    if (headerLength > kMaxHeaderBytes || headerLength > afterLength) {
        return broken("it promises a header of " + std::to_string(headerLength) + " bytes, but has "
                      + std::to_string(afterLength) + " bytes in all");
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + sizeof headerLength,
                                headerLength);
    const Result<Json> header = parseUnique(text);
    if (!header)
        return broken("its header cannot be read, " + header.error().message);

    SafetensorsFile file;
    const std::span<const std::byte> data = bytes.subspan(sizeof headerLength + headerLength);
    for (const auto& [name, entry] : header->items()) {
        if (name == "__metadata__")
            continue;
        StoredTensor tensor;
        if (const auto problem = readEntry(entry, data, tensor))
            return broken("the tensor " + name + " " + *problem);
        file.m_tensors.emplace(name, std::move(tensor));
    }
    if (const auto name = overlapping(file.m_tensors))
        return broken("the tensor " + *name + " overlaps another one");
    file.m_mapping = std::move(*mapping);
    return file;
}

} // namespace ep::model
