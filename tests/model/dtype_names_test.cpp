// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/config.h"
#include "ep/model/dtype_plan.h"

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
    EXPECT_EQ(
        dtypeChoicesText(),
        "auto, f32, bf16, f16, int8, q8_0, q4_0, q4_1, q5_0, q5_1, q2_k, q3_k, q4_k, q5_k, q6_k, "
        "iq4_nl, mxfp4, nvfp4, mlx2, mlx3, mlx4, mlx5, mlx6, mlx8 and fp8");
}

TEST(DTypePlanTest, TheLastRuleThatFitsCounts)
{
    const auto plan = parseDTypePlan("q4_k,layers.0-3=q8_0,layers.2.down_proj=mlx3,mlp=q6_k,"
                                     "lm_head=iq4_nl,layers.10=f16");
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->usual, "q4_k");
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
                  {"q9_k", "The type \"q9_k\" is not known; known are auto, f32,"},
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
