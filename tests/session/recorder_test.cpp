// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/current_operation.h"
#include "record/recorder.h"
#include "recorder_fixture.h"

#include "ep/core/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace ep;
using namespace ep::session::recorder_test;
using session::PublishedOperation;
using session::Recorder;
using session::RecorderOptions;
using session::SectionEvent;

struct RecordedDepth {
    Depth depth;
    std::size_t sections, layers, components, operations;
};

class RecorderDepthTest : public RecorderTest,
                          public testing::WithParamInterface<RecordedDepth> { };

TEST_P(RecorderDepthTest, RecordsWhatTheDepthAsksFor)
{
    const RecordedDepth& expected = GetParam();
    Recorder recorder = make(expected.depth);
    recorder.enter(Phase::Prefill, 0);
    step(recorder, &m_probe);
    RunTrace trace;
    recorder.appendTo(trace, 1);
    EXPECT_EQ(trace.sections.size(), expected.sections);
    EXPECT_EQ(trace.layers.size(), expected.layers);
    EXPECT_EQ(trace.components.size(), expected.components);
    EXPECT_EQ(trace.operations.size(), expected.operations);
}

INSTANTIATE_TEST_SUITE_P(Depths, RecorderDepthTest,
                         testing::Values(RecordedDepth{Depth::None, 1, 0, 0, 0},
                                         RecordedDepth{Depth::Module, 1, 1, 2, 0},
                                         RecordedDepth{Depth::Deep, 1, 1, 2, 1}),
                         [](const auto& tested) { return std::string(name(tested.param.depth)); });

TEST_F(RecorderTest, NestsChildrenInsideTheirParents)
{
    Recorder recorder = make(Depth::Deep);
    recorder.enter(Phase::Decode, 0);
    step(recorder, &m_probe);
    RunTrace trace;
    recorder.appendTo(trace, 1);
    const TimeRange section = trace.sections.at(0).time;
    const TimeRange layer = trace.layers.at(0).time;
    const TimeRange attention = trace.components.at(0).time;
    EXPECT_TRUE(section.contains(layer));
    EXPECT_TRUE(layer.contains(attention));
    EXPECT_TRUE(attention.contains(trace.operations.at(0).time));
    EXPECT_TRUE(layer.contains(trace.components.at(1).time));
    EXPECT_LE(attention.end_ns, trace.components.at(1).time.begin_ns);
    EXPECT_EQ(trace.components.at(0).component, Component::Attention);
    EXPECT_EQ(trace.components.at(1).component, Component::OProj);
    EXPECT_EQ(trace.operations.at(0).operation, Operation::Softmax);
}

TEST_F(RecorderTest, DropsTheStepThatProducedNoToken)
{
    Recorder recorder = make(Depth::Module);
    recorder.enter(Phase::PreInference, kNoToken);
    visit(recorder, Tap::ofSection(Section::Tokenization), nullptr);
    recorder.enter(Phase::Prefill, 0);
    step(recorder, &m_probe);
    recorder.enter(Phase::Decode, 1);
    step(recorder, &m_probe);
    RunTrace trace;
    recorder.appendTo(trace, 1);
    ASSERT_EQ(trace.sections.size(), 2U);
    EXPECT_EQ(trace.sections[0].token, kNoToken);
    EXPECT_EQ(trace.sections[1].token, 0);
    EXPECT_EQ(trace.layers.size(), 1U);
    EXPECT_EQ(trace.components.size(), 2U);
}

TEST_F(RecorderTest, AStepThatBreaksOffDoesNotSpoilWhatFollows)
{
    Recorder recorder = make(Depth::Module);
    recorder.enter(Phase::Prefill, 0);
    recorder.began(Tap::ofSection(Section::Layers));
    recorder.began(Tap::ofLayer(0));
    recorder.began(Tap::ofComponent(0, Component::QProj));
    recorder.enter(Phase::PostInference, kNoToken);
    visit(recorder, Tap::ofSection(Section::MemoryCleanup), nullptr);
    RunTrace trace;
    recorder.appendTo(trace, 1);
    ASSERT_EQ(trace.sections.size(), 1U);
    EXPECT_EQ(trace.sections[0].section, Section::MemoryCleanup);
    EXPECT_TRUE(trace.layers.empty());
    EXPECT_TRUE(trace.components.empty());
}

TEST_F(RecorderTest, AnEndClosesWhatWasLeftOpenInside)
{
    Recorder recorder = make(Depth::Module);
    recorder.enter(Phase::Prefill, 0);
    recorder.began(Tap::ofLayer(0));
    recorder.began(Tap::ofComponent(0, Component::QProj));
    recorder.ended(Tap::ofLayer(0), nullptr);
    recorder.ended(Tap::ofComponent(0, Component::QProj), nullptr); // its parent has ended
    RunTrace trace;
    recorder.appendTo(trace, 1);
    EXPECT_EQ(trace.layers.size(), 1U);
    EXPECT_TRUE(trace.components.empty());
}

