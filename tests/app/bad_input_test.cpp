// SPDX-License-Identifier: GPL-3.0-or-later
// Broken models and databases: one clear sentence, exit status 1, nothing left behind.
#include "app/cli_fixture.h"
#include "support/tiny_model.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

namespace fs = std::filesystem;

std::string read(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

void write(const fs::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

void editConfig(const fs::path& model, const std::function<void(nlohmann::json&)>& edit)
{
    auto config = nlohmann::json::parse(read(model / "config.json"));
    edit(config);
    write(model / "config.json", config.dump());
}

// The header size of a safetensors file: eight little-endian bytes in front of a JSON header.
std::uint64_t headerSize(const std::string& file)
{
    std::uint64_t size = 0;
    for (unsigned i = 0; i < 8; ++i)
        size |= static_cast<std::uint64_t>(static_cast<unsigned char>(file[i])) << (8U * i);
    return size;
}

struct ModelCase {
    const char* name;
    std::function<void(const fs::path&)> break_it;
    const char* message;
};

class BadModelTest : public CliTest, public testing::WithParamInterface<ModelCase> { };

TEST_P(BadModelTest, SaysWhatIsWrongAndLeavesNothing)
{
    GetParam().break_it(model());
    const Outcome outcome =
        profile({"--power", "none", "--json-file", (folder() / "r.json").string()});
    EXPECT_THAT(outcome, failsWith(1, GetParam().message));
    EXPECT_THAT(outcome.err, StartsWith("energy-profiler: "));
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(fs::exists(folder() / "r.json"));
    EXPECT_THAT(storedIds(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Models, BadModelTest,
    testing::Values(
        ModelCase{"NoConfig", [](const fs::path& m) { fs::remove(m / "config.json"); },
                  "config.json"},
        ModelCase{"ConfigIsNoJson", [](const fs::path& m) { write(m / "config.json", "{"); },
                  "config.json"},
        ModelCase{"NoArchitecture",
                  [](const fs::path& m) {
                      editConfig(m, [](auto& config) {
                          config.erase("architectures");
                          config.erase("model_type");
                      });
                  },
                  "architecture"},
        ModelCase{"UnsupportedArchitecture",
                  [](const fs::path& m) {
                      editConfig(m, [](auto& config) {
                          config["architectures"] = {"MambaForCausalLM"};
                          config["model_type"] = "mamba";
                      });
                  },
                  "MambaForCausalLM"},
        ModelCase{"NoWeights", [](const fs::path& m) { fs::remove(m / "model.safetensors"); },
                  "safetensors"},
        ModelCase{"TruncatedHeader",
                  [](const fs::path& m) {
                      write(m / "model.safetensors", read(m / "model.safetensors").substr(0, 40));
                  },
                  "model.safetensors"},
        ModelCase{"TruncatedData",
                  [](const fs::path& m) {
                      const std::string file = read(m / "model.safetensors");
                      write(m / "model.safetensors", file.substr(0, file.size() - 100));
                  },
                  "model.safetensors"},
        ModelCase{"LyingHeaderLength",
                  [](const fs::path& m) {
                      std::string file = read(m / "model.safetensors");
                      file[6] = '\x7F';
                      write(m / "model.safetensors", file);
                  },
                  "model.safetensors"},
        ModelCase{"WrongShapes",
                  [](const fs::path& m) {
                      editConfig(m, [](auto& config) { config["intermediate_size"] = 96; });
                  },
                  "shape"},
        ModelCase{"NotANumber",
                  [](const fs::path& m) {
                      std::string file = read(m / "model.safetensors");
                      std::fill(file.begin() + static_cast<std::ptrdiff_t>(8 + headerSize(file)),
                                file.end(), '\xFF');
                      write(m / "model.safetensors", file);
                  },
                  "NaN"},
        ModelCase{"BrokenTokenizer",
                  [](const fs::path& m) { write(m / "tokenizer.json", "{\"model\": 3"); },
                  "tokenizer.json"},
        ModelCase{"NoTokenizer", [](const fs::path& m) { fs::remove(m / "tokenizer.json"); },
                  "tokenizer.json"}),
    [](const auto& tested) { return tested.param.name; });

TEST_F(CliTest, AMissingModelIsNamed)
{
    const Outcome outcome = run({"run", "--model", "nowhere/at-all", "--prompt", "x"});
    EXPECT_THAT(outcome, failsWith(1, "nowhere/at-all"));
    EXPECT_FALSE(fs::exists(database()));
}

TEST_F(CliTest, AFileIsNoModelFolder)
{
    write(folder() / "file", "text");
    const Outcome outcome = run({"run", "--model", "file", "--prompt", "x"});
    EXPECT_THAT(outcome, failsWith(1));
    EXPECT_FALSE(fs::exists(database()));
}

TEST_F(CliTest, AMissingPromptFileIsNamed)
{
    const Outcome outcome = run({"run", "--model", model().string(), "--prompt-file", "gone.txt"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("gone.txt"));
}

TEST_F(CliTest, AMissingCaptureIsNamed)
{
    const Outcome outcome = profile({"--power", "replay:gone.plist"});
    EXPECT_THAT(outcome, failsWith(1, "gone.plist"));
    EXPECT_THAT(storedIds(), IsEmpty());
}

TEST_F(CliTest, APromptLongerThanTheContext)
{
    ep::test::writeTinyModel(folder() / "short", {.max_positions = 16});
    const Outcome outcome = run({"run", "--model", (folder() / "short").string(), "--prompt",
                                 "more than sixteen bytes", "--power", "none"});
    EXPECT_THAT(outcome, failsWith(1, "holds 16: shorten the prompt"));
}

TEST_F(CliTest, AnUnwritableJsonFileIsToldOfBeforeTheRun)
{
    const Outcome outcome = profile({"--json-file", "no/such/folder/run.json"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("no/such/folder/run.json"));
    EXPECT_THAT(storedIds(), IsEmpty());
}

struct DatabaseCase {
    const char* name;
    std::function<void(const fs::path&)> make;
    bool readable = false;
};

class BadDatabaseTest : public CliTest, public testing::WithParamInterface<DatabaseCase> {
protected:
    // Creates a valid database for the cases that then damage one.
    void spoil()
    {
        ASSERT_EQ(profile({"--power", "none"}).status, 0);
        GetParam().make(database());
    }
};

TEST_P(BadDatabaseTest, StopsARunBeforeItBegins)
{
    spoil();
    const std::string before = fs::is_regular_file(database()) ? read(database()) : "";
    const Outcome outcome = profile({"--power", "none"});
    EXPECT_THAT(outcome, failsWith(1, database().string()));
    EXPECT_EQ(outcome.out, "");
    if (!before.empty()) {
        EXPECT_EQ(read(database()), before) << "the file is left as it was";
    }
}

TEST_P(BadDatabaseTest, StopsTheListWhereItCannotBeRead)
{
    spoil();
    const Outcome outcome = run({"runs", "list", "--json"});
    if (GetParam().readable) {
        EXPECT_EQ(outcome.status, 0);
        EXPECT_THAT(json::parse(outcome.out).at("runs"), SizeIs(1));
    } else {
        EXPECT_EQ(outcome.status, 1);
        EXPECT_EQ(outcome.out, "");
    }
    EXPECT_EQ(outcome.errorLines(), 1U) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(database().string()));
}

INSTANTIATE_TEST_SUITE_P(
    Databases, BadDatabaseTest,
    testing::Values(DatabaseCase{"Text",
                                 [](const fs::path& file) {
                                     write(file,
                                           "a text that is long enough to be seen as one, "
                                           "and no database at all: not one of ours");
                                 }},
                    DatabaseCase{"Folder",
                                 [](const fs::path& file) {
                                     fs::remove(file);
                                     fs::create_directory(file);
                                 }},
                    DatabaseCase{"NewerVersion",
                                 [](const fs::path& file) {
                                     // user_version: big-endian, at offset 60 of the file.
                                     std::string bytes = read(file);
                                     bytes[62] = '\x7F';
                                     write(file, bytes);
                                 },
                                 true}),
    [](const auto& tested) { return tested.param.name; });

} // namespace
