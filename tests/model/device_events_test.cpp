// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_events.h"
#include "support/fake_metal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
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

constexpr Nanoseconds kPiece = 300'000; // one repetition of the work

// A device with its own clock: the host continues immediately and waits when reading. `report`
// converts the true times of the marks to the reported ones.
class FakeGpu final : public SpanTimer {
public:
    using Report = std::function<std::vector<Nanoseconds>(std::vector<Nanoseconds>)>;

    explicit FakeGpu(Report report = {})
        : m_report(std::move(report))
    {
    }

    std::uint32_t mark() override
    {
        m_marks.push_back(std::max(m_done, m_host));
        return static_cast<std::uint32_t>(m_marks.size() - 1);
    }
    Status read(std::vector<Nanoseconds>& times) override
    {
        wait();
        times = m_report ? m_report(m_marks) : m_marks;
        m_marks.clear();
        return {};
    }
    std::int64_t lost() const override { return 0; }

    ClockSubject subject()
    {
        return {.work =
                    [this](int times) {
                        m_done = std::max(m_done, m_host) + times * kPiece;
                        m_host += times * 2'000; // the time to submit it
                    },
                .wait = [this] { wait(); },
                .now = [this] { return m_host; }};
    }

private:
    void wait() { m_host = std::max(m_host, m_done) + 5'000; }

    Report m_report;
    Nanoseconds m_host = 1'000'000;
    Nanoseconds m_done = 0; // when the device finishes everything submitted
    std::vector<Nanoseconds> m_marks;
};

TEST(ClockCheckTest, trustsMarksThatTellTheTime)
{
    FakeGpu exact;
    EXPECT_EQ(checkMarks(exact, exact.subject()), "");
    // As on Apple's GPUs, where each time arrives one callback later.
    FakeGpu late([](std::vector<Nanoseconds> times) {
        Nanoseconds delay = 20'000;
        for (Nanoseconds& time : times)
            time += delay += 15'000;
        return times;
    });
    EXPECT_EQ(checkMarks(late, late.subject()), "");
}

TEST(ClockCheckTest, saysWhatIsWrongWithOthers)
{
    struct Case {
        FakeGpu::Report report;
        const char* said;
    };
    using Times = std::vector<Nanoseconds>;
    const std::vector<Case> cases = {
        // Timestamps of the host: submitting both pieces takes no time.
        {[](Times t) {
             return Times{t[0], t[0] + 30'000, t[0] + 60'000};
         },
         "four times the work"},
        {[](const Times&) {
             return Times{0, 0, 0};
         },
         "four times the work"},
        {[](Times t) {
             return Times{t[0], t[2], t[1]};
         },
         "out of order"},
        {[](Times t) {
             return Times{t[1], t[0], t[2]};
         },
         "out of order"},
        {[](Times t) {
             return Times{t[0], t[0] + 3 * (t[1] - t[0]), t[0] + 3 * (t[2] - t[0])};
         },
         "in a wall time of"},
        {[](Times t) {
             return Times{t[0], t[1]};
         },
         "marks got lost"},
    };
    for (const Case& entry : cases) {
        FakeGpu gpu(entry.report);
        EXPECT_THAT(checkMarks(gpu, gpu.subject()), HasSubstr(entry.said));
    }
}

TEST(ClockCheckTest, aDisturbedRoundDoesNotDecide)
{
    int round = 0;
    FakeGpu gpu([&](std::vector<Nanoseconds> times) {
        if (++round == 2)
            times[1] -= (times[1] - times[0]) / 2;
        return times;
    });
    EXPECT_EQ(checkMarks(gpu, gpu.subject()), "");
    EXPECT_EQ(round, 5);
}

// The bookkeeping of marks on Metal's command buffers, with imitations of Metal and LibTorch.

namespace fake = test::fake_metal;
using fake::Behaviour;

class BufferTimerTest : public testing::Test {
protected:
    BufferTimerTest()
        : m_timer(fake::calls(), 200'000'000)
    {
    }
    ~BufferTimerTest() override
    {
        fake::finish();
        EXPECT_EQ(fake::liveBlocks(), 0);
        EXPECT_EQ(fake::callsOutsideQueue(), 0);
    }

