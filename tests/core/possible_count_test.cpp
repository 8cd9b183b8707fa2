// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/possible_count.h"

#include <gmock/gmock.h>

namespace ep::test {
namespace {

TEST(PossibleCount, KnowsWhatCannotBeTrue)
{
    constexpr Nanoseconds kSecond = 1'000'000'000;
    const struct {
        CountKind kind;
        std::int64_t count;
        Nanoseconds duration;
        const char* why; // empty: possible
    } kCases[] = {
        {CountKind::PromptTokens, 1, 0, ""},
        {CountKind::PromptTokens, 100'000'000, 0, ""}, // from a cache
        {CountKind::PromptTokens, 100'000'001, kSecond, "context"},
        {CountKind::PromptTokens, 0, kSecond, "fewer"},
        {CountKind::PromptTokens, -1, kSecond, "fewer"},
        {CountKind::ComputedTokens, 10'000'000, kSecond, ""},
        {CountKind::ComputedTokens, 10'000'002, kSecond, "computed in"},
        {CountKind::ComputedTokens, 1'000'000'000'000, 1000 * kSecond, "computed in"},
        {CountKind::ComputedTokens, 200'000'000, 1000 * kSecond, "context"},
        {CountKind::ComputedTokens, -5, kSecond, "fewer"},
        {CountKind::OutputTokens, 100'000, kSecond, ""},
        {CountKind::OutputTokens, 100'002, kSecond, "computed in"},
        {CountKind::OutputTokens, 2, -kSecond, "computed in"},
        {CountKind::Layers, 4096, kSecond, ""},
        {CountKind::Layers, 4097, kSecond, "any model"},
        {CountKind::Layers, 0, kSecond, "fewer"},
    };
    for (const auto& one : kCases) {
        const std::string why = whyImpossible(one.kind, one.count, one.duration).english();
        if (*one.why == '\0')
            EXPECT_EQ(why, "") << one.count;
        else
            EXPECT_THAT(why, testing::HasSubstr(one.why)) << one.count;
    }
}

} // namespace
} // namespace ep::test
