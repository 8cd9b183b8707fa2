// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
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

// The last row of each sequence; not copied if these rows are adjacent.
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

// A long prompt passes through a layer in pieces, so that intermediate results need limited
// memory. When a piece is computed, the cache contains the keys and values of the previous pieces.
void Decoder::forwardLayer(Step& step, const DecoderLayer& layer) const
{
    Workspace& ws = step.ws;
    const auto all = step.sequences;
    const SequenceRows whole = all.front();
    // Pieces begin where they would if nothing were cached. If the cache ends within a piece, the
    // rest of that piece is computed like the whole piece.
    const bool continued = step.like == RowsLike::Many;
    const std::int64_t start = continued ? whole.cache->length() % piece_rows : 0;
    if (all.size() != 1 || start + whole.count <= piece_rows || step.entropies) {
        step.ops.computeRows(continued && start == 0 ? RowsLike::Usual : step.like);
        layer.forward(step, ws.x);
        step.ops.computeRows(step.like);
        return;
    }
    const auto angles = ws.angles;
    const Matrix inputs = ws.layer_inputs;
    for (std::int64_t first = 0, count = 0; first < whole.count; first += count) {
        const std::int64_t before = first == 0 ? start : 0;
        count = std::min(piece_rows - before, whole.count - first);
        step.ops.computeRows(continued && before == 0 ? RowsLike::Usual : step.like);
        const SequenceRows piece{.cache = whole.cache, .first = 0, .count = count};
        step.sequences = {&piece, 1};
        for (std::size_t i = 0; i < ropes.size(); ++i) {
            ws.angles[i] = {.cosines = angles[i].cosines.rowsFrom(first, count),
                            .sines = angles[i].sines.rowsFrom(first, count)};
        }
        if (layer_inputs.width > 0)
            ws.layer_inputs = inputs.rowsFrom(first, count);
        Matrix x = ws.x.rowsFrom(first, count);
        layer.forward(step, x);
        if (!x.data)
            ws.x.tensor.narrow(0, first, count).copy_(x.tensor);
        whole.cache->advance(count);
    }
    whole.cache->advance(-whole.count);
    step.ops.computeRows(step.like);
    ws.angles = angles;
    ws.layer_inputs = inputs;
    step.sequences = all;
}

// (norm(projection of the stream / sqrt(hidden)) + embedding of the token * sqrt(width)) / sqrt(2)
void Decoder::makeLayerInputs(Step& step, std::span<const text::TokenId> ids) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    const auto root = [](std::int64_t number) {
        return static_cast<float>(std::sqrt(static_cast<double>(number)));
    };
    ops.embed(layer_inputs.embedding, ids, ws.token_inputs); // [rows, layers * width]
    ops.scale(ws.token_inputs, root(layer_inputs.width));
    ops.linear(ws.x, layer_inputs.projection, ws.layer_inputs); // [rows, layers * width]
    ops.scale(ws.layer_inputs, 1.0F / root(config.hidden_size));
    ops.normHeads(ws.layer_inputs, layer_inputs.norm, config.num_hidden_layers);
    ops.add(ws.layer_inputs, ws.token_inputs);
    ops.scale(ws.layer_inputs, 1.0F / root(2));
}

// Replaces ids that stand for parts of images and sound by padding.
std::span<const text::TokenId> Decoder::embeddedIds(Step& step,
                                                    std::span<const text::TokenId> ids) const
{
    if (config.placeholder_ids.empty())
        return ids;
    std::vector<text::TokenId>& kept = step.ws.embedded_ids;
    kept.assign(ids.begin(), ids.end());
    for (const std::int32_t placeholder : config.placeholder_ids)
        std::replace(kept.begin(), kept.end(), placeholder, config.placeholder_padding);
    return kept;
}

bool Decoder::forward(Step& step, std::span<const text::TokenId> all, Logits wanted,
                      const HiddenFn& hidden) const
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    const std::span<const text::TokenId> ids = embeddedIds(step, all);
    const struct Rows { // restores the usual rows even after an error
        Ops& ops;
        ~Rows() { ops.computeRows(RowsLike::Usual); }
    } rows{ops};
    ops.computeRows(step.like);
    step.section(Section::Embedding, ws.x, [&] {
        ops.embed(embedding, ids, ws.x); // [rows, hidden]
        if (hidden && (embedding_scale != 1.0F || positions.rows > 0))
            hidden("token_embedding", ws.x);
        if (embedding_scale != 1.0F)
            ops.scale(ws.x, embedding_scale);
        if (layer_inputs.width > 0)
            makeLayerInputs(step, ids);
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

    // The last row of a prompt is a single row anyway.
    ops.computeRows(step.like == RowsLike::One ? RowsLike::One : RowsLike::Usual);
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
