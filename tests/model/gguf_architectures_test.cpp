// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache_shape.h"
#include "families/family.h"
#include "gguf/gguf_config.h"
#include "gguf/gguf_names.h"
#include "layer_shape.h"
#include "support/folders.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/model/analytic.h"
#include "ep/model/config.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <vector>

// Headers of small models that llama.cpp's own converter made from HuggingFace folders, one per
// architecture, with the config.json of the folder: both must say the same.
namespace ep::model {
namespace {

using Json = nlohmann::json;

Json architectures()
{
    std::ifstream file(test::dataPath("gguf/architectures.json"));
    return Json::parse(file);
}

class GgufArchitecture : public testing::TestWithParam<std::string> {
protected:
    GgufArchitecture()
    {
        for (const Json& one : architectures()) {
            if (one.at("name") == GetParam())
                m_entry = one;
        }
    }

    static ModelConfig read(const Json& config)
    {
        const test::TempFolder folder;
        test::writeText(folder / "config.json", config.dump());
        auto read = readModelConfig(folder.path());
        EXPECT_TRUE(read) << read.error().message;
        return read ? *read : ModelConfig{};
    }

    GgufFile file()
    {
        GgufFile made;
        made.path = "model.gguf";
        made.metadata = m_entry.at("metadata");
        for (const auto& [name, extents] : m_entry.at("tensors").items()) {
            StoredTensor tensor;
            tensor.dtype = "F32";
            for (const Json& extent : extents)
                tensor.shape.insert(tensor.shape.begin(), extent.get<std::int64_t>());
            std::vector<float>& values = m_values[name];
            values.resize(static_cast<std::size_t>(tensor.elements()));
            if (m_entry.contains("values") && m_entry["values"].contains(name))
                values = m_entry["values"][name].get<std::vector<float>>();
            tensor.bytes = std::as_bytes(std::span(values));
            made.tensors[name] = {tensor, nullptr, "model.gguf"};
        }
        return made;
    }

    static Json translated(const GgufFile& file)
    {
        const auto config = ggufConfig(file);
        EXPECT_TRUE(config) << config.error().message;
        return config ? *config : Json::object();
    }

    Json m_entry;

private:
    std::map<std::string, std::vector<float>> m_values;
};

// Numbers of a config by name; they do not depend on how a file stores its parts.
std::map<std::string, double> numbersOf(const ModelConfig& c)
{
    std::map<std::string, double> numbers{
        {"hidden", c.hidden_size},
        {"layers", c.num_hidden_layers},
        {"heads", c.num_attention_heads},
        {"vocabulary", c.vocab_size},
        {"epsilon", c.rms_norm_eps},
        {"partial", c.partial_rotary_factor},
        {"theta", c.rope.theta},
        {"local theta", c.local_rope.value_or(c.rope).theta},
        {"scaling", static_cast<double>(c.rope.scaling.kind)},
        {"factor", c.rope.scaling.factor},
        {"magnitude", c.rope.scaling.attention_factor},
        {"score factor", c.latent ? c.rope.scaling.score_factor : 1.0}, // others do not use it
        {"turned share", c.rope.scaling.share},
        {"truncate", c.rope.scaling.truncate ? 1.0 : 0.0},
        {"growth", c.query_growth},
        {"scores", c.attention_scale},
        {"cap", c.final_logit_softcapping.value_or(0.0)},
        {"residual", c.residual_factor},
        {"interleaved", c.interleaved_rotation ? 1.0 : 0.0},
        {"gate limit", c.gate_limit},
        {"experts", c.moe.experts},
        {"chosen", c.moe.experts > 0 ? c.moe.experts_per_token : 0},
        {"normalise", c.moe.experts > 0 && c.moe.normalise ? 1.0 : 0.0},
        {"sigmoid", c.moe.sigmoid ? 1.0 : 0.0},
        {"corrected", c.moe.corrected ? 1.0 : 0.0},
        {"groups", c.moe.groups},
        {"chosen groups", c.moe.chosen_groups},
        {"expert factor", c.moe.experts > 0 ? c.moe.factor : 1.0},
        {"parameters", static_cast<double>(countParameters(c).total())}};
    for (int layer = 0; layer < c.num_hidden_layers; ++layer) {
        const std::string at = std::to_string(layer);
        numbers["window " + at] = c.windowOf(layer).value_or(0);
        numbers["rotates " + at] = c.rotates(layer) ? 1.0 : 0.0;
        numbers["mixer " + at] = static_cast<double>(c.mixerOf(layer));
        numbers["experts " + at] = c.hasExperts(layer) ? 1.0 : 0.0;
        numbers["kv heads " + at] = c.kvHeads(layer);
        numbers["head " + at] = c.headDim(layer);
        numbers["source " + at] = c.cacheSource(layer);
    }
    // For Falcon-H1, the files hold products of these with the weights.
    if (c.model_type != "falcon_h1") {
        numbers["embedding"] = c.embedding_factor;
        numbers["logits"] = c.logit_factor;
    } else {
        numbers.erase("scores");
    }
    return numbers;
}

TEST_P(GgufArchitecture, SaysWhatTheFolderSays)
{
    const ModelConfig folder = read(m_entry.at("config"));
    const ModelConfig own = read(translated(file()));
    const auto expected = numbersOf(folder);
    const auto actual = numbersOf(own);
    for (const auto& [name, value] : expected) {
        ASSERT_TRUE(actual.contains(name)) << name;
        EXPECT_NEAR(actual.at(name), value, 1e-6 * std::max(1.0, std::abs(value))) << name;
    }
}

TEST_P(GgufArchitecture, EveryTensorHasAName)
{
    const GgufFile made = file();
    const auto entries = ggufEntries(made, read(translated(made)));
    ASSERT_TRUE(entries) << entries.error().message;
    EXPECT_GE(entries->size(), made.tensors.size() / 2);
    for (const auto& [name, entry] : *entries)
        EXPECT_FALSE(name.starts_with("blk.")) << name;
}

std::vector<std::string> names()
{
    std::vector<std::string> all;
    for (const Json& one : architectures())
        all.push_back(one.at("name"));
    return all;
}

std::string testName(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Headers, GgufArchitecture, testing::ValuesIn(names()), testName);

} // namespace
} // namespace ep::model
