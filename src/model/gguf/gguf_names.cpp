// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf/gguf_names.h"

#include "families/family.h"
#include "packed/packed_fields.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace ep::model {

using Entry = Checkpoint::Entry;

namespace {

constexpr std::array<std::string_view, 3> kFactors{"rope_freqs.weight", "rope_factors_long.weight",
                                                   "rope_factors_short.weight"};

// Falcon-H1's files leave out the ending, all others have it.
constexpr std::string_view kNormOfFalcon = "ffn_norm";

class Renaming {
public:
    // stacked: the experts' gates and ups are one tensor, which is not split
    Renaming(const ModelConfig& config, bool stacked)
        : m_config(config)
        , m_stacked(stacked)
        , m_shape(familyShape(config))
        , m_names(m_shape.names)
        , m_ends{{"token_embd", m_model + m_names.embedding},
                 {"position_embd", m_model + m_names.positions},
                 {"output_norm", m_model + m_names.final_norm},
                 {"token_embd_norm", m_model + m_names.final_norm}, // LFM2's name
                 {"per_layer_token_embd", m_model + "embed_tokens_per_layer"},
                 {"per_layer_model_proj", m_model + "per_layer_model_projection"},
                 {"per_layer_proj_norm", m_model + "per_layer_projection_norm"},
                 {"output", m_names.spellings.front().head}}
        , m_parts(partsOfLayer())
        , m_vectors(vectorsOfLayer())
    {
    }

    // HuggingFace's name for a whole tensor.
    std::optional<std::string> nameOf(const GgufName& name) const
    {
        if (const auto vector = m_vectors.find(whole(name));
            name.layer && vector != m_vectors.end())
            return layer(*name.layer) + vector->second;
        const auto& table = name.layer ? m_parts : m_ends;
        const auto found = table.find(name.part);
        if (found == table.end() || found->second.empty() || name.ending.empty())
            return std::nullopt;
        return (name.layer ? layer(*name.layer) : std::string()) + found->second + "."
            + name.ending;
    }

    Entry::Form formOf(const GgufName& name) const
    {
        Entry::Form form;
        if (familyOfType(m_config.model_type).gguf.turned_heads) {
            if (name.part == "attn_q")
                form.turned_heads = m_config.num_attention_heads;
            if (name.part == "attn_k")
                form.turned_heads = m_config.num_key_value_heads;
        }
        form.plus_one = name.part.ends_with("_norm");
        form.negative_exponential = name.part == "ssm_a";
        form.rows_of_outputs = true;
        return form;
    }

    // The parts of a tensor that HuggingFace keeps apart: "experts.3.gate_proj.weight".
    struct Split {
        std::string prefix;
        std::string ending;
        int count = 0;
    };

    std::optional<Split> splitName(const GgufName& name) const
    {
        if (!name.layer || m_stacked)
            return std::nullopt;
        const MoeNames& moe = m_shape.moe;
        const auto expert = [&](const std::string& part) {
            return Split{layer(*name.layer) + moe.prefixes.back() + moe.experts,
                         "." + part + "." + name.ending, m_config.moe.experts};
        };
        if (name.part == "ffn_gate_exps")
            return expert(moe.gate);
        if (name.part == "ffn_up_exps")
            return expert(moe.up);
        if (name.part == "ffn_down_exps")
            return expert(moe.down);
        if (m_shape.attention.head_norm != AttentionOptions::HeadNorm::LayerOfEachHead)
            return std::nullopt;
        const auto head = [&](const std::string& norm, int heads) {
            return Split{layer(*name.layer) + m_names.attention + norm + ".norms.",
                         "." + name.ending, heads};
        };
        if (name.part == "attn_q_norm")
            return head(m_shape.attention.q_norm_name, m_config.num_attention_heads);
        if (name.part == "attn_k_norm")
            return head(m_shape.attention.k_norm_name, m_config.num_key_value_heads);
        return std::nullopt;
    }

    // The inverse of nameOf() and splitName().
    std::string ownName(const std::string& name) const
    {
        const auto ending = name.rfind('.');
        if (ending == std::string::npos)
            return name;
        const std::string module = name.substr(0, ending);
        for (const auto& [own, known] : m_ends) {
            if (known == module)
                return own + name.substr(ending);
        }
        const std::string layers = m_model + m_names.layers;
        const auto number = module.find('.', layers.size());
        if (!module.starts_with(layers) || number == std::string::npos)
            return name;
        const std::string layer =
            std::string(kGgufLayer) + module.substr(layers.size(), number - layers.size()) + ".";
        const std::string part = module.substr(number + 1);
        for (const auto& [own, known] : m_vectors) {
            if (name.ends_with("." + known) && own != kNormOfFalcon)
                return layer + own;
        }
        for (const auto& [own, known] : m_parts) {
            if (known == part)
                return layer + own + name.substr(ending);
        }
        const MoeNames& moe = m_shape.moe;
        if (!part.starts_with(moe.prefixes.back() + moe.experts))
            return name;
        for (const auto& [own, known] :
             {std::pair("ffn_gate_exps", moe.gate), std::pair("ffn_up_exps", moe.up),
              std::pair("ffn_down_exps", moe.down)}) {
            if (part.ends_with("." + std::string(known)))
                return layer + own + name.substr(ending);
        }
        return name;
    }

private:
    using Table = std::map<std::string, std::string>;

