// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_fixture.h"
#include "support/json_schema.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using ep::test::schemaProblem;
using nlohmann::json;
using testing::HasSubstr;

class PaysTest : public CliTest {
protected:
    std::string write(const std::string& text)
    {
        const std::string file = (folder() / "pairs.csv").string();
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }

    // The stored runs give the same answer: verdict, interval and all other keys.
    void expectTheSameOfStoredRuns(const json& comparison)
    {
        const json stored = json::parse(run({"runs", "list", "--json"}).out).at("runs");
        std::string sides[2];
        for (const json& one : stored) {
            for (const std::string tag : one.at("info").at("tags")) {
                if (!tag.starts_with("pays:a#") && !tag.starts_with("pays:b#"))
                    continue;
                std::string& side = sides[tag[5] == 'a' ? 0 : 1];
                side += (side.empty() ? "" : ",") + one.at("info").at("id").get<std::string>();
            }
        }
        const Outcome compared = run({"runs", "compare", sides[0], sides[1], "--json"});
        ASSERT_EQ(compared.status, 0) << compared.err;
        const json again = json::parse(compared.out).at("comparison");
        // On a busy machine, few pairs leave an interval of millions of per cent, or without an
        // end.
        const auto expectNear = [](const json& second, const json& first, const std::string& what) {
            if (first.is_null() || second.is_null()) {
                EXPECT_EQ(second, first) << what;
                return;
            }
            const auto value = first.get<double>();
            EXPECT_NEAR(second.get<double>(), value, 1e-8 * std::max(1.0, std::abs(value))) << what;
        };
        for (const auto& [key, value] : comparison.items()) {
            if (value.is_number_float()) {
                expectNear(again.at(key), value, key);
            } else if (key == "interval") {
                for (const char* end : {"low", "high"})
                    expectNear(again.at(key).at(end), value.at(end), end);
            } else {
                EXPECT_EQ(again.at(key), value) << key;
            }
        }
    }

