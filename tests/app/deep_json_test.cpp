// SPDX-License-Identifier: GPL-3.0-or-later
// JSON from outside that is nested a million levels deep, in every file that a command reads:
// gives one line and status 1, as for any other broken file.
#include "app/cli_fixture.h"

#include <gmock/gmock.h>

#include <fstream>

namespace {

namespace fs = std::filesystem;
using ep::test::CliTest;
using ep::test::Outcome;
using testing::HasSubstr;

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
        EXPECT_EQ(outcome.status, 1) << outcome.err;
        EXPECT_EQ(outcome.errorLines(), 1U) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("nested more than 200 levels deep"));
        EXPECT_THAT(outcome.err, HasSubstr(file.filename().string()));
        EXPECT_EQ(outcome.out, "");
    }
}

INSTANTIATE_TEST_SUITE_P(Files, DeepJsonTest, testing::ValuesIn(kFiles),
                         [](const auto& tested) { return tested.param.name; });

// A folder of models is listed whatever is in any of them.
TEST_F(CliTest, AListOfModelsNamesOneThatIsNestedTooDeeply)
{
    std::ofstream(model() / "config.json") << nested("[", "]");
    const Outcome outcome = run({"models", "list", "--models-dir", folder().string()});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("nested more than 200 levels deep"));
}

} // namespace
