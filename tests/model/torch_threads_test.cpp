// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_library_impl.h"
#include "kv_cache.h"
#include "support/parallel_regions.h"
#include "torch_compat.h"

#include <gtest/gtest.h>

// LibTorch's own threads must not wake up inside a measured step: they would spin beside our pool.
namespace ep::model {
namespace {

class TorchThreads : public testing::Test {
protected:
    void SetUp() override { at::set_num_threads(2); }
    void TearDown() override { at::set_num_threads(m_before); }

private:
    int m_before = at::get_num_threads();
};

TEST_F(TorchThreads, AreCountedWhereLibTorchUsesThem)
{
    const int before = test::parallelRegions();
    (void)at::empty({1 << 20}, at::kFloat).fill_(0);
    EXPECT_GT(test::parallelRegions(), before);
}

TEST_F(TorchThreads, SleepWhileTheKeyValueCacheGrows)
{
    const c10::InferenceMode noGradients;
    const LayerCacheShape first{.kv_heads = 4, .head_dim = 64, .v_head_dim = 64};
    LayerCacheShape second = first;
    second.source = 1;
    KvCache cache({first, second}, at::TensorOptions(at::kFloat), 512);
    cache.layer(1).key_data[3] = 7.0F;
    cache.layer(1).key_data[512 * 64] = 8.0F; // the first value of the second head
    cache.advance(512);
    const int before = test::parallelRegions();
    cache.reserve(1024);
    EXPECT_EQ(test::parallelRegions(), before);
    const KvCache::Layer& layer = cache.layer(1);
    EXPECT_EQ(layer.key_data[3], 7.0F);
    EXPECT_EQ(layer.key_data[1024 * 64], 8.0F);
    EXPECT_EQ(layer.keys.abs().sum().item<float>(), 15.0F); // everything else is zero
}

TEST_F(TorchThreads, SleepWhileTokensAreDecoded)
{
    auto engine =
        makeEngineLibrary()->load({.folder = EP_DEMO_MODEL, .device = "cpu", .threads = 2}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    at::set_num_threads(2);
    const std::vector<text::TokenId> prompt(64, 5);
    const auto generation =
        (*engine)->begin({.prompts = {prompt}, .max_new_tokens = 100}, nullptr, {});
    ASSERT_TRUE(generation) << generation.error().message;
    ASSERT_TRUE((*generation)->prefill());
    const int before = test::parallelRegions();
    for (int token = 1; token < 100; ++token)
        ASSERT_TRUE((*generation)->decode());
    EXPECT_EQ(test::parallelRegions(), before);
}

} // namespace
} // namespace ep::model
