// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/prompt.h"

#include <gmock/gmock.h>

namespace {

using namespace ep;
using namespace std::string_literals;

struct CleanCase {
    const char* name;
    std::string prompt;
    std::string clean;
};

class CleanPromptTest : public testing::TestWithParam<CleanCase> { };

TEST_P(CleanPromptTest, MakesTextOfAnyBytes)
{
    EXPECT_EQ(session::cleanPrompt(GetParam().prompt), GetParam().clean);
}

INSTANTIATE_TEST_SUITE_P(
    Bytes, CleanPromptTest,
    testing::Values(CleanCase{"Empty", "", ""}, CleanCase{"Ascii", "two\nlines", "two\nlines"},
                    CleanCase{"Utf8", "caf\u00e9 \U0001F680", "caf\u00e9 \U0001F680"},
                    CleanCase{"InvalidByte", "a\xFF z", "a\uFFFD z"},
                    CleanCase{"CutCharacter", "a\xE2\x82", "a\uFFFD"},
                    CleanCase{"Nul", "a\0b"s,
                              "a\uFFFD"
                              "b"}),
    [](const auto& tested) { return tested.param.name; });

struct LengthCase {
    const char* name;
    std::size_t prompt_tokens;
    int max_new_tokens;
    int context;
    const char* message; // null: the prompt fits
};

class CheckLengthsTest : public testing::TestWithParam<LengthCase> { };

TEST_P(CheckLengthsTest, SaysWhatDoesNotFit)
{
    ModelFacts model;
    model.name = "tiny";
    model.context_length = GetParam().context;
    const Status status =
        session::checkLengths(GetParam().prompt_tokens, GetParam().max_new_tokens, model);
    ASSERT_EQ(status.has_value(), GetParam().message == nullptr);
    if (!status) {
        EXPECT_EQ(status.error().code, ErrorCode::InvalidInput);
        EXPECT_THAT(status.error().message, testing::HasSubstr(GetParam().message));
    }
}

INSTANTIATE_TEST_SUITE_P(Lengths, CheckLengthsTest,
                         testing::Values(LengthCase{"Fits", 3, 4, 7, nullptr},
                                         LengthCase{"UnknownContext", 3, 4000, 0, nullptr},
                                         LengthCase{"EmptyPrompt", 0, 4, 7, "prompt is empty"},
                                         LengthCase{"NoNewTokens", 3, 0, 7, "at least 1"},
                                         LengthCase{"ContextWillBeFull", 3, 5, 7, nullptr},
                                         LengthCase{"PromptFillsTheContext", 7, 1, 7, nullptr},
                                         LengthCase{"PromptTooLong", 8, 1, 7,
                                                    "shorten the prompt"}),
                         [](const auto& tested) { return tested.param.name; });

} // namespace
