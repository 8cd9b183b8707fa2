// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_fixture.h"
#include "support/json_schema.h"
#include "support/run_id.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using ep::test::idFrom;
using ep::test::Outcome;
using ep::test::schemaProblem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// Imports runs as JSON written by hand: two number formats, three repeats each.
class CompareCommand : public ep::test::CliTest {
protected:
    std::string writeRun(const std::string& id, const std::string& dtype, double joules)
    {
        json tokens = json::array();
        for (int i = 0; i < 4; ++i) {
            tokens.push_back({{"start_ns", i * 6'000'000},
                              {"duration_ns", 5'000'000 + (id.back() - 'a') * 1000},
                              {"text", " upon"}});
        }
        const json run = {{"format", "energy-profiler-run"},
                          {"version", 2},
                          {"run",
                           {{"info",
                             {{"id", idFrom(id)},
                              {"created_at_ms", 1000 + id.back()},
                              {"prompt", "Once"},
                              {"dtype", dtype},
                              {"status", "complete"}}},
                            {"tokens", tokens}}}};
        json whole = run;
        whole["run"]["power"] = {{"samples",
                                  {{{"start_ns", 0},
                                    {"duration_ns", 30'000'000},
                                    {"power_mw", {{"cpu", joules * 1e6}}}}}}};
        const fs::path file = folder() / (id + ".json");
        std::ofstream(file) << whole.dump();
        return file.string();
    }

    void importSix()
    {
        std::vector<std::string> arguments{"runs", "import"};
        for (const char* id : {"fa", "fb", "fc"})
            arguments.push_back(writeRun(id, "f32", 0.02 + 0.0001 * (id[1] - 'a')));
        for (const char* id : {"ba", "bb", "bc"})
            arguments.push_back(writeRun(id, "bf16", 0.01 + 0.0001 * (id[1] - 'a')));
        const Outcome outcome = run(arguments);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
    }
};

TEST_F(CompareCommand, WritesTheSchemaAndTheWords)
{
    importSix();
    const Outcome one = run({"runs", "compare", "fa", "ba", "--json"});
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(schemaProblem(one.out, "comparison.schema.json"), "");
    EXPECT_EQ(json::parse(one.out)["groups"].size(), 2U);
    EXPECT_EQ(json::parse(one.out)["tests"], 0);
    const Outcome all = run({"runs", "compare", "fa", "ba", "--repeats", "--json"});
    ASSERT_EQ(all.status, 0) << all.err;
    EXPECT_EQ(schemaProblem(all.out, "comparison.schema.json"), "");
    EXPECT_EQ(json::parse(all.out)["groups"][1]["runs"].size(), 3U);
    EXPECT_EQ(json::parse(all.out)["differs_in"], json::array({"dtype"}));
    const Outcome named = run({"runs", "compare", "fc,fb,fa", "bc,bb,ba", "--json"});
    EXPECT_EQ(json::parse(named.out)["metrics"], json::parse(all.out)["metrics"]);
    const Outcome text = run({"runs", "compare", "fa,fb,fc", "ba,bb,bc", "--baseline", "2"});
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, testing::StartsWith("bf16 needs ")) << "the answer comes first";
    EXPECT_THAT(text.out, HasSubstr("A against B"));
    EXPECT_THAT(text.out, testing::Not(HasSubstr("derived from"))) << "only with --details";
    EXPECT_THAT(run({"runs", "compare", "fa,fb,fc", "ba,bb,bc", "--details"}).out,
                HasSubstr("derived from"));
    EXPECT_THAT(text.out, HasSubstr("Energy per output token"));
    EXPECT_THAT(text.out, HasSubstr("f32"));
}

