// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_ops.h"
#include "checkpoint.h"
#include "cpu_ops.h"
#include "decoder_logits.h"
#include "dequantization.h"
#include "engine_fixture.h"
#include "family_variants.h"
#include "quantization.h"
#include "random_checkpoint.h"
#include "support/rounded_matrices.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace ep::model {
namespace {

using testing::HasSubstr;

Weight weightOf(const at::Tensor& tensor)
{
    Weight weight;
    weight.tensor = tensor;
    weight.data = tensor.data_ptr();
    weight.rows = tensor.size(0);
    weight.columns = tensor.size(1);
    return weight;
}

TEST(QuantizationTest, NoWeightMovesByMoreThanHalfAScale)
{
    const c10::InferenceMode noGradients;
    at::Tensor values = at::arange(0, 5 * 33, at::kFloat).mul(0.7).sin().view({5, 33});
    values.select(0, 1).mul_(1000.0);
    values.select(0, 2).zero_();
    values.select(0, 3).mul_(1e-30);
    const Weight narrow = quantized(weightOf(values));
    EXPECT_EQ(narrow.tensor.scalar_type(), at::kChar);
    const at::Tensor wide = dequantized(narrow, at::kFloat);
    for (std::int64_t row = 0; row < 5; ++row) {
        const float scale = narrow.scale_data[row];
        const auto largest = values[row].abs().max().item<float>();
        EXPECT_FLOAT_EQ(scale, largest / 127.0F);
        const auto error = (wide[row] - values[row]).abs().max().item<float>();
        EXPECT_LE(error, 0.5001F * scale) << row;
    }
    EXPECT_EQ(wide[2].abs().max().item<float>(), 0.0F);
}

class Int8Test : public EngineFixture {
protected:
    static std::vector<text::TokenId> prompt()
    {
        std::vector<text::TokenId> ids{test::kTinyBosId};
        for (int i = 1; i < 40; ++i)
            ids.push_back((i * 37) % 256);
        return ids;
    }
};

TEST_F(Int8Test, IsCloseToTheFullWeights)
{
    for (const char* const stored : {"F32", "BF16", "F16"}) {
        write({.hidden_size = 64, .intermediate_size = 128, .dtype = stored});
        const auto full = load({.dtype = "f32"});
        const auto narrow = load({.dtype = "int8"});
        ASSERT_TRUE(full && narrow);
        const auto a = full->forward(prompt());
        const auto b = narrow->forward(prompt());
        ASSERT_TRUE(a && b);
        const auto [least, most] = std::minmax_element(a->logits.begin(), a->logits.end());
        // Uniform weights: a weight's error is 1 / 254 of the largest, and in a sum of n of them
        // it grows with the square root of n, like the sum itself; 14 products follow each other.
        const float tolerance = 0.05F * (*most - *least);
        std::size_t same = 0;
        const auto vocabulary = static_cast<std::ptrdiff_t>(a->vocabulary);
        for (std::ptrdiff_t row = 0; row < 40; ++row) {
            const auto first = a->logits.begin() + row * vocabulary;
            const auto other = b->logits.begin() + row * vocabulary;
            for (std::ptrdiff_t i = 0; i < vocabulary; ++i)
                ASSERT_NEAR(first[i], other[i], tolerance) << stored;
            same += std::max_element(first, first + vocabulary) - first
                    == std::max_element(other, other + vocabulary) - other
                ? 1
                : 0;
        }
        EXPECT_GE(same, 34U) << stored; // out of 40
        EXPECT_EQ(narrow->dtype(), "int8");
        EXPECT_THAT(narrow->facts().quantization, HasSubstr("int8"));
        EXPECT_EQ(full->facts().quantization, "");
        EXPECT_LT(narrow->facts().weight_bytes, full->facts().weight_bytes / 2);
        EXPECT_EQ(narrow->facts().parameters, full->facts().parameters);
    }
}

// Routers decide which experts run: they, and the gates of shared experts, keep all their bits.
TEST_F(Int8Test, RoutersAreNotQuantised)
{
    for (const test::Variant& variant : test::familyVariants()) {
        if (std::string(variant.options).find("num_experts_per_tok") == std::string::npos)
            continue;
        const test::TempFolder folder;
        const nlohmann::json config = test::baseConfig(variant);
        const test::NaiveWeights weights = test::randomWeights(config, 7);
        test::writeCheckpoint(folder.path(), config, weights);
        std::int64_t expected = 0; // in bytes
        for (const auto& [name, tensor] : weights) {
            const auto count = static_cast<std::int64_t>(tensor.values.size());
            const bool router = name.ends_with("mlp.gate.weight")
                || name.ends_with("feed_forward.gate.weight") || name.ends_with("moe.gate.weight")
                || name.ends_with("shared_expert_gate.weight")
                || name.ends_with("router.layer.weight");
            const bool stacked = name.ends_with("moe.input_linear.weight")
                || name.ends_with("moe.output_linear.weight"); // all experts in one tensor
            const bool wide = // also the taps of a convolution
                (tensor.shape.size() != 2 && !stacked) || router
                || name.find("embed_tokens") != std::string::npos || name == "lm_head.weight";
            std::int64_t rows = stacked ? tensor.shape[0] * tensor.shape[1] : tensor.shape[0];
            if (name.ends_with("kv_b_proj.weight")) // each head has transposed keys
                rows = config.at("num_attention_heads").get<std::int64_t>()
                    * (tensor.shape[1] + config.at("v_head_dim").get<std::int64_t>());
            expected += wide ? 4 * count : count + 4 * rows;
        }
        const auto engine = load({.folder = folder.path(), .dtype = "int8"});
        ASSERT_TRUE(engine) << variant.name;
        EXPECT_EQ(engine->facts().weight_bytes, expected) << variant.name;
    }
}

TEST_F(Int8Test, SeveralRowsAgreeWithOneAtATime)
{
    write();
    const auto engine = load({.dtype = "int8"});
    ASSERT_TRUE(engine);
    std::vector<text::TokenId> ids = prompt();
    const auto steps = generate(*engine, {.prompts = {ids}, .max_new_tokens = 12});
    for (const SequenceStep& step : steps)
        ids.push_back(step.token);
    const auto whole = engine->forward(ids);
    ASSERT_TRUE(whole);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto row = whole->logits.begin()
            + static_cast<std::ptrdiff_t>(prompt().size() - 1 + i) * whole->vocabulary;
        EXPECT_EQ(std::max_element(row, row + whole->vocabulary) - row, steps[i].token);
    }
}

// An accelerator's operations on the same quantized weights.
TEST_F(Int8Test, KernelsAgreeWithLibTorch)
{
    const c10::InferenceMode noGradients;
    write({.tied = false});
    const auto checkpoint = Checkpoint::open(folder());
    const auto config = readModelConfig(folder());
    ASSERT_TRUE(checkpoint && config);
    const auto pool = std::make_shared<ThreadPool>(2);
    WeightLoader weights(*checkpoint, at::kCPU, DType::F32, *pool, {}, {});
    weights.roundMatrices(test::allRounded(*checkpoint, *config, DType::Int8));
    const Decoder decoder = makeDecoder(*config, weights);
    CpuOps own(pool);
    AtenOps plain(at::kCPU, at::kFloat);
    const auto a = allLogits(decoder, own, prompt());
    const auto b = allLogits(decoder, plain, prompt());
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_NEAR(a[i], b[i], 5e-5) << "logit " << i;
}

} // namespace
} // namespace ep::model
