// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_fixture.h"
#include "support/folders.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using Json = nlohmann::json;

using testing::HasSubstr;

TEST_F(ConfigTest, ReadsEveryKey)
{
    const auto config = read(llama());
    ASSERT_TRUE(config) << config.error().message;
    ModelConfig expected;
    expected.architecture = "LlamaForCausalLM";
    expected.model_type = "llama";
    expected.hidden_size = 64;
    expected.intermediate_size = 160;
    expected.num_hidden_layers = 3;
    expected.num_attention_heads = 8;
    expected.num_key_value_heads = 2;
    expected.head_dim = 8;
    expected.vocab_size = 100;
    expected.max_position_embeddings = 512;
    expected.rms_norm_eps = 1e-5;
    expected.rope.theta = 5000.0;
    expected.stored_dtype = DType::BF16;
    expected.eos_token_ids = {2};
    expected.bos_token_id = 1;
    EXPECT_EQ(*config, expected);
    EXPECT_TRUE(checkSupported(*config));
}

TEST_F(ConfigTest, SpellingsOfPositionScalingMeanTheSame)
{
    const std::string values = R"("factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64)";
    const std::vector<std::string> spellings{
        R"({"rope_scaling": {"rope_type": "llama3", )" + values + "}}",
        R"({"rope_scaling": {"type": "llama3", )" + values + "}}",
        R"({"rope_theta": null, "rope_parameters": {"rope_theta": 5000.0, "rope_type": "llama3", )"
            + values + "}}",
    };
    for (const std::string& spelling : spellings) {
        const auto config = read(patched(llama(), spelling));
        ASSERT_TRUE(config) << config.error().message;
        EXPECT_EQ(config->rope.scaling.kind, RopeScaling::Kind::Llama3) << spelling;
        EXPECT_EQ(config->rope.scaling.factor, 8.0) << spelling;
        EXPECT_EQ(config->rope.scaling.original_max_position_embeddings, 64) << spelling;
        EXPECT_EQ(config->rope.theta, 5000.0) << spelling;
    }
}

TEST_F(ConfigTest, FillsInWhatTheFamilyAssumes)
{
    struct Case {
        std::string architecture;
        std::string model_type;
        int kv_heads;
        std::string act;
        int rotary_dim;
        std::optional<int> window;
        bool attention_bias;
        int context;
    };
    const std::vector<Case> cases{
        {"LlamaForCausalLM", "llama", 8, "silu", 8, std::nullopt, false, 2048},
        {"MistralForCausalLM", "mistral", 8, "silu", 8, 4096, false, 131072},
        {"Qwen2ForCausalLM", "qwen2", 8, "silu", 8, std::nullopt, true, 32768},
        {"PhiForCausalLM", "phi", 8, "gelu_new", 4, std::nullopt, true, 2048},
        {"Phi3ForCausalLM", "phi3", 8, "silu", 8, std::nullopt, false, 4096},
        {"MixtralForCausalLM", "mixtral", 8, "silu", 8, std::nullopt, false, 131072},
        {"Qwen2MoeForCausalLM", "qwen2_moe", 8, "silu", 8, std::nullopt, true, 32768},
        {"Qwen3ForCausalLM", "qwen3", 8, "silu", 128, std::nullopt, false, 32768},
        {"Qwen3MoeForCausalLM", "qwen3_moe", 4, "silu", 8, std::nullopt, false, 32768},
        {"GemmaForCausalLM", "gemma", 8, "gelu_pytorch_tanh", 256, std::nullopt, false, 8192},
        {"Gemma2ForCausalLM", "gemma2", 4, "gelu_pytorch_tanh", 256, 4096, false, 8192},
        {"Gemma3ForCausalLM", "gemma3_text", 4, "gelu_pytorch_tanh", 256, 4096, false, 131072},
        {"StableLmForCausalLM", "stablelm", 8, "silu", 2, std::nullopt, false, 4096},
        {"GPTNeoXForCausalLM", "gpt_neox", 8, "gelu", 2, std::nullopt, true, 2048},
    };
    for (const Case& c : cases) {
        Json json = patched(llama(), R"({"max_position_embeddings": null})");
        json["architectures"] = {c.architecture};
        json["model_type"] = c.model_type;
        json["num_key_value_heads"] = c.kv_heads;
        const auto config = read(json);
        ASSERT_TRUE(config) << config.error().message;
        EXPECT_EQ(config->hidden_act, c.act) << c.architecture;
        EXPECT_EQ(config->rotaryDim(), c.rotary_dim) << c.architecture;
        EXPECT_EQ(config->sliding_window, c.window) << c.architecture;
        EXPECT_EQ(config->attention_bias, c.attention_bias) << c.architecture;
        EXPECT_EQ(config->max_position_embeddings, c.context) << c.architecture;
        EXPECT_TRUE(checkSupported(*config)) << c.architecture;
    }
}

