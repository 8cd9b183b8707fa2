// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/component_kinds.h"
#include "ep/core/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Maps the names that other engines give to parts of a model to parts of our tree.
namespace ep::spans {

enum class PartKind : std::uint8_t {
    Unknown,
    Section, // outside of the layers
    Layer, // a decoder layer
    Component, // a part of a layer, without relevant parts of its own
    Container, // contains components; the time between them is `component`
    Operation, // part of a component
    Through, // only groups its parts: "model", "layers"
};

struct Part {
    PartKind kind = PartKind::Unknown;
    std::int32_t layer = kNoLayer; // if stated in the name
    Section section = Section::Layers;
    Component component = Component::Attention;
    Operation operation = Operation::Softmax;

    bool operator==(const Part&) const = default;
};

// "model.layers.3.self_attn.q_proj" (modules of PyTorch and MLX), "ffn_gate-3" (nodes of
// llama.cpp, perhaps with their operation: "Qcur-3 [ROPE]"), and the words of our own vocabulary.
Part partOf(std::string_view name);

// llama.cpp computes a norm in two nodes, "norm-3" and then "attn_norm-3" or "ffn_norm-3". Only
// the second name says which norm it is.
bool belongsToNext(std::string_view name);

// The name of an unknown part within its layer or model: the path below the layer, the
// container or the model, without list indices. "model.layers.3.self_attn.conv.0" is
// {Attention, "conv"}.
struct OwnPath {
    LayerBlock block = LayerBlock::Neither;
    std::string path{};
};
OwnPath ownPathOf(std::string_view name);

} // namespace ep::spans