TEST_F(CompareCommand, FailsBeyondALimit)
{
    importSix();
    const std::vector<std::string> call{"runs", "compare", "fa,fb,fc", "ba,bb,bc", "--fail-if"};
    const auto with = [&](const std::string& limit) {
        std::vector<std::string> arguments = call;
        arguments.push_back(limit);
        return run(arguments);
    };
    EXPECT_EQ(with("joules_per_token > +5%").status, 0);
    const Outcome lower = with("joules_per_token < -5%");
    EXPECT_THAT(lower, failsWith(1, "bf16 exceeds the limit"));
    const Outcome unknown = with("net_energy > 1%");
    EXPECT_EQ(unknown.status, 3);
    EXPECT_THAT(unknown.err, HasSubstr("not available on both sides"));
    EXPECT_EQ(with("joules > 5%").status, 2);
    const Outcome single = run({"runs", "compare", "fa", "ba", "--fail-if", "energy < -5%"});
    EXPECT_EQ(single.status, 3);
    EXPECT_THAT(single.err, HasSubstr("fewer than 3 repeats"));
    EXPECT_EQ(run({"runs", "compare", "fa", "zz", "--fail-if", "energy < -5%"}).status, 2)
        << "an error is not a limit that is exceeded";
}

TEST_F(CompareCommand, RefusesWhatCannotBeCompared)
{
    importSix();
    EXPECT_EQ(run({"runs", "compare", "fa"}).status, 2);
    EXPECT_EQ(run({"runs", "compare", "fa", "ba", "--baseline", "3"}).status, 2);
    EXPECT_EQ(run({"runs", "compare", "fa", "zz"}).status, 1);
    EXPECT_EQ(run({"runs", "compare", "fa", ","}).status, 1);
    const Outcome same = run({"runs", "compare", "fa", "fb", "--repeats"});
    EXPECT_EQ(same.status, 1);
    EXPECT_THAT(same.err, HasSubstr("repeats of one configuration"));
}

TEST_F(CompareCommand, RendersReports)
{
    importSix();
    for (const std::vector<std::string>& runs :
         {std::vector<std::string>{"fa"}, std::vector<std::string>{"fa", "ba"}}) {
        const fs::path out = folder() / ("report-" + std::to_string(runs.size()));
        std::vector<std::string> arguments{"runs", "report"};
        arguments.insert(arguments.end(), runs.begin(), runs.end());
        arguments.insert(arguments.end(), {"--out", out.string(), "--pdf"});
        const Outcome outcome = run(arguments);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("report.html"));
        EXPECT_TRUE(fs::exists(out / "report.pdf"));
        std::ifstream stream(out / "report.html", std::ios::binary);
        std::ostringstream html;
        html << stream.rdbuf();
        EXPECT_THAT(html.str(), HasSubstr("<svg"));
        EXPECT_THAT(html.str(), Not(HasSubstr("<script")));
        EXPECT_TRUE(fs::exists(out / "charts" / "power.svg"));
        EXPECT_TRUE(fs::exists(out / "charts" / "power.png"));
        for (const char* view :
             {"heatmap", "treemap", "sankey", "waterfall", "pipeline", "spans", "tokens"}) {
            for (const char* suffix : {".svg", ".png"}) {
                const fs::path file = out / "views" / (std::string(view) + suffix);
                EXPECT_EQ(fs::exists(file), runs.size() == 1) << file;
            }
        }
    }
    std::ofstream(folder() / "file") << "x";
    EXPECT_EQ(run({"runs", "report", "fa", "--out", (folder() / "file").string()}).status, 1);
}

// runs compare --tree and --csv, quality, runs show --answer-end: what changed and what it costs.

using ep::test::CliTest;
using testing::AllOf;

class DifferenceCommand : public CliTest {
protected:
    // Three runs per format, with components.
    void makeRuns()
    {
        for (const char* dtype : {"f32", "bf16"}) {
            for (int i = 0; i < 3; ++i) {
                const Outcome made = profile({"--power", "modelled", "--interval-ms", "20",
                                              "--max-new-tokens", "6", "--dtype", dtype});
                ASSERT_EQ(made.status, 0) << made.err;
            }
        }
    }
    std::string idOf(const std::string& dtype)
    {
        const json list = json::parse(run({"runs", "list", "--dtype", dtype, "--json"}).out);
        return list.at("runs").at(0).at("info").at("id");
    }
    std::string writeText(const std::string& name, const std::string& text)
    {
        const auto file = folder() / name;
        std::ofstream(file) << text;
        return file.string();
    }
};