TEST_F(ConfigTest, Gemma3HasTwoKindsOfPositionsInEitherSpelling)
{
    const Json gemma = patched(llama(), R"({"architectures": ["Gemma3ForCausalLM"],
        "model_type": "gemma3_text", "rope_theta": null, "sliding_window_pattern": 2})");
    const auto old = read(patched(gemma, R"({"rope_theta": 500.0, "rope_local_base_freq": 20.0,
        "rope_scaling": {"rope_type": "linear", "factor": 4.0}})"));
    const auto fresh = read(patched(gemma, R"({"rope_parameters": {
        "full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 500.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 20.0}}})"));
    ASSERT_TRUE(old) << old.error().message;
    ASSERT_TRUE(fresh) << fresh.error().message;
    EXPECT_EQ(*fresh, *old);
    EXPECT_EQ(old->rope.theta, 500.0);
    EXPECT_EQ(old->rope.scaling.factor, 4.0);
    ASSERT_TRUE(old->local_rope);
    EXPECT_EQ(old->local_rope->theta, 20.0);
    EXPECT_EQ(old->local_rope->scaling.kind, RopeScaling::Kind::None);
    EXPECT_TRUE(old->tie_word_embeddings);
    EXPECT_EQ(old->attention_scale, 1.0 / 16.0);
    EXPECT_EQ(old->windowOf(0), 4096);
    EXPECT_EQ(old->windowOf(1), std::nullopt);

    // The text part of a multimodal model may omit what equals the outer part.
    const auto nested = read(Json::parse(R"({"architectures": ["Gemma3ForConditionalGeneration"],
        "model_type": "gemma3", "eos_token_id": [1, 106], "torch_dtype": "bfloat16",
        "text_config": {"model_type": "gemma3_text", "hidden_size": 2560,
        "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024}})"));
    ASSERT_TRUE(nested) << nested.error().message;
    EXPECT_EQ(nested->num_attention_heads, 8);
    EXPECT_EQ(nested->vocab_size, 262208);
    EXPECT_EQ(nested->windowOf(0), 1024);
    EXPECT_EQ(nested->windowOf(5), std::nullopt);
    EXPECT_EQ(nested->eos_token_ids, (std::vector<std::int32_t>{1, 106}));
    EXPECT_EQ(nested->stored_dtype, DType::BF16);
    EXPECT_TRUE(nested->tie_word_embeddings);
}

TEST_F(ConfigTest, FamiliesBeforeLlamaCallThingsDifferently)
{
    const auto gpt2 = read(Json::parse(R"({"architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2", "n_embd": 48, "n_head": 6, "n_layer": 5, "n_positions": 128,
        "n_ctx": 128, "vocab_size": 300, "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-6})"));
    ASSERT_TRUE(gpt2) << gpt2.error().message;
    EXPECT_EQ(gpt2->hidden_size, 48);
    EXPECT_EQ(gpt2->intermediate_size, 192);
    EXPECT_EQ(gpt2->head_dim, 8);
    EXPECT_EQ(gpt2->num_key_value_heads, 6);
    EXPECT_EQ(gpt2->max_position_embeddings, 128);
    EXPECT_EQ(gpt2->layer_norm_eps, 1e-6);
    EXPECT_TRUE(gpt2->tie_word_embeddings);

    const Json neox = patched(llama(), R"({"architectures": ["GPTNeoXForCausalLM"],
        "model_type": "gpt_neox", "num_key_value_heads": null, "rope_theta": null,
        "head_dim": 16})");
    const auto old = read(patched(neox, R"({"rotary_pct": 0.5, "rotary_emb_base": 300})"));
    const auto fresh = read(patched(neox, R"({"rope_parameters": {"rope_type": "default",
        "rope_theta": 300, "partial_rotary_factor": 0.5}})"));
    ASSERT_TRUE(old && fresh);
    EXPECT_EQ(*fresh, *old);
    EXPECT_EQ(old->rotaryDim(), 8);
    EXPECT_EQ(old->rope.theta, 300.0);
    EXPECT_TRUE(old->parallel_residual);
}

