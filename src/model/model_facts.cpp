// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_facts.h"

#include <string_view>

namespace ep::model {

std::string modelName(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder.lexically_normal();
    const std::filesystem::path last = path.has_filename() ? path : path.parent_path();
    // models--organisation--name/snapshots/<revision>
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
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t intermediate = config.intermediate_size;
    const std::int64_t vocabulary = config.vocab_size;
    const std::int64_t q = std::int64_t{config.num_attention_heads} * config.head_dim;
    const std::int64_t kv = std::int64_t{config.num_key_value_heads} * config.head_dim;
    const std::int64_t embeddings = (config.tie_word_embeddings ? 1 : 2) * vocabulary * hidden;
    const std::int64_t projections = 2 * hidden * q + 2 * hidden * kv;

    if (config.architecture == "PhiForCausalLM") { // LayerNorm, fc1 and fc2, biases everywhere
        const std::int64_t biases = q + 2 * kv + hidden + intermediate + hidden;
        const std::int64_t layer = projections + 2 * hidden * intermediate + biases + 2 * hidden;
        return embeddings + config.num_hidden_layers * layer + 2 * hidden
            + (config.tie_word_embeddings ? 0 : vocabulary);
    }
    std::int64_t layer = projections + 3 * hidden * intermediate + 2 * hidden;
    if (config.attention_bias)
        layer += q + 2 * kv + (config.architecture == "Qwen2ForCausalLM" ? 0 : hidden);
    if (config.mlp_bias)
        layer += 2 * intermediate + hidden;
    return embeddings + config.num_hidden_layers * layer + hidden;
}

ModelFacts factsOf(const ModelConfig& config, const std::filesystem::path& folder)
{
    ModelFacts facts;
    facts.name = modelName(folder);
    facts.path = folder.string();
    facts.architecture = config.architecture;
    facts.parameters = parameterCount(config);
    facts.layers = config.num_hidden_layers;
    facts.hidden_size = config.hidden_size;
    facts.intermediate_size = config.intermediate_size;
    facts.attention_heads = config.num_attention_heads;
    facts.kv_heads = config.num_key_value_heads;
    facts.head_dim = config.head_dim;
    facts.vocabulary_size = config.vocab_size;
    facts.context_length = config.max_position_embeddings;
    return facts;
}

} // namespace ep::model