TEST_F(RecorderTest, NestingBeyondItsDepthIsIgnored)
{
    Recorder recorder = make(Depth::Module);
    recorder.enter(Phase::Prefill, 0);
    constexpr int kMany = 40;
    for (int layer = 0; layer < kMany; ++layer)
        recorder.began(Tap::ofLayer(layer));
    for (int layer = kMany - 1; layer >= 0; --layer)
        recorder.ended(Tap::ofLayer(layer), nullptr);
    RunTrace trace;
    recorder.appendTo(trace, 1);
    EXPECT_EQ(trace.layers.size(), 16U);
}

TEST_F(RecorderTest, GivesOutTheCurrentStepOnly)
{
    Recorder recorder = make(Depth::Module);
    for (const std::int32_t token : {0, 1, 2}) {
        recorder.enter(Phase::Decode, token);
        step(recorder, &m_probe);
        std::vector<Span> layers;
        std::vector<Span> components;
        recorder.currentStep(layers, components);
        ASSERT_EQ(layers.size(), 1U);
        ASSERT_EQ(components.size(), 2U);
        EXPECT_EQ(layers[0].token, token);
        EXPECT_EQ(components[1].token, token);
    }
}

// Marks from a device, whose times are only known after the step.
class ScriptedTimer final : public model::SpanTimer {
public:
    explicit ScriptedTimer(std::vector<Nanoseconds>& marks)
        : m_marks(marks)
    {
    }
    std::uint32_t mark() override
    {
        m_marks.push_back(monotonicNow());
        return static_cast<std::uint32_t>(m_marks.size() - 1);
    }
    Status read(std::vector<Nanoseconds>& times) override
    {
        times = m_marks;
        m_marks.clear();
        return {};
    }

private:
    std::vector<Nanoseconds>& m_marks;
};

TEST_F(RecorderTest, TakesTheTimesOfADeviceWhenTheStepIsOver)
{
    std::vector<Nanoseconds> marks;
    Recorder recorder({.depth = Depth::Module,
                       .timer = std::make_unique<ScriptedTimer>(marks),
                       .calibrate = false},
                      m_published, {});
    recorder.enter(Phase::Prefill, 0);
    step(recorder, &m_probe);
    const std::vector<Nanoseconds> expected = marks;
    ASSERT_TRUE(recorder.endStep());
    ASSERT_TRUE(recorder.endStep()) << "nothing is left to do";
    recorder.enter(Phase::Decode, 1);
    recorder.began(Tap::ofSection(Section::Layers)); // interrupted here
    recorder.enter(Phase::PostInference, kNoToken);
    RunTrace trace;
    recorder.appendTo(trace, 2);
    ASSERT_EQ(trace.sections.size(), 1U);
    ASSERT_EQ(expected.size(), 10U);
    EXPECT_EQ(trace.sections[0].time, (TimeRange{expected[0], expected[9]}));
    EXPECT_EQ(trace.layers.at(0).time, (TimeRange{expected[1], expected[8]}));
    EXPECT_EQ(trace.components.at(0).time, (TimeRange{expected[2], expected[3]}));
    EXPECT_EQ(trace.components.at(1).time, (TimeRange{expected[6], expected[7]}));
    EXPECT_EQ(recorder.cost().statistic_ns, static_cast<double>(expected[5] - expected[4]));
}

TEST_F(RecorderTest, WaitsForTheDeviceAroundEachSpanWhenAskedTo)
{
    int waits = 0;
    Recorder recorder({.depth = Depth::Module, .synchronize = [&] { ++waits; }, .calibrate = false},
                      m_published, {});
    recorder.enter(Phase::Prefill, 0);
    step(recorder, &m_probe);
    EXPECT_EQ(waits, 8);
}

TEST_F(RecorderTest, SaysWhichSectionBeginsAndEnds)
{
    Recorder recorder = make(Depth::None);
    recorder.enter(Phase::Decode, 5);
    visit(recorder, Tap::ofSection(Section::Sampling), nullptr);
    ASSERT_EQ(m_begun.size(), 1U);
    ASSERT_EQ(m_ended.size(), 1U);
    EXPECT_EQ(m_begun[0].section, Section::Sampling);
    EXPECT_EQ(m_begun[0].phase, Phase::Decode);
    EXPECT_EQ(m_begun[0].token, 5);
    EXPECT_EQ(m_begun[0].time.begin_ns, m_begun[0].time.end_ns);
    EXPECT_EQ(m_ended[0].time.begin_ns, m_begun[0].time.begin_ns);
    EXPECT_GE(m_ended[0].time.end_ns, m_ended[0].time.begin_ns);
}

