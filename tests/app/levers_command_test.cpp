// SPDX-License-Identifier: GPL-3.0-or-later
// What saves work in a generation, tested from the command line to the stored run.
#include "app/cli_fixture.h"
#include "support/json_schema.h"

#include "ep/core/token_ledger.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <regex>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using ep::test::schemaProblem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class LeversCommandTest : public CliTest {
protected:
    static constexpr const char* kPrompt =
        "The small dog ran to the big tree. The small dog ran to the big house. The small dog sat "
        "down and looked at the big tree, and then the small dog ran home to the big house again.";

    Outcome generate(const std::vector<std::string>& more)
    {
        std::vector<std::string> arguments{
            "run", "--model", "demo-llama-5m", "--prompt",      kPrompt, "--max-new-tokens",
            "40",  "--power", "modelled",      "--interval-ms", "20"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }

    static ep::TokenCounts countsOf(const json& run)
    {
        const json& counts = run.at("profiling").at("token_counts");
        ep::TokenCounts read{.draft = counts.at("draft"),
                             .drafted = counts.at("drafted"),
                             .accepted = counts.at("accepted")};
        if (counts.contains("cached"))
            read.cached = counts.at("cached");
        return read;
    }

    json generated(const std::vector<std::string>& more)
    {
        std::vector<std::string> arguments{"--json", "--full"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = generate(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(schemaProblem(outcome.out, "run.schema.json"), "");
        return json::parse(outcome.out).at("run");
    }
};

TEST_F(LeversCommandTest, DraftsLeaveTheTextAndAreCounted)
{
    const json plain = generated({});
    EXPECT_TRUE(plain.at("info").at("execution").at("notes").empty());
    EXPECT_TRUE(plain.at("tokens")[1].at("drafted").is_null());
    for (const std::string draft : {"ngram", "demo-llama-5m"}) {
        SCOPED_TRACE(draft);
        const json run = generated({"--draft", draft, "--draft-tokens", "3"});
        EXPECT_EQ(run.at("info").at("response"), plain.at("info").at("response"));
        EXPECT_EQ(run.at("info").at("output_tokens"), 40);
        const ep::TokenCounts counts = countsOf(run);
        EXPECT_EQ(counts.draft, draft);
        EXPECT_GT(counts.accepted, 0);
        int tokens = 0;
        std::int64_t drafted = 0;
        int position = run.at("info").at("input_tokens");
        double drafting = 0.0;
        for (const json& token : run.at("tokens")) {
            EXPECT_EQ(token.at("position"), position);
            tokens += token.at("sequences").get<int>();
            drafted += token.at("drafted").get<std::int64_t>();
            position += token.at("sequences").get<int>();
            EXPECT_EQ(token.at("sections")[0].at("section"), "sampling");
            if (const json& energy = token.at("sections")[0].at("energy").at("total_mj");
                energy.is_number())
                drafting += energy.get<double>();
        }
        EXPECT_EQ(tokens, 40);
        EXPECT_EQ(drafted, counts.drafted);
        EXPECT_EQ(static_cast<std::int64_t>(run.at("tokens").size()), 40 - counts.accepted);
        EXPECT_GT(drafting, 0.0);
    }
    // A model that is its own draft proposes exactly the tokens that it would choose.
    const json same = generated({"--draft", "demo-llama-5m"});
    EXPECT_EQ(countsOf(same).rejected(), 0);
}

TEST_F(LeversCommandTest, AKeptPromptLeavesTheTextAndIsSaid)
{
    const Outcome outcome = generate({"--prompt-cache", "--repeat", "2", "--json", "--full"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json runs = json::parse(outcome.out);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(countsOf(runs[0].at("run")).cached, 0);
    EXPECT_GE(countsOf(runs[1].at("run")).cached, 32);
    const json first = runs[0].at("run").at("info");
    const json second = runs[1].at("run").at("info");
    EXPECT_EQ(first.at("response"), second.at("response"));
    EXPECT_EQ(generated({}).at("info").at("response"), second.at("response"));

    const Outcome text =
        generate({"--prompt-cache", "--warmup", "4", "--draft", "ngram", "--details"});
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("prompt: cached"));
    EXPECT_THAT(text.out, HasSubstr("checked: rejected"));
    EXPECT_THAT(text.out, HasSubstr("note     Draft by ngram: "));
}

TEST_F(LeversCommandTest, BlocksAreRecorded)
{
    const json plain = generated({"--depth", "none"});
    const json blocks = generated({"--kv-cache", "q8_0"});
    const json& info = blocks.at("info");
    EXPECT_EQ(info.at("execution").at("cache"), "q8_0");
    EXPECT_THAT(info.at("execution").at("attention").get<std::string>(),
                HasSubstr("keys and values in q8_0"));
    EXPECT_EQ(info.at("model").at("kv_bytes_per_token"), 6 * 2 * 2 * 34);
    EXPECT_LT(info.at("execution").at("peak_cache_bytes"),
              plain.at("info").at("execution").at("peak_cache_bytes"));
    const std::string text = (folder() / "text.txt").string();
    std::ofstream(text) << kPrompt << ' ' << kPrompt << ' ' << kPrompt;
    const Outcome quality = run({"models", "quality", "--model", "demo-llama-5m", "--dtype", "f32",
                                 "--text-file", text, "--kv-cache", "q8_0", "--json"});
    ASSERT_EQ(quality.status, 0) << quality.err;
    const json record = json::parse(quality.out);
    EXPECT_EQ(record.at("dtype"), "f32, KV cache q8_0");
    EXPECT_GT(record.at("kl_nats"), 0.0);
    EXPECT_LT(record.at("kl_nats"), 0.01);
}

TEST_F(LeversCommandTest, WhatCannotBeIsRefusedInASentence)
{
    const auto refused = [&](const std::vector<std::string>& more, int status = 1) {
        std::vector<std::string> arguments{"--power", "modelled"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = profile(arguments);
        EXPECT_THAT(outcome, failsWith(status));
        return outcome.err;
    };
    EXPECT_THAT(refused({"--kv-cache", "q8_0"}), HasSubstr("cannot divide into blocks of 32"));
    EXPECT_THAT(refused({"--draft", "ngram", "--batch-size", "2"}, 2),
                HasSubstr("one sequence at a time"));
    EXPECT_THAT(refused({"--draft", "demo-llama-5m"}), HasSubstr("has another vocabulary than"));
    EXPECT_THAT(refused({"--draft", "no-such-model"}), HasSubstr("no-such-model"));
    EXPECT_EQ(profile({"--draft-tokens", "3"}).status, 2);
    EXPECT_EQ(profile({"--draft", "ngram", "--draft-tokens", "0"}).status, 2);
}

TEST_F(LeversCommandTest, PaysTakesThemAsSettings)
{
    const std::vector<std::string> common{"--model",
                                          "demo-llama-5m",
                                          "--prompt",
                                          kPrompt,
                                          "--max-new-tokens",
                                          "8",
                                          "--most-pairs",
                                          "3",
                                          "--power",
                                          "modelled",
                                          "--warmup",
                                          "4",
                                          "--experiment",
                                          "levers",
                                          "--json"};
    const auto pays = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "pays");
        arguments.insert(arguments.end(), common.begin(), common.end());
        return run(arguments);
    };
    const Outcome outcome =
        pays({"draft=none,prompt-cache=on", "draft=ngram,draft-tokens=2,kv-cache=q8_0"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(schemaProblem(outcome.out, "pays.schema.json"), "");
    EXPECT_EQ(json::parse(outcome.out).at("comparison").at("pairs"), 3);
    const json listed = json::parse(run({"runs", "list", "--json"}).out);
    int drafts = 0;
    int kept = 0;
    for (const json& one : listed.at("runs")) {
        const json& execution = one.at("info").at("execution");
        const std::string notes = execution.at("notes").dump();
        const bool drafted = notes.find("Draft by ngram") != std::string::npos;
        drafts += drafted && execution.at("cache") == "q8_0" ? 1 : 0;
        kept += std::regex_search(notes, std::regex("cache: (3[2-9]|[4-9][0-9]) of")) ? 1 : 0;
    }
    EXPECT_EQ(drafts, 3);
    EXPECT_EQ(kept, 3); // the model stays loaded, and the warm-up has filled the cache
    EXPECT_EQ(pays({"draft-tokens=0", "cpu"}).status, 2);
    EXPECT_EQ(pays({"prompt-cache=yes", "cpu"}).status, 2);
}

TEST_F(LeversCommandTest, PaysRecordsCommands)
{
    const auto pays = [&](const std::string& a, const std::string& b) {
        return run({"pays", "--command-a", a, "--command-b", b, "--most-pairs", "3", "--power",
                    "modelled", "--interval-ms", "20", "--json"});
    };
    // The command's words are passed unchanged, its output is dropped, and it inherits the umask.
    const std::string file = (folder() / "the mask").string();
    const Outcome outcome =
        pays("sh -c 'echo not shown; umask >\"$0\"; sleep 0.1' '" + file + "'", "sleep 0.3");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    unsigned mask = 0;
    std::ifstream(file) >> std::oct >> mask;
    const mode_t own = ::umask(0);
    ::umask(own);
    EXPECT_EQ(mask, own);
    const json decision = json::parse(outcome.out);
    EXPECT_EQ(decision.at("comparison").at("pairs"), 3);
    EXPECT_EQ(decision.at("figures")[0].at("name"), "mj_per_run");
    EXPECT_GT(decision.at("figures")[1].at("relative"), 0.25);
    EXPECT_THAT(outcome.out, Not(HasSubstr("not shown")));

    const Outcome failed = pays("sh -c 'exit 3'", "true");
    EXPECT_EQ(failed.status, 1);
    EXPECT_THAT(failed.err, HasSubstr("The command ended with status 3"));
    EXPECT_EQ(run({"pays", "--command-a", "true"}).status, 2);
    EXPECT_THAT(pays("no-such-command-at-all", "true").err, HasSubstr("no-such-command-at-all"));
    EXPECT_THAT(pays("echo 'a", "true").err, HasSubstr("is not closed"));
    EXPECT_EQ(run({"pays", "f32", "int8", "--command-a", "true", "--command-b", "true"}).status, 2);
}

} // namespace
