// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations that are refused, and what is said about them.
#include "config_fixture.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace ep::model {
namespace {

using Json = nlohmann::json;

using testing::HasSubstr;

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
