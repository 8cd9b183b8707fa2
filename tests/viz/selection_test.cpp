// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/selection.h"

#include <gtest/gtest.h>

namespace ep::viz {
namespace {

// Pre-inference 0..100, prefill 100..300 (token 0), decode 300..700 (tokens 1 to 4), post 700..800.
RunTrace smallTrace()
{
    RunTrace trace;
    trace.time = {0, 800};
    trace.phases = {{Phase::PreInference, {0, 100}, {}},
                    {Phase::Prefill, {100, 300}, {}},
                    {Phase::Decode, {300, 700}, {}},
                    {Phase::PostInference, {700, 800}, {}}};
    for (std::int32_t i = 0; i < 5; ++i) {
        TokenSpan token;
        token.index = i;
        token.time = i == 0 ? TimeRange{100, 300} : TimeRange{200 + i * 100, 300 + i * 100};
        trace.tokens.push_back(token);
    }
    return trace;
}

TEST(RunIndex, TurnsTimeIntoTokensAndBack)
{
    const RunIndex index(smallTrace());
    EXPECT_EQ(index.tokens(), 5);
    EXPECT_EQ(index.timeOf(TokenRange{1, 3}), (TimeRange{300, 500}));
    EXPECT_EQ(index.timeOf(TokenRange{5, 9}), std::nullopt);
    EXPECT_EQ(index.tokensIn({300, 500}), (TokenRange{1, 3}));
    EXPECT_EQ(index.tokensIn({340, 460}), (TokenRange{1, 3})); // selected by their middles
    EXPECT_EQ(index.tokensIn({360, 440}), std::nullopt);
    EXPECT_EQ(index.timeOf(Phase::Decode), (TimeRange{300, 700}));
    EXPECT_EQ(index.timeOf(Phase::Idle), std::nullopt);
}

TEST(RunIndex, KeepsTimeTokensAndPhaseTogether)
{
    const RunIndex index(smallTrace());
    Selection part;
    part.layer = 3;
    part.component = Component::QProj;

    const Selection byPhase = index.withPhase(part, Phase::Decode);
    EXPECT_EQ(byPhase.phase, Phase::Decode);
    EXPECT_EQ(byPhase.time, (TimeRange{300, 700}));
    EXPECT_EQ(byPhase.tokens, (TokenRange{1, 5}));
    EXPECT_EQ(byPhase.layer, 3);

    const Selection byTime = index.withTime(byPhase, {250, 900});
    EXPECT_EQ(byTime.phase, std::nullopt);
    EXPECT_EQ(byTime.time, (TimeRange{250, 800})); // clipped to the run
    EXPECT_EQ(byTime.tokens, (TokenRange{1, 5}));
    EXPECT_EQ(byTime.component, Component::QProj);

    const Selection byTokens = index.withTokens(byTime, {4, 99});
    EXPECT_EQ(byTokens.tokens, (TokenRange{4, 5}));
    EXPECT_EQ(byTokens.time, (TimeRange{600, 700}));

    for (const Selection& none :
         {index.withTime(byTokens, {900, 950}), index.withTime(byTokens, {20, 20}),
          index.withTokens(byTokens, {7, 9}), index.withPhase(byTokens, Phase::Idle)})
        EXPECT_EQ(none, part);
}

TEST(RunIndex, WithoutARunKnowsNothing)
{
    const RunIndex index;
    EXPECT_TRUE(index.time().empty());
    EXPECT_EQ(index.tokensIn({0, 100}), std::nullopt);
    EXPECT_TRUE(index.withTokens({}, {0, 1}).empty());
}

TEST(Selection, ClearsOneLevelAtATime)
{
    Selection selection = RunIndex(smallTrace()).withPhase({}, Phase::Decode);
    selection.layer = 1;
    selection.component = Component::Attention;
    selection.operation = Operation::Softmax;
    EXPECT_EQ(describe(selection), "Decode · layer 1 · attention · softmax");
    EXPECT_TRUE(selection.clearLevel());
    EXPECT_EQ(describe(selection), "Decode · layer 1 · attention");
    EXPECT_TRUE(selection.clearLevel());
    EXPECT_TRUE(selection.clearLevel());
    EXPECT_EQ(describe(selection), "Decode");
    EXPECT_TRUE(selection.clearLevel());
    EXPECT_TRUE(selection.empty());
    EXPECT_FALSE(selection.clearLevel());
    EXPECT_EQ(describe(selection), "");
}

TEST(Selection, DescribesTokens)
{
    const RunIndex index(smallTrace());
    EXPECT_EQ(describe(index.withTokens({}, {2, 3})), "token 2");
    EXPECT_EQ(describe(index.withTokens({}, {2, 5})), "tokens 2 to 4");
    EXPECT_EQ(describe(index.withTime({}, {10, 20})), "a time range");
}

struct MoveCase {
    TimeRange result;
    TimeRange expected;
};

TEST(TimeMoves, StayInsideTheWhole)
{
    const TimeRange full{1'000'000, 9'000'000};
    const MoveCase cases[] = {
        {zoomed({2'000'000, 4'000'000}, 3'000'000, 0.5, full), {2'500'000, 3'500'000}},
        {zoomed({2'000'000, 4'000'000}, 2'000'000, 0.5, full), {2'000'000, 3'000'000}},
        {zoomed({2'000'000, 4'000'000}, 3'000'000, 100.0, full), full},
        {zoomed({1'000'000, 3'000'000}, 3'000'000, 2.0, full), {1'000'000, 5'000'000}},
        {zoomed({2'000'000, 2'001'000}, 2'000'500, 0.01, full), {2'000'000, 2'001'000}},
        {panned({2'000'000, 4'000'000}, -5'000'000, full), {1'000'000, 3'000'000}},
        {panned({2'000'000, 4'000'000}, 500'000, full), {2'500'000, 4'500'000}},
        {panned({2'000'000, 4'000'000}, 50'000'000, full), {7'000'000, 9'000'000}},
        {clampedInside({0, 50'000'000}, full), full},
        {clampedInside({5'000'000, 5'000'000}, full), {5'000'000, 5'001'000}},
        {between(7, 3), {3, 7}},
    };
    for (std::size_t i = 0; i < std::size(cases); ++i)
        EXPECT_EQ(cases[i].result, cases[i].expected)
            << i << ": " << cases[i].result.begin_ns << ".." << cases[i].result.end_ns;
}

ViewState stateAt(Nanoseconds begin)
{
    return {{}, {begin, begin + 10}};
}

TEST(ViewHistory, UndoesAndRedoes)
{
    using Change = ViewHistory::Change;
    ViewHistory history;
    history.reset(stateAt(0));
    EXPECT_FALSE(history.canUndo());
    EXPECT_FALSE(history.apply(stateAt(0), Change::Jump, 0)); // no change
    EXPECT_TRUE(history.apply(stateAt(1), Change::Jump, 0));
    EXPECT_TRUE(history.apply(stateAt(2), Change::Jump, 0));
    EXPECT_TRUE(history.undo());
    EXPECT_EQ(history.state(), stateAt(1));
    EXPECT_TRUE(history.redo());
    EXPECT_EQ(history.state(), stateAt(2));
    EXPECT_FALSE(history.redo());
    EXPECT_TRUE(history.undo());
    EXPECT_TRUE(history.undo());
    EXPECT_FALSE(history.undo());
    EXPECT_EQ(history.state(), stateAt(0));
    EXPECT_TRUE(history.apply(stateAt(5), Change::Jump, 0));
    EXPECT_FALSE(history.canRedo()); // a new state replaced the redo history
}

TEST(ViewHistory, MergesTurnsOfAWheel)
{
    using Change = ViewHistory::Change;
    ViewHistory history;
    history.reset(stateAt(0));
    const Nanoseconds step = ViewHistory::kMergeNs;
    history.apply(stateAt(1), Change::Zoom, 0);
    history.apply(stateAt(2), Change::Zoom, step);
    history.apply(stateAt(3), Change::Zoom, 2 * step);
    history.apply(stateAt(4), Change::Pan, 2 * step); // a different kind of change
    history.apply(stateAt(5), Change::Pan, 4 * step); // too late to be merged
    history.finishChange();
    history.apply(stateAt(6), Change::Pan, 4 * step); // a new drag
    for (const Nanoseconds expected : {5, 4, 3, 0}) {
        EXPECT_TRUE(history.undo());
        EXPECT_EQ(history.state(), stateAt(expected));
    }
    EXPECT_FALSE(history.canUndo());
}

TEST(ViewHistory, ForgetsTheOldest)
{
    ViewHistory history;
    history.reset(stateAt(0));
    for (Nanoseconds i = 1; i <= 150; ++i)
        history.apply(stateAt(i), ViewHistory::Change::Jump, i);
    std::size_t steps = 0;
    while (history.undo())
        ++steps;
    EXPECT_EQ(steps, ViewHistory::kDepth);
    EXPECT_EQ(history.state(), stateAt(50));
}

} // namespace
} // namespace ep::viz
