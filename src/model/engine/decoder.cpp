// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ep::model {

std::int64_t Decoder::contextLength(bool pastContext) const
{
    const bool endless = pastContext && positions.rows == 0;
    return endless ? std::numeric_limits<std::int32_t>::max() : config.contextLength();
}

bool Decoder::startsAnew(std::int64_t from, std::int64_t to) const
{
    return from > 0 && std::any_of(ropes.begin(), ropes.end(), [&](const Rope& rope) {
               return rope.startsAnew(from, to);
           });
}

void Decoder::placeRows(Step& step) const
{
    Workspace& ws = step.ws;
    ws.rotary_rows.clear();
    for (const SequenceRows& rows : step.sequences)
        ws.rotary_rows.push_back({rows.cache->length(), rows.count});
    for (std::size_t i = 0; i < ropes.size(); ++i)
        step.ops.angles(ropes[i], ws.rotary_rows, ws.angles[i]); // [rows, rotary / 2]
    if (positions.rows == 0)
        return;
    ws.positions.clear();
    for (const RotaryRows& rows : ws.rotary_rows) {
        for (std::int64_t i = 0; i < rows.count; ++i)
            ws.positions.push_back(static_cast<text::TokenId>(rows.position + i));
    }
    step.ops.embed(positions, ws.positions, ws.position_rows); // [rows, hidden]
    step.ops.add(ws.x, ws.position_rows);
}

namespace {

// The last row of each sequence, without a copy if the rows are adjacent.
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

// A long prompt passes through a layer in pieces, so that intermediate results take bounded memory.
// When a piece is computed, the cache contains the keys and values of the previous pieces.
void Decoder::forwardLayer(Step& step, const DecoderLayer& layer) const
{
    Workspace& ws = step.ws;
    const auto all = step.sequences;
    const SequenceRows whole = all.front();
    if (all.size() != 1 || whole.count <= piece_rows || step.entropies) {
        layer.forward(step, ws.x);
        return;
    }
    const auto angles = ws.angles;
    for (std::int64_t first = 0; first < whole.count; first += piece_rows) {
        const std::int64_t count = std::min(piece_rows, whole.count - first);
        const SequenceRows piece{.cache = whole.cache, .first = 0, .count = count};
        step.sequences = {&piece, 1};
        for (std::size_t i = 0; i < ropes.size(); ++i) {
            ws.angles[i] = {.cosines = angles[i].cosines.rowsFrom(first, count),
                            .sines = angles[i].sines.rowsFrom(first, count)};
        }
        Matrix x = ws.x.rowsFrom(first, count);
        layer.forward(step, x);
        if (!x.data)
            ws.x.tensor.narrow(0, first, count).copy_(x.tensor);
        whole.cache->advance(count);
    }
    whole.cache->advance(-whole.count);
    ws.angles = angles;
    step.sequences = all;
}

bool Decoder::forward(Step& step, std::span<const text::TokenId> ids, Logits wanted,
                      const HiddenFn& hidden) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.section(Section::Embedding, ws.x, [&] {
        ops.embed(embedding, ids, ws.x); // [rows, hidden]
        if (hidden && (embedding_scale != 1.0F || positions.rows > 0))
            hidden("token_embedding", ws.x);
        if (embedding_scale != 1.0F)
            ops.scale(ws.x, embedding_scale);
    });
    step.section(Section::PositionEmbedding, ropes.empty() ? ws.x : ws.angles[0].cosines,
                 [&] { placeRows(step); });
    if (hidden)
        hidden("embedding", ws.x);

    bool cancelled = false;
    step.section(Section::Layers, ws.x, [&] {
        for (std::size_t i = 0; i < layers.size() && !cancelled; ++i) {
            step.layer = static_cast<int>(i);
            step.wholeLayer(ws.x, [&] { forwardLayer(step, *layers[i]); }); // [rows, hidden]
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
    step.section(Section::LmHead, ws.logits, [&] {
        ops.linear(ws.final_normed, lm_head, ws.logits); // [.., vocabulary]
        if (logit_scale != 1.0F)
            ops.scale(ws.logits, logit_scale);
        if (config.final_logit_softcapping)
            ops.softCap(ws.logits, static_cast<float>(*config.final_logit_softcapping));
    });
    return true;
}

} // namespace ep::model
