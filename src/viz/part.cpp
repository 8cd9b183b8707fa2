// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/part.h"

#include "ep/core/component_kinds.h"

namespace ep::viz {

std::string_view title(Part part)
{
    static constexpr std::array<std::string_view, kPartCount> kTitles{
        "Embedding",    "Attention",   "MLP",      "Norms",        "KV cache",
        "Layers: rest", "Output head", "Sampling", "Between parts"};
    return kTitles[static_cast<std::size_t>(part)];
}

Part partOf(Component component)
{
    if (roleOf(component) == ComponentRole::Norm)
        return Part::Norm;
    if (roleOf(component) == ComponentRole::Cache)
        return Part::KvCache;
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
    case Section::ModelLoad:
        break;
    }
    return Part::Rest;
}

std::string_view title(Operation operation)
{
    static constexpr std::array<std::string_view, kOperationCount> kTitles{
#define EP_OPERATION(enumerator, word, title) title,
#include "ep/core/operations.def"
#undef EP_OPERATION
    };
    return kTitles[static_cast<std::size_t>(operation)];
}

} // namespace ep::viz
