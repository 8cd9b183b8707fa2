// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/record_json.h"
#include "store/file_guards.h"
#include "store/run_variations.h"
#include "support/folders.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <sstream>

namespace ep::store {
namespace {

using nlohmann::json;
using test::makeSampleRun;
using test::RunVariation;
using test::TempFolder;

Result<ep::Run> parsed(const std::string& text)
{
    std::istringstream stream(text);
    return runFromJson(stream);
}

class RunImport : public testing::TestWithParam<RunVariation> { };

// From JSON through a database to the same JSON.
TEST_P(RunImport, RoundTripsExactly)
{
    ep::Run run = makeSampleRun();
    GetParam().apply(run);
    if (run.info.status == RunStatus::Running) // an imported run cannot be running
        run.info.status = RunStatus::Failed;
    const std::string text = runToJson(run, -1);
    const auto imported = parsed(text);
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(runToJson(*imported, -1), text);

    const TempFolder folder;
    auto store = Store::open(folder / "runs.db");
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->importRun(*imported));
    const auto loaded = (*store)->load(run.info.id);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(runToJson(*loaded, -1), text);
}

INSTANTIATE_TEST_SUITE_P(Variations, RunImport, testing::ValuesIn(test::runVariations()),
                         [](const auto& variation) { return std::string(variation.param.name); });

TEST(RunImportContent, IsTheRunItself)
{
    const ep::Run run = makeSampleRun();
    const auto imported = parsed(runToJson(run));
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_TRUE(*imported == run);
}

TEST(RunImportContent, TakesVersion1)
{
    const auto run = parsed(test::readFile(test::dataPath("store/run_v1.json")));
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->info.tags, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(run->trace.tokens.size(), 2U);
    EXPECT_EQ(run->trace.components.size(), 168U);
    EXPECT_EQ(run->info.sampling.repetition_penalty, 1.0);
}

// The example in docs/run-format.md.
constexpr const char* kByHand = R"({
  "format": "energy-profiler-run", "version": 2,
  "run": {
    "info": {"id": "by-hand"},
    "sections": [{"phase": "pre_inference", "section": "tokenization", "start_ns": 0, "duration_ns": 100}],
    "tokens": [
      {"start_ns": 1000, "duration_ns": 5000, "text": "a",
       "sections": [{"section": "lm_head", "start_ns": 5000, "duration_ns": 900, "flops": 7, "bytes": 9}],
       "layers": [{"layer": 0, "start_ns": 1000, "duration_ns": 4000, "components": [
         {"component": "q_proj", "start_ns": 1000, "duration_ns": 300, "flops": 2000000, "bytes": 500000}]}]},
      {"start_ns": 6000, "duration_ns": 2000, "text": "b"}
    ],
    "power": {"samples": [
      {"start_ns": -1000, "duration_ns": 5000, "power_mw": {"cpu": 4000, "gpu": 500}},
      {"start_ns": 4000, "duration_ns": 5000, "energy_mj": {"cpu": 0.02}}]}
  }
})";

