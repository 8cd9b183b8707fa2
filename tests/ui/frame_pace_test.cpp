// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/frame_pace.h"

#include <gtest/gtest.h>

namespace {

using namespace ep;
using ui::FramePace;

constexpr Nanoseconds kMs = 1'000'000;

TEST(FramePace, CostlyFramesComeLess)
{
    struct Case {
        Nanoseconds cost;
        int expectedMs;
    };
    for (const Case& one : {Case{0, 100}, Case{1 * kMs, 100}, Case{2 * kMs, 100},
                            Case{4 * kMs, 200}, Case{10 * kMs, 500}, Case{50 * kMs, 1000}}) {
        FramePace pace;
        EXPECT_EQ(pace.next(7 * kMs), FramePace::kShortestMs) << "nothing is known yet";
        EXPECT_EQ(pace.next(7 * kMs + one.cost), one.expectedMs);
    }
}

TEST(FramePace, KeepsItsBudgetWhateverAFrameCosts)
{
    for (const Nanoseconds cost : {kMs / 2, 3 * kMs, 12 * kMs, 20 * kMs}) {
        FramePace pace;
        Nanoseconds used = 0;
        double wallMs = pace.next(used);
        for (int frame = 0; frame < 200; ++frame) {
            used += cost;
            wallMs += pace.next(used);
        }
        EXPECT_LE(static_cast<double>(used) * 1e-6 / wallMs, FramePace::kBudget * 1.01) << cost;
    }
}

TEST(FramePace, WithoutAClockItKeepsTheShortestInterval)
{
    FramePace pace;
    pace.next(kMs);
    EXPECT_EQ(pace.next(std::nullopt), FramePace::kShortestMs);
    EXPECT_EQ(pace.next(90 * kMs), FramePace::kShortestMs);
    pace.begin();
    EXPECT_EQ(pace.next(900 * kMs), FramePace::kShortestMs);
}

} // namespace
