// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/spans/vocabulary.h"

#include <gtest/gtest.h>

namespace ep::test {
namespace {

using spans::Part;
using spans::PartKind;
using spans::partOf;

struct Known {
    const char* name;
    PartKind kind;
    const char* word; // of our vocabulary
    int layer = -1;
};

std::string wordOf(const Part& part)
{
    switch (part.kind) {
    case PartKind::Section:
        return std::string(name(part.section));
    case PartKind::Component:
    case PartKind::Container:
        return std::string(name(part.component));
    case PartKind::Operation:
        return std::string(name(part.operation));
    default:
        return {};
    }
}

TEST(SpanVocabulary, KnowsTheNamesOfOthers)
{
    constexpr Known kNames[] = {
        // names used by transformers and mlx-lm
        {"model.embed_tokens", PartKind::Section, "embedding"},
        {"model.rotary_emb", PartKind::Section, "position_embedding"},
        {"model.norm", PartKind::Section, "final_norm"},
        {"lm_head", PartKind::Section, "lm_head"},
        {"model", PartKind::Through, ""},
        {"model.layers.3", PartKind::Layer, "", 3},
        {"model.layers.12.self_attn", PartKind::Container, "attention", 12},
        {"model.layers.12.self_attn.q_proj", PartKind::Component, "q_proj", 12},
        {"model.layers.12.self_attn.o_proj", PartKind::Component, "o_proj", 12},
        {"model.layers.0.self_attn.q_norm", PartKind::Component, "q_norm", 0},
        {"model.layers.0.self_attn.rotary_emb", PartKind::Operation, "rotary", 0},
        {"model.layers.0.mlp", PartKind::Container, "activation", 0},
        {"model.layers.0.mlp.act_fn", PartKind::Component, "activation", 0},
        {"model.layers.0.mlp.gate", PartKind::Component, "router", 0},
        {"model.layers.0.input_layernorm", PartKind::Component, "input_layernorm", 0},
        {"model.layers.0.self_attn.dense", PartKind::Component, "o_proj", 0},
        {"transformer.h.5.attn.c_attn", PartKind::Component, "qkv_proj", 5},
        {"transformer.h.5.attn.c_proj", PartKind::Component, "o_proj", 5},
        {"transformer.h.5.mlp.c_proj", PartKind::Component, "fc2", 5},
        {"transformer.h.5.ln_2", PartKind::Component, "post_attention_layernorm", 5},
        {"transformer.wte", PartKind::Section, "embedding"},
        {"backbone.layers.2.norm", PartKind::Component, "input_layernorm", 2},
        {"backbone.layers.2.mixer.norm", PartKind::Component, "gated_norm", 2},
        {"layers.1.feed_forward.w2", PartKind::Component, "down_proj", 1},
        // names used by llama.cpp
        {"Qcur-3", PartKind::Component, "q_proj", 3},
        {"Kcur-29 (reshaped)", PartKind::Component, "k_proj", 29},
        {"attn_norm-0", PartKind::Component, "input_layernorm", 0},
        {"cache_k_l7 (view)", PartKind::Component, "kv_cache", 7},
        {"__fattn__-7", PartKind::Component, "attention", 7},
        {"kqv_out-7", PartKind::Component, "o_proj", 7},
        {"kqv_out-7 [MUL_MAT]", PartKind::Component, "o_proj", 7},
        {"kqv_out-7 [CONT]", PartKind::Component, "attention", 7},
        {"Qcur-3 [MUL_MAT]", PartKind::Component, "q_proj", 3},
        {"Qcur-3 [ROPE]", PartKind::Component, "attention", 3},
        {"node_12 [GET_ROWS]", PartKind::Unknown, ""},
        {"ffn_swiglu-7", PartKind::Component, "activation", 7},
        {"l_out-7", PartKind::Component, "residual", 7},
        {"result_output", PartKind::Section, "lm_head"},
        // our own names
        {"q_proj", PartKind::Component, "q_proj"},
        {"sampling", PartKind::Section, "sampling"},
        // names used by nobody
        {"model.layers.0.whatever", PartKind::Unknown, "", 0},
        {"", PartKind::Unknown, ""},
        {"....", PartKind::Unknown, ""},
        {"layers.-1.mlp", PartKind::Container, "activation"},
        {"Qcur", PartKind::Unknown, ""},
    };
    for (const Known& known : kNames) {
        const Part part = partOf(known.name);
        EXPECT_EQ(part.kind, known.kind) << known.name;
        EXPECT_EQ(wordOf(part), known.word) << known.name;
        EXPECT_EQ(part.layer, known.layer) << known.name;
    }
}

TEST(SpanVocabulary, NamesWhatItDoesNotKnowByItsPlace)
{
    struct Own {
        const char* name;
        LayerBlock block;
        const char* path;
    };
    constexpr Own kNames[] = {
        {"model.layers.0.whatever", LayerBlock::Neither, "whatever"},
        {"model.layers.0.self_attn.conv.1.norm_a", LayerBlock::Attention, "conv.norm_a"},
        {"transformer.h.4.mlp.adapters.0", LayerBlock::Mlp, "adapters"},
        {"model.pooler", LayerBlock::Neither, "pooler"},
        {"model", LayerBlock::Neither, "model"},
        {"Odd-3 (view) [ADD]", LayerBlock::Neither, "Odd"},
        {"node_12 [GET_ROWS]", LayerBlock::Neither, "get_rows"},
        {"", LayerBlock::Neither, ""},
    };
    for (const Own& known : kNames) {
        const spans::OwnPath own = spans::ownPathOf(known.name);
        EXPECT_EQ(own.block, known.block) << known.name;
        EXPECT_EQ(own.path, known.path) << known.name;
    }
}

} // namespace
} // namespace ep::test