TEST_F(ConfigTest, ExpertsAreInTheLayersThatHaveThem)
{
    const Json moe = patched(llama(), R"({"architectures": ["Qwen2MoeForCausalLM"],
        "model_type": "qwen2_moe", "num_hidden_layers": 4, "num_experts": 6,
        "num_experts_per_tok": 2, "moe_intermediate_size": 24,
        "shared_expert_intermediate_size": 32})");
    const auto all = read(moe);
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_EQ(all->moe,
              (MoeSettings{.experts = 6,
                           .experts_per_token = 2,
                           .intermediate_size = 24,
                           .shared_intermediate_size = 32,
                           .normalise = false,
                           .layers = {true, true, true, true}}));
    const auto some = read(patched(moe, R"({"decoder_sparse_step": 2, "mlp_only_layers": [3]})"));
    ASSERT_TRUE(some) << some.error().message;
    EXPECT_EQ(some->moe.layers, (std::vector<bool>{false, true, false, false}));
    EXPECT_TRUE(some->hasExperts(1));
    EXPECT_THAT(read(patched(moe, R"({"num_experts_per_tok": 7})")).error().message,
                HasSubstr("larger than the number of experts"));
    EXPECT_THAT(read(patched(moe, R"({"mlp_only_layers": [9]})")).error().message,
                HasSubstr("mlp_only_layers[0] must be a whole number from 0 to 3, not 9"));
}

// Numbers and spellings are compared with those of transformers in rope_test.cpp.
TEST_F(ConfigTest, TheFactorInTheFileCountsWhicheverVersionWroteIt)
{
    const Json yarn = patched(llama(), R"({"rope_scaling": {"rope_type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 64}})");
    for (const char* const version : {"4.55.4", "4.51.0", "4.50.3", "4.56.0", "4.5", "5.9.0"}) {
        const auto config =
            read(patched(yarn, std::string(R"({"transformers_version": ")") + version + R"("})"));
        EXPECT_EQ(config->rope.scaling.factor, 4.0) << version;
    }
}

// GGUF files store -1 as 4294967295.
TEST_F(ConfigTest, AnIdOfMinusOneIsNone)
{
    const auto config = read(patched(llama(), R"({"eos_token_id": [-1, 7], "bos_token_id": -1})"));
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->eos_token_ids, std::vector<std::int32_t>{7});
    EXPECT_FALSE(config->bos_token_id);
    test::writeText(m_folder / "generation_config.json",
                    R"({"eos_token_id": -1, "temperature": NaN})");
    EXPECT_TRUE(read(patched(llama(), R"({"time_step_limit": 1})"))->eos_token_ids.empty());
    const auto gguf = readModelConfig(test::dataPath("cases/none/model.gguf"));
    ASSERT_TRUE(gguf) << gguf.error().message;
    EXPECT_FALSE(gguf->bos_token_id);
}

TEST_F(ConfigTest, GemmaFamiliesLookAtOneActivationKeyEach)
{
    struct Case {
        std::string architecture;
        std::string model_type;
        std::string patch;
        std::string act;
    };
    const std::vector<Case> cases{
        {"GemmaForCausalLM", "gemma", R"({"hidden_act": "gelu"})", "gelu"},
        {"GemmaForCausalLM", "gemma", R"({"hidden_activation": "gelu"})", "gelu_pytorch_tanh"},
        {"Gemma2ForCausalLM", "gemma2", R"({"hidden_act": "gelu"})", "gelu_pytorch_tanh"},
        {"Gemma2ForCausalLM", "gemma2", R"({"hidden_activation": "gelu"})", "gelu"},
        {"Gemma3ForCausalLM", "gemma3_text", R"({"hidden_act": "relu"})", "gelu_pytorch_tanh"},
    };
    for (const Case& c : cases) {
        Json json = patched(llama(), c.patch);
        json["architectures"] = {c.architecture};
        json["model_type"] = c.model_type;
        const auto config = read(json);
        ASSERT_TRUE(config) << config.error().message;
        EXPECT_EQ(config->hidden_act, c.act) << c.model_type << c.patch;
    }
}

TEST_F(ConfigTest, DynamicScalingStretchesTheContext)
{
    const auto config =
        read(patched(llama(), R"({"rope_scaling": {"type": "dynamic", "factor": 2.5}})"));
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->contextLength(), 1280);
    EXPECT_EQ(read(llama())->contextLength(), 512);
}

