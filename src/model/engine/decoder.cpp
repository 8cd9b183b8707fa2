// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoder.h"

#include "load_error.h"
#include "rope.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ep::model {

#define EP_FAMILY(architecture, function)                                                          \
    Decoder function(const ModelConfig& config, WeightLoader& weights);
#include "families.def"
#undef EP_FAMILY

namespace {

struct Family {
    std::string_view architecture;
    Decoder (*make)(const ModelConfig& config, WeightLoader& weights);
};

constexpr std::array kFamilies{
#define EP_FAMILY(architecture, function) Family{#architecture, function},
#include "families.def"
#undef EP_FAMILY
};

} // namespace

Decoder makeDecoder(const ModelConfig& config, WeightLoader& weights)
{
    for (const Family& family : kFamilies) {
        if (family.architecture == config.architecture) {
            Decoder decoder = family.make(config, weights);
            weights.finish();
            return decoder;
        }
    }
    throw LoadError(
        {ErrorCode::Internal, "No decoder is registered for " + config.architecture + "."});
}

std::string layerPrefix(int layer)
{
    return "model.layers." + std::to_string(layer) + ".";
}

Decoder makeDecoderFrame(const ModelConfig& config, WeightLoader& weights)
{
    Decoder decoder;
    decoder.config = config;
    decoder.inverse_frequencies = inverseFrequencies(config);
    decoder.embedding =
        weights.matrix("model.embed_tokens.weight", config.vocab_size, config.hidden_size);
    return decoder;
}

Linear makeHead(const ModelConfig& config, WeightLoader& weights, const Weight& embedding,
                bool bias)
{
    if (config.tie_word_embeddings)
        return {.weight = embedding, .bias = {}};
    return weights.linear("lm_head", config.hidden_size, config.vocab_size, bias);
}

namespace {

// The last row of each sequence, without a copy where they lie together.
Matrix lastRows(Step& step)
{
    Workspace& ws = step.ws;
    if (step.sequences.size() == 1)
        return step.ops.lastRow(ws.x);
    const auto single = [](const SequenceRows& rows) { return rows.count == 1; };
    if (std::all_of(step.sequences.begin(), step.sequences.end(), single))
        return ws.x;
    ws.last_indices.clear();
    for (const SequenceRows& rows : step.sequences)
        ws.last_indices.push_back(rows.first + rows.count - 1);
    step.ops.gather(ws.x, ws.last_indices, ws.last_rows);
    return ws.last_rows;
}

} // namespace

bool Decoder::forward(Step& step, std::span<const TokenId> ids, Logits wanted,
                      const HiddenFn& hidden) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.section(Section::Embedding, ws.x,
                 [&] { ops.embed(embedding, ids, ws.x); }); // [rows, hidden]
    if (hidden)
        hidden("embedding", ws.x);
    step.section(Section::PositionEmbedding, ws.angles.cosines, [&] {
        ws.rotary_rows.clear();
        for (const SequenceRows& rows : step.sequences)
            ws.rotary_rows.push_back({inverse_frequencies, rows.cache->length(), rows.count});
        ops.angles(ws.rotary_rows, ws.angles); // [rows, rotary / 2]
    });

    bool cancelled = false;
    step.section(Section::Layers, ws.x, [&] {
        for (std::size_t i = 0; i < layers.size() && !cancelled; ++i) {
            step.layer = static_cast<int>(i);
            step.wholeLayer(ws.x, [&] { layers[i]->forward(step, ws.x); }); // [rows, hidden]
            if (hidden)
                hidden("layer " + std::to_string(i), ws.x);
            cancelled = step.cancel.cancelled();
        }
    });
    if (cancelled)
        return false;

    step.section(Section::FinalNorm, ws.final_normed, [&] {
        const Matrix x = wanted == Logits::LastRows ? lastRows(step) : ws.x;
        ops.norm(x, final_norm, ws.final_normed); // [sequences or rows, hidden]
    });
    if (hidden)
        hidden("final_norm", ws.final_normed);
    step.section(Section::LmHead, ws.logits,
                 [&] { ops.linear(ws.final_normed, lm_head, ws.logits); }); // [.., vocabulary]
    return true;
}

} // namespace ep::model
