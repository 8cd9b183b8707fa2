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
using JoinParts = Status (*)(const PackedSettings& settings, Parts& parts);

template <auto kJoin>
Status withoutSettings(const PackedSettings&, Parts& parts)
{
    return kJoin(parts);
}

// A tensor with this ending and type, together with one with the other ending, is a matrix packed
// in this way.
struct PackedWay {
    PackedMethod method; // None: any method
    std::string_view ending;
    std::string_view type;
    std::string_view other; // empty: no other is needed
    JoinParts join;
};
constexpr std::array<PackedWay, 10> kPackedWays{{
    {PackedMethod::Gptq, ".qweight", "I32", "", joinGptq},
    {PackedMethod::Awq, ".qweight", "I32", "", joinAwq},
    {PackedMethod::CompressedTensors, ".weight_packed", "I32", "",
     withoutSettings<joinPackedWords>},
    {PackedMethod::CompressedTensors, ".weight_packed", "U8", "",
     withoutSettings<joinPackedFloats>},
    {PackedMethod::CompressedTensors, ".weight", "I8", ".weight_scale",
     withoutSettings<joinWholeNumbers>},
    {PackedMethod::None, ".weight", "F8_E4M3", "", withoutSettings<joinFp8>},
    {PackedMethod::Mxfp4, "_blocks", "U8", "_scales", withoutSettings<joinMxfp4>},
    {PackedMethod::BitsAndBytes, ".weight", "U8", ".weight.absmax", withoutSettings<joinFourBits>},
    {PackedMethod::BitsAndBytes, ".weight", "I8", ".SCB", withoutSettings<joinEightBits>},
    {PackedMethod::None, ".weight", "I8", ".weight_scale", withoutSettings<joinWholeNumbers>},
}};

struct PackedFound {
    std::string prefix;
    JoinParts join;
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
            return PackedFound{.prefix = prefix, .join = way.join};
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
        Parts parts(entries, found.prefix, folder);
        if (const Status joined = found.join(settings, parts); !joined)
            return joined;
    }
    return {};
}

} // namespace ep::model