TEST_F(ConfigTest, SlidingWindowAppliesToTheLayersThatHaveIt)
{
    const Json mistral =
        patched(llama(), R"({"architectures": ["MistralForCausalLM"], "model_type": "mistral"})");
    Json none = mistral;
    none["sliding_window"] = nullptr; // present but null: no window, not even the family's default
    EXPECT_EQ(read(none)->windowOf(0), std::nullopt);
    EXPECT_EQ(read(patched(mistral, R"({"sliding_window": 32})"))->windowOf(2), 32);

    const Json qwen = patched(llama(), R"({"architectures": ["Qwen2ForCausalLM"],
        "model_type": "qwen2", "sliding_window": 32, "max_window_layers": 2})");
    EXPECT_EQ(read(qwen)->windowOf(2), std::nullopt);
    const auto windowed = read(patched(qwen, R"({"use_sliding_window": true})"));
    ASSERT_TRUE(windowed) << windowed.error().message;
    EXPECT_EQ(windowed->windowOf(1), std::nullopt);
    EXPECT_EQ(windowed->windowOf(2), 32);
    const auto typed = read(patched(qwen, R"({"use_sliding_window": true, "layer_types":
        ["sliding_attention", "full_attention", "full_attention"]})"));
    ASSERT_TRUE(typed) << typed.error().message;
    EXPECT_EQ(typed->windowOf(0), 32);
    EXPECT_EQ(typed->windowOf(2), std::nullopt);
}

TEST_F(ConfigTest, GenerationConfigDecidesWhatEndsAText)
{
    test::writeText(m_folder / "generation_config.json", R"({"eos_token_id": [5, 7]})");
    const auto config = read(llama());
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->eos_token_ids, (std::vector<std::int32_t>{5, 7}));
}

TEST_F(ConfigTest, ReadsHowWeightsArePacked)
{
    const struct {
        std::string patch;
        PackedSettings expected;
    } kCases[] = {
        {R"({"quantization_config": {"quant_method": "gptq", "bits": 8, "group_size": 64}})",
         {.method = PackedMethod::Gptq, .bits = 8, .group = 64}},
        {R"({"quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": -1,
             "checkpoint_format": "gptq_v2"}})",
         {.method = PackedMethod::Gptq, .bits = 4, .group = -1, .zeros_are_one_less = false}},
        {R"({"quantization_config": {"quant_method": "awq", "w_bit": 4, "q_group_size": 64}})",
         {.method = PackedMethod::Awq, .bits = 4, .group = 64}},
        {R"({"quantization_config": {"load_in_4bit": true}})",
         {.method = PackedMethod::BitsAndBytes}},
        {R"({"quantization_config": {"quant_method": "fp8"}})", {.method = PackedMethod::Fp8}},
        {R"({"quantization_config": {"quant_method": "compressed-tensors",
             "format": "pack-quantized"}})",
         {.method = PackedMethod::CompressedTensors}},
        {R"({"compression_config": {"format": "float-quantized"}})",
         {.method = PackedMethod::CompressedTensors}},
    };
    for (const auto& c : kCases) {
        const auto config = read(patched(llama(), c.patch));
        ASSERT_TRUE(config) << config.error().message;
        EXPECT_EQ(config->packed, c.expected) << c.patch;
        EXPECT_TRUE(checkSupported(*config)) << c.patch;
    }
}

// Configurations that are refused, and the messages about them.

class RefusedConfigTest : public ConfigTest { };