    std::string layer(int index) const
    {
        return m_model + m_names.layers + std::to_string(index) + ".";
    }

    static std::string whole(const GgufName& name)
    {
        return name.ending.empty() ? name.part : name.part + "." + name.ending;
    }

    // Tensors whose HuggingFace names have no ending.
    Table vectorsOfLayer() const
    {
        const std::string& mixer = m_names.mixer;
        const MoeNames& moe = m_shape.moe;
        const std::string& prefix = moe.prefixes.back();
        Table names{{"ssm_a", mixer + "A_log"},
                    {"ssm_d", mixer + "D"},
                    {"ssm_dt.bias", mixer + "dt_bias"},
                    {"layer_output_scale.weight", "layer_scalar"},
                    {std::string(kNormOfFalcon), m_names.post_attention_norm + ".weight"},
                    {"exp_probs_b.bias", prefix + moe.correction}};
        if (m_shape.attention.sinks_name)
            names["attn_sinks.weight"] = m_names.attention + m_shape.attention.sinks_name;
        if (moe.scaled_router) {
            names["ffn_gate_inp.scale"] = prefix + "router.scale";
            names["ffn_down_exps.scale"] = prefix + "router.per_expert_scale";
        }
        if (m_stacked) {
            names["ffn_gate_up_exps.weight"] = prefix + moe.stacked_gate_up;
            names["ffn_down_exps.weight"] = prefix + moe.stacked_down;
        }
        return names;
    }

    // Adds mixers with a state. Some files use attention's names for projections of DeltaNet.
    void addMixer(Table& parts) const
    {
        const std::string& mixer = m_names.mixer;
        const auto& mixers = m_config.mixers;
        if (std::find(mixers.begin(), mixers.end(), Mixer::ShortConvolution) != mixers.end()) {
            parts.insert({{"shortconv.in_proj", mixer + "in_proj"},
                          {"shortconv.conv", mixer + "conv"},
                          {"shortconv.out_proj", mixer + "out_proj"}});
            return;
        }
        parts.insert({{"ssm_in", mixer + "in_proj"},
                      {"ssm_conv1d", mixer + "conv1d"},
                      {"ssm_norm", mixer + "norm"},
                      {"ssm_out", mixer + "out_proj"}});
        if (std::find(mixers.begin(), mixers.end(), Mixer::DeltaNet) == mixers.end())
            return;
        parts["ssm_in"] = mixer + "in_proj_qkvz";
        parts["attn_qkv"] = mixer + "in_proj_qkv";
        parts["attn_gate"] = mixer + "in_proj_z";
        parts["ssm_beta"] = mixer + "in_proj_b";
        parts["ssm_alpha"] = mixer + "in_proj_a";
        parts["ssm_ba"] = mixer + "in_proj_ba";
    }

    Table partsOfLayer() const
    {
        const AttentionOptions& attention = m_shape.attention;
        const bool sandwich = m_shape.order == LayerOrder::Sandwich;
        const std::string& a = m_names.attention;
        const std::string& mlp = m_names.mlp;
        const std::string& moe = m_shape.moe.prefixes.back();
        const std::string shared =
            (m_shape.moe.shared_of_layer ? std::string() : moe) + m_shape.moe.shared;
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
            {"attn_q_a", a + "q_a_proj"},
            {"attn_q_a_norm", a + "q_a_layernorm"},
            {"attn_q_b", a + "q_b_proj"},
            {"attn_kv_a_mqa", a + "kv_a_proj_with_mqa"},
            {"attn_kv_a_norm", a + "kv_a_layernorm"},
            {"attn_kv_b", a + "kv_b_proj"},
            {"attn_k_b", a + "embed_q"},
            {"attn_v_b", a + "unembed_out"},
            {"ffn_gate_inp", moe + m_shape.moe.router},
            {"ffn_gate_inp_shexp", moe + "shared_expert_gate"},
            {"ffn_gate_shexp", shared + m_shape.moe.gate},
            {"ffn_up_shexp", shared + m_shape.moe.up},
            {"ffn_down_shexp", shared + m_shape.moe.down},
            {"ffn_latent_down", moe + m_shape.moe.latent_in},
            {"ffn_latent_up", moe + m_shape.moe.latent_out},
            {"post_ffw_norm_1", m_names.post_feedforward_norm + "_1"},
            {"pre_ffw_norm_2", m_names.pre_feedforward_norm + "_2"},
            {"post_ffw_norm_2", m_names.post_feedforward_norm + "_2"},
            {"inp_gate", "per_layer_input_gate"},
            {"proj", "per_layer_projection"},
            {"post_norm", "post_per_layer_input_norm"}};
        addMixer(parts);
        if (attention.fused_name)
            parts["attn_qkv"] = a + attention.fused_name;
        if (m_config.moe.experts > 0 && shared == mlp) { // no other dense MLP (Granite)
            if (!m_shape.moe.gate_up.empty())
                parts["ffn_up_shexp"] = shared + m_shape.moe.gate_up;
            return parts;
        }
        switch (m_shape.mlp.kind) {
        case MlpOptions::Kind::Gated:
            parts["ffn_gate"] = mlp + m_shape.mlp.gate;
            parts["ffn_up"] = mlp + m_shape.mlp.up;
            parts["ffn_down"] = mlp + m_shape.mlp.down;
            break;
        case MlpOptions::Kind::FusedGated:
            parts["ffn_up"] = mlp + m_shape.mlp.gate_up;
            parts["ffn_down"] = mlp + m_shape.mlp.down;
            break;
        case MlpOptions::Kind::Plain:
            parts["ffn_up"] = mlp + m_shape.mlp.first;
            parts["ffn_down"] = mlp + m_shape.mlp.second;
            break;
        }
        return parts;
    }

