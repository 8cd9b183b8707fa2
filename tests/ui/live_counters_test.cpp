// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_run.h"

#include "ep/ui/models/live_counters.h"

#include <gmock/gmock.h>

namespace {

using namespace ep;
using ui::LiveCounters;

constexpr Nanoseconds kSecond = 1'000'000'000;

session::RunStarted started(const std::string& source)
{
    session::RunStarted event;
    event.info.max_new_tokens = 10;
    event.info.power.source = source;
    event.time = {100 * kSecond, 100 * kSecond};
    return event;
}

TokenSpan token(int index, Nanoseconds begin, Nanoseconds end, std::optional<double> mj)
{
    TokenSpan span;
    span.index = index;
    span.time = {begin, end};
    if (mj) {
        span.energy.total_mj = Millijoules{*mj};
        span.energy.provenance = Provenance::Attributed;
    }
    return span;
}

TEST(LiveCounters, KnowNothingBeforeARun)
{
    const LiveCounters counters;
    EXPECT_FALSE(counters.started());
    EXPECT_FALSE(counters.timingOnly());
    EXPECT_EQ(counters.elapsed(5 * kSecond), 0);
    EXPECT_FALSE(counters.tokensPerSecond());
    EXPECT_FALSE(counters.joulesPerToken());
    EXPECT_FALSE(counters.remaining());
    EXPECT_FALSE(counters.percent());
    EXPECT_FALSE(counters.samplesPerSecond());
}

TEST(LiveCounters, PercentIsOfAllTokensToCome)
{
    LiveCounters counters;
    session::RunStarted event = started("none");
    event.info.max_new_tokens = 8;
    counters.start(event);
    EXPECT_EQ(counters.percent(), 0);
    for (int i = 0; i < 3; ++i)
        counters.add(token(i, (101 + i) * kSecond, (102 + i) * kSecond, std::nullopt));
    EXPECT_EQ(counters.percent(), 37);
    ep::Run run;
    run.info.output_tokens = 3;
    counters.finish(run);
    EXPECT_FALSE(counters.percent());
}

// A shown value must not vanish at the end because no sample ever covered it.
TEST(LiveCounters, ShowJoulesOnlyOfWhatSamplesCover)
{
    LiveCounters counters;
    counters.start(started("replay"));
    counters.add(token(0, 100 * kSecond, 101 * kSecond, 300.0));
    EXPECT_FALSE(counters.joulesPerToken()) << "an estimate from before the run";
    PowerSample sample;
    sample.window = {100 * kSecond, 102 * kSecond};
    sample.total_mw = Milliwatts{150.0};
    counters.add(sample);
    EXPECT_DOUBLE_EQ(counters.joulesPerToken().value(), 0.3);
    counters.add(token(1, 101 * kSecond, 103 * kSecond, 100.0));
    EXPECT_DOUBLE_EQ(counters.joulesPerToken().value(), 0.3);
    sample.window = {102 * kSecond, 104 * kSecond};
    sample.total_mw = Milliwatts{50.0};
    counters.add(sample);
    EXPECT_DOUBLE_EQ(counters.joulesPerToken().value(), 0.2);
}

// When a capture with one document is replayed, the run ends without an energy, so no energy may be
// shown that would then vanish.
TEST(LiveCounters, ShowNoJoulesOnceTheSamplesHaveStopped)
{
    LiveCounters counters;
    counters.start(started("replay"));
    PowerSample sample;
    sample.window = {100 * kSecond, 101 * kSecond};
    sample.total_mw = Milliwatts{300.0};
    counters.add(sample);
    counters.add(token(0, 100 * kSecond, 101 * kSecond, 300.0));
    EXPECT_DOUBLE_EQ(counters.joulesPerToken().value(), 0.3);
    counters.add(token(1, 101 * kSecond, 104 * kSecond, 300.0));
    EXPECT_DOUBLE_EQ(counters.joulesPerToken().value(), 0.3) << "the next reading may be late";
    counters.add(token(2, 104 * kSecond, 105 * kSecond, 300.0));
    EXPECT_FALSE(counters.joulesPerToken());
    sample.window = {101 * kSecond, 105 * kSecond};
    counters.add(sample);
    EXPECT_TRUE(counters.joulesPerToken()) << "it was only late";
}

TEST(LiveCounters, TellThinkingFromAnswerDuringTheRun)
{
    LiveCounters counters;
    counters.start(started("replay"));
    const auto decoded = [](int index, std::optional<double> mj) {
        TokenSpan span = token(index, (100 + index) * kSecond, (101 + index) * kSecond, mj);
        span.phase = index == 0 ? Phase::Prefill : Phase::Decode;
        return span;
    };
    PowerSample sample;
    sample.window = {100 * kSecond, 104 * kSecond};
    sample.total_mw = Milliwatts{1000.0};
    counters.add(sample);
    counters.add(decoded(0, 900.0), kThinkingSection);
    EXPECT_TRUE(counters.sections().empty()) << "the token of the prefill belongs to the prompt";
    counters.add(decoded(1, 100.0), kThinkingSection);
    counters.add(decoded(2, 200.0), kThinkingSection);
    counters.add(decoded(3, 400.0), kAnswerSection);
    counters.add(decoded(4, 400.0), kAnswerSection);
    ASSERT_EQ(counters.sections().size(), 2U);
    const AnswerSection thinking = counters.sections()[0];
    EXPECT_EQ(thinking.name, kThinkingSection);
    EXPECT_EQ(thinking.tokens, 2);
    EXPECT_EQ(thinking.time, (TimeRange{101 * kSecond, 103 * kSecond}));
    EXPECT_DOUBLE_EQ(*thinking.joulesPerToken(), 0.15);
    EXPECT_EQ(counters.sections()[1].tokens, 1) << "no sample covers the last token yet";
    sample.window = {104 * kSecond, 105 * kSecond};
    counters.add(sample);
    EXPECT_EQ(counters.sections()[1].tokens, 2);
    EXPECT_DOUBLE_EQ(*counters.sections()[1].joulesPerToken(), 0.4);
    // Once the samples have stopped, the tokens still count, and their energy is missing.
    for (int i = 5; i < 12; ++i)
        counters.add(decoded(i, 400.0), kAnswerSection);
    EXPECT_EQ(counters.sections()[1].tokens, 9);
    EXPECT_FALSE(counters.sections()[1].joulesPerToken());
}

TEST(LiveCounters, RateCountsTheDecodePhaseOnly)
{
    LiveCounters counters;
    counters.start(started("powermetrics"));
    PowerSample sample;
    sample.window = {100 * kSecond, 105 * kSecond};
    sample.total_mw = Milliwatts{80.0};
    counters.add(sample);
    counters.add(token(0, 101 * kSecond, 104 * kSecond, 300.0));
    EXPECT_FALSE(counters.tokensPerSecond());
    counters.add(token(1, 104 * kSecond, 105 * kSecond, 100.0));
    counters.add(token(2, 105 * kSecond, 106 * kSecond, std::nullopt)); // no sample covers it yet
    EXPECT_DOUBLE_EQ(counters.tokensPerSecond().value(), 1.0);
    EXPECT_DOUBLE_EQ(counters.joulesPerToken().value(), 0.2);
    EXPECT_EQ(counters.provenance(), Provenance::Attributed);
    EXPECT_EQ(counters.remaining(), 7 * kSecond);
    EXPECT_EQ(counters.elapsed(110 * kSecond), 10 * kSecond);
}

TEST(LiveCounters, SamplesOfTheIdleTimeBeforeTheRunCount)
{
    LiveCounters counters;
    for (int i = 0; i < 5; ++i) {
        PowerSample sample;
        sample.window = {i * kSecond / 10, (i + 1) * kSecond / 10};
        counters.add(sample);
    }
    counters.start(started("powermetrics"));
    EXPECT_NEAR(counters.samplesPerSecond().value(), 10.0, 1e-9);
}

TEST(LiveCounters, TheFinishedRunReplacesTheEstimates)
{
    const ep::Run run = test::makeSampleRun();
    LiveCounters counters;
    counters.start(started("powermetrics"));
    counters.add(token(0, 101 * kSecond, 102 * kSecond, 999.0));
    counters.finish(run);
    EXPECT_TRUE(counters.finished());
    EXPECT_EQ(counters.tokens(), run.info.output_tokens);
    EXPECT_EQ(counters.joulesPerToken(), run.metrics.joules_per_token);
    EXPECT_EQ(counters.tokensPerSecond(), run.metrics.tokens_per_second);
    EXPECT_EQ(counters.elapsed(0), run.trace.time.duration_ns());
    EXPECT_FALSE(counters.remaining());
}

TEST(LiveCounters, WithoutASourceOnlyTimesAreKnown)
{
    for (const char* source : {"", "none"}) {
        LiveCounters counters;
        counters.start(started(source));
        counters.add(token(0, 101 * kSecond, 102 * kSecond, std::nullopt));
        EXPECT_TRUE(counters.timingOnly());
        EXPECT_FALSE(counters.joulesPerToken());
    }
}

} // namespace
