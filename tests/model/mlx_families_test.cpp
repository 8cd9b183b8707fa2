// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"
#include "naive_decoder.h"
#include "random_checkpoint.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Folders where mlx-lm rearranges more than names: the logits must equal the original's.
namespace ep::model {
namespace {

using Json = nlohmann::json;
using test::NaiveTensor;
using test::NaiveWeights;

const std::vector<text::TokenId> kIds{3, 14, 15, 9, 26, 53, 58};

Json sizes(const char* architecture, const char* type, const char* options)
{
    Json config = Json::parse(R"({"hidden_size": 32, "intermediate_size": 44,
        "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2,
        "vocab_size": 61, "max_position_embeddings": 64, "rope_theta": 200.0})");
    config["architectures"] = {architecture};
    config["model_type"] = type;
    config.merge_patch(Json::parse(options));
    return config;
}

void renamePart(NaiveWeights& weights, const std::string& from, const std::string& to)
{
    NaiveWeights renamed;
    for (auto& [name, tensor] : weights) {
        std::string own = name;
        if (const std::size_t at = own.find(from); at != std::string::npos)
            own.replace(at, from.size(), to);
        renamed.emplace(std::move(own), std::move(tensor));
    }
    weights = std::move(renamed);
}

// Multiplies weights whose names have this ending; rows: [from, to), or all if to is 0.
void multiply(NaiveWeights& weights, const std::string& ending, double factor, std::size_t from = 0,
              std::size_t to = 0)
{
    for (auto& [name, tensor] : weights) {
        if (!name.ends_with(ending))
            continue;
        const std::size_t width =
            tensor.values.size() / static_cast<std::size_t>(tensor.shape.front());
        const std::size_t end = to == 0 ? tensor.values.size() : to * width;
        for (std::size_t i = from * width; i < end; ++i)
            tensor.values[i] = static_cast<float>(tensor.values[i] * factor);
    }
}

// [channels, 1, taps] to [channels, taps, 1]
void turnConvolutions(NaiveWeights& weights)
{
    for (auto& [name, tensor] : weights) {
        if (name.ends_with("conv1d.weight"))
            std::swap(tensor.shape[1], tensor.shape[2]);
    }
}

class MlxFamiliesTest : public EngineFixture {
protected:
    std::vector<float> logits(const Json& config, const NaiveWeights& weights)
    {
        test::writeCheckpoint(folder(), config, weights);
        const auto engine = load();
        if (!engine)
            return {};
        const auto forward = engine->forward(kIds);
        EXPECT_TRUE(forward);
        return forward ? forward->logits : std::vector<float>();
    }
    void expectNaive(const Json& config, const NaiveWeights& original, const NaiveWeights& stored)
    {
        const auto expected = test::naiveLogits(config, original, kIds);
        const std::vector<float> found = logits(config, stored);
        ASSERT_EQ(found.size(), kIds.size() * 61);
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], expected[i / 61][i % 61], 1e-4) << i;
    }
};

TEST_F(MlxFamiliesTest, FactorsOfFalconH1AreInItsWeights)
{
    for (const auto& [tied, biased] :
         std::vector<std::pair<bool, bool>>{{false, false}, {true, false}, {false, true}}) {
        Json config = sizes("FalconH1ForCausalLM", "falcon_h1",
                            (std::string(R"({"mamba_d_ssm": 24, "mamba_n_heads": 4,
            "mamba_d_head": 6, "mamba_d_state": 10, "mamba_d_conv": 4, "embedding_multiplier": 1.7,
            "lm_head_multiplier": 0.6, "attention_in_multiplier": 1.3,
            "attention_out_multiplier": 0.8, "key_multiplier": 0.7, "ssm_in_multiplier": 1.2,
            "ssm_out_multiplier": 0.9, "mlp_multipliers": [0.8, 1.1],
            "ssm_multipliers": [0.7, 0.6, 0.8, 1.2, 0.9], "tie_word_embeddings": )")
                             + (tied ? "true}" : "false}"))
                                .c_str());
        for (const char* const key :
             {"mamba_proj_bias", "projectors_bias", "attention_bias", "mlp_bias"})
            config[key] = biased;
        const NaiveWeights original = test::randomWeights(config, 11);
        NaiveWeights stored = original;
        multiply(stored, "embed_tokens.weight", 1.7);
        multiply(stored, "lm_head.weight", 0.6);
        multiply(stored, "q_proj.weight", 1.3);
        multiply(stored, "k_proj.weight", 1.3);
        multiply(stored, "o_proj.weight", 0.8);
        multiply(stored, "out_proj.weight", 0.9);
        multiply(stored, "gate_proj.weight", 0.8);
        multiply(stored, "down_proj.weight", 1.1);
        multiply(stored, "in_proj.weight", 1.2);
        std::size_t row = 0;
        for (const auto& [count, factor] : std::vector<std::pair<std::size_t, double>>{
                 {24, 0.7}, {24, 0.6}, {10, 0.8}, {10, 1.2}, {4, 0.9}}) {
            multiply(stored, "in_proj.weight", factor, row, row + count);
            row += count;
        }
        turnConvolutions(stored);
        expectNaive(config, original, stored);
    }
}

