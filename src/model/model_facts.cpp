// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_facts.h"

#include "families/family.h"
#include "layer_shape.h"
#include "ollama.h"
#include "state_costs.h"

#include "ep/core/mapped_file.h"
#include "ep/model/analytic.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace ep::model {
namespace {

// 64-bit FNV-1a: distinguishes files; not cryptographic.
class Fnv {
public:
    void add(std::string_view text)
    {
        for (const char c : text)
            mix(static_cast<unsigned char>(c));
        mix(0); // separator, so that the boundary between two texts matters
    }
    std::string text() const
    {
        constexpr std::string_view kDigits = "0123456789abcdef";
        std::string digits;
        for (int shift = 60; shift >= 0; shift -= 4)
            digits += kDigits[(m_state >> shift) & 0xFU];
        return digits;
    }

private:
    void mix(unsigned byte)
    {
        m_state ^= byte;
        m_state *= 0x0000'0100'0000'01B3U;
    }
    std::uint64_t m_state = 0xCBF2'9CE4'8422'2325U;
};

// "llama-7b.Q4_K_M" for llama-7b.Q4_K_M-00001-of-00002.gguf
std::string ggufName(const std::filesystem::path& file)
{
    constexpr std::string_view kFirstFile = "-00001-of-";
    std::string name =
        file.extension() == ".gguf" ? file.stem().string() : file.filename().string();
    if (const auto part = name.rfind(kFirstFile);
        part != std::string::npos && part > 0 && name.size() == part + kFirstFile.size() + 5)
        name.resize(part);
    return name;
}

std::int64_t attentionParameters(const FamilyShape& family, const ModelConfig& config,
                                 const LayerShape& s)
{
    const std::int64_t hidden = s.hidden;
    const bool bias = family.attention.qkv_bias;
    if (const LatentAttention& l = s.latent; l.rank > 0) {
        const std::int64_t heads = config.num_attention_heads;
        const std::int64_t queries = heads * l.queries();
        const std::int64_t q = l.query_rank == 0
            ? hidden * queries
            : (hidden + 1 + queries + (bias ? 1 : 0)) * l.query_rank;
        return q + (hidden + (bias ? 1 : 0)) * l.keptKeys() + l.rank
            + heads * (l.plain_dim + l.value_dim) * l.rank + heads * l.value_dim * hidden
            + (family.attention.output_bias ? hidden : 0);
    }
    const std::int64_t queries = family.attention.output_gate ? 2 * s.q : s.q;
    const std::int64_t all = queries + (s.values_are_keys ? s.kv : 2 * s.kv);
    return hidden * all + s.q * hidden + (bias ? all : 0)
        + (family.attention.output_bias ? hidden : 0) + s.q_norm_weights + s.k_norm_weights
        + (family.attention.sinks_name ? config.num_attention_heads : 0);
}

std::int64_t expertParameters(const FamilyShape& family, std::int64_t hidden, std::int64_t width,
                              bool bias)
{
    const std::int64_t inputs = family.moe.gated ? 2 * width : width;
    return (inputs + width) * hidden + (bias ? inputs + hidden : 0);
}

std::int64_t mlpParameters(const FamilyShape& family, const ModelConfig& config,
                           const LayerShape& s)
{
    const std::int64_t hidden = s.hidden;
    const std::int64_t experts = s.experts;
    std::int64_t count = 2 * hidden * s.per_layer_input;
    if (experts > 0) {
        count += hidden * experts + (family.moe.bias ? experts : 0)
            + experts
                * expertParameters(family, s.expert_hidden, s.expert_intermediate, family.moe.bias);
        count += config.moe.corrected ? experts : 0;
        count += family.moe.scaled_router ? hidden + experts : 0;
        if (const std::int64_t latent = config.moe.latent_size; latent > 0)
            count += 2 * hidden * latent + (family.moe.shared_bias ? hidden + latent : 0);
    }
    if (s.shared_intermediate > 0) {
        const bool bias = family.moe.bias || family.moe.shared_bias;
        count += expertParameters(family, hidden, s.shared_intermediate, bias)
            + (family.moe.shared_gate.empty() ? 0 : hidden);
    }
    if (s.intermediate > 0) {
        const std::int64_t matrices = family.mlp.kind == MlpOptions::Kind::Plain ? 2 : 3;
        count += matrices * hidden * s.intermediate;
        count += family.mlp.bias ? (matrices - 1) * s.intermediate + hidden : 0;
    }
    return count;
}

} // namespace

