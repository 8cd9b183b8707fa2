// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"
#include "families/family.h"
#include "families/shared_keys.h"

#include "ep/json/value.h"

#include <array>
#include <string>
#include <vector>

namespace ep::model::families {
namespace {

FamilyShape nemotronHShape(const ModelConfig& config)
{
    return {.order = LayerOrder::OnePart,
            .attention = {.rotary = false},
            .mlp = {.kind = MlpOptions::Kind::Plain,
                    .bias = config.mlp_bias,
                    .first = "up_proj",
                    .second = "down_proj"},
            .moe = {.prefixes = {"mixer."},
                    .correction = "gate.e_score_correction_bias",
                    .shared = "shared_experts.",
                    .shared_bias = config.mlp_bias,
                    .gated = false,
                    .stacked_gate_up = "experts.up_proj",
                    .shared_gate = {},
                    .latent_in = "fc1_latent_proj",
                    .latent_out = "fc2_latent_proj"},
            .names = {.spellings = {{"backbone.", "lm_head"}, {"model.", "lm_head"}},
                      .embedding = "embeddings",
                      .final_norm = "norm_f",
                      .input_norm = "norm",
                      .attention = "mixer.",
                      .mixer = "mixer.",
                      .mlp = "mixer."}};
}

struct Part {
    std::string_view word;
    std::string_view older;
    char letter; // in hybrid_override_pattern
    Mixer mixer;
    bool experts;
};
constexpr std::array<Part, 4> kParts{{{"linear_attention", "mamba", 'M', Mixer::Mamba, false},
                                      {"full_attention", "attention", '*', Mixer::Attention, false},
                                      {"mlp", "mlp", '-', Mixer::None, false},
                                      {"moe", "moe", 'E', Mixer::None, true}}};

// The words for the parts of all layers.
std::vector<std::string> partsIn(const json::Value& json)
{
    std::vector<std::string> words;
    for (const char* const key : {"layers_block_type", "layer_types"}) {
        if (const auto list = json.find(key); words.empty() && list && list->isArray()) {
            for (const json::Value& entry : list->elements())
                words.push_back(entry.asString());
        }
    }
    if (words.empty()) {
        for (const char letter : json.string("hybrid_override_pattern", "ME*-"))
            words.emplace_back(1, letter);
    }
    return words;
}

void readParts(const json::Value& json, ModelConfig& config)
{
    config.one_part_layers = true;
    config.moe.layers.clear();
    for (const std::string& word : partsIn(json)) {
        const Part* found = nullptr;
        for (const Part& part : kParts) {
            if (word == part.word || word == part.older || word == std::string(1, part.letter))
                found = &part;
        }
        if (!found) {
            json.unsupported(Message("has the kind of layer %1, which this family does not have: "
                                     "use attach with a server that runs the model",
                                     json::inQuotes(word)));
        }
        config.mixers.push_back(found->mixer);
        config.moe.layers.push_back(found->experts);
    }
    if (config.mixers.size() != static_cast<std::size_t>(config.num_hidden_layers))
        json.fail("num_hidden_layers", "is not the number of layers that are listed");
}

const char* eitherKey(const json::Value& json, const char* name, const char* older)
{
    return json.has(older) ? older : name;
}

void readNemotronH(const json::Value& json, ModelConfig& config)
{
    readParts(json, config);
    config.rms_norm_eps = config.layer_norm_eps;
    if (const std::string act = json.string("mamba_hidden_act", "silu"); act != "silu")
        json.unsupported(Message(
            "has the activation %1 in its Mamba layers, which are only supported with \"silu\"",
            json::inQuotes(act)));
    readMamba(json, config,
              {.heads = "mamba_num_heads",
               .head_dim = "mamba_head_dim",
               .groups = eitherKey(json, "n_groups", "mamba_n_groups"),
               .state_size = "ssm_state_size",
               .taps = eitherKey(json, "conv_kernel", "mamba_d_conv"),
               .conv_bias = eitherKey(json, "use_conv_bias", "mamba_conv_bias"),
               .projection_bias = "use_bias",
               .usual_groups = 8,
               .usual_state_size = 128},
              0);
    config.state.output_bias = config.state.projection_bias;
    config.state.norm_groups = config.state.key_heads;
    readCorrectedScores(json, config, 1, 1.0);
    config.moe.shared_intermediate_size =
        json.integer("moe_shared_expert_intermediate_size", 7688, 1, kMaxWidth);
    config.moe.latent_size = json.integer("moe_latent_size", 0, 0, kMaxWidth);
}

} // namespace

// One part per layer: Mamba-2, attention without positions, an MLP or experts, neither of them
// gated.
Family nemotronH()
{
    return {
        .defaults = {.model_type = "nemotron_h",
                     .max_position_embeddings = 4096,
                     .kv_heads = 8,
                     .head_dim = 128,
                     .hidden_act = "relu2",
                     .activation_key = "mlp_hidden_act",
                     .hidden_size = 4096,
                     .intermediate_size = 21504,
                     .layers = 4,
                     .layer_lists = {"layers_block_type", "layer_types", "hybrid_override_pattern"},
                     .heads = 32,
                     .vocabulary = 131072,
                     .experts = 8,
                     .experts_per_token = 2,
                     .expert_intermediate_size = 7688},
        .shape = nemotronHShape,
        .readKeys = readNemotronH,
        .gguf = {.architectures = {"nemotron_h", "nemotron_h_moe"}, .experts_sum_by_key = true}};
}

} // namespace ep::model::families