    const ModelConfig& m_config;
    bool m_stacked;
    FamilyShape m_shape;
    const TensorNames& m_names;
    const std::string m_model = m_names.spellings.front().model;
    Table m_ends;
    Table m_parts;
    Table m_vectors;
};

// Attaches each "X.scale" to its "X.weight", which it multiplies (NVFP4). Drops "X.input_scale", by
// which llama.cpp rounds activations, because they are not rounded here.
Status joinScales(const std::string& file, std::map<std::string, Entry>& entries)
{
    constexpr std::string_view kWeight = ".weight";
    for (auto& [name, weight] : entries) {
        if (!name.ends_with(kWeight) || weight.tensor.shape.empty())
            continue;
        PackedFields fields(PackedLayout::Gguf, entries,
                            name.substr(0, name.size() - kWeight.size()), file);
        // A vector has a single factor, as it is one row.
        const auto& shape = weight.tensor.shape;
        fields.set("first", shape.size() > 1 ? shape.front() : 1).take(".scale", weight.factor);
        if (!fields.status())
            return fields.status();
    }
    std::erase_if(entries, [](const auto& entry) { return entry.first.ends_with(".input_scale"); });
    return {};
}

// In some files, vectors of mixers with a state are matrices with one column, or have a row for
// each group; the gate of a shared expert is a vector.
void flatten(const std::string& name, std::vector<std::int64_t>& shape)
{
    for (const char* const vector : {".ssm_a", ".ssm_d", ".ssm_norm.weight"}) {
        if (name.ends_with(vector) && shape.size() == 2)
            shape = {shape[0] * shape[1]};
    }
    if (name.ends_with(".ffn_gate_inp_shexp.weight") && shape.size() == 1)
        shape.insert(shape.begin(), 1);
}

// Adds slices [i] of a tensor, without a copy.
void addSlices(const std::string& ownName, const GgufFile::Tensor& tensor,
               const std::string& prefix, const std::string& ending,
               std::map<std::string, Entry>& entries)
{
    Entry whole{tensor.stored, tensor.mapping, tensor.file, {.rows_of_outputs = true}};
    whole.own_name = ownName;
    for (std::int64_t i = 0; i < tensor.stored.shape.front(); ++i)
        entries.emplace(prefix + std::to_string(i) + ending, whole.slice(i));
}

} // namespace

std::function<std::string(const std::string& name)> ggufNaming(const ModelConfig& config)
{
    struct State { // the names refer to the settings
        explicit State(const ModelConfig& settings)
            : config(settings)
            , renaming(config, false)
        {
        }
        ModelConfig config;
        Renaming renaming;
    };
    return [state = std::make_shared<const State>(config)](const std::string& name) {
        return state->renaming.ownName(name);
    };
}

Result<std::map<std::string, Entry>> ggufEntries(const GgufFile& file, const ModelConfig& config)
{
    const bool stacked =
        std::any_of(file.tensors.begin(), file.tensors.end(), [](const auto& tensor) {
            return tensor.first.ends_with(".ffn_gate_up_exps.weight");
        });
    const Renaming renaming(config, stacked);
    std::map<std::string, Entry> entries;
    for (const auto& [name, tensor] : file.tensors) {
        if (std::find(kFactors.begin(), kFactors.end(), name) != kFactors.end())
            continue;
        const auto parsed = parseGgufName(name);
        const auto split = parsed ? renaming.splitName(*parsed) : std::nullopt;
        const bool scales = parsed && parsed->ending == "scale"; // one for each expert
        const auto& shape = tensor.stored.shape;
        if (split && shape.size() > (scales ? 0U : 1U) && shape.front() == split->count) {
            addSlices(name, tensor, split->prefix, split->ending, entries);
            continue;
        }
        const auto known = parsed ? renaming.nameOf(*parsed) : std::nullopt;
        Entry entry{tensor.stored, tensor.mapping, tensor.file,
                    known ? renaming.formOf(*parsed) : Entry::Form{}};
        flatten(name, entry.tensor.shape);
        entry.own_name = name;
        entries.emplace(known.value_or(name), std::move(entry));
    }
    if (const Status joined = joinScales(file.path.string(), entries); !joined)
        return joined.error();
    return entries;
}

} // namespace ep::model