    // Submits work of 1, 2, 3 .. ms, each followed by a mark.
    void marks(int count)
    {
        for (int i = 1; i <= count; ++i) {
            fake::work(i * 0.001);
            EXPECT_EQ(m_timer.mark(), static_cast<std::uint32_t>(i - 1)) << "numbers begin anew";
        }
    }

    std::vector<Nanoseconds> read()
    {
        std::vector<Nanoseconds> times;
        EXPECT_TRUE(m_timer.read(times));
        return times;
    }

    // Times between marks in microseconds, rounded.
    static std::vector<int> spans(const std::vector<Nanoseconds>& times)
    {
        std::vector<int> result;
        for (std::size_t i = 1; i < times.size(); ++i)
            result.push_back(static_cast<int>((times[i] - times[i - 1] + 500) / 1000));
        return result;
    }

    BufferTimer m_timer;
};

TEST_F(BufferTimerTest, SpansAreTheGpusOwnWhenHandlersCome)
{
    for (const Behaviour behaviour :
         {Behaviour::Prompt, Behaviour::Late, Behaviour::Reversed, Behaviour::Twice}) {
        fake::behave(behaviour);
        marks(4);
        EXPECT_EQ(spans(read()), (std::vector<int>{2000, 3000, 4000}))
            << static_cast<int>(behaviour);
    }
    EXPECT_EQ(m_timer.lost(), 0);
    EXPECT_TRUE(read().empty());
}

TEST_F(BufferTimerTest, TimesAreOnTheHostsClock)
{
    marks(1);
    const std::vector<Nanoseconds> times = read();
    ASSERT_EQ(times.size(), 1U);
    // The imitated GPU finishes "now", so its end is the moment when read() compared the
    // clocks.
    EXPECT_NEAR(static_cast<double>(times[0]), static_cast<double>(monotonicNow()), 50e6);
}

TEST_F(BufferTimerTest, AMarkWithoutWorkHasTheTimeOfTheOneBefore)
{
    marks(2);
    m_timer.mark();
    const std::vector<Nanoseconds> times = read();
    EXPECT_EQ(spans(times), (std::vector<int>{2000, 0}));
    EXPECT_EQ(m_timer.lost(), 0);
}

TEST_F(BufferTimerTest, WhatFailsCostsItsMarkOnly)
{
    marks(1);
    fake::behave(Behaviour::Failing);
    fake::work(0.002);
    m_timer.mark();
    fake::behave(Behaviour::Throwing);
    m_timer.mark();
    fake::behave(Behaviour::Lost);
    fake::work(0.003);
    m_timer.mark();
    fake::behave(Behaviour::Prompt);
    fake::work(0.004);
    m_timer.mark();
    EXPECT_EQ(spans(read()), (std::vector<int>{0, 0, 0, 9000}));
    EXPECT_EQ(m_timer.lost(), 3);
}

TEST_F(BufferTimerTest, AHandlerOfBeforeNeverTouchesLaterMarks)
{
    BufferTimer impatient(fake::calls(), 1'000'000);
    fake::behave(Behaviour::Late); // 30 ms: longer than this timer waits
    fake::work(0.001);
    impatient.mark();
    std::vector<Nanoseconds> times;
    ASSERT_TRUE(impatient.read(times));
    EXPECT_EQ(impatient.lost(), 1);
    fake::behave(Behaviour::Lost);
    fake::work(0.002);
    impatient.mark();
    fake::finish(); // calls the first handler now
    ASSERT_TRUE(impatient.read(times));
    EXPECT_EQ(impatient.lost(), 2) << "the late handler was taken for the second mark";
}

TEST_F(BufferTimerTest, HandlersMayOutliveTheTimer)
{
    auto timer = std::make_unique<BufferTimer>(fake::calls(), 0);
    fake::behave(Behaviour::Late);
    fake::work(0.001);
    timer->mark();
    std::vector<Nanoseconds> times;
    ASSERT_TRUE(timer->read(times));
    timer.reset();
    fake::finish();
}

} // namespace
} // namespace ep::model
