// SPDX-License-Identifier: GPL-3.0-or-later
// Every --json output is valid against its schema, and standard output has nothing else.
#include "app/cli_fixture.h"
#include "support/json_schema.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using ep::test::schemaProblem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST_F(CliTest, EveryJsonIsValidByItsSchema)
{
    const std::string name = model().string();
    for (const char* tokens : {"6", "9", "14"}) {
        const Outcome made = profile({"--power", "modelled", "--interval-ms", "20",
                                      "--max-new-tokens", tokens, "--dtype", "f32"});
        ASSERT_EQ(made.status, 0) << made.err;
    }
    const std::string id = storedIds().front();
    const std::string copy = (folder() / "copy.json").string();
    struct Case {
        std::vector<std::string> arguments;
        const char* schema;
    };
    const std::vector<Case> cases = {
        {{"models", "tokenize", "--model", name, "--text", "Hi", "--json"}, "tokenize.schema.json"},
        {{"doctor", "--json"}, "doctor.schema.json"},
        {{"doctor", "--test", "--json", "--seconds", "1"}, "selftest.schema.json"},
        {{"models", "list", "--json", "--models-dir", folder().string()}, "model_list.schema.json"},
        {{"models", "show", name, "--json"}, "model.schema.json"},
        {{"doctor", "--watch", "--power", "modelled", "--interval-ms", "20", "--samples", "1",
          "--json"},
         "power_sample.schema.json"},
        {{"predict", "--model", name, "--input-tokens", "9", "--max-new-tokens", "9", "--json"},
         "prediction.schema.json"},
        {{"runs", "list", "--json"}, "run_list.schema.json"},
        {{"runs", "show", id, "--json"}, "run_overview.schema.json"},
        {{"runs", "show", id, "--json", "--full"}, "run.schema.json"},
        {{"runs", "why", id, "--json"}, "explanation.schema.json"},
        {{"calibrate", "--seconds", "2", "--dtype", "f32", "--dtype", "q4_0", "--power", "none",
          "--no-save", "--json"},
         "roofline.schema.json"},
        {{"doctor", "--report", "--no-sensors", "--json"}, "diagnostics.schema.json"},
        {{"runs", "report", id, "--out", (folder() / "report").string(), "--json"},
         "report.schema.json"},
        {{"db", "--json"}, "sizes.schema.json"},
        {{"runs", "edit", id, "--title", "T", "--json"}, "run_summary.schema.json"},
        {{"runs", "edit", id, "+x", "--json"}, "run_summary.schema.json"},
        {{"runs", "edit", id, "--attribution", "time", "--json"}, "run_summary.schema.json"},
        {{"runs", "export", id, "--out", copy, "--json"}, "exported.schema.json"},
        {{"runs", "delete", "--untagged", "--dry-run", "--json"}, "deleted.schema.json"},
        {{"runs", "delete", id, "--json"}, "deleted.schema.json"},
        {{"runs", "import", copy, "--json"}, "imported.schema.json"},
        {{"runs", "import", "--as", "power", std::string(EP_TEST_DATA_DIR) + "/powerlog/base.csv",
          "--json"},
         "imported_power.schema.json"},
        {{"db", "--vacuum", "--json"}, "sizes.schema.json"},
        {{"db", "--recover", "--json"}, "recovered.schema.json"},
        {{"db", "--backups", "--json"}, "backups.schema.json"},
        {{"db", "--restore", "--yes", "--json"}, "restored.schema.json"}};
    for (const Case& one : cases) {
        const std::string what = one.arguments[0] + ' ' + one.arguments[1];
        const Outcome outcome = run(one.arguments);
        int expected = 0;
        if (one.arguments[1] == "--test") { // it may find something wrong with this machine
            const json report = json::parse(outcome.out);
            for (const json& check : report.at("checks"))
                expected = check.at("state") == "failed" ? 1 : expected;
        }
        if (one.arguments[0] == "predict" && outcome.status == 1) { // the times here scatter
            EXPECT_THAT(outcome.err, HasSubstr("do not determine a prediction"));
            continue;
        }
        EXPECT_EQ(outcome.status, expected) << what << ": " << outcome.err;
        EXPECT_EQ(schemaProblem(outcome.out, one.schema), "") << what << '\n' << outcome.out;
    }
}

TEST_F(CliTest, PredictRefusesWithTheReason)
{
    const Outcome none = run(
        {"predict", "--model", model().string(), "--input-tokens", "9", "--max-new-tokens", "9"});
    EXPECT_EQ(none.status, 1);
    EXPECT_EQ(none.errorLines(), 1U);
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    const Outcome few = run(
        {"predict", "--model", model().string(), "--input-tokens", "9", "--max-new-tokens", "9"});
    EXPECT_EQ(few.status, 1);
    EXPECT_THAT(few.err, HasSubstr("do not determine a prediction"));
}

TEST_F(CliTest, CalibratesWithASensorOnly)
{
    for (const char* source : {"none", "modelled"}) {
        const Outcome outcome = run(
            {"calibrate", "--model", model().string(), "--power", source, "--interval-ms", "20"});
        EXPECT_EQ(outcome.status, 1) << source;
        EXPECT_EQ(outcome.errorLines(), 1U) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("alibrate")) << source;
    }
}

// Number of code points in the longest line.
std::size_t widest(const std::string& text)
{
    std::size_t most = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        most = std::max(
            most, static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
                return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
            })));
    }
    return most;
}

TEST_F(CliTest, TablesFitInto80Columns)
{
    ASSERT_EQ(run({"run", "--model", model().string(), "--prompt",
                   "A prompt that is much longer than what a column of a table can show",
                   "--max-new-tokens", "4", "--power", "modelled", "--interval-ms", "20"})
                  .status,
              0);
    const Outcome whole = run({"runs", "list"});
    EXPECT_GT(widest(whole.out), 80U) << "a pipe gets everything";
    setEnvironment("COLUMNS", "80");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"runs", "list"}, {"db"}, {"models", "show", model().string()}}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        if (arguments.front() == "runs") {
            EXPECT_LE(widest(outcome.out), 80U) << outcome.out;
        }
        EXPECT_THAT(outcome.out, Not(HasSubstr("\033"))) << "no colours, no control sequences";
    }
}

TEST_F(CliTest, PromptsComeFromStandardInput)
{
    const Outcome outcome =
        run({"run", "--model", model().string(), "--prompt-file", "-", "--max-new-tokens", "2",
             "--power", "none", "--json", "--full", "--no-save"},
            "From a pipe");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out).at("run").at("info").at("prompt"), "From a pipe");
    EXPECT_EQ(outcome.err, "") << "progress is for terminals";
}

} // namespace
