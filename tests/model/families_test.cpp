// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_ops.h"
#include "checkpoint.h"
#include "cpu_ops.h"
#include "decoder.h"
#include "engine_library_impl.h"
#include "naive_decoder.h"
#include "random_checkpoint.h"
#include "support/temp_folder.h"

#include "ep/model/analytic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

// Every family with its options and every way of turning positions, against a second decoder that
// shares nothing with the engine (naive_decoder.h).
namespace ep::model {
namespace {

using Json = nlohmann::json;

struct Variant {
    const char* name;
    const char* architecture;
    const char* type;
    const char* options; // of config.json, over those of baseConfig()
};

std::ostream& operator<<(std::ostream& out, const Variant& variant)
{
    return out << variant.name;
}

Json baseConfig(const Variant& variant)
{
    Json config = Json::parse(variant.type == std::string("gpt2") ? R"({"n_embd": 32, "n_head": 4,
        "n_layer": 3, "n_positions": 40, "n_inner": null, "vocab_size": 61})"
                                                                  : R"({"hidden_size": 32,
        "intermediate_size": 44, "num_hidden_layers": 3, "num_attention_heads": 4,
        "num_key_value_heads": 2, "vocab_size": 61, "max_position_embeddings": 64,
        "rope_theta": 200.0, "rms_norm_eps": 1e-5})");
    config["architectures"] = {variant.architecture};
    config["model_type"] = variant.type;
    const Json options = Json::parse(variant.options);
    for (const auto& [key, value] : options.items()) {
        if (value == "absent")
            config.erase(key);
        else
            config[key] = value;
    }
    return config;
}

std::vector<TokenId> someIds(std::size_t count)
{
    std::vector<TokenId> ids;
    for (std::size_t i = 0; i < count; ++i)
        ids.push_back(static_cast<TokenId>((i * 37 + i * i * 5 + 11) % 61));
    return ids;
}

// Logits of all rows of the last piece; the pieces before it fill the cache.
std::vector<float> lastLogits(const Decoder& decoder, Ops& ops,
                              const std::vector<std::vector<TokenId>>& pieces)
{
    const c10::InferenceMode noGradients;
    const ModelConfig& config = decoder.config;
    KvCache cache(config.num_hidden_layers, config.num_key_value_heads, config.head_dim,
                  ops.cacheOptions(), 64);
    Workspace workspace;
    const CancelToken never;
    std::vector<float> logits;
    for (const std::vector<TokenId>& ids : pieces) {
        const auto count = static_cast<std::int64_t>(ids.size());
        const std::vector<SequenceRows> rows{{.cache = &cache, .first = 0, .count = count}};
        Step step{ops, rows, workspace, nullptr, never};
        EXPECT_TRUE(decoder.forward(step, ids, Decoder::Logits::AllRows));
        cache.advance(count);
        logits.clear();
        for (std::int64_t row = 0; row < count; ++row) {
            const auto values = ops.host(workspace.logits, row);
            logits.insert(logits.end(), values.begin(), values.end());
        }
    }
    return logits;
}

// The largest difference of the last rows of expected, over the range of all of it.
double difference(const std::vector<float>& actual, const test::NaiveRows& expected)
{
    double least = expected[0][0];
    double most = least;
    for (const test::NaiveRow& row : expected) {
        least = std::min(least, *std::min_element(row.begin(), row.end()));
        most = std::max(most, *std::max_element(row.begin(), row.end()));
    }
    const std::size_t width = expected[0].size();
    const std::size_t first = expected.size() - actual.size() / width;
    double largest = 0.0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double off =
            std::abs(static_cast<double>(actual[i]) - expected[first + i / width][i % width]);
        largest = off <= largest ? largest : off; // NaN counts
    }
    return largest / (most - least);
}

class FamiliesTest : public testing::TestWithParam<Variant> {
protected:
    void SetUp() override
    {
        m_json = baseConfig(GetParam());
        m_weights = test::randomWeights(m_json, 7);
        test::writeCheckpoint(m_folder.path(), m_json, m_weights);
    }

