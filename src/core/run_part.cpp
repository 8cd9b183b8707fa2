// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_part.h"

#include "ep/core/component_kinds.h"
#include "ep/core/enum_words.h"
#include "ep/core/own_part.h"

namespace ep {

RunPart partOf(Component component)
{
    if (isOwn(component) && blockOf(component) == LayerBlock::Neither)
        return RunPart::Other;
    if (roleOf(component) == ComponentRole::Cache)
        return RunPart::KvCache;
    switch (blockOf(component)) {
    case LayerBlock::Attention:
        return RunPart::Attention;
    case LayerBlock::Mlp:
        return RunPart::Mlp;
    case LayerBlock::Neither:
        break;
    }
    return RunPart::Norm;
}

RunPart partOf(Section section)
{
    static constexpr std::array<RunPart, kSectionCount> kParts{
        RunPart::Tokenizer, // Tokenization
        RunPart::Other, // TensorTransfer
        RunPart::KvCache, // KvCacheInit
        RunPart::Embedding, // Embedding
        RunPart::Embedding, // PositionEmbedding
        RunPart::Layers, // Layers
        RunPart::Head, // FinalNorm
        RunPart::Head, // LmHead
        RunPart::KvCache, // KvCacheStore
        RunPart::Sampling, // Sampling
        RunPart::KvCache, // KvCacheAppend
        RunPart::Tokenizer, // Detokenization
        RunPart::Other, // MemoryCleanup
        RunPart::Other}; // ModelLoad
    return isOwn(section) ? RunPart::Other : wordOf(kParts, section);
}

RunPart remainderOf(Phase phase)
{
    return phase == Phase::Prefill || phase == Phase::Decode ? RunPart::Rest : RunPart::Outside;
}

std::string_view title(Phase phase)
{
    static constexpr std::array<std::string_view, kPhaseCount> kTitles{
        "Idle", "Pre-inference", "Prefill", "Decode", "Post-inference", "Load", "Queue"};
    return wordOf(kTitles, phase);
}

std::string_view title(Remainder remainder)
{
    static constexpr std::array<std::string_view, kRemainderCount> kTitles{
        "Between phases", "Between parts", "Between operations", "Rest of the layers",
        "Rest of the run"};
    return wordOf(kTitles, remainder);
}

std::string inText(std::string_view title)
{
    std::string text(title);
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return text;
}

std::string_view title(RunPart part)
{
    static constexpr std::array<std::string_view, kRunPartCount> kTitles{
        "Embedding", "Attention",  "MLP",           "Norms and residuals",
        "KV cache",  "Layers",     "Output head",   "Sampling",
        "Tokenizer", "Other work", "Between parts", "Other phases"};
    return wordOf(kTitles, part);
}

} // namespace ep