TEST(RunImportContent, TakesARunMadeByHand)
{
    const auto run = parsed(kByHand);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->info.status, RunStatus::Complete);
    EXPECT_EQ(run->info.response, "ab");
    EXPECT_EQ(run->info.output_tokens, 2);
    EXPECT_EQ(run->trace.time, (TimeRange{0, 8000}));
    EXPECT_EQ(run->metrics.duration_ns, 8000);
    ASSERT_EQ(run->trace.phases.size(), 2U);
    EXPECT_EQ(run->trace.phases[1].phase, Phase::Decode);
    EXPECT_EQ(run->trace.phases[1].time, (TimeRange{6000, 8000}));
    ASSERT_EQ(run->trace.components.size(), 1U);
    EXPECT_EQ(run->trace.components[0].work, (SpanWork{2'000'000, 500'000}));
    EXPECT_EQ(run->trace.components[0].energy_mj, std::nullopt);
    EXPECT_EQ(run->trace.sections[1].work, (SpanWork{7, 9}));
    ASSERT_EQ(run->trace.samples.size(), 2U);
    EXPECT_EQ(run->trace.samples[0].total_mw, Milliwatts{4500.0});
    EXPECT_EQ(run->trace.samples[0].arrival_ns, 4000);
    EXPECT_EQ(run->trace.samples[1].total_mw, std::nullopt);
    EXPECT_EQ(run->metrics.energy.total_mj, std::nullopt) << "missing is not zero";
}

struct Spoilt {
    const char* name;
    std::function<void(json&)> spoil;
    std::string message;
};

void PrintTo(const Spoilt& spoilt, std::ostream* out)
{
    *out << spoilt.name;
}

class BadRun : public testing::TestWithParam<Spoilt> { };

TEST_P(BadRun, IsRefusedWithItsPlace)
{
    json text = json::parse(runToJson(makeSampleRun()));
    GetParam().spoil(text);
    const auto run = parsed(text.dump());
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::InvalidInput);
    EXPECT_THAT(run.error().message, testing::HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Places, BadRun,
    testing::Values(
        Spoilt{"format", [](json& j) { j["format"] = "other"; }, "format must be"},
        Spoilt{"no_format", [](json& j) { j.erase("format"); }, "format is missing"},
        Spoilt{"newer", [](json& j) { j["version"] = kNewestJson + 1; },
               "version must be 1 to " + std::to_string(kNewestJson)},
        Spoilt{"no_version", [](json& j) { j.erase("version"); }, "version is missing"},
        Spoilt{"no_run", [](json& j) { j.erase("run"); }, "run is missing"},
        Spoilt{"root", [](json& j) { j = json::array({j}); }, "the text must be an object"},
        Spoilt{"no_id", [](json& j) { j["run"]["info"].erase("id"); }, "run needs an id"},
        Spoilt{"misspelt", [](json& j) { j["run"]["tokens"][1]["energie"] = 1; },
               "run.tokens[1].energie is not a member of the format"},
        Spoilt{
            "number",
            [](json& j) { j["run"]["tokens"][2]["layers"][1]["components"][3]["energy_mj"] = "2"; },
            "run.tokens[2].layers[1].components[3].energy_mj must be a number or null"},
        Spoilt{
            "word",
            [](json& j) { j["run"]["tokens"][0]["layers"][0]["components"][0]["component"] = "z"; },
            "run.tokens[0].layers[0].components[0].component is not a value known"},
        Spoilt{"fraction", [](json& j) { j["run"]["tokens"][0]["start_ns"] = 1.5; },
               "run.tokens[0].start_ns must be an integer"},
        Spoilt{"cut_token", [](json& j) { j["run"]["tokens"][0]["start_ns"] = nullptr; },
               "run.tokens[0] must have integers as start_ns"},
        Spoilt{"negative", [](json& j) { j["run"]["tokens"][0]["duration_ns"] = -1; },
               "run.tokens[0] has a negative duration_ns"},
        Spoilt{"far", [](json& j) { j["run"]["tokens"][0]["start_ns"] = std::int64_t{1} << 62; },
               "run.tokens[0] has a time that is out of range"},
        Spoilt{"large", [](json& j) { j["run"]["tokens"][0]["id"] = std::int64_t{1} << 40; },
               "run.tokens[0].id is too large"},
        Spoilt{"unsigned_seed", [](json& j) { j["run"]["info"]["sampling"]["seed"] = -1; },
               "run.info.sampling.seed is too small"},
        Spoilt{"sample", [](json& j) { j["run"]["power"]["samples"][4]["power_mw"]["cpu"] = "x"; },
               "run.power.samples[4].power_mw.cpu must be a number"},
        Spoilt{"negative_energy",
               [](json& j) { j["run"]["power"]["samples"][4]["energy_mj"]["cpu"] = -10; },
               "run.power.samples[4].energy_mj.cpu must not be negative"},
        Spoilt{"negative_power",
               [](json& j) { j["run"]["power"]["samples"][4]["power_mw"]["cpu"] = -1e-3; },
               "run.power.samples[4].power_mw.cpu must not be negative"},
        Spoilt{"negative_span", [](json& j) { j["run"]["tokens"][1]["energy"]["total_mj"] = -10; },
               "run.tokens[1].energy.total_mj must not be negative"},
        Spoilt{"overlap",
               [](json& j) {
                   json& sample = j["run"]["power"]["samples"][5];
                   sample["start_ns"] = sample["start_ns"].get<std::int64_t>()
                       - sample["duration_ns"].get<std::int64_t>() / 2;
               },
               "run.power.samples[5] begins"},
        Spoilt{"summary",
               [](json& j) {
                   json& samples = j["run"]["power"]["samples"];
                   json summary = samples.front();
                   summary["duration_ns"] = samples.back()["start_ns"].get<std::int64_t>()
                       + samples.back()["duration_ns"].get<std::int64_t>()
                       - summary["start_ns"].get<std::int64_t>();
                   samples.push_back(summary);
               },
               "holds the window of sample"},
        Spoilt{"no_element", [](json& j) { j["run"]["tokens"].push_back(7); },
               "run.tokens[0] must be an object"},
        Spoilt{"no_list", [](json& j) { j["run"]["tokens"] = 7; }, "run.tokens must be a list"},
        Spoilt{"tags", [](json& j) { j["run"]["info"]["tags"][1] = 7; },
               "run.info.tags[1] must be a string"},
        Spoilt{"bool", [](json& j) { j["run"]["info"]["chat_template"] = 1; },
               "run.info.chat_template must be true or false"},
        Spoilt{"twice", [](json& j) { j["run"]["tokens"][1]["index"] = 0; },
               "run.tokens[1] has an index that is negative or occurs twice"},
        Spoilt{"layer_twice", [](json& j) { j["run"]["tokens"][1]["layers"][1]["layer"] = 0; },
               "run.tokens[1].layers[1] has a layer that is negative or occurs twice"},
        Spoilt{"date", [](json& j) { j["run"]["info"]["created_at_ms"] = std::int64_t{1} << 60; },
               "created_at_ms that is out of range"},
        Spoilt{"stats",
               [](json& j) { j["run"]["tokens"][0]["layers"][0]["activation"].erase("std"); },
               "run.tokens[0].layers[0].activation.std is missing"}),
    [](const auto& spoilt) { return std::string(spoilt.param.name); });

TEST(RunImportContent, NamesTheLineOfWhatIsNoJson)
{
    for (const char* text : {"", "{", "{\n\"format\": energy}", "\xff", "[1,2"}) {
        const auto run = parsed(text);
        ASSERT_FALSE(run) << text;
        EXPECT_THAT(run.error().message, testing::HasSubstr("line")) << text;
    }
    const std::string whole = runToJson(makeSampleRun());
    EXPECT_FALSE(parsed(whole.substr(0, whole.size() / 2)));
}

// Phases derived from tokens keep the order in which they are read back.
TEST(RunImportContent, TokensOutOfOrderRoundTrip)
{
    const auto run = parsed(R"({"format": "energy-profiler-run", "version": 2, "run": {
        "info": {"id": "by-hand"}, "tokens": [
            {"start_ns": 7210, "duration_ns": 5000, "text": "a"},
            {"start_ns": 6000, "duration_ns": 2000, "text": "b"}]}})");
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_EQ(run->trace.phases.size(), 2U);
    EXPECT_EQ(run->trace.phases.front().phase, Phase::Decode);
    const std::string text = runToJson(*run, -1);
    const auto again = parsed(text);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(runToJson(*again, -1), text);
}

TEST(RunImportContent, ARunThatWasGoingOnIsInterrupted)
{
    ep::Run run = makeSampleRun();
    run.info.status = RunStatus::Running;
    const auto imported = parsed(runToJson(run));
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->info.status, RunStatus::Interrupted);
}

} // namespace
} // namespace ep::store
