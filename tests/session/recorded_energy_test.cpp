// SPDX-License-Identifier: GPL-3.0-or-later
#include "import/recorded_energy.h"
#include "support/chance.h"

#include "ep/core/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace ep::session {
namespace {

using powerlog::RailRecording;
using powerlog::Rule;
using test::Chance;

constexpr Nanoseconds kSecond = 1'000'000'000;

struct Shape {
    const char* name;
    Rule rule;
    double noise; // of each value, relative
    double least_s; // length of a step
    double most_s;
};

// Power between its changes; idle, prefill, decode, idle.
struct Machine {
    TimeRange prefill;
    TimeRange decode;
    double idle_w = 0.0;
    double prefill_w = 0.0;
    double decode_w = 0.0;

    Machine(double step, Chance& chance)
        : idle_w(chance.between(20.0, 100.0))
        , prefill_w(chance.between(150.0, 500.0))
        , decode_w(chance.between(100.0, 300.0))
    {
        const auto at = [&](double steps) { return std::llround(steps * step * 1e9); };
        prefill = {at(chance.between(5.0, 6.0)), at(chance.between(18.0, 40.0))};
        decode = {prefill.end_ns, prefill.end_ns + at(chance.between(12.0, 60.0))};
    }
    double at(Nanoseconds time) const
    {
        return prefill.contains(TimeRange{time, time + 1}) ? prefill_w
            : decode.contains(TimeRange{time, time + 1})   ? decode_w
                                                           : idle_w;
    }
    double over(const TimeRange& range) const
    {
        const double busy = toSeconds(intersection(range, prefill).duration_ns());
        const double slow = toSeconds(intersection(range, decode).duration_ns());
        return busy * prefill_w + slow * decode_w
            + (toSeconds(range.duration_ns()) - busy - slow) * idle_w;
    }
};

RailRecording recorded(const Machine& machine, const Shape& shape, double step, Chance& chance)
{
    RailRecording rail{.name = "gpu", .rule = shape.rule, .part = "gpu"};
    const auto noisy = [&](double watts) { return watts * (1.0 + shape.noise * chance.normal()); };
    Nanoseconds now = 0;
    double watts = noisy(machine.at(now));
    while (now < machine.decode.end_ns + 5 * std::llround(step * 1e9)) {
        const auto length = static_cast<Nanoseconds>(step * 1e9 * chance.between(0.98, 1.02));
        powerlog::Window window{.begin_ns = now, .end_ns = now + length};
        if (shape.rule == Rule::Trapezoid) {
            const double next = noisy(machine.at(window.end_ns));
            window.joules = (watts + next) / 2.0 * toSeconds(length);
            window.begin_w = static_cast<float>(watts);
            window.end_w = static_cast<float>(next);
            watts = next;
        } else {
            window.joules = machine.over({window.begin_ns, window.end_ns});
            window.begin_w = window.end_w = static_cast<float>(window.joules / toSeconds(length));
        }
        rail.windows.push_back(window);
        now = window.end_ns;
    }
    return rail;
}

struct Score {
    int held = 0;
    int all = 0;
    double bias = 0.0; // sum of relative errors

    void add(const RangeEnergy& energy, double truth)
    {
        ++all;
        bias += energy.joules / truth - 1.0;
        held += std::abs(energy.joules - truth) <= kHalfInterval95 * energy.deviation() ? 1 : 0;
    }
};

int trials()
{
    const char* stated = std::getenv("EP_TRIALS");
    return stated != nullptr ? std::max(1, std::atoi(stated)) : 1000;
}

} // namespace

// Five standard deviations of a share of 95 % in that many trials: chance never fails this.
TEST(RecordedEnergy, IntervalsHoldTheTruthInNineteenOfTwentyPhases)
{
    const Shape shapes[] = {
        {"values, 0.1 to 5 s", Rule::Trapezoid, 0.0, 0.1, 5.0},
        {"values, 1 % noise", Rule::Trapezoid, 0.01, 0.1, 5.0},
        {"values, 5 % noise", Rule::Trapezoid, 0.05, 0.1, 5.0},
        {"means", Rule::Interval, 0.0, 0.1, 5.0},
        {"counter", Rule::Counter, 0.0, 0.1, 1.0},
    };
    for (const Shape& shape : shapes) {
        Score prefill;
        Score decode;
        Chance chance(7);
        for (int i = 0; i < trials(); ++i) {
            const double step = chance.ofSize(shape.least_s, shape.most_s);
            const Machine machine(step, chance);
            const RailRecording rail = recorded(machine, shape, step, chance);
            const auto first = energyOver(rail, machine.prefill);
            const auto second = energyOver(rail, machine.decode);
            const auto both = energyOver(rail, {machine.prefill.begin_ns, machine.decode.end_ns});
            ASSERT_TRUE(first && second && both);
            prefill.add(*first, machine.over(machine.prefill));
            decode.add(*second, machine.over(machine.decode));
            EXPECT_NEAR(first->joules + second->joules, both->joules, 1e-13 * both->joules);
        }
        for (const Score* score : {&prefill, &decode}) {
            const double share = 100.0 * score->held / score->all;
            const double bias = 100.0 * score->bias / score->all;
            if (std::getenv("EP_TRIALS") != nullptr)
                std::printf("| %s, %s | %d | %.1f | %+.2f %% |\n", shape.name,
                            score == &prefill ? "prefill" : "decode", score->all, share, bias);
            const double sd = std::sqrt(95.0 * 5.0 / score->all);
            EXPECT_GE(share, 93.0 - 2.0 * sd) << shape.name;
            EXPECT_LE(share, 97.0 + 2.0 * sd) << shape.name;
            EXPECT_LT(std::abs(bias), 0.2) << shape.name;
        }
    }
}

// Two cards that were read at the same times change at the same moment.
TEST(RecordedEnergy, RailsErrTogether)
{
    Chance chance(3);
    const Machine machine(1.0, chance);
    const RailRecording rail = recorded(machine, {"", Rule::Trapezoid, 0.0, 1.0, 1.0}, 1.0, chance);
    const RangeEnergy one = *energyOver(rail, machine.prefill);
    RangeEnergy two = one;
    two += one;
    EXPECT_NEAR(two.deviation(), 2.0 * one.deviation(), 1e-9);
    EXPECT_NEAR(two.joules, 2.0 * one.joules, 1e-9);
}

// Ends that lie between two windows cut no window, so there is no error.
TEST(RecordedEnergy, IsExactBetweenReadings)
{
    RailRecording rail{.name = "gpu", .rule = Rule::Trapezoid};
    for (int i = 0; i < 10; ++i)
        rail.windows.push_back({i * kSecond, (i + 1) * kSecond, 100.0, 100.0F, 100.0F});
    const auto energy = energyOver(rail, {2 * kSecond, 7 * kSecond});
    ASSERT_TRUE(energy);
    EXPECT_DOUBLE_EQ(energy->joules, 500.0);
    EXPECT_DOUBLE_EQ(energy->deviation(), 0.0);
    EXPECT_EQ(energy->whole_windows, 5);
    EXPECT_FALSE(energyOver(rail, {5 * kSecond, 12 * kSecond}));
}

} // namespace ep::session
