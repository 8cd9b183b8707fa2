// SPDX-License-Identifier: GPL-3.0-or-later
// Every --json output is valid against its schema, and standard output has nothing else.
#include "app/cli_fixture.h"
#include "support/folders.h"
#include "support/json_schema.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
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
        {{"runs", "import", "--as", "power", ep::test::dataPath("powerlog/base.csv"), "--json"},
         "imported_power.schema.json"},
        {{"db", "--vacuum", "--json"}, "sizes.schema.json"},
        {{"db", "--recover", "--json"}, "recovered.schema.json"},
        {{"db", "--backups", "--json"}, "backups.schema.json"},
        {{"db", "--restore", "--yes", "--json"}, "restored.schema.json"}};
    for (const Case& one : cases) {
        const std::string what = one.arguments[0] + ' ' + one.arguments[1];
        const Outcome outcome = run(one.arguments);
        int expected = 0;
        if (one.arguments[1] == "--test") { // the test may find this machine at fault
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
    EXPECT_THAT(none, failsWith(1));
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
        EXPECT_THAT(outcome, failsWith(1, "alibrate")) << source;
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

// JSON from outside that is nested a million levels deep, in every file that a command reads, gives
// one line and status 1, as for any other broken file.

namespace fs = std::filesystem;

struct DeepFile {
    const char* name;
    const char* file; // in the test's folder; "tiny" is the model's
    std::vector<std::string> command;
};

const std::vector<std::string> kRun{"run", "--model", "tiny", "--prompt", "x", "--power", "none"};
const std::vector<std::string> kTokenize{"models", "tokenize", "--model", "tiny", "--text", "x"};
const std::vector<std::string> kChat{"models", "tokenize", "--model", "tiny",
                                     "--text", "x",        "--chat"};

const DeepFile kFiles[] = {
    {"Config", "tiny/config.json", kRun},
    {"GenerationConfig", "tiny/generation_config.json", kRun},
    {"Weights", "tiny/model.safetensors", kRun},
    {"WeightsIndex", "tiny/model.safetensors.index.json", kRun},
    {"Tokenizer", "tiny/tokenizer.json", kTokenize},
    {"TokenizerConfig", "tiny/tokenizer_config.json", kTokenize},
    {"TokenizerOfARun", "tiny/tokenizer.json", kRun},
    {"ChatTemplate", "tiny/chat_template.json", kChat},
    {"ValuesOfAChatTemplate", "tiny/tokenizer_config.json", kChat},
    {"Reference", "deep.json", {"models", "verify", "--model", "tiny", "--reference", "deep.json"}},
    {"Run", "deep.json", {"runs", "import", "--as", "runs", "deep.json"}},
    {"RunForTheWindow", "deep.eprun", {"runs", "import", "--as", "runs", "deep.eprun"}},
    {"Study", "deep.json", {"study", "deep.json"}},
    {"PlanOfAStudy", "deep.json", {"study", "deep.json", "--plan"}},
};

void PrintTo(const DeepFile& deep, std::ostream* out)
{
    *out << deep.name;
}

std::string nested(const std::string& open, const std::string& close)
{
    constexpr int kLevels = 1'000'000;
    std::string text;
    for (int i = 0; i < kLevels; ++i)
        text += open;
    text += '1';
    for (int i = 0; i < kLevels; ++i)
        text += close;
    return text;
}

// A safetensors header after its length in eight little-endian bytes.
std::string withLength(const std::string& header)
{
    std::string file;
    for (unsigned i = 0; i < 8; ++i)
        file += static_cast<char>((header.size() >> (8U * i)) & 0xFFU);
    return file + header;
}

class DeepJsonTest : public CliTest, public testing::WithParamInterface<DeepFile> { };

TEST_P(DeepJsonTest, IsToldInOneLine)
{
    const fs::path file = model().parent_path() / GetParam().file;
    if (file.filename() == "model.safetensors.index.json")
        fs::remove(model() / "model.safetensors");
    for (const auto& [open, close] : {std::pair{"[", "]"}, std::pair{"{\"a\":", "}"}}) {
        const std::string text = nested(open, close);
        std::ofstream(file, std::ios::binary)
            << (file.extension() == ".safetensors" ? withLength(text) : text);
        const Outcome outcome = run(GetParam().command);
        EXPECT_THAT(outcome, failsWith(1, "nested more than 200 levels deep"));
        EXPECT_THAT(outcome.err, HasSubstr(file.filename().string()));
        EXPECT_EQ(outcome.out, "");
    }
}

INSTANTIATE_TEST_SUITE_P(Files, DeepJsonTest, testing::ValuesIn(kFiles),
                         [](const auto& tested) { return tested.param.name; });

// A folder of models is listed whatever the models contain.
TEST_F(CliTest, AListOfModelsNamesOneThatIsNestedTooDeeply)
{
    std::ofstream(model() / "config.json") << nested("[", "]");
    const Outcome outcome = run({"models", "list", "--models-dir", folder().string()});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("nested more than 200 levels deep"));
}

} // namespace
