// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/part.h"

#include "ep/core/layer_block.h"

namespace ep::viz {

std::string_view title(Part part)
{
    static constexpr std::array<std::string_view, kPartCount> kTitles{
        "Embedding",    "Attention", "MLP",      "Norms", "KV cache",
        "Layers: rest", "Head",      "Sampling", "Rest"};
    return kTitles[static_cast<std::size_t>(part)];
}

Part partOf(Component component)
{
    switch (component) {
    case Component::QANorm:
    case Component::KvANorm:
    case Component::QNorm:
    case Component::KNorm:
    case Component::GatedNorm:
    case Component::VNorm:
    case Component::InputLayernorm:
    case Component::PostAttentionLayernorm:
    case Component::PreFeedforwardLayernorm:
    case Component::PostFeedforwardLayernorm:
    case Component::PostFeedforwardLayernorm1:
    case Component::PreFeedforwardLayernorm2:
    case Component::PostFeedforwardLayernorm2:
    case Component::PostPerLayerInputNorm:
        return Part::Norm;
    case Component::KvCache:
        return Part::KvCache;
    default:
        break;
    }
    switch (blockOf(component)) {
    case LayerBlock::Attention:
        return Part::Attention;
    case LayerBlock::Mlp:
        return Part::Mlp;
    case LayerBlock::Neither:
        break;
    }
    return Part::Layers;
}

Part partOf(Section section)
{
    switch (section) {
    case Section::Embedding:
    case Section::PositionEmbedding:
        return Part::Embedding;
    case Section::Layers:
        return Part::Layers;
    case Section::FinalNorm:
    case Section::LmHead:
        return Part::Head;
    case Section::KvCacheInit:
    case Section::KvCacheStore:
    case Section::KvCacheAppend:
        return Part::KvCache;
    case Section::Sampling:
        return Part::Sampling;
    case Section::Tokenization:
    case Section::TensorTransfer:
    case Section::Detokenization:
    case Section::MemoryCleanup:
        break;
    }
    return Part::Rest;
}

std::string_view title(Operation operation)
{
    static constexpr std::array<std::string_view, kOperationCount> kTitles{"Rotary",
                                                                           "QK matmul",
                                                                           "Scale",
                                                                           "Mask",
                                                                           "Softmax",
                                                                           "Attention dropout",
                                                                           "Value matmul",
                                                                           "Activation",
                                                                           "Gate multiply",
                                                                           "Mean",
                                                                           "Variance",
                                                                           "Normalize",
                                                                           "Scale and shift",
                                                                           "Router matmul",
                                                                           "Expert selection",
                                                                           "Expert",
                                                                           "Shared gate",
                                                                           "Combine",
                                                                           "Convolution",
                                                                           "L2 norm of q and k",
                                                                           "Beta",
                                                                           "Decay",
                                                                           "Delta rule",
                                                                           "Scan of the state"};
    return kTitles[static_cast<std::size_t>(operation)];
}

} // namespace ep::viz
