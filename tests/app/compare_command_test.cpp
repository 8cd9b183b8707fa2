// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_fixture.h"
#include "support/json_schema.h"
#include "support/run_id.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

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
    EXPECT_EQ(lower.status, 1);
    EXPECT_THAT(lower.err, HasSubstr("bf16 exceeds the limit"));
    EXPECT_EQ(lower.errorLines(), 1U);
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

} // namespace
