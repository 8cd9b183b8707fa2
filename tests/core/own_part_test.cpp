// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/own_part.h"
#include "ep/core/words.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace ep {
namespace {

TEST(OwnPartTest, KeepsItsNameInItsBlock)
{
    const Component conv = ownComponent(LayerBlock::Attention, "short conv");
    EXPECT_TRUE(isOwn(conv));
    EXPECT_EQ(name(conv), "attention.short_conv");
    EXPECT_EQ(blockOf(conv), LayerBlock::Attention);
    EXPECT_EQ(componentFromName("attention.short_conv"), conv);
    EXPECT_EQ(blockOf(ownComponent(LayerBlock::Mlp, "conv")), LayerBlock::Mlp);
    EXPECT_EQ(blockOf(ownComponent(LayerBlock::Neither, "conv")), LayerBlock::Neither);
    EXPECT_EQ(name(ownComponent(LayerBlock::Neither, "")), "layer.other");
    const Section pooler = ownSection("pooler");
    EXPECT_EQ(name(pooler), "model.pooler");
    EXPECT_EQ(sectionFromName("model.pooler"), pooler);
}

TEST(OwnPartTest, AcceptsNoOtherNames)
{
    for (const char* word : {"", "conv", "layer.", "layer", "layer.a b", "layer.<b>", "model.x"})
        EXPECT_FALSE(componentFromName(word)) << word;
    EXPECT_FALSE(componentFromName("layer." + std::string(100, 'x')));
    for (const char* word : {"pooler", "model.", "model./", "layer.x"})
        EXPECT_FALSE(sectionFromName(word)) << word;
    EXPECT_EQ(name(ownComponent(LayerBlock::Mlp, std::string(100, 'x'))),
              "mlp." + std::string(60, 'x'));
}

// Last in this file, since the names of a process are never forgotten.
TEST(OwnPartTest, SharesTheLastNameWhenThereAreTooMany)
{
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([] {
            for (int i = 0; i < 500; ++i) {
                const std::string path = "own" + std::to_string(i);
                const Component component = ownComponent(LayerBlock::Neither, path);
                const std::string_view shown = name(component);
                EXPECT_TRUE(shown == "layer." + path || shown == "layer.other") << shown;
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    const Component last = ownComponent(LayerBlock::Neither, "one more");
    EXPECT_EQ(name(last), "layer.other");
    EXPECT_EQ(static_cast<std::size_t>(last), kComponentSlots - 1);
    EXPECT_EQ(blockOf(last), LayerBlock::Neither);
}

} // namespace
} // namespace ep
