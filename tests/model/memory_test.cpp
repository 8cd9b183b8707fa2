// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::model {
namespace {

using testing::HasSubstr;

ModelConfig llama7b()
{
    ModelConfig config;
    config.architecture = "LlamaForCausalLM";
    config.hidden_size = 4096;
    config.intermediate_size = 11008;
    config.num_hidden_layers = 32;
    config.num_attention_heads = 32;
    config.num_key_value_heads = 32;
    config.head_dim = 128;
    config.vocab_size = 32000;
    config.max_position_embeddings = 4096;
    return config;
}

ComputedModel computed(DType dtype)
{
    ComputedModel model;
    model.config = llama7b();
    model.sizes = numberSizes(dtype, DType::BF16, false);
    model.weight_bytes = 7'000'000'000;
    return model;
}

TEST(MemoryTest, NeedOfAWellKnownModel)
{
    // 2 x 32 x 4096 x 4 bytes of cache per position.
    const GenerationPlan plan{.sequences = 2, .prompt_positions = 200, .new_positions = 800};
    const MemoryNeed bf16 = memoryNeed(computed(DType::BF16), plan);
    EXPECT_EQ(bf16.weights, 7'000'000'000);
    EXPECT_EQ(bf16.cache, 1000LL * 2 * 32 * 4096 * 4);
    // 200 rows of 6 + 2 + 2 matrices with 4096 numbers and 3 with 11008, and two rows of logits.
    EXPECT_EQ(bf16.workspace, 4LL * (200 * (10 * 4096 + 3 * 11008) + 2 * 32000));
    EXPECT_EQ(bf16.total(), bf16.weights + bf16.cache + bf16.workspace);

    EXPECT_EQ(memoryNeed(computed(DType::Int8), plan).cache, bf16.cache);

    // The context limits how much a sequence can store.
    const MemoryNeed bounded =
        memoryNeed(computed(DType::F32), {.sequences = 2, .new_positions = 1'000'000});
    EXPECT_EQ(bounded.cache, 2 * 4096LL * 2 * 32 * 4096 * 4);
}

TEST(MemoryTest, SaysBothFigures)
{
    const MemoryNeed need{
        .weights = 13'500'000'000, .cache = 1'300'000'000, .workspace = 100'000'000};
    EXPECT_TRUE(checkMemory(need, 14'900'000'000, "llama"));
    EXPECT_TRUE(checkMemory(need, std::nullopt, "llama"));
    const Status refused = checkMemory(need, 11'200'000'000, "llama");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("llama needs 14.9 GB"));
    EXPECT_THAT(refused.error().message, HasSubstr("11.2 GB free"));
    EXPECT_THAT(refused.error().message, HasSubstr("or try anyway"));
}

TEST(MemoryTest, ReadsMeminfo)
{
    EXPECT_EQ(availableFromMeminfo("MemTotal:       24000000 kB\nMemFree:  1 kB\n"
                                   "MemAvailable:   22544204 kB\nBuffers: 3 kB\n"),
              22544204LL * 1024);
    EXPECT_EQ(availableFromMeminfo("MemAvailable:\t0 kB\n"), 0);
    for (const char* const text : {"", "MemTotal: 1 kB", "MemAvailable:", "MemAvailable: kB",
                                   "MemAvailable: -4 kB", "MemAvailable: 99999999999999999999 kB"})
        EXPECT_FALSE(availableFromMeminfo(text).has_value()) << text;
}

} // namespace
} // namespace ep::model