TEST_F(DifferenceCommand, TheTreeIsTheSameAsTextCsvAndJson)
{
    makeRuns();
    const std::vector<std::string> call{"runs", "compare", idOf("f32"), idOf("bf16"), "--repeats"};
    const auto with = [&](const std::string& flag) {
        std::vector<std::string> arguments = call;
        arguments.push_back(flag);
        return run(arguments);
    };
    const Outcome text = with("--tree");
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out,
                AllOf(HasSubstr("q_proj"), HasSubstr("rest of the run"), HasSubstr("lowest nodes"),
                      HasSubstr("by power")));
    const Outcome all = with("--json");
    ASSERT_EQ(schemaProblem(all.out, "comparison.schema.json"), "");
    const json tree = json::parse(all.out).at("tree");
    const Outcome csv = with("--csv");
    ASSERT_EQ(csv.status, 0) << csv.err;
    std::istringstream lines(csv.out);
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const auto columns = std::count(line.begin(), line.end(), ',');
    for (const json& node : tree) {
        ASSERT_TRUE(std::getline(lines, line));
        EXPECT_EQ(std::count(line.begin(), line.end(), ','), columns) << line;
        EXPECT_THAT(line, HasSubstr(node.at("node").get<std::string>()));
        const json& test = node.at("tests").at(1);
        EXPECT_TRUE(line.ends_with(',' + test.at("verdict").get<std::string>())) << line;
        if (test.at("p_adjusted").is_number()) {
            EXPECT_THAT(line, HasSubstr(',' + test.at("p_adjusted").dump() + ','));
        }
        // The shares of power and time add up to the difference.
        if (test.at("from_power_mj").is_number()) {
            EXPECT_NEAR(test.at("from_power_mj").get<double>()
                            + test.at("from_time_mj").get<double>(),
                        node.at("energy_mj").at(1).at("difference").get<double>(), 1e-9);
        }
    }
    EXPECT_FALSE(std::getline(lines, line));
    EXPECT_EQ(with("--csv").out, csv.out);
    EXPECT_EQ(run({"runs", "compare", "a", "b", "--csv", "--json"}).status, 2);
}

TEST_F(DifferenceCommand, SingleRunsAreDescribed)
{
    ASSERT_EQ(profile({"--power", "modelled", "--interval-ms", "20", "--dtype", "f32"}).status, 0);
    ASSERT_EQ(profile({"--power", "modelled", "--interval-ms", "20", "--dtype", "bf16"}).status, 0);
    const Outcome text = run({"runs", "compare", idOf("f32"), idOf("bf16"), "--tree"});
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, AllOf(HasSubstr("these runs only"), HasSubstr("at least 3 repeats")));
}

TEST_F(DifferenceCommand, QualityIsStoredAndShownBesideTheJoules)
{
    makeRuns();
    const std::string text =
        writeText("tale.txt", "Once upon a time there was a cat, and it sat on a mat. The end.");
    const std::vector<std::string> call{"runs", "compare", idOf("f32"), idOf("bf16"), "--repeats"};
    EXPECT_THAT(run(call).out, HasSubstr("quality not measured"));
    double perplexity = 0.0;
    for (const char* dtype : {"f32", "bf16"}) {
        const Outcome made =
            run({"models", "quality", "--model", model().string(), "--dtype", dtype, "--text-file",
                 text, "--context", "16", "--stride", "8", "--json"});
        ASSERT_EQ(made.status, 0) << made.err;
        EXPECT_EQ(schemaProblem(made.out, "quality.schema.json"), "") << made.out;
        const json record = json::parse(made.out);
        EXPECT_EQ(record.at("dtype"), dtype);
        EXPECT_EQ(record.at("kl_nats").is_null(), std::string(dtype) == "f32");
        EXPECT_EQ(record.at("scored_tokens").get<int>(), record.at("tokens").get<int>() - 1);
        perplexity = record.at("perplexity");
    }
    const Outcome shown = run(call);
    EXPECT_THAT(shown.out,
                AllOf(HasSubstr("perplexity on tale.txt"), HasSubstr("energy per token")));
    std::vector<std::string> asJson = call;
    asJson.push_back("--json");
    const json groups = json::parse(run(asJson).out).at("groups");
    EXPECT_EQ(groups.at(1).at("quality").at("perplexity").get<double>(), perplexity);
}

