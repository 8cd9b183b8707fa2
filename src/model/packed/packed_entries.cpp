// SPDX-License-Identifier: GPL-3.0-or-later
#include "packed/packed_entries.h"

#include "packed/unpacking.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

using Entries = std::map<std::string, Entry>;
using JoinParts = Status (*)(const PackedSettings& settings, PackedFields& fields);

template <auto kJoin>
Status withoutSettings(const PackedSettings&, PackedFields& fields)
{
    return kJoin(fields);
}

// A way to pack a matrix: as a tensor with this ending and type, and another with the other ending.
struct PackedWay {
    PackedMethod method; // None: any method
    std::string_view ending;
    std::string_view type;
    std::string_view other; // empty: no other is needed
    PackedLayout layout;
    JoinParts join;
};
constexpr std::array<PackedWay, 10> kPackedWays{{
    {PackedMethod::Gptq, ".qweight", "I32", "", PackedLayout::Gptq, joinGptq},
    {PackedMethod::Awq, ".qweight", "I32", "", PackedLayout::Awq, joinAwq},
    {PackedMethod::CompressedTensors, ".weight_packed", "I32", "", PackedLayout::Words,
     withoutSettings<joinPackedWords>},
    {PackedMethod::CompressedTensors, ".weight_packed", "U8", "", PackedLayout::Floats,
     withoutSettings<joinPackedFloats>},
    {PackedMethod::CompressedTensors, ".weight", "I8", ".weight_scale", PackedLayout::Bytes,
     withoutSettings<joinWholeNumbers>},
    {PackedMethod::None, ".weight", "F8_E4M3", "", PackedLayout::Fp8, withoutSettings<joinFp8>},
    {PackedMethod::Mxfp4, "_blocks", "U8", "_scales", PackedLayout::GptOss,
     withoutSettings<joinMxfp4>},
    {PackedMethod::BitsAndBytes, ".weight", "U8", ".weight.absmax", PackedLayout::FourBits,
     withoutSettings<joinFourBits>},
    {PackedMethod::BitsAndBytes, ".weight", "I8", ".SCB", PackedLayout::EightBits,
     withoutSettings<joinEightBits>},
    {PackedMethod::None, ".weight", "I8", ".weight_scale", PackedLayout::Bytes,
     withoutSettings<joinWholeNumbers>},
}};

struct PackedFound {
    std::string prefix;
    const PackedWay* way;
};

std::optional<PackedFound> packedWeight(const PackedSettings& settings, const std::string& name,
                                        const Entries& entries)
{
    for (const PackedWay& way : kPackedWays) {
        if ((way.method != PackedMethod::None && way.method != settings.method)
            || !name.ends_with(way.ending) || entries.at(name).tensor.dtype != way.type)
            continue;
        const std::string prefix = name.substr(0, name.size() - way.ending.size());
        if (way.other.empty() || entries.contains(prefix + std::string(way.other)))
            return PackedFound{.prefix = prefix, .way = &way};
    }
    return std::nullopt;
}

} // namespace

Status joinPackedTensors(const PackedSettings& settings, const std::string& folder,
                         Entries& entries)
{
    std::vector<PackedFound> all;
    for (const auto& [name, entry] : entries) {
        if (auto found = packedWeight(settings, name, entries))
            all.push_back(std::move(*found));
    }
    for (const PackedFound& found : all) {
        PackedFields fields(found.way->layout, entries, found.prefix, folder);
        if (const Status joined = found.way->join(settings, fields); !joined)
            return joined;
    }
    return {};
}

} // namespace ep::model
