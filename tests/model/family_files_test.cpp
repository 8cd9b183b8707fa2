// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/moe.h"
#include "engine_fixture.h"
#include "naive_decoder.h"
#include "random_checkpoint.h"
#include "support/safetensors_writer.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

// Alternative files of a family, and properties that only show in complete generations.
namespace ep::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Property;
using Json = nlohmann::json;

class FamilyFilesTest : public EngineFixture {
protected:
    static Json text(const char* architecture, const char* type, const char* options)
    {
        Json config = Json::parse(R"({"hidden_size": 32, "intermediate_size": 44,
            "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
            "vocab_size": 61, "max_position_embeddings": 64, "rope_theta": 200.0})");
        config["architectures"] = {architecture};
        config["model_type"] = type;
        config.merge_patch(Json::parse(options));
        return config;
    }

    // Compares the engine's logits for a few ids with those of the naive decoder.
    void expectLogits(Engine& engine, const Json& config, const test::NaiveWeights& weights)
    {
        const std::vector<text::TokenId> ids{3, 14, 15, 9, 26, 53, 58};
        const auto forward = engine.forward(ids);
        ASSERT_TRUE(forward) << forward.error().message;
        const test::NaiveRows expected = test::naiveLogits(config, weights, ids);
        for (std::size_t i = 0; i < forward->logits.size(); ++i)
            ASSERT_NEAR(forward->logits[i], expected[i / 61][i % 61], 1e-4) << i;
    }
};

TEST_F(FamilyFilesTest, TheTextPartOfAModelThatSeesImages)
{
    const Json config =
        text("Gemma3ForCausalLM", "gemma3_text",
             R"({"head_dim": 8, "sliding_window": 4, "sliding_window_pattern": 2})");
    const test::NaiveWeights weights = test::randomWeights(config, 3);
    for (const std::string prefix : {"language_model.", "model.language_model."}) {
        test::NaiveWeights renamed;
        for (const auto& [name, tensor] : weights) {
            const bool older = prefix == "language_model.";
            renamed[prefix + (older ? name : name.substr(6))] = tensor; // without "model."
        }
        renamed["vision_tower.embeddings.weight"] = {{2, 2}, {1, 2, 3, 4}};
        Json whole{{"architectures", {"Gemma3ForConditionalGeneration"}},
                   {"model_type", "gemma3"},
                   {"text_config", config}};
        test::writeCheckpoint(folder(), whole, renamed);
        const auto engine = load();
        ASSERT_TRUE(engine) << prefix;
        expectLogits(*engine, config, weights);
        EXPECT_THAT(engine->notes(),
                    ElementsAre(Property(&Message::english,
                                         "The vision part, 4 parameters, is not loaded.")));
    }
}

TEST_F(FamilyFilesTest, ExpertsInOneTensor)
{
    const Json config = text("MixtralForCausalLM", "mixtral",
                             R"({"num_local_experts": 3, "num_experts_per_tok": 2})");
    const test::NaiveWeights weights = test::randomWeights(config, 4);
    test::NaiveWeights fused;
    for (const auto& [name, tensor] : weights) {
        const auto moe = name.find("block_sparse_moe.");
        if (moe == std::string::npos) {
            fused[name] = tensor;
            continue;
        }
        const std::string layer = name.substr(0, moe) + "mlp.";
        if (name.ends_with("gate.weight"))
            fused[layer + "gate.weight"] = tensor;
        // Sorted by name: w1, w2, w3 of each expert.
        const bool down = name.ends_with("w2.weight");
        if (name.ends_with("w3.weight") || name.ends_with("gate.weight"))
            continue;
        test::NaiveTensor& all =
            fused[layer + (down ? "experts.down_proj" : "experts.gate_up_proj")];
        all.shape = {3, tensor.shape[0] * (down ? 1 : 2), tensor.shape[1]};
        all.values.insert(all.values.end(), tensor.values.begin(), tensor.values.end());
        if (!down) {
            const auto& up = weights.at(name.substr(0, name.size() - 9) + "w3.weight").values;
            all.values.insert(all.values.end(), up.begin(), up.end());
        }
    }
    test::writeCheckpoint(folder(), config, fused);
    const auto engine = load();
    ASSERT_TRUE(engine);
    EXPECT_TRUE(engine->notes().empty());
    expectLogits(*engine, config, weights);
}

// Longrope recomputes the whole sequence once it exceeds the original context.
TEST_F(FamilyFilesTest, GenerationPastTheOriginalContextOfLongrope)
{
    const Json config = text("Phi3ForCausalLM", "phi3",
                             R"({"original_max_position_embeddings": 10,
        "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.1, 1.3, 1.5],
        "long_factor": [1.0, 2.0, 3.0, 4.0]}})");
    const test::NaiveWeights weights = test::randomWeights(config, 5);
    test::writeCheckpoint(folder(), config, weights);
    const auto engine = load();
    ASSERT_TRUE(engine);
    const std::vector<text::TokenId> prompt{3, 14, 15, 9, 26, 53, 58};
    std::vector<text::TokenId> ids = prompt;
    for (int i = 0; i < 8; ++i) {
        const test::NaiveRow last = test::naiveLogits(config, weights, ids).back();
        ids.push_back(
            static_cast<text::TokenId>(std::max_element(last.begin(), last.end()) - last.begin()));
    }
    const std::vector<text::TokenId> expected(ids.begin() + 7, ids.end());
    EXPECT_EQ(tokens(generate(*engine, {.prompts = {prompt}, .max_new_tokens = 8})), expected);
}

