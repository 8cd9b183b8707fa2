// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/model/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

Json llama()
{
    return Json::parse(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
        "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 3,
        "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 100,
        "max_position_embeddings": 512, "rms_norm_eps": 1e-5, "rope_theta": 5000.0,
        "bos_token_id": 1, "eos_token_id": 2, "torch_dtype": "bfloat16"})");
}

Json patched(Json base, const std::string& patch)
{
    base.merge_patch(Json::parse(patch)); // null removes a key
    return base;
}

class ConfigTest : public testing::Test {
protected:
    Result<ModelConfig> read(const Json& config)
    {
        test::writeText(m_folder / "config.json", config.dump());
        return readModelConfig(m_folder.path());
    }

    test::TempFolder m_folder;
};

TEST_F(ConfigTest, readsEveryKey)
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

TEST_F(ConfigTest, spellingsOfPositionScalingMeanTheSame)
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

TEST_F(ConfigTest, fillsInWhatTheFamilyAssumes)
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

TEST_F(ConfigTest, slidingWindowAppliesToTheLayersThatHaveIt)
{
    const Json mistral =
        patched(llama(), R"({"architectures": ["MistralForCausalLM"], "model_type": "mistral"})");
    Json none = mistral;
    none["sliding_window"] = nullptr; // present and null: no window, not the family's
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

TEST_F(ConfigTest, generationConfigDecidesWhatEndsAText)
{
    test::writeText(m_folder / "generation_config.json", R"({"eos_token_id": [5, 7]})");
    const auto config = read(llama());
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->eos_token_ids, (std::vector<std::int32_t>{5, 7}));
}

TEST_F(ConfigTest, saysWhatIsNotSupportedAndWhatIs)
{
    struct Case {
        std::string patch;
        std::string message;
    };
    const std::vector<Case> cases{
        {R"({"architectures": ["BertModel"], "hidden_size": null})",
         "The architecture BertModel is not supported; supported are LlamaForCausalLM,"},
        {R"({"quantization_config": {"quant_method": "gptq", "bits": 4}})", "quantised (GPTQ)"},
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

TEST_F(ConfigTest, brokenValuesAreNamed)
{
    struct Case {
        std::string patch;
        std::string message;
    };
    const std::vector<Case> cases{
        {R"({"architectures": null})", "names no architecture"},
        {R"({"architectures": []})", "names no architecture"},
        {R"({"architectures": [3]})", "names no architecture"},
        {R"({"hidden_size": null})", "the key hidden_size is missing"},
        {R"({"hidden_size": "64"})", "hidden_size must be a number"},
        {R"({"hidden_size": 64.5})", "hidden_size must be a whole number"},
        {R"({"hidden_size": -64})", "hidden_size is -64, but must lie between 1"},
        {R"({"hidden_size": 1e300})", "hidden_size is 1e+300, but"},
        {R"({"hidden_size": 65})", "hidden_size is not a multiple of num_attention_heads"},
        {R"({"num_hidden_layers": 0})", "num_hidden_layers is 0"},
        {R"({"num_hidden_layers": 100000})", "num_hidden_layers is 100000"},
        {R"({"num_key_value_heads": 3})", "not a multiple of num_key_value_heads"},
        {R"({"num_attention_heads": 4194304, "num_key_value_heads": 1, "head_dim": 4096})",
         "larger than any model has"},
        {R"({"head_dim": 1})", "leaves no dimension to rotate"},
        {R"({"vocab_size": 99999999999})", "vocab_size is 99999999999"},
        {R"({"rope_theta": 0})", "rope_theta is 0"},
        {R"({"rope_scaling": "linear"})", "rope_scaling must be an object"},
        {R"({"rope_scaling": {"type": "spiral"}})", "\"spiral\" is not known"},
        {R"({"rope_scaling": {"type": "linear"}})", "the key factor is missing"},
        {R"({"rope_scaling": {"type": "llama3", "factor": 8, "low_freq_factor": 4}})",
         "high_freq_factor must be greater"},
        {R"({"tie_word_embeddings": "yes"})", "tie_word_embeddings must be true or false"},
        {R"({"hidden_act": 3})", "hidden_act must be a string"},
        {R"({"eos_token_id": "</s>"})", "eos_token_id must be a token id"},
        {R"({"eos_token_id": [-2]})", "eos_token_id must be a token id"},
    };
    for (const Case& c : cases) {
        const auto config = read(patched(llama(), c.patch));
        ASSERT_FALSE(config) << c.patch;
        EXPECT_EQ(config.error().code, ErrorCode::InvalidInput) << c.patch;
        EXPECT_THAT(config.error().message, HasSubstr((m_folder / "config.json").string()));
        EXPECT_THAT(config.error().message, HasSubstr(c.message));
    }
}

TEST_F(ConfigTest, filesThatAreNotThereOrNotJson)
{
    EXPECT_THAT(readModelConfig(m_folder / "nowhere").error().message,
                HasSubstr("There is no folder"));
    EXPECT_THAT(readModelConfig(m_folder.path()).error().message, HasSubstr("has no config.json"));
    EXPECT_EQ(readModelConfig(m_folder.path()).error().code, ErrorCode::NotFound);

    for (const std::string& text : {std::string("{\"hidden_size\": 3"), std::string(),
                                    std::string("\xFF\xFE"), std::string(100'000, '[')}) {
        test::writeText(m_folder / "config.json", text);
        EXPECT_THAT(readModelConfig(m_folder.path()).error().message, HasSubstr("not valid JSON"));
    }
    test::writeText(m_folder / "config.json", "[]");
    EXPECT_THAT(readModelConfig(m_folder.path()).error().message, HasSubstr("JSON object"));

    test::writeText(m_folder / "config.json", llama().dump());
    test::writeText(m_folder / "generation_config.json", "{");
    EXPECT_THAT(readModelConfig(m_folder.path()).error().message,
                HasSubstr("generation_config.json is not valid JSON"));
}

TEST(DTypeTest, namesGoBothWays)
{
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
        EXPECT_EQ(dtypeFromName(name(dtype)), dtype);
    EXPECT_EQ(dtypeFromName("int4"), std::nullopt);
}

} // namespace
} // namespace ep::model
