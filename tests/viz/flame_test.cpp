// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/flame.h"

#include <gtest/gtest.h>

#include <random>

namespace ep::viz {
namespace {

const Rect kFlamePlot{10.0, 5.0, 1000.0, 200.0};

Span component(std::int32_t token, TimeRange time, Component what = Component::QProj)
{
    return Span::ofComponent(token, 0, what, time);
}

// A run with `count` adjacent spans of `each` nanoseconds.
RunTrace even(int count, Nanoseconds each)
{
    RunTrace trace;
    trace.time = {0, count * each};
    trace.phases = {{Phase::Decode, trace.time, {}}};
    for (int i = 0; i < count; ++i)
        trace.components.push_back(component(0, {i * each, (i + 1) * each}));
    return trace;
}

TEST(Flame, TellsWhetherThePowerIsTheSameEverywhere)
{
    RunTrace trace = even(4, 1000);
    EXPECT_FALSE(FlameData(trace).powerIsEven()) << "no energy is known";
    for (Span& span : trace.components)
        span.energy_mj = Millijoules{0.035};
    EXPECT_TRUE(FlameData(trace).powerIsEven());
    trace.components[2].energy_mj = Millijoules{0.030};
    EXPECT_FALSE(FlameData(trace).powerIsEven());
    const FlameData data(trace);
    EXPECT_EQ(partOf(FlameLevel::Component, data.spans(FlameLevel::Component)[0]),
              RunPart::Attention);
    EXPECT_EQ(partOf(FlameLevel::Phase, data.spans(FlameLevel::Phase)[0]), std::nullopt);
}

std::size_t spansIn(const FlameGeometry& geometry, FlameLevel level)
{
    std::size_t sum = 0;
    for (const FlameBox& box : geometry.boxes) {
        if (box.level == level)
            sum += box.count;
    }
    return sum;
}

TEST(Flame, FoldsWhatIsTooNarrowAndLosesNone)
{
    for (const int count : {1, 100, 5'000, 1'000'000}) {
        const FlameData data(even(count, 1'000));
        const FlameGeometry geometry = layoutFlame(data, {0, count * 1'000LL}, kFlamePlot, {});
        EXPECT_EQ(spansIn(geometry, FlameLevel::Component), static_cast<std::size_t>(count));
        EXPECT_LE(geometry.boxes.size(), 502U);
        double end = 0.0;
        for (const FlameBox& box : geometry.boxes) {
            if (box.level != FlameLevel::Component)
                continue;
            EXPECT_GE(box.rect.x, end - 1e-6);
            EXPECT_LE(box.rect.right(), kFlamePlot.right() + 1.0);
            end = box.rect.x;
        }
    }
}

TEST(Flame, AWideSpanIsNeverFolded)
{
    RunTrace trace;
    trace.time = {0, 1'000'000};
    for (int i = 0; i < 10; ++i)
        trace.components.push_back(component(0, {i * 10, i * 10 + 10}));
    trace.components.push_back(component(0, {100, 500'000}, Component::Attention));
    for (int i = 0; i < 10; ++i)
        trace.components.push_back(component(0, {500'000 + i * 10, 500'010 + i * 10}));
    const FlameData data(trace);
    const FlameGeometry geometry = layoutFlame(data, trace.time, kFlamePlot, {});
    ASSERT_EQ(geometry.boxes.size(), 3U);
    EXPECT_EQ(geometry.boxes[0].count, 10U);
    EXPECT_EQ(geometry.boxes[1].count, 1U);
    EXPECT_EQ(geometry.boxes[1].first, 10U);
    EXPECT_TRUE(geometry.boxes[1].label_fits);
    EXPECT_EQ(geometry.boxes[2].count, 10U);
    // The folded spans before it end where it begins.
    EXPECT_LE(geometry.boxes[0].rect.right(), geometry.boxes[1].rect.x + 1.0);
}

TEST(Flame, ZoomedInEverySpanHasItsBox)
{
    const FlameData data(even(1'000'000, 1'000));
    const FlameGeometry geometry = layoutFlame(data, {500'000'500, 500'010'500}, kFlamePlot, {});
    EXPECT_EQ(spansIn(geometry, FlameLevel::Component), 11U); // ten whole ones and a part of one
    for (const FlameBox& box : geometry.boxes)
        EXPECT_EQ(box.count, 1U);
    // Hit testing returns the span at that time.
    const auto hit = geometry.hit({kFlamePlot.x + 155.0, kFlamePlot.y + 1.5 * geometry.row_height});
    ASSERT_TRUE(hit);
    const FlameSpan& span = data.spans(FlameLevel::Component)[geometry.boxes[*hit].first];
    EXPECT_TRUE(span.time.contains(500'000'500 + 1'550));
}

TEST(Flame, HitsAgreeWithTheBoxes)
{
    const FlameData data(even(3'000, 777));
    const FlameGeometry geometry = layoutFlame(data, {10'000, 1'900'000}, kFlamePlot, {});
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
        const Point point{static_cast<double>(random() % 1020), static_cast<double>(random() % 60)};
        std::optional<std::size_t> expected;
        for (std::size_t b = 0; b < geometry.boxes.size() && !expected; ++b) {
            if (geometry.boxes[b].rect.contains(point))
                expected = b;
        }
        EXPECT_EQ(geometry.hit(point), expected) << point.x << ' ' << point.y;
    }
}

TEST(Flame, StepsCanComeInAnyOrder)
{
    RunTrace overview;
    overview.time = {0, 400};
    for (std::int32_t i = 0; i < 4; ++i) {
        TokenSpan token;
        token.index = i;
        token.time = {i * 100, i * 100 + 100};
        overview.tokens.push_back(token);
    }
    FlameData data(overview);
    EXPECT_EQ(data.levels(), (std::vector{FlameLevel::Token}));
    EXPECT_EQ(data.missingSteps({150, 250}), (std::vector<std::int32_t>{1, 2}));
    for (const std::int32_t token : {2, 0, 3, 2}) {
        RunTrace step;
        step.components = {component(token, {token * 100, token * 100 + 50}),
                           component(token, {token * 100 + 50, token * 100 + 100})};
        data.addStep(token, step);
    }
    EXPECT_EQ(data.missingSteps(overview.time), (std::vector<std::int32_t>{1}));
    const auto& spans = data.spans(FlameLevel::Component);
    ASSERT_EQ(spans.size(), 6U); // each step only once
    for (std::size_t i = 1; i < spans.size(); ++i)
        EXPECT_LE(spans[i - 1].time.end_ns, spans[i].time.begin_ns);
    EXPECT_EQ(data.size(), 10U);
}

TEST(Flame, DegenerateRunsGiveNothing)
{
    EXPECT_TRUE(layoutFlame({}, {0, 100}, kFlamePlot, {}).boxes.empty());
    const FlameData data(even(3, 100));
    EXPECT_TRUE(layoutFlame(data, {50, 50}, kFlamePlot, {}).boxes.empty());
    EXPECT_TRUE(layoutFlame(data, {0, 300}, {}, {}).boxes.empty());
    EXPECT_TRUE(layoutFlame(data, {5'000, 9'000}, kFlamePlot, {}).boxes.empty());
    EXPECT_EQ(FlameGeometry().hit({1, 1}), std::nullopt);
    RunTrace cut; // a span that was cut off has no end time
    cut.components = {component(0, {10, 10})};
    EXPECT_TRUE(FlameData(cut).levels().empty());
}

TEST(Flame, NamesItsSpans)
{
    FlameSpan span;
    span.token = 7;
    span.layer = 3;
    span.word = static_cast<std::uint8_t>(Component::QProj);
    EXPECT_EQ(title(FlameLevel::Token, span), "token 7");
    EXPECT_EQ(title(FlameLevel::Layer, span), "layer 3");
    EXPECT_EQ(title(FlameLevel::Component, span), "q_proj");
    EXPECT_FALSE(span.hasEnergy());
}

} // namespace
} // namespace ep::viz
