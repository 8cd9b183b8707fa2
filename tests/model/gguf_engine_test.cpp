// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"
#include "family_variants.h"
#include "gguf_of_folder.h"
#include "random_checkpoint.h"

#include "ep/model/config.h"
#include "ep/model/describe.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

// The same model as a folder and as GGUF. The conversion of the test was written from the format's
// documentation.
namespace ep::model {
namespace {

using test::Variant;
using testing::HasSubstr;

// Of familyVariants(): what GGUF can say.
const std::vector<std::string> kConvertible{"llama",
                                            "llama_tied_biases",
                                            "llama_linear",
                                            "llama_llama3",
                                            "mistral_window",
                                            "mixtral",
                                            "qwen2",
                                            "qwen3",
                                            "qwen3_bias_tied",
                                            "qwen3_moe_normalised",
                                            "phi",
                                            "phi_qk_layernorm",
                                            "phi3",
                                            "phi3_partial_longrope_short",
                                            "phi3_longrope_long",
                                            "gemma",
                                            "stablelm",
                                            "stablelm_parallel",
                                            "stablelm_head_norms",
                                            "gpt2"};

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

// Values of stored blocks stay as they are; the others of the same file too.
TEST_F(GgufModelTest, TypesThatAreNotKnownAreNamed)
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

} // namespace
} // namespace ep::model
