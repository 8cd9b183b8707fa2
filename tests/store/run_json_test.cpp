// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/record_json.h"
#include "support/json_schema.h"
#include "support/sample_run.h"

#include "ep/store/run_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <clocale>
#include <functional>
#include <limits>

namespace ep::store {
namespace {

using nlohmann::json;
using test::makeSampleRun;
using test::schemaProblem;

constexpr double kTolerance = 1e-6;

struct Node {
    double duration_ns = 0.0;
    std::optional<double> energy_mj = 0.0;
};

// The energy of any node, from `energy.total_mj` or from `energy_mj`.
Node nodeOf(const json& object)
{
    const json& energy =
        object.contains("energy") ? object["energy"]["total_mj"] : object.at("energy_mj");
    return {object.at("duration_ns").get<double>(),
            energy.is_null() ? std::nullopt : std::optional(energy.get<double>())};
}

// Checks that children and remainder add up to the parent, using only the JSON.
void expectAddsUp(const json& parent, const std::vector<const json*>& lists,
                  const std::string& where)
{
    Node sum = nodeOf(parent["remainder"]);
    bool known = nodeOf(parent).energy_mj.has_value();
    for (const json* list : lists) {
        for (const json& child : *list) {
            const Node node = nodeOf(child);
            sum.duration_ns += node.duration_ns;
            known = known && node.energy_mj.has_value();
            if (sum.energy_mj && node.energy_mj)
                *sum.energy_mj += *node.energy_mj;
        }
    }
    const Node whole = nodeOf(parent);
    EXPECT_EQ(sum.duration_ns, whole.duration_ns) << where;
    EXPECT_EQ(sum.energy_mj.has_value(), known) << where;
    if (known) {
        EXPECT_NEAR(*sum.energy_mj, *whole.energy_mj, kTolerance * *whole.energy_mj) << where;
    }
}

void expectTreeAddsUp(const json& run)
{
    expectAddsUp(run, {&run["phases"]}, "run");
    for (const json& phase : run["phases"])
        expectAddsUp(phase, {&phase["sections"]}, phase["phase"]);
    for (const json& token : run["tokens"]) {
        const std::string where = "token " + token["index"].dump();
        expectAddsUp(token, {&token["sections"], &token["layers"]}, where);
        for (const json& layer : token["layers"]) {
            if (!layer.contains("remainder"))
                continue;
            expectAddsUp(layer, {&layer["components"]}, where + ", a layer");
            for (const json& component : layer["components"])
                expectAddsUp(component, {&component["operations"]}, where + ", a component");
        }
    }
}

struct Variation {
    const char* name;
    std::function<Run()> make;
};

void PrintTo(const Variation& variation, std::ostream* out)
{
    *out << variation.name;
}

class RunJson : public testing::TestWithParam<Variation> { };

TEST_P(RunJson, IsValidAndAddsUp)
{
    const ep::Run run = GetParam().make();
    const std::string text = runToJson(run);
    EXPECT_EQ(schemaProblem(text, "run.schema.json"), "");
    const json parsed = json::parse(text);
    expectTreeAddsUp(parsed["run"]);
    const std::string line = runToJson(run, -1);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(json::parse(line), parsed);
}

INSTANTIATE_TEST_SUITE_P(
    Variations, RunJson,
    testing::Values(
        Variation{"whole", [] { return makeSampleRun(); }},
        Variation{"module_depth", [] { return makeSampleRun({.tokens = 9, .deep = false}); }},
        Variation{"without_power", [] { return makeSampleRun({.power = false}); }},
        Variation{"without_tokens", [] { return makeSampleRun({.tokens = 0}); }},
        Variation{"nothing",
                  [] {
                      ep::Run run;
                      run.info.id = "x";
                      return run;
                  }},
        Variation{"depth_none",
                  [] {
                      ep::Run run = makeSampleRun();
                      run.trace.layers.clear();
                      run.trace.components.clear();
                      run.trace.operations.clear();
                      return run;
                  }},
        Variation{"one_part_missing",
                  [] {
                      ep::Run run = makeSampleRun();
                      run.trace.layers[0].energy_mj.reset();
                      run.trace.components.back().energy_mj.reset();
                      run.trace.phases[1].energy = {};
                      run.trace.sections[0].setEnergy({});
                      return run;
                  }},
        Variation{"cut_short",
                  [] {
                      ep::Run run = makeSampleRun();
                      run.trace.tokens.pop_back();
                      run.trace.layers.pop_back();
                      std::erase_if(run.trace.components, [](const Span& component) {
                          return component.token == 3
                              && component.component == Component::Attention;
                      });
                      return run;
                  }},
        Variation{"idle_before_the_run",
                  [] {
                      ep::Run run = makeSampleRun();
                      const Nanoseconds begin = run.trace.time.begin_ns;
                      run.trace.phases.insert(run.trace.phases.begin(),
                                              {Phase::Idle, {begin - 5'000, begin}, {}});
                      return run;
                  }},
        Variation{"odd_content",
                  [] {
                      ep::Run run = makeSampleRun();
                      run.info.prompt = std::string("\0\x1f\x7f\xff\"\\/", 7) + "\u2028\U0001F600";
                      run.metrics.edp_joule_seconds = std::numeric_limits<double>::infinity();
                      run.trace.layers[0].stats->std = std::numeric_limits<float>::quiet_NaN();
                      run.trace.samples[0].phase_confidence = 5e-324;
                      return run;
                  }}),
    [](const auto& variation) { return std::string(variation.param.name); });

TEST(RunJsonContent, HoldsEverySpanAtItsPlace)
{
    const ep::Run run = makeSampleRun();
    const json root = json::parse(runToJson(run));
    EXPECT_EQ(root["format"], "energy-profiler-run");
    EXPECT_EQ(root["version"], kNewestJson);
    const json& out = root["run"];
    EXPECT_EQ(out["info"]["id"], run.info.id);
    EXPECT_EQ(out["info"]["created_at"], "2026-01-31T12:34:56.789Z");
    EXPECT_EQ(out["info"]["sampling"]["seed"].get<std::uint64_t>(), run.info.sampling.seed);
    EXPECT_EQ(out["clock_start_ns"], run.trace.time.begin_ns);
    EXPECT_EQ(out["energy"]["total_mj"], run.metrics.energy.total_mj->value);
    EXPECT_EQ(out["energy"]["rails"]["ane"], 0.0) << "a true zero";
    EXPECT_TRUE(out["energy"]["rails"]["dram"].is_null()) << "missing is not zero";
    ASSERT_EQ(out["phases"].size(), 4U);
    EXPECT_EQ(out["phases"][2]["phase"], "decode");
    EXPECT_EQ(out["phases"][2]["sections"][0]["count"], 3);
    EXPECT_EQ(out["sections"].size(), 6U);
    EXPECT_EQ(out["power"]["samples"].size(), run.trace.samples.size());
    EXPECT_EQ(out["power"]["samples"][0]["start_ms"], -10.0);

    ASSERT_EQ(out["tokens"].size(), 4U);
    const json& token = out["tokens"][2];
    EXPECT_EQ(token["text"], run.trace.tokens[2].text);
    EXPECT_EQ(token["start_ns"], run.trace.tokens[2].time.begin_ns - run.trace.time.begin_ns);
    EXPECT_EQ(token["sections"].size(), 6U);
    ASSERT_EQ(token["enclosing_sections"].size(), 1U);
    EXPECT_EQ(token["enclosing_sections"][0]["section"], "layers");
    ASSERT_EQ(token["layers"].size(), 2U);
    const json& layer = token["layers"][1];
    ASSERT_EQ(layer["components"].size(), 12U);
    EXPECT_EQ(layer["components"][4]["component"], "attention");
    EXPECT_EQ(layer["components"][4]["operations"].size(), 6U);
    EXPECT_EQ(layer["components"][5]["operations"].size(), 0U);
    EXPECT_EQ(layer["activation"]["mean_abs"].get<float>(), run.trace.layers[5].stats->mean_abs);
    EXPECT_TRUE(out["unfinished_steps"].empty());
}

TEST(RunJsonContent, UnfinishedStepsAreNotLost)
{
    ep::Run run = makeSampleRun();
    run.trace.tokens.pop_back();
    run.trace.layers.pop_back();
    const json out = json::parse(runToJson(run))["run"];
    ASSERT_EQ(out["unfinished_steps"].size(), 1U);
    const json& step = out["unfinished_steps"][0];
    EXPECT_EQ(step["index"], 3);
    ASSERT_EQ(step["layers"].size(), 2U);
    EXPECT_TRUE(step["layers"][1]["start_ns"].is_null());
    EXPECT_FALSE(step["layers"][1].contains("remainder"));
    EXPECT_EQ(step["layers"][1]["components"].size(), 12U);
}

TEST(RunJsonContent, LayersStayASectionWhereNoneAreListed)
{
    ep::Run run = makeSampleRun();
    run.trace.layers.clear();
    run.trace.components.clear();
    run.trace.operations.clear();
    const json token = json::parse(runToJson(run))["run"]["tokens"][1];
    EXPECT_EQ(token["sections"].size(), 7U);
    EXPECT_TRUE(token["enclosing_sections"].empty());
}

TEST(SummaryJson, IsValid)
{
    for (const bool power : {true, false}) {
        const ep::Run run = makeSampleRun({.power = power});
        const RunSummary summary{run.info, run.metrics};
        EXPECT_EQ(schemaProblem(summaryToJson(summary), "run_summary.schema.json"), "");
        EXPECT_EQ(schemaProblem(summariesToJson({summary, summary}), "run_list.schema.json"), "");
    }
    EXPECT_EQ(schemaProblem(summariesToJson({}, -1), "run_list.schema.json"), "");
    EXPECT_EQ(summariesToJson({}, -1),
              R"({"format":"energy-profiler-run-list","version":)" + std::to_string(kNewestJson)
                  + R"(,"runs":[]})");
}

TEST(JsonSchemas, RejectWhatTheyShould)
{
    json root = json::parse(runToJson(makeSampleRun()));
    const auto spoilt = [&](const std::function<void(json&)>& spoil) {
        json copy = root;
        spoil(copy["run"]);
        return !schemaProblem(copy.dump(), "run.schema.json").empty();
    };
    EXPECT_FALSE(spoilt([](json&) {}));
    EXPECT_TRUE(spoilt([](json& run) { run["extra"] = 1; }));
    EXPECT_TRUE(spoilt([](json& run) { run.erase("remainder"); }));
    EXPECT_TRUE(spoilt([](json& run) { run["info"]["status"] = "done"; }));
    EXPECT_TRUE(spoilt([](json& run) { run["tokens"][0]["duration_ns"] = 1.5; }));
    EXPECT_TRUE(spoilt([](json& run) { run["tokens"][0]["layers"][0]["components"][0].clear(); }));
    EXPECT_TRUE(spoilt([](json& run) { run["energy"]["provenance"] = "guessed"; }));
}

// Every word of the vocabulary must be one that the schema lists.
TEST(JsonSchemas, KnowEveryWord)
{
    ep::Run run = makeSampleRun({.tokens = 1, .layers = 1});
    run.trace.components.clear();
    run.trace.operations.clear();
    for (std::size_t i = 0; i < kComponentCount; ++i)
        run.trace.components.push_back(Span::ofComponent(0, 0, static_cast<Component>(i)));
    for (std::size_t i = 0; i < kOperationCount; ++i) {
        run.trace.operations.push_back(
            Span::ofOperation(0, 0, Component::Attention, static_cast<Operation>(i)));
    }
    for (std::size_t i = 0; i < kSectionCount; ++i)
        run.trace.sections.push_back(Span::ofSection(Phase::Decode, static_cast<Section>(i), 0));
    for (std::size_t i = 0; i < kPhaseCount; ++i)
        run.trace.phases.push_back({static_cast<Phase>(i), {}, {}});
    const json before = json::parse(runToJson(run));
    EXPECT_EQ(before["run"]["tokens"][0]["layers"][0]["components"].size(), kComponentCount);
    EXPECT_EQ(schemaProblem(before.dump(), "run.schema.json"), "");
}

} // namespace
} // namespace ep::store
