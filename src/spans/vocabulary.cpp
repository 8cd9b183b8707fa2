// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/spans/vocabulary.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <charconv>
#include <span>

namespace ep::spans {

namespace {

constexpr Part section(Section which)
{
    return {.kind = PartKind::Section, .section = which};
}
constexpr Part component(Component which)
{
    return {.kind = PartKind::Component, .component = which};
}
constexpr Part container(Component between)
{
    return {.kind = PartKind::Container, .component = between};
}
constexpr Part operation(Component of, Operation which)
{
    return {.kind = PartKind::Operation, .component = of, .operation = which};
}
constexpr Part through()
{
    return {.kind = PartKind::Through};
}

struct Name {
    std::string_view name;
    Part part;
};

// Modules of PyTorch and MLX, by the end of their path; two words if one is ambiguous.
constexpr Name kModules[] = {
    {"embed_tokens", section(Section::Embedding)},
    {"tok_embeddings", section(Section::Embedding)},
    {"word_embeddings", section(Section::Embedding)},
    {"wte", section(Section::Embedding)},
    {"embed_in", section(Section::Embedding)},
    {"wpe", section(Section::PositionEmbedding)},
    {"rotary_emb", section(Section::PositionEmbedding)},
    {"attention_mask", section(Section::PositionEmbedding)},
    {"norm", section(Section::FinalNorm)},
    {"ln_f", section(Section::FinalNorm)},
    {"final_layernorm", section(Section::FinalNorm)},
    {"final_layer_norm", section(Section::FinalNorm)},
    {"norm_f", section(Section::FinalNorm)},
    {"lm_head", section(Section::LmHead)},
    {"embed_out", section(Section::LmHead)},
    {"output", section(Section::LmHead)},
    {"self_attn", container(Component::Attention)},
    {"attn", container(Component::Attention)},
    {"attention", container(Component::Attention)},
    {"self_attention", container(Component::Attention)},
    {"mixer", container(Component::Scan)},
    {"linear_attn", container(Component::DeltaRule)},
    {"mlp", container(Component::Activation)},
    {"feed_forward", container(Component::Activation)},
    {"ffn", container(Component::Activation)},
    {"block_sparse_moe", container(Component::Experts)},
    {"moe", container(Component::Experts)},
    {"experts", component(Component::Experts)},
    {"switch_mlp", component(Component::Experts)},
    {"gate", component(Component::Router)},
    {"router", component(Component::Router)},
    {"shared_expert", component(Component::SharedExpert)},
    {"shared_experts", component(Component::SharedExpert)},
    {"wq", component(Component::QProj)},
    {"query", component(Component::QProj)},
    {"wk", component(Component::KProj)},
    {"key", component(Component::KProj)},
    {"wv", component(Component::VProj)},
    {"value", component(Component::VProj)},
    {"wo", component(Component::OProj)},
    {"wqkv", component(Component::QkvProj)},
    {"query_key_value", component(Component::QkvProj)},
    {"c_attn", component(Component::QkvProj)},
    {"attn.c_proj", component(Component::OProj)},
    {"attention.dense", component(Component::OProj)},
    {"self_attention.dense", component(Component::OProj)},
    {"self_attn.dense", component(Component::OProj)},
    {"self_attn.out_proj", component(Component::OProj)},
    {"attn.out_proj", component(Component::OProj)},
    {"c_fc", component(Component::Fc1)},
    {"dense_h_to_4h", component(Component::Fc1)},
    {"mlp.c_proj", component(Component::Fc2)},
    {"dense_4h_to_h", component(Component::Fc2)},
    {"w1", component(Component::GateProj)},
    {"w3", component(Component::UpProj)},
    {"w2", component(Component::DownProj)},
    {"act_fn", component(Component::Activation)},
    {"act", component(Component::Activation)},
    {"activation_fn", component(Component::Activation)},
    {"ln_1", component(Component::InputLayernorm)},
    {"attention_norm", component(Component::InputLayernorm)},
    {"operator_norm", component(Component::InputLayernorm)},
    {"ln_2", component(Component::PostAttentionLayernorm)},
    {"ffn_norm", component(Component::PostAttentionLayernorm)},
    {"q_layernorm", component(Component::QNorm)},
    {"k_layernorm", component(Component::KNorm)},
    {"model", through()},
    {"transformer", through()},
    {"language_model", through()},
    {"decoder", through()},
    {"layers", through()},
};

// Nodes of llama.cpp's graph, without the layer number.
constexpr Name kNodes[] = {
    {"inp_embd", section(Section::Embedding)},
    {"embd", section(Section::Embedding)},
    {"result_norm", section(Section::FinalNorm)},
    {"result_output", section(Section::LmHead)},
    {"norm", component(Component::InputLayernorm)},
    {"attn_norm", component(Component::InputLayernorm)},
    {"qcur", component(Component::QProj)},
    {"kcur", component(Component::KProj)},
    {"vcur", component(Component::VProj)},
    {"qkv", component(Component::QkvProj)},
    {"wqkv", component(Component::QkvProj)},
    {"bqkv", component(Component::QkvProj)},
    {"qcur_normed", component(Component::QNorm)},
    {"kcur_normed", component(Component::KNorm)},
    {"qcur_rope", component(Component::Attention)},
    {"kcur_rope", component(Component::Attention)},
    {"cache_k", component(Component::KvCache)},
    {"cache_v", component(Component::KvCache)},
    {"k_cache_view", component(Component::KvCache)},
    {"v_cache_view", component(Component::KvCache)},
    {"kq", component(Component::Attention)},
    {"kq_mask", component(Component::Attention)},
    {"kq_scaled", component(Component::Attention)},
    {"kq_soft_max", component(Component::Attention)},
    {"kq_soft_max_ext", component(Component::Attention)},
    {"kqv", component(Component::Attention)},
    {"kqv_merged", component(Component::Attention)},
    {"kqv_merged_cont", component(Component::Attention)},
    {"__fattn__", component(Component::Attention)},
    {"fattn", component(Component::Attention)},
    {"q", component(Component::Attention)},
    {"k", component(Component::Attention)},
    {"v", component(Component::Attention)},
    {"kqv_out", component(Component::OProj)},
    {"attn_out", component(Component::OProj)},
    {"attn_post_norm", component(Component::PostAttentionLayernorm)},
    {"ffn_inp", component(Component::Residual)},
    {"l_out", component(Component::Residual)},
    {"ffn_norm", component(Component::PostAttentionLayernorm)},
    {"ffn_gate", component(Component::GateProj)},
    {"ffn_gate_par", component(Component::GateProj)},
    {"ffn_up", component(Component::UpProj)},
    {"ffn_silu", component(Component::Activation)},
    {"ffn_gelu", component(Component::Activation)},
    {"ffn_relu", component(Component::Activation)},
    {"ffn_swiglu", component(Component::Activation)},
    {"ffn_geglu", component(Component::Activation)},
    {"ffn_out", component(Component::DownProj)},
    {"ffn_down", component(Component::DownProj)},
    {"ffn_post_norm", component(Component::PostFeedforwardLayernorm)},
    {"ffn_moe_logits", component(Component::Router)},
    {"ffn_moe_probs", component(Component::Router)},
    {"ffn_moe_topk", component(Component::Router)},
    {"ffn_moe_weights", component(Component::Router)},
    {"ffn_moe_up", component(Component::Experts)},
    {"ffn_moe_gate", component(Component::Experts)},
    {"ffn_moe_down", component(Component::Experts)},
    {"ffn_moe_out", component(Component::Experts)},
    {"ffn_shexp", component(Component::SharedExpert)},
};

// Words that precede the number of a layer in a path.
constexpr std::string_view kLayerLists[] = {"layers", "h", "blocks", "block", "layer"};

std::optional<std::int32_t> numberIn(std::string_view text)
{
    std::int32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    constexpr std::int32_t kMaxLayers = 100'000;
    if (text.empty() || text.front() == '-' || read.ec != std::errc()
        || read.ptr != text.data() + text.size() || number > kMaxLayers)
        return std::nullopt;
    return number;
}

const Part* find(std::span<const Name> names, std::string_view word)
{
    const auto found = std::ranges::find(names, word, &Name::name);
    return found == names.end() ? nullptr : &found->part;
}

// The vocabulary of this program, which many models share.
std::optional<Part> ourPart(std::string_view word)
{
    if (const auto known = componentFromName(word))
        return component(*known);
    if (const auto known = sectionFromName(word))
        return section(*known);
    return std::nullopt;
}

std::string_view lastWord(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

std::string_view withoutLast(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

// Looks up the path's last two words, then its last. inLayer: the path follows a layer number.
Part moduleOf(std::string_view path, bool inLayer)
{
    const std::string_view last = lastWord(path);
    const std::string_view before = lastWord(withoutLast(path));
    const std::string_view two =
        before.empty() ? path : path.substr(path.size() - last.size() - 1 - before.size());
    const Part* known = find(kModules, two);
    if (known == nullptr)
        known = find(kModules, last);
    if (known != nullptr && !(inLayer && known->kind == PartKind::Section))
        return *known;
    if (const auto ours = ourPart(last); ours && !(inLayer && ours->kind == PartKind::Section))
        return *ours;
    if (inLayer && last == "norm") // norm of the layer itself, or within attention or a mixer
        return component(before.empty() ? Component::InputLayernorm : Component::GatedNorm);
    if (inLayer && (last == "rotary_emb" || last == "rope"))
        return operation(Component::Attention, Operation::Rotary);
    return {};
}

// A name of llama.cpp's graph: "Qcur-3", "cache_k_l3 (view)", "Kcur-3 (reshaped) [ROPE]".
struct NodeName {
    std::string_view plain; // without the layer and the operation
    std::string word; // `plain` in lower case
    std::string operation; // in lower case; empty: not stated
    std::optional<std::int32_t> layer;
};

NodeName nodeNameOf(std::string_view name)
{
    NodeName node;
    if (const std::size_t mark = name.rfind(" [");
        mark != std::string_view::npos && name.ends_with(']'))
        node.operation = lowerAscii(name.substr(mark + 2, name.size() - mark - 3));
    std::string_view word = name.substr(0, std::min(name.find(" ("), name.find(" [")));
    const auto numberAt = [&](std::size_t end, std::size_t begin) {
        if (end == std::string_view::npos)
            return;
        if (const auto number = numberIn(word.substr(begin))) {
            node.layer = number;
            word = word.substr(0, end);
        }
    };
    const std::size_t dash = word.rfind('-');
    const std::size_t mark = dash == std::string_view::npos ? word.rfind("_l") : dash;
    numberAt(mark, mark + (dash == std::string_view::npos ? 2 : 1));
    node.plain = word;
    node.word = lowerAscii(word);
    return node;
}

// Handles nodes whose name alone does not say what they compute.
std::string_view wordOf(const NodeName& node)
{
    if (node.operation == "rope" && (node.word == "qcur" || node.word == "kcur"))
        return "kq"; // operations on a projection's result carry its name
    const bool product = node.operation.empty() || node.operation.starts_with("mul_mat");
    if (node.word == "kqv_out" && !product) // the name of the output projection until 2025
        return "kqv_merged";
    return node.word;
}

std::optional<Part> nodeOf(std::string_view name)
{
    const NodeName node = nodeNameOf(name);
    const Part* known = find(kNodes, wordOf(node));
    if (known == nullptr || (known->kind == PartKind::Component) != node.layer.has_value())
        return std::nullopt;
    Part part = *known;
    part.layer = node.layer.value_or(kNoLayer);
    return part;
}

// The number after the first list of layers in a path, and the rest of the path; the whole path if
// there is no list.
struct LayerPath {
    std::optional<std::int32_t> layer;
    std::string_view rest;
};

LayerPath layerPathOf(std::string_view name)
{
    std::size_t begin = 0;
    std::optional<std::int32_t> layer;
    std::string_view rest = name;
    for (std::string_view before; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        const std::string_view word = name.substr(begin, end - begin);
        if (std::ranges::find(kLayerLists, before) != std::end(kLayerLists) && !layer) {
            if (const auto number = numberIn(word)) {
                layer = number;
                rest = name.substr(std::min(end + 1, name.size()));
            }
        }
        before = word;
        begin = end + 1;
    }
    return {layer, rest};
}

Part readName(std::string_view name)
{
    if (const auto node = nodeOf(name))
        return *node;
    const auto [layer, rest] = layerPathOf(name);
    if (layer && rest.empty())
        return {.kind = PartKind::Layer, .layer = *layer};
    Part part = moduleOf(rest, layer.has_value());
    part.layer = layer.value_or(kNoLayer);
    if (part.kind == PartKind::Unknown && !layer && name.find('.') == std::string_view::npos)
        part.layer = nodeNameOf(name).layer.value_or(kNoLayer);
    return part;
}

} // namespace

bool belongsToNext(std::string_view name)
{
    return nodeNameOf(name).word == "norm" && name.find('.') == std::string_view::npos;
}

Part partOf(std::string_view name)
{
    return readName(name);
}

OwnPath ownPathOf(std::string_view name)
{
    OwnPath own;
    std::string_view rest = layerPathOf(name).rest;
    if (name.find('.') == std::string_view::npos) { // llama.cpp numbers unnamed nodes: "node_12"
        const NodeName node = nodeNameOf(name);
        const bool unnamed = node.plain.starts_with("node_") && !node.operation.empty();
        own.path = unnamed ? std::string_view(node.operation) : node.plain;
        return own;
    }
    while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find('.'));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        const Part* known = find(kModules, word);
        const bool groups = known != nullptr
            && (known->kind == PartKind::Through || known->kind == PartKind::Container);
        if (word.empty() || numberIn(word))
            continue;
        if (own.path.empty() && groups && !rest.empty()) {
            if (known->kind == PartKind::Container)
                own.block = blockOf(known->component);
            continue;
        }
        own.path.append(own.path.empty() ? "" : ".").append(word);
    }
    return own;
}

} // namespace ep::spans