TEST_F(DifferenceCommand, QualityRefusesWithTheReason)
{
    const std::string name = model().string();
    struct Case {
        std::vector<std::string> arguments;
        int status;
        const char* reason;
    };
    const std::string text = writeText("short.txt", "A few words are enough for a model.");
    const Case cases[] = {
        {{"models", "quality", "--model", name, "--text-file", (folder() / "none.txt").string()},
         1,
         "none.txt"},
        {{"models", "quality", "--model", name, "--text-file", writeText("empty.txt", "")},
         1,
         "2 tokens"},
        {{"models", "quality", "--model", name, "--text-file", text, "--context", "8", "--stride",
          "9"},
         1,
         "stride"},
        {{"models", "quality", "--model", name, "--text-file", text, "--context", "999999"},
         1,
         "exceeds"},
        {{"models", "quality", "--model", name, "--text-file", text, "--stride", "0"}, 2, "stride"},
    };
    for (const Case& c : cases) {
        const Outcome outcome = run(c.arguments);
        EXPECT_EQ(outcome.status, c.status) << c.reason << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(c.reason));
        if (c.status == 1) {
            EXPECT_EQ(outcome.errorLines(), 1U) << outcome.err;
        }
    }
}

TEST_F(DifferenceCommand, AStudyMeasuresTheQualityOnce)
{
    writeText("tale.txt", "Once upon a time there was a cat, and it sat on a mat. The end.");
    json study{{"name", "formats"},        {"models", {model().string()}},
               {"prompts", {"Once upon"}}, {"dtypes", {"f32", "bf16"}},
               {"output_tokens", 4},       {"repeats", 1},
               {"warmup_tokens", 0},       {"power", "modelled"},
               {"interval_ms", 20},        {"quality", {{"text", "tale.txt"}, {"context", 16}}}};
    const std::string file = writeText("study.json", study.dump());
    const Outcome first = run({"study", file, "--json"});
    ASSERT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(schemaProblem(first.out, "study_report.schema.json"), "") << first.out;
    const json groups = json::parse(first.out).at("groups");
    ASSERT_EQ(groups.size(), 2U);
    for (const json& group : groups)
        EXPECT_EQ(group.at("quality").at("text"), "tale.txt") << group;
    const Outcome again = run({"study", file, "--json"});
    EXPECT_EQ(json::parse(again.out).at("groups"), groups);
    EXPECT_THAT(run({"study", file, "--report"}).out, HasSubstr("perplexity"));
    study["quality"] = {{"text", "none.txt"}};
    const Outcome missing = run({"study", writeText("other.json", study.dump()), "--json"});
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.err, HasSubstr("none.txt"));
    study["quality"] = {{"file", "tale.txt"}};
    EXPECT_EQ(run({"study", writeText("wrong.json", study.dump())}).status, 1);
}

TEST_F(DifferenceCommand, WhatCameAfterTheAnswerIsCountedAndCanBeStopped)
{
    ASSERT_EQ(
        profile({"--power", "modelled", "--interval-ms", "20", "--max-new-tokens", "24"}).status,
        0);
    const std::string id = storedIds().front();
    const json whole = json::parse(run({"runs", "show", id, "--json", "--full"}).out);
    const std::size_t tokens = whole.at("run").at("tokens").size();
    // Any two characters end the answer, so that the rest of the text comes after it.
    const Outcome found = run({"runs", "show", id, "--answer-end", "regex:\\S\\s*\\S"});
    ASSERT_EQ(found.status, 0) << found.err;
    EXPECT_THAT(found.out, HasSubstr("came after the answer"));
    const Outcome none = run({"runs", "show", id, "--answer-end", "fence"});
    EXPECT_THAT(none.out, HasSubstr("Nothing came after the answer"));
    EXPECT_EQ(run({"runs", "show", id, "--answer-end", "fences"}).errorLines(), 1U);
    ASSERT_EQ(profile({"--power", "modelled", "--interval-ms", "20", "--max-new-tokens", "24",
                       "--stop", "answer:regex:\\S\\s*\\S"})
                  .status,
              0);
    const std::string stopped = storedIds().front();
    EXPECT_LT(json::parse(run({"runs", "show", stopped, "--json", "--full"}).out)
                  .at("run")
                  .at("tokens")
                  .size(),
              tokens);
    const Outcome bad = profile({"--power", "modelled", "--stop", "answer:prose"});
    EXPECT_THAT(bad, failsWith(2, "fence, json, repetition"));
}

} // namespace
