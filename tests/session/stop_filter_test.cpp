// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/stop_filter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using ep::session::StopFilter;

struct StopCase {
    const char* name;
    std::vector<std::string> stops;
    std::vector<std::string> pieces;
    std::vector<std::string> shown; // after each piece, and at the end
    bool stopped;
};

class StopFilterTest : public testing::TestWithParam<StopCase> { };

TEST_P(StopFilterTest, ShowsWhatIsCertain)
{
    const StopCase& c = GetParam();
    StopFilter filter(c.stops);
    std::vector<std::string> shown;
    for (const std::string& piece : c.pieces)
        shown.push_back(filter.push(piece));
    shown.push_back(filter.flush());
    EXPECT_EQ(shown, c.shown);
    EXPECT_EQ(filter.stopped(), c.stopped);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, StopFilterTest,
    testing::Values(StopCase{"NoStops", {}, {"a", "b"}, {"a", "b", ""}, false},
                    StopCase{"EmptyOnesAreIgnored", {""}, {"a"}, {"a", ""}, false},
                    StopCase{"InOnePiece", {"stop"}, {"go on, stop now"}, {"go on, ", ""}, true},
                    StopCase{"NothingFollows", {"stop"}, {"stop", "more"}, {"", "", ""}, true},
                    StopCase{"AcrossPieces", {"\n\n"}, {"a\n", "\nb"}, {"a", "", ""}, true},
                    StopCase{"FalseAlarm", {"\n\n"}, {"a\n", "b"}, {"a", "\nb", ""}, false},
                    StopCase{"HeldUntilTheEnd", {"END"}, {"the EN"}, {"the ", "EN"}, false},
                    StopCase{"OverlapsItself", {"aab"}, {"aa", "a", "b"}, {"", "a", "", ""}, true},
                    StopCase{"FirstOfSeveral", {"world", "lo"}, {"hello world"}, {"hel", ""}, true},
                    StopCase{"LongestIsHeld", {"xyz", "yy"}, {"axy"}, {"a", "xy"}, false},
                    StopCase{"ManyBytes", {"é!"}, {"caf", "é", "!"}, {"caf", "", "", ""}, true}),
    [](const auto& tested) { return tested.param.name; });

} // namespace
