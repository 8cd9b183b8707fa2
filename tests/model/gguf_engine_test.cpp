// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint.h"
#include "engine_fixture.h"
#include "family_variants.h"
#include "gguf_of_folder.h"
#include "guarded.h"
#include "random_checkpoint.h"
#include "safetensors.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"
#include "thread_pool.h"
#include "weight_loader.h"

#include "ep/core/word_list.h"
#include "ep/model/config.h"
#include "ep/model/describe.h"
#include "ep/model/model_files.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <span>
#include <string>
#include <vector>

// The same model as a folder and as GGUF. The test's conversion was written from the documentation
// of the format.
namespace ep::model {
namespace {

using test::Variant;
using testing::HasSubstr;

// The variants in familyVariants() that GGUF can represent.
constexpr auto kConvertible = wordList<20>(
    "llama llama_tied_biases llama_linear llama_llama3 mistral_window mixtral qwen2 qwen3 "
    "qwen3_bias_tied qwen3_moe_normalised phi phi_qk_layernorm phi3 "
    "phi3_partial_longrope_short phi3_longrope_long gemma stablelm stablelm_parallel "
    "stablelm_head_norms gpt2");

std::vector<Variant> convertible()
{
    std::vector<Variant> variants{
        {"gemma2_scaled_by_head", "Gemma2ForCausalLM", "gemma2",
         R"({"head_dim": 8, "sliding_window": 6, "attn_logit_softcapping": 4.0,
             "final_logit_softcapping": 6.0, "query_pre_attn_scalar": 8})"},
        {"gemma3_scaled_by_head", "Gemma3ForCausalLM", "gemma3_text",
         R"({"head_dim": 12, "sliding_window": 5, "query_pre_attn_scalar": 12,
             "num_hidden_layers": 7, "rope_scaling": {"rope_type": "linear", "factor": 4.0}})"}};
    for (const Variant& variant : test::familyVariants()) {
        if (std::find(kConvertible.begin(), kConvertible.end(), variant.name) != kConvertible.end())
            variants.push_back(variant);
    }
    return variants;
}

class GgufFamilyTest : public EngineFixture, public testing::WithParamInterface<Variant> { };

TEST_P(GgufFamilyTest, ComputesWhatTheFolderDoes)
{
    const auto json = baseConfig(GetParam());
    test::writeCheckpoint(folder(), json, test::randomWeights(json, 11));
    const auto file = folder() / "model.gguf";
    test::ggufOf(folder()).write(file);
    const auto plain = load({.dtype = "f32"});
    const auto gguf = load({.folder = file});
    ASSERT_TRUE(plain && gguf);
    EXPECT_EQ(gguf->dtype(), "f32");
    EXPECT_THAT(gguf->notes(), testing::IsEmpty());
    EXPECT_EQ(gguf->facts().parameters, plain->facts().parameters);
    EXPECT_EQ(gguf->facts().architecture, plain->facts().architecture);
    std::vector<text::TokenId> ids(24);
    std::iota(ids.begin(), ids.end(), 3);
    const auto expected = plain->forward(ids);
    const auto actual = gguf->forward(ids);
    ASSERT_TRUE(expected && actual);
    ASSERT_EQ(actual->logits.size(), expected->logits.size());
    const auto [least, most] =
        std::minmax_element(expected->logits.begin(), expected->logits.end());
    for (std::size_t i = 0; i < expected->logits.size(); ++i)
        ASSERT_NEAR(actual->logits[i], expected->logits[i], 2e-6F * (*most - *least)) << i;
}

INSTANTIATE_TEST_SUITE_P(Families, GgufFamilyTest, testing::ValuesIn(convertible()),
                         [](const auto& test) { return std::string(test.param.name); });

class GgufModelTest : public EngineFixture { };

TEST_F(GgufModelTest, IsDescribedWithItsBytes)
{
    write();
    const auto file = folder() / "tiny-7.gguf";
    test::ggufOf(folder()).write(file);
    const auto plain = describeModel(folder());
    const auto gguf = describeModel(file);
    ASSERT_TRUE(plain && gguf);
    EXPECT_EQ(gguf->facts.name, "tiny-7");
    EXPECT_EQ(gguf->facts.weight_bytes, plain->facts.weight_bytes);
    EXPECT_EQ(gguf->facts.stored_dtype, "f32");
    EXPECT_NE(gguf->facts.fingerprint, plain->facts.fingerprint);
    EXPECT_EQ(gguf->config.eos_token_ids, plain->config.eos_token_ids);
}

// A tensor of a layer beyond the model's last one is not read; a note names it.
TEST_F(GgufModelTest, TensorsBeyondTheLastLayerAreNamed)
{
    write();
    const auto json = [&] {
        auto writer = test::ggufOf(folder());
        writer.tensor("blk.9.extra.weight", 10, {256}, std::vector<std::byte>(84));
        return writer;
    }();
    const auto file = folder() / "more.gguf";
    json.write(file);
    const auto engine = load({.folder = file});
    ASSERT_TRUE(engine);
    ASSERT_EQ(engine->notes().size(), 1U);
    EXPECT_THAT(engine->notes().front(), HasSubstr("blk.9.extra.weight"));
}

// An unread tensor of an existing layer would change the output of the model.
TEST_F(GgufModelTest, TensorsOfALayerThatNothingReadsAreRefused)
{
    write();
    auto writer = test::ggufOf(folder());
    writer.tensor("blk.1.attn_q.bias", {4}, {1.0F, 2.0F, 3.0F, 4.0F});
    writer.write(folder() / "more.gguf");
    const auto engine = tryLoad({.folder = folder() / "more.gguf"});
    ASSERT_FALSE(engine);
    EXPECT_THAT(engine.error().message,
                HasSubstr("The tensor blk.1.attn_q.bias in " + folder().string()));
    EXPECT_THAT(engine.error().message, HasSubstr("belongs to a layer"));
}

TEST_F(GgufModelTest, MissingTensorsAreNamedAsInTheFile)
{
    write();
    auto writer = test::ggufOf(folder());
    std::string bytes = writer.bytes();
    const auto place = bytes.find("blk.1.ffn_down.weight");
    ASSERT_NE(place, std::string::npos);
    bytes.replace(place, 5, "blk.7");
    test::writeText(folder() / "lacks.gguf", bytes);
    const auto engine = tryLoad({.folder = folder() / "lacks.gguf"});
    ASSERT_FALSE(engine);
    EXPECT_THAT(engine.error().message, HasSubstr(": blk.1.ffn_down.weight; use a copy"));
}

// "X.scale" next to "X.weight", as in files converted from NVFP4. Halves and quarters change no
// rounding, so the logits equal those of a model with scaled weights.
TEST_F(GgufModelTest, FactorsBesideTensorsMultiply)
{
    write({.hidden_size = 64, .intermediate_size = 96, .layers = 2, .heads = 4});
    const test::TempFolder scaled;
    const auto file = SafetensorsFile::open(folder() / "model.safetensors");
    ASSERT_TRUE(file);
    std::vector<test::StoredTensor> tensors;
    for (const auto& [name, tensor] : file->tensors()) {
        std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
        std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
        const float factor = name.find("layers.0.self_attn.q_proj") != std::string::npos ? 4.0F
            : name.find("layers.1.mlp.down_proj") != std::string::npos                   ? 0.5F
                                                                                         : 1.0F;
        for (float& value : values)
            value *= factor;
        tensors.push_back(test::makeTensor(name, tensor.shape, values));
    }
    std::filesystem::copy_file(folder() / "config.json", scaled / "config.json");
    test::writeSafetensors(scaled / "model.safetensors", tensors);
    for (const DType dtype : {DType::Q8_0, DType::F32}) {
        auto with = test::ggufOf(folder(), dtype);
        with.tensor("blk.0.attn_q.scale", {1}, {4.0F});
        with.tensor("blk.1.ffn_down.scale", {1}, {0.5F});
        with.tensor("blk.1.ffn_down.input_scale", {1}, {3.0F});
        with.write(folder() / "factors.gguf");
        test::ggufOf(scaled.path(), dtype).write(scaled / "model.gguf");
        std::vector<text::TokenId> ids(20);
        std::iota(ids.begin(), ids.end(), 3);
        for (const char* const asked : {"auto", "f32"}) {
            const auto found = load({.folder = folder() / "factors.gguf", .dtype = asked});
            const auto expected = load({.folder = scaled / "model.gguf", .dtype = asked});
            ASSERT_TRUE(found && expected);
            EXPECT_EQ(found->forward(ids)->logits, expected->forward(ids)->logits);
            EXPECT_EQ(found->forward(std::span(ids).first(5))->logits,
                      expected->forward(std::span(ids).first(5))->logits);
        }
    }
}

// One sentence with the tensor, its type, and the position of the number that is not finite.
TEST_F(GgufModelTest, ScalesThatAreNoNumbersAreNamedWithTheirPlace)
{
    write({.hidden_size = 64, .intermediate_size = 96, .layers = 2, .heads = 4});
    auto writer = test::ggufOf(folder());
    std::vector<std::byte> blocks(22 * 2 * 3); // three rows of two blocks of Q5_0
    blocks[22 * 5 + 1] = std::byte{0x7C}; // infinity
    writer.tensor("blk.9.extra.weight", 6, {64, 3}, blocks);
    writer.write(folder() / "model.gguf");
    const auto files = openModel(folder() / "model.gguf");
    ASSERT_TRUE(files);
    ThreadPool pool(1);
    WeightLoader weights(*(*files)->weights, at::kCPU, DType::F32, pool, {}, {});
    std::string message;
    try {
        weights.matrix("blk.9.extra.weight", 3, 64);
    } catch (const LoadError& problem) {
        message = problem.error().message.english();
    }
    EXPECT_THAT(message, HasSubstr("The tensor blk.9.extra.weight (Q5_0) in "));
    EXPECT_THAT(message, HasSubstr("(NaN or infinity), in block 1 of row 2:"));
}

} // namespace
} // namespace ep::model