std::string modelName(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder.lexically_normal();
    const std::filesystem::path last = path.has_filename() ? path : path.parent_path();
    // models--organisation--name/snapshots/<revision>
    if (isFile(last))
        return ollamaNameOf(last).value_or(ggufName(last));
    const std::filesystem::path snapshots = last.parent_path();
    const std::string repository = snapshots.parent_path().filename().string();
    constexpr std::string_view kPrefix = "models--";
    if (snapshots.filename() == "snapshots" && repository.starts_with(kPrefix)) {
        const std::string name = repository.substr(kPrefix.size());
        const auto separator = name.find("--");
        if (separator == std::string::npos)
            return name;
        return name.substr(0, separator) + "/" + name.substr(separator + 2);
    }
    return last.filename().string();
}

std::int64_t parameterCount(const ModelConfig& config)
{
    return countParameters(config).total();
}

DType storedDType(const Checkpoint& checkpoint)
{
    std::map<DType, std::int64_t> weights;
    for (const auto& [name, entry] : checkpoint.entries()) {
        if (const auto dtype = dtypeFromStored(entry.tensor.dtype))
            weights[*dtype] += entry.tensor.elements();
    }
    const auto largest =
        std::max_element(weights.begin(), weights.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return largest == weights.end() ? DType::F32 : largest->first;
}

std::string fingerprint(const ModelFiles& files)
{
    Fnv hash;
    hash.add(files.stated);
    for (const auto& [name, entry] : files.weights->entries()) {
        hash.add(entry.file);
        hash.add(name);
        hash.add(entry.tensor.dtype);
        for (const std::int64_t extent : entry.tensor.shape)
            hash.add(std::to_string(extent));
    }
    return hash.text();
}

ModelFacts factsOf(const ModelConfig& config, const std::filesystem::path& folder)
{
    ModelFacts facts;
    facts.name = modelName(folder);
    facts.path = folder.string();
    facts.architecture = config.architecture;
    const ParameterCounts counts = countParameters(config);
    facts.parameters = counts.total();
    facts.active_parameters = counts.active();
    facts.embedding_parameters = counts.embedding;
    facts.attention_parameters = counts.attention;
    facts.mlp_parameters = counts.mlp;
    facts.layers = config.num_hidden_layers;
    facts.hidden_size = config.hidden_size;
    facts.intermediate_size = config.intermediate_size;
    facts.attention_heads = config.num_attention_heads;
    facts.kv_heads = config.num_key_value_heads;
    facts.head_dim = config.head_dim;
    facts.vocabulary_size = config.vocab_size;
    facts.context_length = config.contextLength();
    facts.experts = config.moe.experts;
    facts.experts_per_token = config.moe.experts > 0 ? config.moe.experts_per_token : 0;
    return facts;
}

ParameterCounts countParameters(const ModelConfig& config)
{
    ParameterCounts counts;
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t vocabulary = config.vocab_size;
    const FamilyShape family = familyShape(config);
    const std::int64_t normed = normWeights(family, hidden);
    counts.embedding = vocabulary * hidden;
    if (family.learnedPositions())
        counts.embedding += config.max_position_embeddings * hidden;
    counts.head = (config.tie_word_embeddings ? 0 : vocabulary * hidden)
        + (family.head_bias ? vocabulary : 0);

    counts.norms = normed; // the final norm
    for (int layer = 0; layer < config.num_hidden_layers; ++layer) {
        const LayerShape s = layerShape(family, config, layer);
        counts.norms +=
            std::count_if(s.components.begin(), s.components.end(), isStreamNorm) * normed;
        if (config.attends(layer))
            counts.attention += attentionParameters(family, config, s);
        counts.attention += stateMixerParameters(config, layer);
        if (!s.feed_forward)
            continue;
        counts.mlp += mlpParameters(family, config, s);
        if (s.experts > 0) {
            counts.inactive += (s.experts - s.experts_per_token)
                * expertParameters(family, s.expert_hidden, s.expert_intermediate, family.moe.bias);
        }
        if (family.layer_scalar)
            ++counts.norms;
    }
    if (config.per_layer_input > 0) {
        const std::int64_t all = std::int64_t{config.per_layer_input} * config.num_hidden_layers;
        counts.embedding += config.per_layer_vocabulary * all;
        counts.mlp += hidden * all;
        counts.norms += config.per_layer_input;
    }
    return counts;
}

} // namespace ep::model