TEST_F(FamilyFilesTest, PositionsThatTurnGoOnPastTheContextWhenAskedTo)
{
    const Json config = text("LlamaForCausalLM", "llama", R"({"max_position_embeddings": 8})");
    test::writeCheckpoint(folder(), config, test::randomWeights(config, 6));
    const auto engine = load();
    ASSERT_TRUE(engine);
    const std::vector<text::TokenId> ids(9, 5);
    EXPECT_TRUE(engine->forward(ids));
    EXPECT_FALSE(engine->begin({.prompts = {ids}}, nullptr, {}));
    EXPECT_EQ(
        generate(*engine, {.prompts = {ids}, .max_new_tokens = 4, .past_context = true}).size(),
        4U);
}

TEST(ChooseExpertsTest, TheLikeliestWithTheirWeights)
{
    const std::vector<float> logits{0.0F, 2.0F, 1.0F, 2.0F};
    std::vector<float> choosing;
    std::vector<Routing::Choice> chosen;
    chooseExperts(logits, {.moe = {.experts_per_token = 3}}, choosing, chosen);
    ASSERT_EQ(chosen.size(), 3U);
    const double total = 1.0 + 2.0 * std::exp(2.0) + std::exp(1.0);
    EXPECT_EQ(chosen[0].expert, 1);
    EXPECT_EQ(chosen[1].expert, 3);
    EXPECT_EQ(chosen[2].expert, 2);
    EXPECT_NEAR(chosen[0].weight, std::exp(2.0) / total, 1e-6);
    EXPECT_NEAR(chosen[2].weight, std::exp(1.0) / total, 1e-6);
    chooseExperts(logits, {.moe = {.experts_per_token = 2, .normalise = true}}, choosing, chosen);
    EXPECT_NEAR(chosen[0].weight, 0.5, 1e-6);
    EXPECT_NEAR(chosen[1].weight, 0.5, 1e-6);
}

// A correction decides which experts are chosen, but does not affect their weights.
TEST(ChooseExpertsTest, CorrectedSigmoids)
{
    const std::vector<float> logits{0.0F, 2.0F, 1.0F, -3.0F};
    const RouterRule rule{.moe = {.experts_per_token = 2, .sigmoid = true, .factor = 2.0},
                          .correction = {0.0F, -1.0F, 0.0F, 1.0F}};
    std::vector<float> choosing;
    std::vector<Routing::Choice> chosen;
    chooseExperts(logits, rule, choosing, chosen);
    ASSERT_EQ(chosen.size(), 2U);
    EXPECT_EQ(chosen[0].expert, 3);
    EXPECT_EQ(chosen[1].expert, 2);
    EXPECT_NEAR(chosen[0].weight, 2.0 / (1.0 + std::exp(3.0)), 1e-6);
    EXPECT_NEAR(chosen[1].weight, 2.0 / (1.0 + std::exp(-1.0)), 1e-6);
    EXPECT_NEAR(choosing[1], 1.0 / (1.0 + std::exp(-2.0)) - 1.0, 1e-6);
}

#ifdef __linux__
std::int64_t residentBytes()
{
    std::ifstream statm("/proc/self/statm");
    std::int64_t size = 0;
    std::int64_t resident = 0;
    statm >> size >> resident;
    return resident * 4096;
}

// A gigabyte of tensors for vision, sound and multi-token prediction beside a tiny text part.
TEST_F(FamilyFilesTest, WeightsThatAreNotReadCostNoMemory)
{
    const Json config =
        text("Gemma3ForCausalLM", "gemma3_text",
             R"({"head_dim": 8, "sliding_window": 4, "sliding_window_pattern": 2})");
    test::NaiveWeights renamed;
    for (const auto& [name, tensor] : test::randomWeights(config, 3))
        renamed["language_model." + name] = tensor;
    const Json whole{{"architectures", {"Gemma3ForConditionalGeneration"}},
                     {"model_type", "gemma3"},
                     {"text_config", config}};
    test::writeCheckpoint(folder(), whole, renamed);
    std::filesystem::rename(folder() / "model.safetensors",
                            folder() / "model-00001-of-00002.safetensors");
    constexpr std::int64_t kMegabytes = 1'000'000;
    const std::int64_t bytes = 400 * kMegabytes;
    Json header;
    std::int64_t at = 0;
    for (const char* const name :
         {"vision_tower.encoder.weight", "audio_tower.encoder.weight", "mtp.layers.0.weight"}) {
        header[name] = {
            {"dtype", "BF16"}, {"shape", {1000, bytes / 2000}}, {"data_offsets", {at, at + bytes}}};
        at += bytes;
    }
    const auto file = folder() / "model-00002-of-00002.safetensors";
    test::writeSafetensorsRaw(file, header.dump(), {});
    std::filesystem::resize_file(
        file, std::filesystem::file_size(file) + static_cast<std::uintmax_t>(at)); // leaves a hole
    const std::int64_t before = residentBytes();
    const auto engine = load();
    ASSERT_NE(engine, nullptr);
    EXPECT_LT(residentBytes() - before, 100 * kMegabytes);
    EXPECT_THAT(
        engine->notes(),
        testing::UnorderedElementsAre(HasSubstr("vision part, 200 M parameters, is not loaded"),
                                      HasSubstr("audio part, 200 M parameters, is not loaded"),
                                      HasSubstr("(MTP), 200 M parameters, is not loaded")));
}
#endif

} // namespace
} // namespace ep::model
