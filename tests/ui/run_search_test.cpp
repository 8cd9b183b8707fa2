// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_search.h"

#include <gtest/gtest.h>

namespace ep::ui {
namespace {

std::vector<TokenSpan> tokensOf(const std::vector<std::string>& texts)
{
    std::vector<TokenSpan> tokens;
    for (const std::string& text : texts) {
        TokenSpan token;
        token.index = static_cast<std::int32_t>(tokens.size());
        token.text = text;
        token.energy.total_mj = Millijoules{2.0};
        tokens.push_back(token);
    }
    return tokens;
}

std::vector<ComponentTotal> someParts()
{
    std::vector<ComponentTotal> parts;
    for (std::int32_t layer = 0; layer < 12; ++layer) {
        for (const Component component : {Component::QProj, Component::Attention}) {
            ComponentTotal part;
            part.layer = layer;
            part.component = component;
            part.sum.energy_mj = Millijoules{component == Component::QProj ? 1.0 : 3.0};
            parts.push_back(part);
        }
    }
    return parts;
}

TEST(RunSearch, FindsTokensAndComponents)
{
    const auto tokens = tokensOf({"The", " atten", "tion", " ATTENTION"});
    const auto parts = someParts();
    const SearchResult none = searchRun(tokens, parts, {});
    EXPECT_TRUE(none.hits.empty());
    const SearchResult found = searchRun(tokens, parts, QStringLiteral("attention"));
    EXPECT_EQ(found.parts, 12);
    EXPECT_EQ(found.tokens, 1);
    EXPECT_DOUBLE_EQ(found.partShare.value_or(0.0), 0.75);
    EXPECT_DOUBLE_EQ(found.tokenShare.value_or(0.0), 0.25);
    EXPECT_EQ(found.hits.back(), (SearchHit{3, std::nullopt, std::nullopt}));
    EXPECT_EQ(describe(found).toStdString(), "12 cells (75.0 %), 1 token (25.0 %) of the energy");
    EXPECT_EQ(describe(searchRun(tokens, parts, QStringLiteral("zebra"))).toStdString(),
              "no matches");
}

TEST(RunSearch, FindsLayersByNumberAndManagesWithoutEnergy)
{
    auto parts = someParts();
    EXPECT_EQ(searchRun({}, parts, QStringLiteral("Layer 3 ")).parts, 2);
    EXPECT_EQ(searchRun({}, parts, QStringLiteral("layer 1")).parts, 6); // tokens 1, 10 and 11
    for (ComponentTotal& part : parts)
        part.sum.energy_mj.reset();
    const SearchResult found = searchRun({}, parts, QStringLiteral("q_proj"));
    EXPECT_EQ(found.partShare, std::nullopt);
    EXPECT_EQ(describe(found).toStdString(), "12 cells");
}

} // namespace
} // namespace ep::ui
