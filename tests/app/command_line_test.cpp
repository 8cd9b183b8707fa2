// SPDX-License-Identifier: GPL-3.0-or-later
// Mistakes on the command line: error messages that come before any work is done.
#include "app/cli_fixture.h"

#include <gmock/gmock.h>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using testing::HasSubstr;
using testing::StartsWith;

struct UsageCase {
    const char* name;
    std::vector<std::string> arguments;
    const char* message; // part of the stderr line
};

class UsageTest : public CliTest, public testing::WithParamInterface<UsageCase> { };

TEST_P(UsageTest, IsRefusedWithOneLine)
{
    const Outcome outcome = run(GetParam().arguments);
    EXPECT_THAT(outcome, failsWith(2, GetParam().message));
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("energy-profiler: "));
    EXPECT_FALSE(std::filesystem::exists(database()));
}

std::vector<std::string> withRun(const std::vector<std::string>& more)
{
    std::vector<std::string> arguments = {"run", "--model", "x", "--prompt", "y"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

INSTANTIATE_TEST_SUITE_P(
    CommandLines, UsageTest,
    testing::Values(
        UsageCase{"UnknownCommand", {"profile"}, "profile"},
        UsageCase{"UnknownOption", {"doctor", "--loud"}, "--loud"},
        UsageCase{"OptionOfALaterVersion", withRun({"--beam-size", "2"}), "--beam-size"},
        UsageCase{"NoModel", {"run", "--prompt", "x"}, "--model"},
        UsageCase{"NoPrompt", {"run", "--model", "x"}, "prompt"},
        UsageCase{"TwoPrompts", withRun({"--prompt-file", "f"}), "prompt"},
        UsageCase{"NoTokens", withRun({"--max-new-tokens", "0"}), "--max-new-tokens"},
        UsageCase{"TokensInWords", withRun({"--max-new-tokens", "many"}), "--max-new-tokens"},
        UsageCase{"UnknownDepth", withRun({"--depth", "abyss"}), "--depth"},
        UsageCase{"UnknownDevice", withRun({"--device", "abacus"}), "abacus"},
        UsageCase{"DeviceWithoutNumber", withRun({"--device", "cuda:"}), "cuda:"},
        UsageCase{"UnknownDtype", withRun({"--dtype", "f8"}), "--dtype"},
        UsageCase{"UnknownSource", withRun({"--power", "sunlight"}), "sunlight"},
        UsageCase{"ReplayOfNothing", withRun({"--power", "replay"}), "replay:FILE"},
        UsageCase{"WattsWithoutModel", withRun({"--idle-watts", "3"}), "--idle-watts"},
        UsageCase{"FullBelowIdle",
                  withRun({"--power", "modelled", "--idle-watts", "9", "--full-watts", "3"}),
                  "idle watts <= full watts"},
        UsageCase{"NoInterval", withRun({"--interval-ms", "0"}), "--interval-ms"},
        UsageCase{"NegativeTemperature", withRun({"--temperature", "-1"}), "--temperature"},
        UsageCase{"ProbabilityAboveOne", withRun({"--top-p", "1.5"}), "--top-p"},
        UsageCase{"NegativeTopK", withRun({"--top-k", "-1"}), "--top-k"},
        UsageCase{"NoRuns", withRun({"--repeat", "0"}), "--repeat"},
        UsageCase{"UntilNothing", withRun({"--until", "0%"}), "--until"},
        UsageCase{"UntilAWord", withRun({"--until", "known"}), "--until"},
        UsageCase{"UntilAndRepeat", withRun({"--until", "2%", "--repeat", "3"}), "--repeat"},
        UsageCase{"LimitWithoutUntil", withRun({"--at-most-runs", "9"}), "--until"},
        UsageCase{"UntilWithoutEnergies", withRun({"--until", "2%", "--power", "none"}),
                  "choose another power source"},
        UsageCase{"EmptyPrompt", {"run", "--model", "x", "--prompt", ""}, "--prompt: it is empty"},
        UsageCase{"EmptyStop", withRun({"--stop", ""}), "--stop: it is empty"},
        UsageCase{"EmptyTag", withRun({"--tag", ""}), "--tag: it is empty"},
        UsageCase{"EmptyDraft", withRun({"--draft", ""}), "--draft: it is empty"},
        UsageCase{"TooManyWatts", withRun({"--power", "modelled:1,1e300"}), "up to 1000000"},
        UsageCase{"CardOfATable",
                  {"pays", "--from", "x", "--card", "y"},
                  "--from and --card exclude each other"},
        UsageCase{"SettingsBesideATable", {"pays", "--from", "x", "--power", "none"}, "--power"},
        UsageCase{"TwoNumbersOfPairs",
                  {"pays", "int8", "f32", "--model", "x", "--prompt", "y", "--pairs", "5",
                   "--most-pairs", "5"},
                  "--most-pairs"},
        UsageCase{"PairsWithoutEnergies",
                  {"pays", "int8", "f32", "--model", "x", "--prompt", "y", "--power", "none"},
                  "choose another power source"},
        UsageCase{"TwinWithoutHooks", {"record", "--twin", "--", "true"}, "--auto"},
        UsageCase{"DepthWithoutHooks", {"record", "--depth", "deep", "--", "true"}, "--auto"},
        UsageCase{"PredictionOnNoDevice",
                  {"predict", "--model", "x", "--input-tokens", "1", "--max-new-tokens", "1",
                   "--device", "gpu"},
                  "--device"},
        UsageCase{"StrayWord", withRun({"extra"}), "extra"},
        UsageCase{"RunsWithoutCommand", {"runs"}, "list, show"},
        UsageCase{"ShowWithoutRun", {"runs", "show"}, "RUN"},
        UsageCase{"DeleteWithoutRun", {"runs", "delete"}, "name runs"},
        UsageCase{"ExportWithoutPlace", {"runs", "export", "1a"}, "--out"},
        UsageCase{
            "UnknownFormat", {"runs", "export", "1a", "--out", "x", "--format", "xml"}, "--format"},
        UsageCase{"TokenizeNothing", {"models", "tokenize", "--model", "x"}, "text"},
        UsageCase{"VerifyWithoutReference", {"models", "verify", "--model", "x"}, "--reference"},
        UsageCase{"NegativeSamples", {"doctor", "--watch", "--samples", "-3"}, "--samples"}),
    [](const auto& tested) { return tested.param.name; });

struct HelpCase {
    const char* name;
    std::vector<std::string> arguments;
    const char* text;
};

class HelpTest : public CliTest, public testing::WithParamInterface<HelpCase> { };

TEST_P(HelpTest, GoesToStandardOutput)
{
    const Outcome outcome = run(GetParam().arguments);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(Commands, HelpTest,
                         testing::Values(HelpCase{"Version", {"--version"}, "energy-profiler 0."},
                                         HelpCase{"All", {"--help"}, "doctor"},
                                         HelpCase{"Run", {"run", "--help"}, "--max-new-tokens"},
                                         HelpCase{"RunDatabase", {"run", "--help"}, "--db"},
                                         HelpCase{
                                             "Tokenize", {"models", "tokenize", "--help"}, "--db"},
                                         HelpCase{"Verify", {"models", "verify", "--help"}, "--db"},
                                         HelpCase{"Power", {"doctor", "--watch", "--help"}, "--db"},
                                         HelpCase{"Doctor", {"doctor", "--help"}, "--db"},
                                         HelpCase{"RunsList", {"runs", "list", "--help"}, "--db"},
                                         HelpCase{"Gui", {"gui", "--help"}, "--db"}),
                         [](const auto& tested) { return tested.param.name; });

} // namespace