    json decided(const std::string& rows, const std::vector<std::string>& more = {})
    {
        std::vector<std::string> arguments{
            "pays", "--from", write("pair,order,a_mj_per_token,b_mj_per_token\n" + rows), "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        EXPECT_EQ(schemaProblem(outcome.out, "pays.schema.json"), "");
        return json::parse(outcome.out);
    }
};

TEST_F(PaysTest, DecidesOnATable)
{
    const std::string cheaper = "1,AB,100,125\n2,BA,101,124\n3,BA,99,126\n4,AB,100,125\n5,AB,101,"
                                "125\n6,BA,100,124\n7,AB,100,125\n8,BA,99,125\n";
    const json a = decided(cheaper);
    EXPECT_EQ(a.at("verdict"), "a_cheaper");
    EXPECT_LT(a.at("pairs_used"), 8);
    EXPECT_EQ(a.at("comparison").at("pairs"), 8);
    EXPECT_NEAR(a.at("comparison").at("relative").get<double>(), 0.25, 0.03);
    EXPECT_GT(a.at("comparison").at("interval").at("low"), 0.0);
    EXPECT_TRUE(a.at("cautions").empty());
    // The order of the rows does not matter; that of the pairs does.
    EXPECT_EQ(decided("8,BA,99,125\n3,BA,99,126\n4,AB,100,125\n2,BA,101,124\n7,AB,100,125\n5,AB,"
                      "101,125\n1,AB,100,125\n6,BA,100,124\n"),
              a);
    EXPECT_EQ(decided("1,AB,125,100\n2,BA,124,101\n3,BA,126,99\n4,AB,125,100\n5,AB,125,101\n6,BA,"
                      "124,100\n")
                  .at("verdict"),
              "b_cheaper");
    const std::string alike = "1,AB,100,100.3\n2,BA,100.2,100\n3,BA,100,99.9\n4,AB,100,100\n5,AB,"
                              "99.8,100\n6,BA,100.1,100\n7,AB,100,100.2\n8,BA,100,100.1\n";
    EXPECT_EQ(decided(alike).at("verdict"), "no_difference");
    EXPECT_EQ(decided(alike, {"--smallest-difference", "0.05"}).at("verdict"), "unknown");
    EXPECT_EQ(decided("1,AB,100,125\n2,BA,101,124\n").at("verdict"), "unknown");

    const Outcome text =
        run({"pays", "--from", write("pair,order,a_mj_per_token,b_mj_per_token\n" + cheaper)});
    EXPECT_EQ(text.status, 0);
    EXPECT_THAT(text.out, testing::StartsWith("A needs 20 % less energy per token than B ("));
}

TEST_F(PaysTest, SaysWhatIsDamagedWithItsRow)
{
    const json damaged = decided("1,AB,100,125\n2,BA,,124\n3,BA,-1,126\n4,AB,0,125\n5,AB,nan,125\n"
                                 "6,BA,100,124\nx,AB,100,125\n8,BA,99,125\n");
    EXPECT_EQ(damaged.at("comparison").at("pairs"), 3);
    ASSERT_EQ(damaged.at("cautions").size(), 5U);
    EXPECT_THAT(damaged.at("cautions")[0].get<std::string>(), HasSubstr("row 3: "));
    EXPECT_THAT(damaged.at("cautions")[4].get<std::string>(), HasSubstr("row 8: "));

    const Outcome none = run({"pays", "--from",
                              write("pair,order,a_mj_per_token,b_mj_per_token\n"
                                    "1,AB,0,1\n")});
    EXPECT_THAT(none, failsWith(1));
    EXPECT_EQ(run({"pays", "--from", (folder() / "missing.csv").string()}).status, 1);
    EXPECT_EQ(run({"pays", "--from", "x", "--smallest-difference", "0"}).status, 2);
    EXPECT_EQ(run({"pays"}).status, 2);
}

TEST_F(PaysTest, WarnsOfOneOrderOnly)
{
    const json one = decided("1,AB,100,125\n2,AB,101,124\n3,AB,99,126\n");
    EXPECT_THAT(one.at("cautions")[0].get<std::string>(), HasSubstr("A ran first in every pair"));
}

// 0 within the limit, 1 beyond it, 3 if the pairs do not decide, 2 for any error.
TEST_F(PaysTest, FailsByTheInterval)
{
    const std::string head = "pair,order,a_mj_per_token,b_mj_per_token\n";
    const std::string rise =
        "1,AB,100,109\n2,BA,101,110\n3,BA,99,108\n4,AB,100,110\n5,AB,101,110\n";
    const std::string noise = "1,AB,100,90\n2,BA,90,100\n3,BA,100,95\n4,AB,93,100\n5,AB,100,99\n";
    struct Case {
        std::string rows;
        const char* limit;
        int status;
        const char* reason;
    };
    const Case cases[] = {
        {rise, "joules_per_token > +5%", 1, "B exceeds the limit 'joules_per_token > +5%'"},
        {rise, "joules_per_token > +15%", 0, ""},
        {rise, "joules_per_token > +9%", 3, "It is not known whether B exceeds the limit"},
        {noise, "joules_per_token > +5%", 3, "more repeats or pairs would tell"},
        {noise, "joules_per_token > +50%", 0, ""},
        {"1,AB,100,109\n", "joules_per_token > +5%", 3, "fewer than 3 repeats"},
        {rise, "watts > +5%", 2, "does not name a known figure"},
        {rise, "tokens_per_second < -5%", 2, "in percent on joules_per_token"},
        {"1,AB,0,1\n", "joules_per_token > +5%", 2, "no pair"},
    };
    for (const Case& c : cases) {
        const Outcome outcome =
            run({"pays", "--from", write(head + c.rows), "--fail-if", c.limit, "--json"});
        EXPECT_EQ(outcome.status, c.status) << c.limit << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(c.reason));
        if (c.status == 0 || c.status == 3) {
            EXPECT_EQ(json::parse(outcome.out).at("comparison").at("test"),
                      c.rows.find('\n') + 1 == c.rows.size() ? "none" : "pairs");
        }
    }
}

