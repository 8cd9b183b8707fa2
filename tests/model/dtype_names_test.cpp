// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/config.h"
#include "ep/model/dtype_plan.h"
#include "ep/model/format.h"

#include <gmock/gmock.h>

#include <optional>

namespace ep::model {
namespace {

using testing::HasSubstr;

TEST(DTypeTest, NamesGoBothWays)
{
    for (const DTypeRow& row : kDTypes) {
        EXPECT_EQ(&rowOf(row.dtype), &row);
        EXPECT_EQ(dtypeFromName(name(row.dtype)), row.dtype);
    }
    EXPECT_EQ(rowOf(DType::Mxfp4).gguf, 39);
    EXPECT_EQ(dtypeFromName("int4"), std::nullopt);
    EXPECT_EQ(dtypeFromStored("BF16"), DType::BF16);
    EXPECT_EQ(dtypeFromConfig("float16"), DType::F16);
    EXPECT_EQ(dtypeFromConfig(""), std::nullopt);
}

TEST(FormatTest, NamesAreThoseOfFiles)
{
    EXPECT_EQ(formatChoicesText(),
              "auto, mlx2, q2_k, mlx3, q3_k_s, q3_k_m, mxfp4, q3_k_l, iq4_xs, mlx4, nvfp4, q4_0, "
              "iq4_nl, q4_k_s, q4_k_m, mxfp4_moe, q4_1, mlx5, q5_0, q5_k_s, q5_k_m, q5_1, mlx6, "
              "q6_k, fp8, int8, q8_0, mlx8, bf16, f16 and f32");
    for (const FormatRow& row : kFormats) {
        EXPECT_EQ(formatFromName(row.name), &row);
        EXPECT_TRUE(rowOf(row.dtype).offered) << row.name;
    }
    EXPECT_EQ(formatName("q4_k"), "q4_k_m"); // as llama-quantize reads it
    EXPECT_EQ(formatName("iq3_s"), "iq3_s");
    EXPECT_EQ(mainTypeName("q5_k_s"), "q5_k");
    EXPECT_TRUE(isFormatChoice("auto") && isFormatChoice("q3_k"));
    EXPECT_FALSE(isFormatChoice("iq3_s"));
}

TEST(DTypePlanTest, TheLastRuleThatFitsCounts)
{
    const auto plan = parseDTypePlan("q4_k,layers.0-3=q8_0,layers.2.down_proj=mlx3,mlp=q6_k,"
                                     "lm_head=iq4_nl,layers.10=f16");
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->usual, "q4_k_m");
    EXPECT_EQ(parseDTypePlan("q4_k", "q4_k_m")->usual, "auto"); // the stored format
    EXPECT_EQ(parseDTypePlan("iq3_s", "iq3_s")->usual, "auto");
    EXPECT_EQ(parseDTypePlan("q4_k", "q4_k_s")->usual, "q4_k_m");
    EXPECT_EQ(plan->of("model.layers.0.self_attn.q_proj"), DType::Q8_0);
    EXPECT_EQ(plan->of("model.layers.2.mlp.down_proj"), DType::Q6_K);
    EXPECT_EQ(plan->of("model.layers.2.fc.down_proj"), DType::Mlx3);
    EXPECT_EQ(plan->of("model.layers.4.self_attn.q_proj"), std::nullopt);
    EXPECT_EQ(plan->of("model.layers.1.mlp.experts.12.up_proj"), DType::Q6_K);
    EXPECT_EQ(plan->of("model.layers.10.self_attn.q_proj"), DType::F16);
    EXPECT_EQ(plan->of("lm_head"), DType::IQ4_NL);
    EXPECT_EQ(parseDTypePlan("lm_head=q6_k")->usual, "auto");
    EXPECT_EQ(usualDType("q4_k,lm_head=q6_k", DType::BF16), DType::Q4_K);
    EXPECT_EQ(usualDType("lm_head=q6_k", DType::BF16), DType::BF16);
    EXPECT_EQ(usualDType("iq3_s", DType::BF16), DType::IQ3_S); // stored in a file
    const struct {
        const char* text;
        const char* problem;
    } kWrong[] = {{"", "The type \"\" is not known"},
                  {"q9_k", "The type \"q9_k\" is not known; known are auto, mlx2,"},
                  {"lm_head=iq3_s", "The type \"iq3_s\" is not known"},
                  {"lm_head=auto", "The type \"auto\" is not known"},
                  {"layers.3-1=q8_0", "\"layers.3-1\" is no layer or module"},
                  {"layers.x=q8_0", "\"layers.x\" is no layer or module"},
                  {"a b=q8_0", "\"a b\" is no layer or module"},
                  {"q8_0,q4_k", "\"q4_k\" stands after the first one"}};
    for (const auto& c : kWrong) {
        const auto wrong = parseDTypePlan(c.text);
        ASSERT_FALSE(wrong) << c.text;
        EXPECT_THAT(wrong.error().message, HasSubstr(c.problem));
    }
}

} // namespace
} // namespace ep::model
