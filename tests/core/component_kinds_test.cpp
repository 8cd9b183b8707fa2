// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/component_kinds.h"
#include "ep/core/own_part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace ep {
namespace {

TEST(ComponentKinds, ABlockHoldsTheComponentsOfBothBlocksAndNoOthers)
{
    constexpr std::array kNeither{Component::InputLayernorm,
                                  Component::PostAttentionLayernorm,
                                  Component::PreFeedforwardLayernorm,
                                  Component::PostFeedforwardLayernorm,
                                  Component::PostFeedforwardLayernorm1,
                                  Component::PreFeedforwardLayernorm2,
                                  Component::PostFeedforwardLayernorm2,
                                  Component::PostPerLayerInputNorm,
                                  Component::Residual};
    int attention = 0;
    int mlp = 0;
    for (std::size_t i = 0; i < kComponentCount; ++i) {
        const auto component = static_cast<Component>(i);
        const LayerBlock block = blockOf(component);
        const bool outside =
            std::find(kNeither.begin(), kNeither.end(), component) != kNeither.end();
        EXPECT_EQ(block == LayerBlock::Neither, outside) << name(component);
        attention += block == LayerBlock::Attention ? 1 : 0;
        mlp += block == LayerBlock::Mlp ? 1 : 0;
    }
    EXPECT_EQ(blockOf(Component::KvCache), LayerBlock::Attention);
    EXPECT_EQ(blockOf(Component::Router), LayerBlock::Mlp);
    EXPECT_EQ(attention, 26);
    EXPECT_EQ(mlp, 12);
}

TEST(ComponentKinds, ARoleSaysWhatAComponentReads)
{
    EXPECT_EQ(roleOf(Component::QProj), ComponentRole::Weights);
    EXPECT_EQ(roleOf(Component::SharedExpert), ComponentRole::Weights);
    EXPECT_EQ(roleOf(Component::Experts), ComponentRole::Experts);
    EXPECT_EQ(roleOf(Component::GatedNorm), ComponentRole::Norm);
    EXPECT_EQ(roleOf(Component::DeltaRule), ComponentRole::State);
    EXPECT_EQ(roleOf(Component::Residual), ComponentRole::Elementwise);
    const Component own = ownComponent(LayerBlock::Mlp, "conv");
    EXPECT_EQ(blockOf(own), LayerBlock::Mlp);
    EXPECT_EQ(roleOf(own), ComponentRole::Weights);
}

} // namespace
} // namespace ep