TEST_F(MlxFamiliesTest, FirstLayersOfLfm2MoeHaveOtherNames)
{
    const Json config = sizes("Lfm2MoeForCausalLM", "lfm2_moe",
                              R"({"conv_L_cache": 3, "num_experts": 4, "num_experts_per_tok": 2,
        "num_dense_layers": 2, "moe_intermediate_size": 20,
        "layer_types": ["conv", "full_attention", "conv"]})");
    const NaiveWeights original = test::randomWeights(config, 12);
    NaiveWeights stored = original;
    for (const auto& [from, to] :
         std::vector<std::pair<std::string, std::string>>{{"w1.weight", "gate_proj.weight"},
                                                          {"w3.weight", "up_proj.weight"},
                                                          {"w2.weight", "down_proj.weight"}})
        renamePart(stored, from, to);
    for (const char* const part : {"gate_proj", "up_proj", "down_proj"}) {
        const std::string layer = "model.layers.2.feed_forward.";
        NaiveTensor stack;
        for (int expert = 0; expert < 4; ++expert) {
            const std::string name =
                layer + "experts." + std::to_string(expert) + "." + part + ".weight";
            const NaiveTensor& one = stored.at(name);
            stack.shape = {4, one.shape[0], one.shape[1]};
            stack.values.insert(stack.values.end(), one.values.begin(), one.values.end());
            stored.erase(name);
        }
        stored[layer + "switch_mlp." + part + ".weight"] = std::move(stack);
    }
    expectNaive(config, original, stored);
}

// In a model without experts, gate and up are separate tensors of "mlp".
TEST_F(MlxFamiliesTest, TheMlpOfADenseGranite4HasOtherNames)
{
    const NaiveWeights llama = test::randomWeights(sizes("LlamaForCausalLM", "llama", "{}"), 13);
    Json config = sizes("GraniteMoeHybridForCausalLM", "granitemoehybrid",
                        R"({"num_local_experts": 0, "shared_intermediate_size": 44,
        "layer_types": ["attention", "attention", "attention"], "attention_multiplier": 0.3,
        "residual_multiplier": 0.5, "logits_scaling": 2.0})");
    NaiveWeights fused = llama;
    for (int layer = 0; layer < 3; ++layer) {
        const std::string p = "model.layers." + std::to_string(layer) + ".";
        NaiveTensor both = fused.at(p + "mlp.gate_proj.weight");
        const NaiveTensor& up = fused.at(p + "mlp.up_proj.weight");
        both.shape[0] *= 2;
        both.values.insert(both.values.end(), up.values.begin(), up.values.end());
        fused[p + "shared_mlp.input_linear.weight"] = std::move(both);
        fused[p + "shared_mlp.output_linear.weight"] = fused.at(p + "mlp.down_proj.weight");
        for (const char* const part : {"gate_proj", "up_proj", "down_proj"})
            fused.erase(p + "mlp." + part + ".weight");
    }
    const std::vector<float> expected = logits(config, fused);
    const std::vector<float> found = logits(config, llama);
    ASSERT_EQ(found.size(), kIds.size() * 61);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], expected[i], 1e-5) << i;
}

} // namespace
} // namespace ep::model