TEST_F(RefusedConfigTest, NamesSettingsOfPositionsThatItDoesNotKnow)
{
    const struct {
        const char* patch;
        const char* message; // null: it loads
    } kCases[] = {
        {R"({"rope_scaling": {"type": "spiral"}})",
         "rope_scaling has the position scaling \"spiral\", which is not known"},
        {R"({"rope_scaling": {"type": "yarn", "factor": 2, "llama_4_scaling_beta": 0.1}})",
         "rope_scaling.llama_4_scaling_beta is a setting of positions that this program does not"},
        {R"({"rope_scaling": {"type": "yarn", "factor": 2, "extrapolation_factor": 0.5}})",
         "rope_scaling.extrapolation_factor is a setting"},
        {R"({"rope_scaling": {"type": "yarn", "factor": 2, "extrapolation_factor": 1.0}})",
         nullptr},
        {R"({"rope_scaling": {"type": "yarn", "factor": 2, "finetuned": true}})", nullptr},
        {R"({"rope_scaling": {"type": "dynamic", "factor": 1, "alpha": 1000.0}})",
         "rope_scaling.alpha is a setting"},
        {R"({"rope_parameters": {"rope_theta": 1e6, "wave": 2}})",
         "rope_parameters.wave is a setting"},
        {R"({"rope_parameters": {"full_attention": {"rope_theta": 1e6},
             "linear_attention": {"rope_theta": 1e6}}})",
         "rope_parameters.linear_attention is a setting"},
        {R"({"rope_parameters": {"full_attention": {"rope_theta": 1e6, "wave": 2}}})",
         "rope_parameters.full_attention.wave is a setting"},
        {R"({"rope_parameters": {"full_attention": {"rope_theta": 1e6},
             "sliding_attention": {"partial_rotary_factor": 0.5}}})",
         "rope_parameters rotates another share of each head in some layers"},
        {R"({"no_rope_layers": [1, 1, 0]})", "config.json: no_rope_layers is a setting"},
        {R"({"no_rope_layers": []})", nullptr},
        {R"({"rope_interleaved": true})", "rope_interleaved is a setting"},
        {R"({"rope_traditional": false})", nullptr},
        {R"({"use_rope": false})", "use_rope is a setting"},
        {R"({"use_rope": true})", nullptr},
        {R"({"position_embedding_type": "nope"})", "position_embedding_type is a setting"},
        {R"({"rotary_dim": 4})", "rotary_dim is a setting"},
        {R"({"europe": 4, "properties": 3})", nullptr},
    };
    for (const auto& c : kCases) {
        const auto config = read(patched(llama(), c.patch));
        ASSERT_EQ(config.has_value(), c.message == nullptr) << c.patch;
        if (!config) {
            EXPECT_EQ(config.error().code, ErrorCode::Unsupported) << c.patch;
            EXPECT_THAT(config.error().message, HasSubstr(c.message));
            EXPECT_THAT(config.error().message, HasSubstr("attach"));
        }
    }
}

TEST_F(RefusedConfigTest, SaysWhatIsNotSupportedAndWhatIs)
{
    struct Case {
        std::string patch;
        std::string message;
    };
    const std::vector<Case> cases{
        {R"({"architectures": ["BertModel"], "hidden_size": null})",
         "The architecture BertModel is not supported; supported are LlamaForCausalLM,"},
        {R"({"quantization_config": {"quant_method": "gptq", "bits": 3}})",
         "quantized (GPTQ, 3 bits)"},
        {R"({"quantization_config": {"quant_method": "awq", "version": "gemv"}})",
         "quantized (AWQ, version gemv)"},
        {R"({"quantization_config": {"quant_method": "aqlm"}})",
         "quantized (AQLM), in a way that this program does not read"},
        {R"({"quantization_config": {"quant_method": "hqq", "bits": 4}})", "quantized (HQQ)"},
        {R"({"quantization_config": {"quant_method": "torchao"}})", "quantized (torchao)"},
        {R"({"quantization_config": {"quant_method": "compressed-tensors", "format": "marlin-24"}})",
         "quantized (compressed-tensors, format marlin-24)"},
        {R"({"compression_config": {"format": "sparse-bitmask"}})",
         "quantized (compressed-tensors, format sparse-bitmask)"},
        {R"({"quantization_config": {}})", "quantized (unknown method)"},
        {R"({"hidden_act": "mish"})", "activation \"mish\" is not supported; supported are silu"},
    };
    for (const Case& c : cases) {
        const auto config = read(patched(llama(), c.patch));
        ASSERT_TRUE(config) << config.error().message;
        const Status supported = checkSupported(*config);
        ASSERT_FALSE(supported) << c.patch;
        EXPECT_EQ(supported.error().code, ErrorCode::Unsupported);
        EXPECT_THAT(supported.error().message, HasSubstr(c.message));
    }
}

