// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_events.h"

#include <gmock/gmock.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using testing::HasSubstr;

// A device whose clock is advanced manually, and which counts the waits.
struct FakeDevice {
    struct State {
        double now_ms = 1000.0;
        int waits = 0;
    };
    struct Event {
        double at_ms = 0.0;
    };

    Event record() { return {state->now_ms}; }
    void wait(Event&) { ++state->waits; }
    double elapsedMs(const Event& from, const Event& to) { return to.at_ms - from.at_ms; }

    std::shared_ptr<State> state;
};

TEST(EventTimerTest, MarksAreReadOnceAndHangOnTheHostsClock)
{
    const auto state = std::make_shared<FakeDevice::State>();
    const Nanoseconds before = monotonicNow();
    EventTimer<FakeDevice> timer({state});
    const Nanoseconds after = monotonicNow();
    EXPECT_EQ(state->waits, 1);
    EXPECT_EQ(timer.mark(), 0U);
    state->now_ms += 2.5;
    EXPECT_EQ(timer.mark(), 1U);
    state->now_ms += 0.001;
    EXPECT_EQ(timer.mark(), 2U);
    EXPECT_EQ(state->waits, 1);
    std::vector<Nanoseconds> times;
    ASSERT_TRUE(timer.read(times));
    EXPECT_EQ(state->waits, 2);
    ASSERT_EQ(times.size(), 3U);
    EXPECT_GE(times[0], before);
    EXPECT_LE(times[0], after);
    EXPECT_EQ(times[1] - times[0], 2'500'000);
    EXPECT_NEAR(static_cast<double>(times[2] - times[1]), 1000.0, 1.0);

    EXPECT_EQ(timer.mark(), 0U) << "numbers begin anew";
    ASSERT_TRUE(timer.read(times));
    EXPECT_EQ(times.size(), 1U);
    ASSERT_TRUE(timer.read(times));
    EXPECT_TRUE(times.empty());
    EXPECT_EQ(state->waits, 3) << "nothing to wait for without marks";
}

// A device with calls that may all throw, as those of Apple's GPUs do.
struct FaultyDevice {
    struct State {
        double now_ms = 0.0;
        bool records = true;
        bool waits = true;
        double unreadable_ms = -1.0; // the event with this time cannot be read
    };
    struct Event {
        double at_ms = 0.0;
    };

    Event record()
    {
        if (!state->records)
            throw std::runtime_error("no event");
        return {state->now_ms};
    }
    void wait(Event&)
    {
        if (!state->waits)
            throw std::runtime_error("no waiting");
    }
    double elapsedMs(const Event& from, const Event& to)
    {
        if (to.at_ms == state->unreadable_ms)
            throw std::runtime_error("End event was not recorded after start event.");
        return to.at_ms - from.at_ms;
    }

    std::shared_ptr<State> state;
};

TEST(EventTimerTest, WhatCannotBeReadCostsItsMarkOnly)
{
    const auto state = std::make_shared<FaultyDevice::State>();
    EventTimer<FaultyDevice> timer({state});
    std::vector<Nanoseconds> times;
    const auto markAt = [&](double ms) {
        state->now_ms = ms;
        timer.mark();
    };
    markAt(1.0);
    markAt(2.0);
    markAt(3.0);
    state->unreadable_ms = 2.0;
    ASSERT_TRUE(timer.read(times));
    ASSERT_EQ(times.size(), 3U);
    EXPECT_EQ(times[1], times[0]);
    EXPECT_EQ(times[2] - times[0], 2'000'000);
    EXPECT_EQ(timer.lost(), 1);

    // A mark that could not be recorded, and a read() that cannot renew the anchor.
    markAt(4.0);
    state->records = false;
    markAt(5.0);
    ASSERT_TRUE(timer.read(times));
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(times[1], times[0]);
    EXPECT_EQ(timer.lost(), 2);

    state->records = true;
    state->waits = false;
    markAt(6.0);
    ASSERT_TRUE(timer.read(times));
    EXPECT_EQ(times.size(), 1U);
    EXPECT_EQ(timer.lost(), 2);
}

TEST(TimerKindTest, TheProcessorNeedsNone)
{
    EXPECT_TRUE(timerKinds(at::kCPU).empty());
    const ChosenTimer none = chooseTimer(at::kCPU, {}, [](SpanTimer&) { return std::string(); });
    EXPECT_EQ(none.make, nullptr);
    EXPECT_EQ(none.note, "");
}

std::unique_ptr<SpanTimer> fakeTimer(at::Device)
{
    return std::make_unique<EventTimer<FakeDevice>>(
        FakeDevice{std::make_shared<FakeDevice::State>()});
}

std::unique_ptr<SpanTimer> noTimer(at::Device)
{
    return nullptr;
}

TEST(TimerKindTest, TheFirstThatPassesIsUsedAndTheRunSaysWhich)
{
    struct Case {
        const char* what;
        MakeTimer buffers;
        std::vector<std::string> failures; // of the timers tried
        bool made;
        const char* note;
    };
    for (const Case& c : std::vector<Case>{
             {"the best", fakeTimer, {""}, true, "GPU times"},
             {"the second",
              fakeTimer,
              {"too late", ""},
              true,
              "the command buffers of this device failed their test (too late); callback times"},
             {"no buffers", noTimer, {""}, true, "callback times"},
             {"neither",
              fakeTimer,
              {"too late", "lost"},
              false,
              "the command buffers of this device failed their test (too late); the events of this "
              "device failed "
              "their test (lost): spans end when their work has been submitted"}}) {
        std::size_t tried = 0;
        const ChosenTimer chosen = chooseTimer(
            at::kMPS,
            {{"command buffers", "GPU times", c.buffers}, {"events", "callback times", fakeTimer}},
            [&](SpanTimer&) { return c.failures.at(tried++); });
        EXPECT_EQ(chosen.make != nullptr, c.made) << c.what;
        EXPECT_EQ(chosen.note, c.note) << c.what;
    }
    const ChosenTimer none =
        chooseTimer(at::kCUDA, {{"events", "", noTimer}}, [](SpanTimer&) { return std::string(); });
    EXPECT_THAT(none.note, HasSubstr("has no timed events on this device: spans end when"));
}

} // namespace
} // namespace ep::model
