// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf/gguf_names.h"

#include "families/family.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

using Entry = Checkpoint::Entry;

constexpr std::string_view kLayer = "blk.";
constexpr std::array<std::string_view, 3> kFactors{"rope_freqs.weight", "rope_factors_long.weight",
                                                   "rope_factors_short.weight"};

// "blk.12.attn_q.weight" is layer 12, part attn_q, ending weight.
struct GgufName {
    std::optional<int> layer;
    std::string part;
    std::string ending;
};

std::optional<GgufName> parse(std::string_view name)
{
    GgufName parsed;
    if (name.starts_with(kLayer)) {
        name.remove_prefix(kLayer.size());
        int layer = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
        const auto digits = static_cast<std::size_t>(end - name.data());
        if (error != std::errc() || digits >= name.size() || name[digits] != '.')
            return std::nullopt;
        parsed.layer = layer;
        name.remove_prefix(digits + 1);
    }
    const auto point = name.rfind('.');
    if (point == std::string_view::npos)
        return std::nullopt;
    parsed.part = name.substr(0, point);
    parsed.ending = name.substr(point + 1);
    return parsed;
}

class Renaming {
public:
    explicit Renaming(const ModelConfig& config)
        : m_config(config)
        , m_shape(familyShape(config))
        , m_names(m_shape.names)
        , m_ends{{"token_embd", m_model + m_names.embedding},
                 {"position_embd", m_model + m_names.positions},
                 {"output_norm", m_model + m_names.final_norm},
                 {"output", m_names.spellings.front().head}}
        , m_parts(partsOfLayer())
    {
    }

    // HuggingFace's name for a whole tensor.
    std::optional<std::string> nameOf(const GgufName& name) const
    {
        const auto& table = name.layer ? m_parts : m_ends;
        const auto found = table.find(name.part);
        if (found == table.end() || found->second.empty())
            return std::nullopt;
        return (name.layer ? layer(*name.layer) : std::string()) + found->second + "."
            + name.ending;
    }

    Entry::Form formOf(const GgufName& name) const
    {
        Entry::Form form;
        // The files of Llama turn adjacent pairs of a head, HuggingFace its halves.
        const std::string& type = m_config.model_type;
        if (type == "llama" || type == "mistral" || type == "mixtral") {
            if (name.part == "attn_q")
                form.turned_heads = m_config.num_attention_heads;
            if (name.part == "attn_k")
                form.turned_heads = m_config.num_key_value_heads;
        }
        form.plus_one = name.part.ends_with("_norm");
        form.rows_of_outputs = true;
        return form;
    }

    // The parts of a tensor that HuggingFace keeps apart: prefix and number, "experts.3.gate_proj".
    std::optional<std::pair<std::string, std::string>> splitName(const GgufName& name) const
    {
        if (!name.layer)
            return std::nullopt;
        const MoeNames& moe = m_shape.moe;
        const std::string experts = layer(*name.layer) + moe.prefixes.back() + moe.experts;
        if (name.part == "ffn_gate_exps")
            return std::pair(experts, "." + moe.gate + "." + name.ending);
        if (name.part == "ffn_up_exps")
            return std::pair(experts, "." + moe.up + "." + name.ending);
        if (name.part == "ffn_down_exps")
            return std::pair(experts, "." + moe.down + "." + name.ending);
        if (m_shape.attention.head_norm == AttentionOptions::HeadNorm::LayerOfEachHead) {
            const std::string attention = layer(*name.layer) + m_names.attention;
            if (name.part == "attn_q_norm")
                return std::pair(attention + m_shape.attention.q_norm_name + ".norms.",
                                 "." + name.ending);
            if (name.part == "attn_k_norm")
                return std::pair(attention + m_shape.attention.k_norm_name + ".norms.",
                                 "." + name.ending);
        }
        return std::nullopt;
    }

private:
    using Table = std::map<std::string, std::string>;

    std::string layer(int index) const
    {
        return m_model + m_names.layers + std::to_string(index) + ".";
    }

    Table partsOfLayer() const
    {
        const AttentionOptions& attention = m_shape.attention;
        const bool sandwich = m_shape.order == LayerOrder::Sandwich;
        const std::string& a = m_names.attention;
        const std::string& mlp = m_names.mlp;
        Table parts{
            {"attn_norm", m_names.input_norm},
            {"ffn_norm", sandwich ? m_names.pre_feedforward_norm : m_names.post_attention_norm},
            {"post_attention_norm", m_names.post_attention_norm},
            {"post_ffw_norm", m_names.post_feedforward_norm},
            {"attn_q", a + "q_proj"},
            {"attn_k", a + "k_proj"},
            {"attn_v", a + "v_proj"},
            {"attn_output", a + attention.output_name},
            {"attn_q_norm", a + attention.q_norm_name},
            {"attn_k_norm", a + attention.k_norm_name},
            {"ffn_gate_inp", m_shape.moe.prefixes.back() + "gate"}};
        if (attention.fused_name)
            parts["attn_qkv"] = a + attention.fused_name;
        switch (m_shape.mlp.kind) {
        case MlpOptions::Kind::Gated:
            parts["ffn_gate"] = mlp + "gate_proj";
            parts["ffn_up"] = mlp + "up_proj";
            parts["ffn_down"] = mlp + "down_proj";
            break;
        case MlpOptions::Kind::FusedGated:
            parts["ffn_up"] = mlp + "gate_up_proj";
            parts["ffn_down"] = mlp + "down_proj";
            break;
        case MlpOptions::Kind::Plain:
            parts["ffn_up"] = mlp + m_shape.mlp.first;
            parts["ffn_down"] = mlp + m_shape.mlp.second;
            break;
        }
        return parts;
    }

    const ModelConfig& m_config;
    FamilyShape m_shape;
    const TensorNames& m_names;
    const std::string m_model = m_names.spellings.front().model;
    Table m_ends;
    Table m_parts;
};

// Slices [i] of a tensor, without a copy.
void addSlices(const GgufFile::Tensor& tensor, const std::string& prefix, const std::string& ending,
               std::map<std::string, Entry>& entries)
{
    const StoredTensor& whole = tensor.stored;
    const auto count = static_cast<std::size_t>(whole.shape.front());
    const std::size_t bytes = whole.bytes.size() / count;
    for (std::size_t i = 0; i < count; ++i) {
        StoredTensor slice{.dtype = whole.dtype,
                           .shape = {whole.shape.begin() + 1, whole.shape.end()},
                           .bytes = whole.bytes.subspan(i * bytes, bytes)};
        entries.emplace(
            prefix + std::to_string(i) + ending,
            Entry{std::move(slice), tensor.mapping, tensor.file, {.rows_of_outputs = true}});
    }
}

} // namespace

std::map<std::string, Checkpoint::Entry> ggufEntries(const GgufFile& file,
                                                     const ModelConfig& config)
{
    const Renaming renaming(config);
    std::map<std::string, Entry> entries;
    for (const auto& [name, tensor] : file.tensors) {
        if (std::find(kFactors.begin(), kFactors.end(), name) != kFactors.end())
            continue;
        const auto parsed = parse(name);
        const auto split = parsed ? renaming.splitName(*parsed) : std::nullopt;
        if (split && tensor.stored.shape.size() > 1) {
            addSlices(tensor, split->first, split->second, entries);
            continue;
        }
        const auto known = parsed ? renaming.nameOf(*parsed) : std::nullopt;
        entries.emplace(known.value_or(name),
                        Entry{tensor.stored, tensor.mapping, tensor.file,
                              known ? renaming.formOf(*parsed) : Entry::Form{}});
    }
    return entries;
}

} // namespace ep::model
