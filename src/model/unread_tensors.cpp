// SPDX-License-Identifier: GPL-3.0-or-later
#include "unread_tensors.h"

#include <algorithm>
#include <array>

namespace ep::model {
namespace {

// Words between dots in a name, or their beginnings.
constexpr std::array<std::string_view, 13> kParts{
    "vision",     "visual",       "image_newline", "audio",
    "sound_",     "embed_vision", "embed_audio",   "multi_modal_projector",
    "mtp",        "eagle",        "mm_",           "multimodal_",
    "patch_embed"};

// Buffers that older versions saved along with the weights, and scales of a cache that is not
// quantised here.
constexpr std::array<std::string_view, 9> kBuffers{".rotary_emb.inv_freq",
                                                   ".rotary_emb.cos_cached",
                                                   ".rotary_emb.sin_cached",
                                                   ".attn.bias",
                                                   ".attn.masked_bias",
                                                   ".attention.bias",
                                                   ".attention.masked_bias",
                                                   ".k_scale",
                                                   ".v_scale"};

bool startsPart(std::string_view word)
{
    return std::any_of(kParts.begin(), kParts.end(),
                       [&](std::string_view part) { return word.starts_with(part); });
}

} // namespace

bool isLeftoverTensor(std::string_view name)
{
    return std::any_of(kBuffers.begin(), kBuffers.end(),
                       [&](std::string_view end) { return name.ends_with(end); });
}

bool isUnneededTensor(std::string_view name)
{
    if (isLeftoverTensor(name) || startsPart(name))
        return true;
    for (std::size_t point = name.find('.'); point != std::string_view::npos;
         point = name.find('.', point + 1)) {
        if (startsPart(name.substr(point + 1)))
            return true;
    }
    return false;
}

} // namespace ep::model
