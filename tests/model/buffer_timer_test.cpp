// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_metal.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

// The bookkeeping of marks on Metal's command buffers, with imitations of Metal and LibTorch.
namespace ep::model {
namespace {

namespace fake = test::fake_metal;
using fake::Behaviour;

class BufferTimerTest : public testing::Test {
protected:
    BufferTimerTest()
        : m_timer(makeMetalBuffers(fake::calls()), 200'000'000)
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
    BufferTimer impatient(makeMetalBuffers(fake::calls()), 1'000'000);
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
    auto timer = std::make_unique<BufferTimer>(makeMetalBuffers(fake::calls()), 0);
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