TEST_F(RecorderTest, PublishesWhereTheEngineIs)
{
    Recorder recorder = make(Depth::Module);
    recorder.enter(Phase::Decode, 7);
    recorder.began(Tap::ofSection(Section::Layers));
    recorder.began(Tap::ofLayer(3));
    recorder.began(Tap::ofComponent(3, Component::UpProj));
    const session::CurrentOperation now = session::unpack(m_published.load());
    EXPECT_EQ(now.phase, Phase::Decode);
    EXPECT_EQ(now.section, Section::Layers);
    EXPECT_EQ(now.token, 7);
    EXPECT_EQ(now.layer, 3);
    ASSERT_TRUE(now.has_component);
    EXPECT_EQ(now.component, Component::UpProj);

    recorder.enter(Phase::PostInference, kNoToken);
    const session::CurrentOperation after = session::unpack(m_published.load());
    EXPECT_EQ(after.phase, Phase::PostInference);
    EXPECT_FALSE(after.has_component);
    EXPECT_EQ(after.layer, kNoLayer);
}

TEST_F(RecorderTest, GrowsBeyondWhatWasExpected)
{
    Recorder recorder = make(Depth::Module);
    constexpr std::int32_t kSteps = 20'000;
    for (std::int32_t token = 0; token < kSteps; ++token) {
        recorder.enter(Phase::Decode, token);
        step(recorder, &m_probe);
    }
    RunTrace trace;
    recorder.appendTo(trace, kSteps);
    ASSERT_EQ(trace.components.size(), 2U * kSteps);
    EXPECT_EQ(trace.components.back().token, kSteps - 1);
    EXPECT_TRUE(std::is_sorted(
        trace.components.begin(), trace.components.end(),
        [](const auto& a, const auto& b) { return a.time.begin_ns < b.time.begin_ns; }));
}

using Buffer = ep::session::ChunkedBuffer<int, 4>;

TEST(ChunkedBuffer, KeepsOrderOverManyChunks)
{
    Buffer buffer;
    for (int i = 0; i < 103; ++i)
        EXPECT_EQ(buffer.append(i * i), static_cast<std::size_t>(i));
    ASSERT_EQ(buffer.size(), 103U);
    for (std::size_t i = 0; i < buffer.size(); ++i)
        EXPECT_EQ(buffer[i], static_cast<int>(i * i));
}

TEST(ChunkedBuffer, NeverMovesAnElement)
{
    Buffer buffer;
    buffer.append(7);
    const int* first = &buffer[0];
    for (int i = 0; i < 1000; ++i)
        buffer.append(i);
    EXPECT_EQ(first, &buffer[0]);
    EXPECT_EQ(*first, 7);
}

TEST(ChunkedBuffer, ReservingLeavesItEmpty)
{
    Buffer buffer;
    buffer.reserve(9);
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_EQ(buffer.append(5), 0U);
    EXPECT_EQ(buffer[0], 5);
}

using session::CurrentOperation;

struct Case {
    const char* name;
    CurrentOperation operation;
};

class CurrentOperationTest : public testing::TestWithParam<Case> { };

TEST_P(CurrentOperationTest, ComesBackFromOneWord)
{
    const CurrentOperation& in = GetParam().operation;
    const CurrentOperation out = session::unpack(session::pack(in));
    EXPECT_EQ(out.phase, in.phase);
    EXPECT_EQ(out.section, in.section);
    EXPECT_EQ(out.token, in.token);
    EXPECT_EQ(out.layer, in.layer);
    EXPECT_EQ(out.has_component, in.has_component);
    if (in.has_component) {
        EXPECT_EQ(out.component, in.component);
    }
}

INSTANTIATE_TEST_SUITE_P(All, CurrentOperationTest,
                         testing::Values(Case{"Default", {}},
                                         Case{"FirstComponent",
                                              {.phase = Phase::Prefill,
                                               .section = Section::Layers,
                                               .token = 0,
                                               .layer = 0,
                                               .component = Component::InputLayernorm,
                                               .has_component = true}},
                                         Case{"LastWords",
                                              {.phase = Phase::PostInference,
                                               .section = Section::MemoryCleanup,
                                               .token = 123'456,
                                               .layer = 255,
                                               .component = Component::Residual,
                                               .has_component = true}},
                                         Case{"LargestIndices",
                                              {.phase = Phase::Decode,
                                               .section = Section::Layers,
                                               .token = (1 << 24) - 2,
                                               .layer = (1 << 16) - 2,
                                               .component = Component::QProj,
                                               .has_component = false}}),
                         [](const auto& tested) { return tested.param.name; });

TEST(CurrentOperation, IndicesBeyondTheWordReadAsNone)
{
    const CurrentOperation out = session::unpack(session::pack({.phase = Phase::Decode,
                                                                .section = Section::Layers,
                                                                .token = 1 << 24,
                                                                .layer = 1 << 16,
                                                                .component = Component::QProj,
                                                                .has_component = true}));
    EXPECT_EQ(out.token, kNoToken);
    EXPECT_EQ(out.layer, kNoLayer);
    EXPECT_EQ(out.component, Component::QProj);
}

} // namespace
