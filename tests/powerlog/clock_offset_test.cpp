// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/powerlog/clock_offset.h"

#include <gtest/gtest.h>

#include <random>

namespace ep::powerlog {
namespace {

Nanoseconds ns(double seconds)
{
    return static_cast<Nanoseconds>(seconds * 1e9);
}

// 60 W, and 300 W under load, with noise, sampled every `step` seconds on a clock that is `shift`
// behind that of the load.
std::vector<Window> powerOf(const std::vector<TimeRange>& load, double shift, double step,
                            std::mt19937& random)
{
    std::normal_distribution<double> noise(0.0, 8.0);
    std::vector<Window> power;
    const auto busy = [&](double t) {
        for (const TimeRange& range : load) {
            if (range.contains(ns(t)))
                return true;
        }
        return false;
    };
    double before = 60.0;
    const double end = toSeconds(load.back().end_ns) + 20.0;
    for (double t = -15.0; t < end; t += step) {
        const double now = (busy(t + step) ? 300.0 : 60.0) + noise(random);
        power.push_back({ns(t - shift), ns(t + step - shift), (before + now) / 2.0 * step,
                         static_cast<float>(before), static_cast<float>(now)});
        before = now;
    }
    return power;
}

TEST(ClockOffset, IsFoundFor100RandomShifts)
{
    std::mt19937 random(20261125);
    std::uniform_real_distribution<double> shifts(-3600.0, 3600.0);
    std::uniform_real_distribution<double> lengths(0.4, 6.0);
    std::uniform_real_distribution<double> pauses(0.3, 5.0);
    std::uniform_real_distribution<double> steps(0.05, 0.25);
    int covered = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<TimeRange> load;
        double at = 0.0;
        for (int request = 0; request < 30; ++request) {
            at += pauses(random);
            const double length = lengths(random);
            load.push_back({ns(at), ns(at + length)});
            at += length;
        }
        const double shift = shifts(random);
        const auto offset = findClockOffset(powerOf(load, shift, steps(random), random), load);
        ASSERT_TRUE(offset) << offset.error().message;
        EXPECT_NEAR(offset->seconds, shift, 0.1);
        EXPECT_LE(offset->low_s, offset->seconds);
        EXPECT_GE(offset->high_s, offset->seconds);
        covered += offset->low_s <= shift && shift <= offset->high_s ? 1 : 0;
    }
    EXPECT_GE(covered, 80);
}

TEST(ClockOffset, IsRefusedWhereTwoFit)
{
    std::mt19937 random(1);
    // Equal requests at equal distances: shifted by one request, nearly all of them still fit.
    std::vector<TimeRange> load;
    for (int i = 0; i < 60; ++i)
        load.push_back({ns(4.0 * i), ns(4.0 * i + 2.0)});
    const auto offset = findClockOffset(powerOf(load, 100.0, 0.2, random), load);
    ASSERT_FALSE(offset);
    EXPECT_NE(offset.error().message.english().find("two offsets fit"), std::string::npos)
        << offset.error().message;
}

TEST(ClockOffset, IsRefusedWithoutALoadInThePower)
{
    std::mt19937 random(2);
    std::normal_distribution<double> noise(100.0, 5.0);
    std::vector<Window> power;
    for (int i = 0; i < 600; ++i)
        power.push_back({ns(0.1 * i), ns(0.1 * i + 0.1), 0.1 * noise(random), 100.0F, 100.0F});
    const auto offset =
        findClockOffset(power, {{ns(1000.0), ns(1010.0)}, {ns(1020.0), ns(1022.0)}});
    ASSERT_FALSE(offset);
    EXPECT_NE(offset.error().message.english().find("does not follow"), std::string::npos)
        << offset.error().message;
}

} // namespace
} // namespace ep::powerlog