TEST_F(RefusedConfigTest, BrokenValuesAreNamed)
{
    struct Case {
        std::string patch;
        std::string message;
    };
    const std::vector<Case> cases{
        {R"({"architectures": null})", "names no architecture"},
        {R"({"architectures": []})", "names no architecture"},
        {R"({"architectures": [3]})", "names no architecture"},
        {R"({"hidden_size": null})", "hidden_size is missing"},
        {R"({"hidden_size": "64"})",
         "hidden_size must be a whole number from 1 to 4194304, not a string"},
        {R"({"hidden_size": 64.5})",
         "hidden_size must be a whole number from 1 to 4194304, not 64.5"},
        {R"({"hidden_size": -64})",
         "hidden_size must be a whole number from 1 to 4194304, not -64"},
        {R"({"hidden_size": 1e300})", "not 1e+300"},
        {R"({"hidden_size": 65})", "hidden_size is not a multiple of num_attention_heads"},
        {R"({"num_hidden_layers": 0})",
         "num_hidden_layers must be a whole number from 1 to 4096, not 0"},
        {R"({"num_hidden_layers": 100000})",
         "num_hidden_layers must be a whole number from 1 to 4096, not 100000"},
        {R"({"num_key_value_heads": 3})", "not a multiple of num_key_value_heads"},
        {R"({"num_attention_heads": 4194304, "num_key_value_heads": 1, "head_dim": 4096})",
         "larger than any model has"},
        {R"({"head_dim": 1})", "leaves no dimension to rotate"},
        {R"({"vocab_size": 99999999999})",
         "vocab_size must be a whole number from 1 to 16777216, not 99999999999"},
        {R"({"rope_theta": 0})", "rope_theta must be a number from 1 to 1000000000000, not 0"},
        {R"({"rope_scaling": "linear"})",
         "config.json: rope_scaling must be an object, not a string."},
        {R"({"rope_scaling": {"type": "linear"}})", "rope_scaling.factor is missing"},
        {R"({"rope_scaling": {"type": "llama3", "factor": 8, "low_freq_factor": 4}})",
         "rope_scaling.high_freq_factor must be greater"},
        {R"({"model_type": "phi3", "rope_scaling": {"type": "longrope", "short_factor": [1.0],
             "long_factor": [1.0, 1.0, 1.0, 1.0]}})",
         "rope_scaling.short_factor must be a list of 4 positive numbers"},
        {R"({"tie_word_embeddings": "yes"})",
         "tie_word_embeddings must be true or false, not a string"},
        {R"({"hidden_act": 3})", "hidden_act must be a string, not 3"},
        {R"({"eos_token_id": "</s>"})", "eos_token_id must be a whole number"},
        {R"({"eos_token_id": [-2]})", "eos_token_id[0] must be a whole number"},
        {R"({"mlp_only_layers": 3, "model_type": "qwen2_moe"})", "mlp_only_layers must be a list"},
    };
    for (const Case& c : cases) {
        const auto config = read(patched(llama(), c.patch));
        ASSERT_FALSE(config) << c.patch;
        EXPECT_EQ(config.error().code, ErrorCode::InvalidInput) << c.patch;
        EXPECT_THAT(config.error().message, HasSubstr((m_folder / "config.json").string()));
        EXPECT_THAT(config.error().message, HasSubstr(c.message));
    }
}

TEST_F(RefusedConfigTest, FilesThatAreNotThereOrNotJson)
{
    EXPECT_THAT(readModelConfig(m_folder / "nowhere").error().message,
                HasSubstr("There is no folder"));
    EXPECT_THAT(readModelConfig(m_folder.path()).error().message, HasSubstr("has no config.json"));
    EXPECT_EQ(readModelConfig(m_folder.path()).error().code, ErrorCode::NotFound);

    for (const std::string& text :
         {std::string("{\"hidden_size\": 3"), std::string(), std::string("\xFF\xFE")}) {
        test::writeText(m_folder / "config.json", text);
        EXPECT_THAT(readModelConfig(m_folder.path()).error().message, HasSubstr("not valid JSON"));
    }
    test::writeText(m_folder / "config.json", std::string(1'000'000, '['));
    EXPECT_THAT(readModelConfig(m_folder.path()).error().message,
                HasSubstr("config.json is nested more than 200 levels deep"));
    test::writeText(m_folder / "config.json", "[]");
    EXPECT_THAT(readModelConfig(m_folder.path()).error().message, HasSubstr("JSON object"));

    test::writeText(m_folder / "config.json", llama().dump());
    test::writeText(m_folder / "generation_config.json", "{");
    EXPECT_THAT(readModelConfig(m_folder.path()).error().message,
                HasSubstr("generation_config.json is not valid JSON"));
}

} // namespace
} // namespace ep::model
