// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/analytic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ep::model {
namespace {

// --- Parameters: what HuggingFace counts for well-known models ----------------------------------

struct Published {
    const char* name;
    ModelConfig config;
    std::int64_t parameters;
};

ModelConfig sized(const char* architecture, int hidden, int intermediate, int layers, int heads,
                  int kvHeads, int headDim, int vocabulary)
{
    ModelConfig config;
    config.architecture = architecture;
    config.hidden_size = hidden;
    config.intermediate_size = intermediate;
    config.num_hidden_layers = layers;
    config.num_attention_heads = heads;
    config.num_key_value_heads = kvHeads;
    config.head_dim = headDim;
    config.vocab_size = vocabulary;
    config.max_position_embeddings = 1024;
    return config;
}

ModelConfig tied(ModelConfig config)
{
    config.tie_word_embeddings = true;
    return config;
}

ModelConfig biased(ModelConfig config)
{
    config.attention_bias = true;
    return config;
}

ModelConfig withExperts(ModelConfig config, int experts, int perToken, int width, int shared)
{
    config.moe.experts = experts;
    config.moe.experts_per_token = perToken;
    config.moe.intermediate_size = width;
    config.moe.shared_intermediate_size = shared;
    config.moe.layers.assign(static_cast<std::size_t>(config.num_hidden_layers), true);
    return config;
}

TEST(ParameterCountsTest, AreThoseOfWellKnownModels)
{
    const std::vector<Published> models{
        {"Llama-2-7b", sized("LlamaForCausalLM", 4096, 11008, 32, 32, 32, 128, 32000),
         6'738'415'616},
        {"Mistral-7B", sized("MistralForCausalLM", 4096, 14336, 32, 32, 8, 128, 32000),
         7'241'732'096},
        {"phi-2", sized("PhiForCausalLM", 2560, 10240, 32, 32, 32, 80, 51200), 2'779'683'840},
        {"Phi-3-mini", sized("Phi3ForCausalLM", 3072, 8192, 32, 32, 32, 96, 32064), 3'821'079'552},
        {"Qwen2-0.5B", tied(biased(sized("Qwen2ForCausalLM", 896, 4864, 24, 14, 2, 64, 151936))),
         494'032'768},
        {"Qwen3-0.6B", tied(sized("Qwen3ForCausalLM", 1024, 3072, 28, 16, 8, 128, 151936)),
         596'049'920},
        {"Mixtral-8x7B",
         withExperts(sized("MixtralForCausalLM", 4096, 14336, 32, 32, 8, 128, 32000), 8, 2, 14336,
                     0),
         46'702'792'704},
        {"Qwen1.5-MoE-A2.7B",
         withExperts(biased(sized("Qwen2MoeForCausalLM", 2048, 5632, 24, 16, 16, 128, 151936)), 60,
                     4, 1408, 5632),
         14'315'784'192},
        {"gemma-2-2b", tied(sized("Gemma2ForCausalLM", 2304, 9216, 26, 8, 4, 256, 256000)),
         2'614'341'888},
        {"gemma-3-1b", tied(sized("Gemma3ForCausalLM", 1152, 6912, 26, 4, 1, 256, 262144)),
         999'885'952},
        {"stablelm-2-1_6b",
         biased(sized("StableLmForCausalLM", 2048, 5632, 24, 32, 32, 64, 100352)), 1'644'515'328},
        {"gpt2", tied(sized("GPT2LMHeadModel", 768, 3072, 12, 12, 12, 64, 50257)), 124'439'808},
        {"pythia-160m", biased(sized("GPTNeoXForCausalLM", 768, 3072, 12, 12, 12, 64, 50304)),
         162'322'944},
    };
    for (const Published& model : models) {
        const ParameterCounts counts = countParameters(model.config);
        EXPECT_EQ(counts.total(), model.parameters) << model.name;
        const bool dense = model.config.moe.experts == 0;
        EXPECT_EQ(counts.active() == counts.total(), dense) << model.name;
    }
    // 2 out of 8 experts of 3 x 4096 x 14336 in each of 32 layers.
    EXPECT_EQ(countParameters(models[6].config).active(),
              46'702'792'704 - 32LL * 6 * 3 * 4096 * 14336);
}

TEST(ParameterCountsTest, PartsAddUp)
{
    // Per layer: 8 x (8 + 4 + 4) + 8 x 8 for attention, 3 x 8 x 16 for the MLP, two norms of 8.
    const ModelConfig config = tied(sized("LlamaForCausalLM", 8, 16, 2, 4, 2, 2, 10));
    const ParameterCounts counts = countParameters(config);
    EXPECT_EQ(counts.embedding, 10 * 8);
    EXPECT_EQ(counts.attention, 2 * (128 + 64));
    EXPECT_EQ(counts.mlp, 2 * 384);
    EXPECT_EQ(counts.norms, 2 * 16 + 8);
    EXPECT_EQ(counts.head, 0);
    EXPECT_EQ(counts.total(), 80 + 384 + 768 + 40);
}

// --- Costs --------------------------------------------------------------------------------------

const NumberSizes kSizes; // 2 bytes for weights, 4 for everything else (the embedding: 2)

Cost partOf(const std::vector<ComponentCost>& parts, Component component)
{
    for (const ComponentCost& part : parts) {
        if (part.component == component)
            return part.cost;
    }
    ADD_FAILURE() << "no " << name(component);
    return {};
}

// hidden 8, 4 heads of 2, 2 key heads, MLP 16, vocabulary 10; one token after 5 positions.
TEST(CostTest, DecodingOneTokenByHand)
{
    const ModelConfig config = tied(sized("LlamaForCausalLM", 8, 16, 2, 4, 2, 2, 10));
    const PassCost pass = passCost(config, {.batch = 1, .rows = 1, .context = 5}, kSizes);
    ASSERT_EQ(pass.layers.size(), 2U);
    const auto& parts = pass.layers[0];
    EXPECT_EQ(partOf(parts, Component::InputLayernorm).flops, 4 * 8);
    EXPECT_EQ(partOf(parts, Component::QProj).flops, 2 * 8 * 8);
    EXPECT_EQ(partOf(parts, Component::KProj).flops, 2 * 8 * 4);
    EXPECT_EQ(partOf(parts, Component::VProj).flops, 2 * 8 * 4);
    // Attends to 6 positions: scores and values 2 x 2 x 6 x 8, softmax 5 x 6 x 4 heads, and
    // rotation of 4 + 2 heads with 2 dimensions, 3 each.
    EXPECT_EQ(partOf(parts, Component::Attention).flops, 192 + 120 + 36);
    EXPECT_EQ(partOf(parts, Component::OProj).flops, 2 * 8 * 8);
    EXPECT_EQ(partOf(parts, Component::GateProj).flops, 2 * 8 * 16);
    EXPECT_EQ(partOf(parts, Component::Activation).flops, 5 * 16);
    EXPECT_EQ(partOf(parts, Component::DownProj).flops, 2 * 16 * 8);
    EXPECT_EQ(partOf(parts, Component::Residual).flops, 2 * 8);
    const double layer = 32 + 128 + 64 + 64 + 348 + 128 + 32 + 256 + 256 + 80 + 256 + 16;
    EXPECT_EQ(pass.layer(1).flops, layer);
    EXPECT_EQ(pass.final_norm.flops, 32);
    EXPECT_EQ(pass.lm_head.flops, 2 * 8 * 10);
    EXPECT_EQ(pass.total().flops, 2 * layer + 32 + 160);

    // Weights per layer: 192 + 384 numbers of 2 bytes, two norms of 8 numbers of 4 bytes.
    EXPECT_EQ(pass.layer(0).weight_bytes, 576 * 2 + 64);
    EXPECT_EQ(pass.embedding.weight_bytes, 8 * 2); // one of its rows
    EXPECT_EQ(pass.lm_head.weight_bytes, 80 * 2); // read again completely
    EXPECT_EQ(pass.total().weight_bytes, 2 * 1216 + 16 + 32 + 160);
    // Cache: reads 6 positions of keys and values with 4 numbers of 4 bytes, writes one position.
    EXPECT_EQ(partOf(parts, Component::Attention).cache_bytes, 6 * 2 * 4 * 4);
    EXPECT_EQ(partOf(parts, Component::KvCache).cache_bytes, 2 * 4 * 4);
    EXPECT_EQ(pass.total().cache_bytes, 2 * (192 + 32));
    EXPECT_EQ(kvBytesPerToken(config, kSizes), 2 * 2 * 4 * 4);
    EXPECT_EQ(partOf(parts, Component::QProj).activation_bytes, (8 + 8) * 4);

    EXPECT_EQ(decodeTokenCost(config, 5, kSizes), pass.total());
}

TEST(CostTest, PrefillSharesTheWeights)
{
    const ModelConfig config = tied(sized("LlamaForCausalLM", 8, 16, 1, 4, 2, 2, 10));
    const PassCost one = passCost(config, {.rows = 1}, kSizes);
    const PassCost many = passCost(config, {.rows = 6}, kSizes);
    EXPECT_EQ(partOf(many.layers[0], Component::QProj).flops, 6 * 128);
    EXPECT_EQ(many.layer(0).weight_bytes, one.layer(0).weight_bytes);
    // Row i attends to i + 1 positions: 21 pairs. The six positions are read once.
    EXPECT_EQ(partOf(many.layers[0], Component::Attention).flops,
              21 * (4 * 8 + 5 * 4) + 6 * 3 * 6 * 2);
    EXPECT_EQ(partOf(many.layers[0], Component::Attention).cache_bytes, 6 * 2 * 4 * 4);
    EXPECT_EQ(many.lm_head.flops, one.lm_head.flops); // for the last row only
    EXPECT_DOUBLE_EQ(prefillTokenCost(config, 6, kSizes).flops, many.total().flops / 6);
}

TEST(CostTest, SequencesOfABatchShareTheWeightsOnly)
{
    const ModelConfig config = tied(sized("LlamaForCausalLM", 8, 16, 1, 4, 2, 2, 10));
    const Cost one = passCost(config, {.batch = 1, .rows = 1, .context = 9}, kSizes).total();
    const Cost four = passCost(config, {.batch = 4, .rows = 1, .context = 9}, kSizes).total();
    EXPECT_EQ(four.flops, 4 * one.flops);
    EXPECT_EQ(four.cache_bytes, 4 * one.cache_bytes);
    EXPECT_EQ(four.activation_bytes, 4 * one.activation_bytes);
    EXPECT_EQ(four.weight_bytes, one.weight_bytes + 3 * 8 * 2); // three more rows of the embedding
}

TEST(CostTest, WindowBoundsWhatIsSeen)
{
    struct Case {
        PassShape pass;
        double pairs;
        double positions;
    };
    // Window of 3 in layer 0, none in layer 1.
    const std::vector<Case> cases{
        {{.rows = 1, .context = 1}, 2, 2},
        {{.rows = 1, .context = 9}, 3, 3},
        {{.rows = 5, .context = 0}, 1 + 2 + 3 + 3 + 3, 5},
        {{.rows = 4, .context = 1}, 2 + 3 + 3 + 3, 5},
        {{.rows = 4, .context = 7}, 12, 6}, // the first one has 2 before it
    };
    ModelConfig config = sized("Gemma2ForCausalLM", 8, 16, 2, 4, 2, 2, 10);
    config.sliding_window = 3;
    config.windowed_layers = {true, false};
    for (const Case& c : cases) {
        const auto rows = static_cast<double>(c.pass.rows);
        const Cost cost = partOf(layerCosts(config, 0, c.pass, kSizes), Component::Attention);
        EXPECT_EQ(cost.flops, c.pairs * (4 * 8 + 5 * 4) + rows * 36) << rows;
        EXPECT_EQ(cost.cache_bytes, c.positions * 2 * 4 * 4) << rows;
        const Cost full = partOf(layerCosts(config, 1, c.pass, kSizes), Component::Attention);
        EXPECT_GE(full.flops, cost.flops);
        EXPECT_EQ(full.cache_bytes, static_cast<double>(c.pass.context + c.pass.rows) * 2 * 4 * 4);
    }
}

// 4 experts of width 6, 2 per token, and one of width 5 for all tokens.
TEST(CostTest, OnlyChosenExpertsAreRead)
{
    const ModelConfig config =
        withExperts(sized("Qwen2MoeForCausalLM", 8, 16, 1, 4, 2, 2, 10), 4, 2, 6, 5);
    const auto one = layerCosts(config, 0, {.rows = 1}, kSizes);
    EXPECT_EQ(partOf(one, Component::Router).flops, 2 * 8 * 4);
    const double expert = 3 * 2 * 8 * 6 + 5 * 6; // three matrices, the activation and its gate
    EXPECT_EQ(partOf(one, Component::Experts).flops, 2 * expert);
    EXPECT_DOUBLE_EQ(partOf(one, Component::Experts).weight_bytes, 2 * 3 * 8 * 6 * 2);
    EXPECT_EQ(partOf(one, Component::SharedExpert).flops, 2 * 8 + 3 * 2 * 8 * 5 + 5 * 5);
    // Two tokens both miss an expert with probability 1/2 x 1/2: three of four are read.
    const auto two = layerCosts(config, 0, {.rows = 2}, kSizes);
    EXPECT_EQ(partOf(two, Component::Experts).flops, 4 * expert);
    EXPECT_DOUBLE_EQ(partOf(two, Component::Experts).weight_bytes, 3 * 3 * 8 * 6 * 2);
    for (const ComponentCost& part : one)
        EXPECT_NE(part.component, Component::GateProj);
}

TEST(CostTest, FamiliesHaveTheirOwnParts)
{
    struct Case {
        const char* architecture;
        std::vector<Component> has;
        std::vector<Component> lacks;
    };
    using enum Component;
    const std::vector<Case> cases{
        {"Phi3ForCausalLM", {QkvProj, GateUpProj, Activation, DownProj}, {QProj, GateProj, Fc1}},
        {"PhiForCausalLM", {InputLayernorm, Fc1, Fc2}, {PostAttentionLayernorm, GateProj}},
        {"Qwen3ForCausalLM", {QNorm, KNorm, GateProj}, {QkvProj, PreFeedforwardLayernorm}},
        {"Gemma2ForCausalLM", {PreFeedforwardLayernorm, PostFeedforwardLayernorm}, {QNorm}},
        {"GPT2LMHeadModel", {QkvProj, Fc1, PostAttentionLayernorm}, {UpProj}},
        {"LlamaForCausalLM", {QProj, KProj, VProj, KvCache, Attention, OProj}, {QNorm, Router}},
    };
    for (const Case& c : cases) {
        const auto costs =
            layerCosts(sized(c.architecture, 8, 16, 1, 4, 2, 2, 10), 0, {.rows = 2}, kSizes);
        const auto has = [&](Component component) {
            return std::any_of(costs.begin(), costs.end(), [&](const ComponentCost& part) {
                return part.component == component;
            });
        };
        for (const Component component : c.has)
            EXPECT_TRUE(has(component)) << c.architecture << " " << name(component);
        for (const Component component : c.lacks)
            EXPECT_FALSE(has(component)) << c.architecture << " " << name(component);
    }
    // GPT-2 adds a row of learned positions; its attention does not rotate.
    const ModelConfig gpt2 = sized("GPT2LMHeadModel", 8, 32, 1, 4, 4, 2, 10);
    EXPECT_EQ(passCost(gpt2, {}, kSizes).embedding.weight_bytes, 2 * 8 * 2);
    const auto attention = partOf(layerCosts(gpt2, 0, {}, kSizes), Component::Attention);
    EXPECT_EQ(attention.flops, 4 * 8 + 5 * 4);
}

TEST(NumberSizesTest, FollowTypeAndDevice)
{
    const NumberSizes bf16 = numberSizes(DType::BF16, DType::BF16, false);
    EXPECT_EQ(bf16.weight, 2.0);
    EXPECT_EQ(bf16.activation, 4.0);
    EXPECT_EQ(numberSizes(DType::BF16, DType::F32, true).cache, 2.0);
    for (const DType computed : {DType::Q4_K, DType::F16, DType::Int8})
        EXPECT_EQ(numberSizes(computed, DType::Q4_K, true).cache, 2.0); // dequantized to f16 there
    const NumberSizes int8 = numberSizes(DType::Int8, DType::BF16, false);
    EXPECT_EQ(int8.weight, 1.0);
    EXPECT_EQ(int8.embedding, 2.0);
    // 8 x 8 bytes, and a scale for each of 8 rows.
    const auto parts = layerCosts(sized("LlamaForCausalLM", 8, 16, 1, 4, 2, 2, 10), 0, {}, int8);
    EXPECT_EQ(partOf(parts, Component::QProj).weight_bytes, 64 + 8 * 4);
}

TEST(AttentionKindTest, FollowsTheKeyHeads)
{
    EXPECT_EQ(attentionKind(32, 32), "MHA");
    EXPECT_EQ(attentionKind(32, 8), "GQA");
    EXPECT_EQ(attentionKind(32, 1), "MQA");
}

} // namespace
} // namespace ep::model
