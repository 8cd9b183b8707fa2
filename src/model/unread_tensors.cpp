// SPDX-License-Identifier: GPL-3.0-or-later
#include "unread_tensors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace ep::model {
namespace {

// Words between dots in a name (or how they begin) and the part of a model that they stand for.
struct NamedPart {
    std::string_view word;
    std::string_view part;
};
constexpr std::string_view kVision = "vision part";
constexpr std::string_view kAudio = "audio part";
constexpr std::string_view kPrediction = "head that predicts further tokens (MTP)";
constexpr std::array<NamedPart, 14> kParts{{{"vision", kVision},
                                            {"visual", kVision},
                                            {"image_newline", kVision},
                                            {"audio", kAudio},
                                            {"sound_", kAudio},
                                            {"embed_vision", kVision},
                                            {"embed_audio", kAudio},
                                            {"multi_modal_projector", kVision},
                                            {"mtp", kPrediction},
                                            {"nextn", kPrediction},
                                            {"eagle", kPrediction},
                                            {"mm_", kVision},
                                            {"multimodal_", kVision},
                                            {"patch_embed", kVision}}};

// Buffers that older versions saved with the weights, and scales of a cache that is not quantized
// here.
constexpr std::array<std::string_view, 9> kBuffers{".rotary_emb.inv_freq",
                                                   ".rotary_emb.cos_cached",
                                                   ".rotary_emb.sin_cached",
                                                   ".attn.bias",
                                                   ".attn.masked_bias",
                                                   ".attention.bias",
                                                   ".attention.masked_bias",
                                                   ".k_scale",
                                                   ".v_scale"};

std::string_view partStartedBy(std::string_view word)
{
    const auto* const found = std::find_if(kParts.begin(), kParts.end(), [&](const NamedPart& row) {
        return word.starts_with(row.word);
    });
    return found == kParts.end() ? std::string_view() : found->part;
}

// The number after the first "layers."; -1: there is none.
int layerIn(std::string_view name)
{
    constexpr std::string_view kLayers = "layers.";
    const auto place = name.find(kLayers);
    int layer = -1;
    if (place != std::string_view::npos)
        std::from_chars(name.data() + place + kLayers.size(), name.data() + name.size(), layer);
    return layer;
}

} // namespace

bool isLeftoverTensor(std::string_view name)
{
    return std::any_of(kBuffers.begin(), kBuffers.end(),
                       [&](std::string_view end) { return name.ends_with(end); });
}

std::string_view partLeftOut(std::string_view name, int layers)
{
    std::string_view part = partStartedBy(name);
    for (std::size_t point = name.find('.'); part.empty() && point != std::string_view::npos;
         point = name.find('.', point + 1))
        part = partStartedBy(name.substr(point + 1));
    return part.empty() && layerIn(name) >= layers ? kPrediction : part;
}

bool isUnneededTensor(std::string_view name)
{
    return isLeftoverTensor(name) || !partLeftOut(name, std::numeric_limits<int>::max()).empty();
}

} // namespace ep::model