    Decoder loadDecoder()
    {
        const auto config = readModelConfig(m_folder.path());
        const auto checkpoint = Checkpoint::open(m_folder.path());
        if (!config || !checkpoint) {
            ADD_FAILURE() << (config ? checkpoint.error().message : config.error().message);
            return {};
        }
        EXPECT_TRUE(checkSupported(*config));
        WeightLoader weights(*checkpoint, at::kCPU, DType::F32, *m_pool, {}, {});
        Decoder decoder = makeDecoder(*config, weights);
        EXPECT_EQ(weights.unknown(), std::vector<std::string>{});
        return decoder;
    }

    test::TempFolder m_folder;
    Json m_json;
    test::NaiveWeights m_weights;
    std::shared_ptr<ThreadPool> m_pool = std::make_shared<ThreadPool>(2);
};

constexpr double kTolerance = 1e-5; // of the range of the logits

TEST_P(FamiliesTest, logitsAreThoseOfTheNaiveDecoder)
{
    const std::vector<TokenId> ids = someIds(24);
    const test::NaiveRows expected = test::naiveLogits(m_json, m_weights, ids);
    const Decoder decoder = loadDecoder();
    CpuOps own(m_pool);
    AtenOps plain(at::kCPU, at::kFloat);
    EXPECT_LT(difference(lastLogits(decoder, own, {ids}), expected), kTolerance);
    EXPECT_LT(difference(lastLogits(decoder, plain, {ids}), expected), kTolerance);
}

