// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/disturbed_tokens.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace ep;

constexpr Nanoseconds kUsual = 10'000'000;

// A prefill followed by decoded tokens, computed on two processors.
std::vector<TokenSpan> evenTokens(int count)
{
    std::vector<TokenSpan> tokens;
    Nanoseconds now = 0;
    for (int i = 0; i < count; ++i) {
        TokenSpan token;
        token.index = i;
        token.phase = i == 0 ? Phase::Prefill : Phase::Decode;
        token.time = {now, now + kUsual};
        token.processor_ns = 2 * kUsual;
        token.preemptions = 1;
        token.energy.total_mj = Millijoules{100.0 + i};
        now = token.time.end_ns;
        tokens.push_back(token);
    }
    return tokens;
}

void lengthen(TokenSpan& token, double factor)
{
    token.time.end_ns = token.time.begin_ns + static_cast<Nanoseconds>(factor * kUsual);
}

} // namespace

TEST(DisturbedTokens, TookLongerForAReasonOutside)
{
    struct Case {
        const char* what;
        double longer;
        std::int64_t preemptions;
        double processors;
        bool disturbed;
    };
    const Case cases[] = {{"usual", 1.0, 1, 2.0, false},
                          {"preempted, but not longer", 1.0, 9, 2.0, false},
                          {"longer, with all of its processors", 1.5, 1, 2.0, false},
                          {"longer and preempted", 1.5, 9, 2.0, true},
                          {"longer, with fewer processors", 1.5, 1, 1.5, true}};
    for (const Case& one : cases) {
        std::vector<TokenSpan> tokens = evenTokens(40);
        TokenSpan& token = tokens[20];
        lengthen(token, one.longer);
        token.preemptions = one.preemptions;
        token.processor_ns = static_cast<Nanoseconds>(one.processors * one.longer * kUsual);
        const std::vector<bool> disturbed = disturbedTokens(tokens);
        EXPECT_EQ(disturbed[20], one.disturbed) << one.what;
        EXPECT_FALSE(disturbed[0]);
        EXPECT_FALSE(disturbed[19]);
    }
}

// Later tokens take longer because their context is longer, on a machine that is always busy.
TEST(DisturbedTokens, AreComparedWithTheirNeighbours)
{
    std::vector<TokenSpan> tokens = evenTokens(200);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        lengthen(tokens[i], 1.0 + 0.02 * static_cast<double>(i));
        tokens[i].processor_ns = 2 * tokens[i].time.duration_ns();
        tokens[i].preemptions = static_cast<std::int64_t>(i / 20);
    }
    EXPECT_EQ(disturbedTokens(tokens), std::vector<bool>(200, false));
}

TEST(DisturbedTokens, AreUnknownInOldRuns)
{
    std::vector<TokenSpan> tokens = evenTokens(20);
    lengthen(tokens[10], 3.0);
    tokens[10].processor_ns.reset();
    EXPECT_EQ(disturbedTokens(tokens), std::vector<bool>(20, false));
    EXPECT_EQ(disturbedTokens({}).size(), 0U);
}

TEST(TypicalToken, IsTheMedianOfTheUndisturbed)
{
    std::vector<TokenSpan> tokens = evenTokens(6); // 101 to 105 mJ
    EXPECT_NEAR(*joulesPerTypicalToken(tokens), 0.103, 1e-12);
    lengthen(tokens[1], 3.0);
    tokens[1].preemptions = 9;
    tokens[1].energy.total_mj = Millijoules{23'000.0};
    EXPECT_EQ(typicalTokens(tokens), (std::vector<std::size_t>{2, 3, 4, 5}));
    EXPECT_NEAR(*joulesPerTypicalToken(tokens), 0.1035, 1e-12);
    for (TokenSpan& token : tokens)
        token.energy = {};
    EXPECT_FALSE(joulesPerTypicalToken(tokens));
}
