// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/words.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ep {

// Every enumerator has its own word, and the word maps back to it.
template <typename Enum, typename FromName>
void expectRoundTrip(std::size_t count, FromName fromName)
{
    std::set<std::string> words;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<Enum>(i);
        const std::string word(name(value));
        EXPECT_FALSE(word.empty()) << i;
        EXPECT_TRUE(words.insert(word).second) << word;
        EXPECT_EQ(fromName(word), value) << word;
    }
    EXPECT_FALSE(fromName("no such word").has_value());
    EXPECT_FALSE(fromName("").has_value());
}

TEST(Words, RoundTrip)
{
    expectRoundTrip<Phase>(kPhaseCount, phaseFromName);
    expectRoundTrip<Section>(kSectionCount, sectionFromName);
    expectRoundTrip<Component>(kComponentCount, componentFromName);
    expectRoundTrip<Operation>(kOperationCount, operationFromName);
    expectRoundTrip<Rail>(kRailCount, railFromName);
    expectRoundTrip<Provenance>(5, provenanceFromName);
    expectRoundTrip<Depth>(3, depthFromName);
    expectRoundTrip<RunStatus>(5, runStatusFromName);
    expectRoundTrip<AttributionMethod>(3, attributionMethodFromName);
    expectRoundTrip<BaselineMoment>(2, baselineMomentFromName);
    expectRoundTrip<ThermalPressure>(6, thermalPressureFromName);
    expectRoundTrip<QualityVerdict>(3, qualityVerdictFromName);
}

TEST(Words, AreThoseOfTheStoredFormat)
{
    EXPECT_EQ(name(Phase::PreInference), "pre_inference");
    EXPECT_EQ(name(Section::KvCacheAppend), "kv_cache_append");
    EXPECT_EQ(name(Component::PostAttentionLayernorm), "post_attention_layernorm");
    EXPECT_EQ(name(Component::Residual), "residual");
    EXPECT_EQ(name(Operation::ScaleShift), "scale_shift");
    EXPECT_EQ(name(Rail::System), "system");
}

} // namespace ep
