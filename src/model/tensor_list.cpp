// SPDX-License-Identifier: GPL-3.0-or-later
#include "tensor_list.h"

#include "families/family.h"
#include "gguf/gguf_names.h"
#include "layer_shape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <string_view>
#include <tuple>

namespace ep::model {
namespace {

constexpr std::string_view kEndOfWeight = ".weight";

// Matrices that no maker rounds: they are small and sensitive, or tables.
constexpr std::array<std::string_view, 7> kNeverRounded{
    "_norm.weight",  "ffn_gate_inp", "ssm_conv1d", "shortconv.conv.",
    "position_embd", "altup",        "laurel"};

class Lister {
public:
    Lister(const Checkpoint& checkpoint, const ModelConfig& config)
        : m_checkpoint(checkpoint)
        , m_config(config)
        , m_shape(familyShape(config))
        , m_naming(ggufNaming(config))
        , m_spelling(spelling())
    {
    }

    TensorList list() const
    {
        TensorList list;
        list.layers = m_config.num_hidden_layers;
        list.experts = m_config.moe.experts;
        list.queries_per_key = queriesPerKey();
        list.seventy_b = isSeventyB();
        for (const auto& [name, entry] : m_checkpoint.entries()) {
            const std::string own = entry.own_name.empty() ? ownName(name) : entry.own_name;
            if (const int layer = layerBeyond(name, own); layer > 0) {
                list.layers = std::max(list.layers, layer + 1);
                list.values_beyond +=
                    own.ends_with(".attn_v.weight") || name.ends_with(".v_proj.weight") ? 1 : 0;
            } else if (partLeftOut(name, m_config.num_hidden_layers).empty()
                       && !isLeftoverTensor(name) && !isSecondHead(name)) {
                add(name, own, entry, list);
            }
        }
        std::ranges::sort(list.tensors, {}, [](const ListedTensor& tensor) {
            return std::tuple(ggufLayer(tensor.own), std::string_view(tensor.own),
                              std::string_view(tensor.name));
        });
        return list;
    }

private:
    const TensorNames::Spelling& spelling() const
    {
        const auto& all = m_shape.names.spellings;
        const auto found = std::ranges::find_if(all, [&](const TensorNames::Spelling& one) {
            return m_checkpoint.find(one.model + m_shape.names.final_norm
                                     + std::string(kEndOfWeight));
        });
        return found == all.end() ? all.back() : *found;
    }

    // The layer of a tensor that predicts further tokens, which llama.cpp counts on; 0: it is none.
    int layerBeyond(const std::string& name, const std::string& own) const
    {
        constexpr std::string_view kPrediction = "mtp.layers.";
        const int layers = m_config.num_hidden_layers;
        int layer = ggufLayer(own) - layers;
        if (name.starts_with(kPrediction))
            std::from_chars(name.data() + kPrediction.size(), name.data() + name.size(), layer);
        return layer < 0 ? 0 : layers + layer;
    }

    std::string embeddingName() const { return m_spelling.model + m_shape.names.embedding; }

    // Whether the name is that of a tied head which is stored beside the embedding.
    bool isSecondHead(const std::string& name) const
    {
        return m_config.tie_word_embeddings && name == m_spelling.head + std::string(kEndOfWeight)
            && m_checkpoint.find(embeddingName() + std::string(kEndOfWeight));
    }

    // llama.cpp's name for a tensor of a HuggingFace or MLX folder.
    std::string ownName(const std::string& name) const
    {
        const TensorNames::Spelling& first = m_shape.names.spellings.front();
        std::string usual = name;
        if (name.starts_with(m_spelling.head + "."))
            usual =
                (m_config.tie_word_embeddings ? first.model + m_shape.names.embedding : first.head)
                + name.substr(m_spelling.head.size());
        else if (name.starts_with(m_spelling.model))
            usual = first.model + name.substr(m_spelling.model.size());
        const std::string own = m_naming(usual);
        if (own != usual)
            return own;
        return ownInLayer(usual, first.model + m_shape.names.layers).value_or(name);
    }