TEST_P(FamiliesTest, cachedDecodingIsOnePass)
{
    const std::vector<TokenId> ids = someIds(24);
    const Decoder decoder = loadDecoder();
    const bool dynamic = std::any_of(decoder.ropes.begin(), decoder.ropes.end(), [](const Rope& r) {
        return !std::ranges::equal(r.frequencies(10), r.frequencies(24));
    });
    if (dynamic)
        GTEST_SKIP() << "turns by the length of the sequence";
    const test::NaiveRows expected = test::naiveLogits(m_json, m_weights, ids);
    const auto piece = [&](std::size_t begin, std::size_t end) {
        return std::vector<TokenId>(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                    ids.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const std::vector<std::vector<TokenId>> pieces{piece(0, 11),  piece(11, 12), piece(12, 13),
                                                   piece(13, 20), piece(20, 21), piece(21, 24)};
    CpuOps own(m_pool);
    AtenOps plain(at::kCPU, at::kFloat);
    EXPECT_LT(difference(lastLogits(decoder, own, pieces), expected), kTolerance);
    EXPECT_LT(difference(lastLogits(decoder, plain, pieces), expected), kTolerance);
}

TEST_P(FamiliesTest, parametersAreCountedAsTheFilesHoldThem)
{
    const auto config = readModelConfig(m_folder.path());
    ASSERT_TRUE(config);
    std::size_t stored = 0;
    for (const auto& [name, tensor] : m_weights)
        stored += tensor.values.size();
    EXPECT_EQ(countParameters(*config).total(), static_cast<std::int64_t>(stored));
}

// The rows of the prompts are so few that every one is computed exactly as if it were alone.
TEST_P(FamiliesTest, batchContinuesAsSingleRunsDo)
{
    const auto library = makeEngineLibrary();
    const auto engine = library->load({.folder = m_folder.path(), .device = "cpu"}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    const std::vector<std::vector<TokenId>> prompts{{7, 23, 41}, {60}, {5, 5}, {11, 30}};
    const auto continued = [&](const std::vector<std::vector<TokenId>>& batch) {
        std::vector<std::vector<TokenId>> texts(batch.size());
        const auto generation =
            (*engine)->begin({.prompts = batch, .max_new_tokens = 12}, nullptr, {});
        EXPECT_TRUE(generation);
        auto step = (*generation)->prefill();
        while (step) {
            for (const SequenceStep& one : step->sequences)
                texts[static_cast<std::size_t>(one.sequence)].push_back(one.token);
            if (step->finished)
                break;
            step = (*generation)->decode();
        }
        EXPECT_TRUE(step);
        return texts;
    };
    const auto together = continued(prompts);
    for (std::size_t i = 0; i < prompts.size(); ++i)
        EXPECT_EQ(together[i], continued({prompts[i]}).front()) << "prompt " << i;
}

constexpr const char* kLlama = "LlamaForCausalLM";
constexpr const char* kMistral = "MistralForCausalLM";
constexpr const char* kMixtral = "MixtralForCausalLM";
constexpr const char* kQwen2 = "Qwen2ForCausalLM";
constexpr const char* kQwen2Moe = "Qwen2MoeForCausalLM";
constexpr const char* kQwen3 = "Qwen3ForCausalLM";
constexpr const char* kQwen3Moe = "Qwen3MoeForCausalLM";
constexpr const char* kPhi = "PhiForCausalLM";
constexpr const char* kPhi3 = "Phi3ForCausalLM";
constexpr const char* kGemma = "GemmaForCausalLM";
constexpr const char* kGemma2 = "Gemma2ForCausalLM";
constexpr const char* kGemma3 = "Gemma3ForCausalLM";
constexpr const char* kStableLm = "StableLmForCausalLM";
constexpr const char* kGpt2 = "GPT2LMHeadModel";
constexpr const char* kNeoX = "GPTNeoXForCausalLM";

const std::vector<Variant> kVariants{
    {"llama", kLlama, "llama", "{}"},
    {"llama_tied_biases", kLlama, "llama",
     R"({"tie_word_embeddings": true, "attention_bias": true, "mlp_bias": true})"},
    {"llama_head_dim_one_kv_head", kLlama, "llama",
     R"({"head_dim": 12, "num_key_value_heads": 1, "hidden_act": "gelu"})"},
    {"llama_linear", kLlama, "llama", R"({"rope_scaling": {"type": "linear", "factor": 2.5}})"},
    {"llama_llama3", kLlama, "llama",
     R"({"rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
         "high_freq_factor": 4.0, "original_max_position_embeddings": 32}})"},
    {"llama_dynamic_within", kLlama, "llama",
     R"({"rope_scaling": {"type": "dynamic", "factor": 2.0}})"},
    {"llama_dynamic_beyond", kLlama, "llama",
     R"({"max_position_embeddings": 16, "rope_scaling": {"type": "dynamic", "factor": 3.0}})"},
    {"llama_yarn", kLlama, "llama",
     R"({"head_dim": 16, "rope_theta": 5000.0, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
         "original_max_position_embeddings": 16}})"},
    {"llama_yarn_all_keys", kLlama, "llama",
     R"({"head_dim": 16, "rope_scaling": {"rope_type": "yarn", "factor": 8.0, "beta_fast": 4.0,
         "beta_slow": 0.5, "mscale": 0.7, "mscale_all_dim": 1.3, "truncate": false,
         "original_max_position_embeddings": 8}})"},
    {"llama_yarn_attention_factor", kLlama, "llama",
     R"({"rope_scaling": {"type": "yarn", "factor": 2.0, "attention_factor": 0.8}})"},
    {"mistral_window", kMistral, "mistral", R"({"sliding_window": 7, "head_dim": 10})"},
    {"mistral_window_null", kMistral, "mistral", R"({"sliding_window": null})"},
    {"mixtral", kMixtral, "mixtral", R"({"num_local_experts": 5, "num_experts_per_tok": 2})"},
    {"mixtral_window_default_theta", kMixtral, "mixtral",
     R"({"num_local_experts": 3, "num_experts_per_tok": 1, "sliding_window": 6,
         "rope_theta": "absent"})"},
    {"qwen2", kQwen2, "qwen2", R"({"tie_word_embeddings": true})"},
    {"qwen2_window", kQwen2, "qwen2",
     R"({"use_sliding_window": true, "sliding_window": 5, "max_window_layers": 1})"},
    {"qwen2_layer_types", kQwen2, "qwen2",
     R"({"use_sliding_window": true, "sliding_window": 5,
         "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]})"},
    {"qwen2_moe", kQwen2Moe, "qwen2_moe",
     R"({"num_experts": 6, "num_experts_per_tok": 3, "moe_intermediate_size": 20,
         "shared_expert_intermediate_size": 28, "num_key_value_heads": 4})"},
    {"qwen2_moe_sparse_step", kQwen2Moe, "qwen2_moe",
     R"({"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
         "shared_expert_intermediate_size": 28, "decoder_sparse_step": 2, "norm_topk_prob": true,
         "qkv_bias": false})"},
    {"qwen3", kQwen3, "qwen3", R"({"head_dim": 12})"},
    {"qwen3_bias_tied", kQwen3, "qwen3",
     R"({"head_dim": 8, "attention_bias": true, "tie_word_embeddings": true})"},
    {"qwen3_moe", kQwen3Moe, "qwen3_moe",
     R"({"head_dim": 8, "num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 24,
         "mlp_only_layers": [1]})"},
    {"qwen3_moe_normalised", kQwen3Moe, "qwen3_moe",
     R"({"head_dim": 8, "num_experts": 8, "num_experts_per_tok": 3, "moe_intermediate_size": 24,
         "norm_topk_prob": true})"},
    {"phi", kPhi, "phi",
     R"({"num_key_value_heads": 4, "partial_rotary_factor": 0.5, "hidden_act": "gelu_new"})"},
    {"phi_qk_layernorm", kPhi, "phi", R"({"qk_layernorm": true, "layer_norm_eps": 1e-4})"},
    {"phi3", kPhi3, "phi3", R"({"sliding_window": 9})"},
    {"phi3_partial_longrope_short", kPhi3, "phi3",
     R"({"head_dim": 16, "partial_rotary_factor": 0.75, "original_max_position_embeddings": 24,
         "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.1, 1.3, 1.5, 2.0, 2.5],
         "long_factor": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}})"},
    {"phi3_longrope_long", kPhi3, "phi3",
     R"({"original_max_position_embeddings": 10, "tie_word_embeddings": true,
         "rope_scaling": {"type": "su", "short_factor": [1.0, 1.1, 1.3, 1.5],
         "long_factor": [1.0, 2.0, 3.0, 4.0]}})"},
    {"phi3_longrope_attention_factor", kPhi3, "phi3",
     R"({"original_max_position_embeddings": 10,
         "rope_scaling": {"type": "yarn", "attention_factor": 1.2,
         "short_factor": [1.0, 1.1, 1.3, 1.5], "long_factor": [1.0, 2.0, 3.0, 4.0]}})"},
    {"gemma", kGemma, "gemma", R"({"head_dim": 12, "num_key_value_heads": 1})"},
    {"gemma2", kGemma2, "gemma2",
     R"({"head_dim": 8, "sliding_window": 6, "attn_logit_softcapping": 4.0,
         "final_logit_softcapping": 6.0, "query_pre_attn_scalar": 20})"},
    {"gemma2_defaults", kGemma2, "gemma2", R"({"head_dim": 8, "hidden_activation": "gelu"})"},
    {"gemma2_uncapped", kGemma2, "gemma2",
     R"({"head_dim": 8, "sliding_window": 4, "attn_logit_softcapping": null,
         "final_logit_softcapping": null, "layer_types":
         ["full_attention", "sliding_attention", "sliding_attention"]})"},
    {"gemma3", kGemma3, "gemma3_text",
     R"({"head_dim": 12, "sliding_window": 5, "sliding_window_pattern": 3,
         "rope_local_base_freq": 30.0, "query_pre_attn_scalar": 12,
         "rope_scaling": {"rope_type": "linear", "factor": 4.0}})"},
    {"gemma3_defaults", kGemma3, "gemma3_text", R"({"head_dim": 8, "rope_theta": "absent"})"},
    {"stablelm", kStableLm, "stablelm", "{}"},
    {"stablelm_parallel", kStableLm, "stablelm",
     R"({"use_parallel_residual": true, "use_qkv_bias": true, "partial_rotary_factor": 0.5})"},
    {"stablelm_head_norms", kStableLm, "stablelm", R"({"qk_layernorm": true, "head_dim": 8})"},
    {"gpt2", kGpt2, "gpt2", "{}"},
    {"gpt2_options", kGpt2, "gpt2",
     R"({"n_inner": 50, "activation_function": "gelu", "scale_attn_weights": false,
         "scale_attn_by_inverse_layer_idx": true, "tie_word_embeddings": false})"},
    {"gpt_neox", kNeoX, "gpt_neox",
     R"({"num_key_value_heads": "absent", "rotary_pct": 0.5, "rotary_emb_base": 300})"},
    {"gpt_neox_sequential", kNeoX, "gpt_neox",
     R"({"num_key_value_heads": "absent", "use_parallel_residual": false, "hidden_act": "relu",
         "attention_bias": false})"},
};

INSTANTIATE_TEST_SUITE_P(Variants, FamiliesTest, testing::ValuesIn(kVariants),
                         [](const auto& variant) { return std::string(variant.param.name); });

} // namespace
} // namespace ep::model
