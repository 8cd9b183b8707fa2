// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/model/config.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

// Configurations that tests change key by key and read from a folder.
namespace ep::model {

inline nlohmann::json llama()
{
    return nlohmann::json::parse(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
        "hidden_size": 64, "intermediate_size": 160, "num_hidden_layers": 3,
        "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 100,
        "max_position_embeddings": 512, "rms_norm_eps": 1e-5, "rope_theta": 5000.0,
        "bos_token_id": 1, "eos_token_id": 2, "torch_dtype": "bfloat16"})");
}

inline nlohmann::json patched(nlohmann::json base, const std::string& patch)
{
    base.merge_patch(nlohmann::json::parse(patch)); // null removes a key
    return base;
}

class ConfigTest : public testing::Test {
protected:
    Result<ModelConfig> read(const nlohmann::json& config)
    {
        test::writeText(m_folder / "config.json", config.dump());
        return readModelConfig(m_folder.path());
    }

    test::TempFolder m_folder;
};

} // namespace ep::model