    // The same for tensors of experts that llama.cpp stores in other ways.
    std::optional<std::string> ownInLayer(const std::string& name, const std::string& layers) const
    {
        const auto point = name.find('.', layers.size());
        if (!name.starts_with(layers) || point == std::string::npos)
            return std::nullopt;
        const std::string layer =
            std::string(kGgufLayer) + name.substr(layers.size(), point - layers.size());
        const std::string part = name.substr(point + 1);
        const MoeNames& moe = m_shape.moe;
        for (const std::string& prefix : moe.prefixes) {
            if (part == prefix + moe.stacked_gate_up)
                return layer + ".ffn_gate_up_exps.weight";
            if (part == prefix + moe.stacked_down)
                return layer + ".ffn_down_exps.weight";
            if (prefix != moe.prefixes.back() && part.starts_with(prefix)) {
                const std::string other =
                    name.substr(0, point + 1) + moe.prefixes.back() + part.substr(prefix.size());
                if (const std::string own = m_naming(other); own != other)
                    return own;
            }
        }
        return std::nullopt;
    }

    int queriesPerKey() const
    {
        const Mixer first = m_config.mixerOf(0);
        const bool keys = first == Mixer::Attention || first == Mixer::MambaAndAttention
            || first == Mixer::DeltaNet; // for which llama.cpp states the model's heads
        const int heads = m_config.kvHeads(0);
        return keys && heads > 0 ? m_config.num_attention_heads / heads : 0;
    }

    bool isSeventyB() const
    {
        constexpr int kLayers = 80;
        const auto& names = familyOfType(m_config.model_type).gguf.architectures;
        const auto has = [&](std::string_view word) {
            return std::ranges::find(names, word) != names.end();
        };
        return m_config.num_hidden_layers == kLayers
            && (has("qwen2")
                || (has("llama") && m_config.num_attention_heads != m_config.num_key_value_heads));
    }

    void add(const std::string& name, const std::string& own, const Checkpoint::Entry& entry,
             TensorList& list) const
    {
        const std::vector<std::int64_t>& shape = entry.tensor.shape;
        ListedTensor tensor;
        tensor.name = name;
        tensor.own = own;
        tensor.stored = dtypeFromStored(entry.tensor.dtype);
        tensor.bytes = entry.bytes();
        tensor.columns = shape.empty() ? 1 : shape.back();
        const bool plain = tensor.stored && !inBlocks(*tensor.stored);
        const bool turned =
            shape.size() == 3 ? m_shape.moe.stacked_as_inputs : m_shape.mlp.layout.transposed;
        if (turned && plain && shape.size() > 1 && ggufLayer(own) >= 0
            && !entry.form.rows_of_outputs)
            tensor.columns = shape[shape.size() - 2];
        tensor.rows = entry.tensor.elements() / std::max<std::int64_t>(1, tensor.columns);
        const bool several = shape.size() == 3 || (shape.size() == 2 && shape.front() > 1);
        tensor.matrix = several && mayBeRounded(own);
        if (m_config.latent && own.ends_with(".attn_kv_b.weight"))
            addHeads(tensor, list);
        else
            list.tensors.push_back(std::move(tensor));
    }

    // The matrix of keys and values of all heads is divided when it is loaded, as in GGUF.
    void addHeads(const ListedTensor& both, TensorList& list) const
    {
        const LatentAttention& latent = *m_config.latent;
        const std::int64_t heads = m_config.num_attention_heads;
        const auto part = [&](const char* name, const char* own, std::int64_t rows,
                              std::int64_t columns) {
            ListedTensor tensor = both;
            const auto change = [](std::string& text, std::string_view end, const char* other) {
                text.replace(text.size() - end.size(), end.size(), other);
            };
            change(tensor.name, "kv_b_proj.weight", name);
            change(tensor.own, "attn_kv_b.weight", own);
            tensor.rows = heads * rows;
            tensor.columns = columns;
            tensor.bytes = both.bytes * (rows * columns)
                / (std::int64_t{latent.plain_dim + latent.value_dim} * latent.rank);
            list.tensors.push_back(std::move(tensor));
        };
        part("embed_q.weight", "attn_k_b.weight", latent.rank, latent.plain_dim);
        part("unembed_out.weight", "attn_v_b.weight", latent.value_dim, latent.rank);
    }