TEST_F(PaysTest, MeasuresPairsOfTwoSettings)
{
    const std::string card = (folder() / "card.json").string();
    const std::vector<std::string> command{"pays",
                                           "tiny=x",
                                           "batch=8",
                                           "--model",
                                           model().string(),
                                           "--prompt",
                                           "Once upon",
                                           "--max-new-tokens",
                                           "8",
                                           "--power",
                                           "modelled",
                                           "--interval-ms",
                                           "20",
                                           "--warmup",
                                           "0",
                                           "--most-pairs",
                                           "3",
                                           "--json",
                                           "--experiment",
                                           "e"};
    const Outcome wrong = run(command);
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.err, HasSubstr("The setting 'tiny=x' cannot be used: "));
    std::vector<std::string> right = command;
    right[1] = "batch=1";
    right.insert(right.end(), {"--card", card});
    const Outcome measured = run(right);
    ASSERT_EQ(measured.status, 0) << measured.err;
    EXPECT_EQ(schemaProblem(measured.out, "pays.schema.json"), "");
    const json decision = json::parse(measured.out);
    EXPECT_EQ(decision.at("comparison").at("pairs"), 3);
    EXPECT_THAT(decision.at("cautions").dump(), HasSubstr("modelled from the load"));
    EXPECT_EQ(storedIds().size(), 6U);

    expectTheSameOfStoredRuns(decision.at("comparison"));

    std::ifstream stream(card, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    EXPECT_EQ(schemaProblem(text, "pays_card.schema.json"), "");
    EXPECT_THAT(text, testing::Not(HasSubstr("Once upon")));
    const Outcome merged = run({"pays", "--merge", card, "--json"});
    EXPECT_EQ(merged.status, 0) << merged.err;
    EXPECT_EQ(schemaProblem(merged.out, "pays_merged.schema.json"), "");
    std::ofstream(card, std::ios::binary) << text.substr(0, text.size() - 9) << "0\"\n}\n";
    EXPECT_EQ(run({"pays", "--merge", card}).status, 1);

    const Outcome totals = run({"runs", "totals", "--json"});
    EXPECT_EQ(schemaProblem(totals.out, "totals.schema.json"), "");
    EXPECT_EQ(json::parse(totals.out).at("totals")[0].at("runs"), 6);
    EXPECT_THAT(run({"runs", "totals", "--by", "month"}).out, HasSubstr("modelled"));
    EXPECT_THAT(run({"runs", "totals"}).out, HasSubstr("A million output tokens of "));
    const Outcome jobs = run(
        {"runs", "totals", "--by", "job", "--check", "sh -c 'test -n \"$EP_JOB_RUNS\"'", "--json"});
    EXPECT_EQ(jobs.status, 0) << jobs.err;
    EXPECT_EQ(schemaProblem(jobs.out, "jobs.schema.json"), "");
    EXPECT_EQ(json::parse(jobs.out).at("solved"), json::parse(jobs.out).at("jobs").size());
    EXPECT_EQ(json::parse(run({"runs", "totals", "--by", "job", "--check", "false", "--json"}).out)
                  .at("solved"),
              0);
    // The words reach the program unchanged: no shell expands or redirects anything.
    const std::string file = (folder() / "made by a shell").string();
    EXPECT_EQ(json::parse(run({"runs", "totals", "--by", "job", "--check",
                               "test '$EP_JOB' = $EP_JOB", "--json"})
                              .out)
                  .at("solved"),
              json::parse(jobs.out).at("jobs").size());
    EXPECT_EQ(
        run({"runs", "totals", "--by", "job", "--check", "true > '" + file + "'", "--json"}).status,
        0);
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_EQ(run({"runs", "totals", "--by", "job", "--check", "no-such-program-here"}).status, 1);
    EXPECT_EQ(run({"runs", "totals", "--by", "job", "--check", "'open"}).status, 2);
    EXPECT_EQ(run({"runs", "totals", "--by", "job", "missing"}).status, 1);
    EXPECT_THAT(
        run({"runs", "totals", "--by", "job", json::parse(jobs.out).at("jobs")[0].at("id")}).out,
        HasSubstr("waiting between the requests"));
    // A single run is not listed as a job.
    EXPECT_THAT(run({"runs", "totals", "--by", "job"}).out, HasSubstr("each run stands alone"));
    ASSERT_EQ(run({"runs", "edit", "last", "+job:mine"}).status, 0);
    EXPECT_THAT(run({"runs", "totals", "--by", "job"}).out, HasSubstr("mine"));
}

} // namespace