    const Checkpoint& m_checkpoint;
    const ModelConfig& m_config;
    FamilyShape m_shape;
    std::function<std::string(const std::string&)> m_naming;
    TensorNames::Spelling m_spelling;
};

// Words between dots in a name (or how they begin) and the part of a model that they stand for.
struct NamedPart {
    std::string_view word;
    std::string_view part;
};
constexpr std::string_view kVision = "vision part";
constexpr std::string_view kAudio = "audio part";
constexpr std::string_view kPrediction = "head that predicts further tokens (MTP)";
constexpr std::array<NamedPart, 14> kParts{{{"vision", kVision},
                                            {"visual", kVision},
                                            {"image_newline", kVision},
                                            {"audio", kAudio},
                                            {"sound_", kAudio},
                                            {"embed_vision", kVision},
                                            {"embed_audio", kAudio},
                                            {"multi_modal_projector", kVision},
                                            {"mtp", kPrediction},
                                            {"nextn", kPrediction},
                                            {"eagle", kPrediction},
                                            {"mm_", kVision},
                                            {"multimodal_", kVision},
                                            {"patch_embed", kVision}}};

// Buffers that older versions saved with the weights, and scales of a cache that is not quantized
// here.
constexpr std::array<std::string_view, 9> kBuffers{".rotary_emb.inv_freq",
                                                   ".rotary_emb.cos_cached",
                                                   ".rotary_emb.sin_cached",
                                                   ".attn.bias",
                                                   ".attn.masked_bias",
                                                   ".attention.bias",
                                                   ".attention.masked_bias",
                                                   ".k_scale",
                                                   ".v_scale"};

std::string_view partStartedBy(std::string_view word)
{
    const auto* const found = std::find_if(kParts.begin(), kParts.end(), [&](const NamedPart& row) {
        return word.starts_with(row.word);
    });
    return found == kParts.end() ? std::string_view() : found->part;
}

// The number after the first "layers."; -1: there is none.
int layerIn(std::string_view name)
{
    constexpr std::string_view kLayers = "layers.";
    const auto place = name.find(kLayers);
    int layer = -1;
    if (place != std::string_view::npos)
        std::from_chars(name.data() + place + kLayers.size(), name.data() + name.size(), layer);
    return layer;
}

} // namespace

bool mayBeRounded(std::string_view own)
{
    return own.ends_with(kEndOfWeight)
        && std::ranges::none_of(kNeverRounded, [&](std::string_view word) {
               return own.find(word) != std::string_view::npos;
           });
}

TensorList listTensors(const Checkpoint& checkpoint, const ModelConfig& config)
{
    return Lister(checkpoint, config).list();
}

bool isLeftoverTensor(std::string_view name)
{
    return std::any_of(kBuffers.begin(), kBuffers.end(),
                       [&](std::string_view end) { return name.ends_with(end); });
}

std::string_view partLeftOut(std::string_view name, int layers)
{
    std::string_view part = partStartedBy(name);
    for (std::size_t point = name.find('.'); part.empty() && point != std::string_view::npos;
         point = name.find('.', point + 1))
        part = partStartedBy(name.substr(point + 1));
    return part.empty() && layerIn(name) >= layers ? kPrediction : part;
}

bool isUnneededTensor(std::string_view name)
{
    return isLeftoverTensor(name) || !partLeftOut(name, std::numeric_limits<int>::max()).empty();
}

} // namespace ep::model
