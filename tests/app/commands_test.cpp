// SPDX-License-Identifier: GPL-3.0-or-later
// The commands tokenize, power, doctor and runs.
#include "app/cli_fixture.h"
#include "support/json_schema.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <sstream>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using ep::test::schemaProblem;
using nlohmann::json;
using testing::Contains;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST_F(CliTest, TokenizeGivesIdsAndTakesThemBack)
{
    const std::string name = model().string();
    const Outcome ids = run({"models", "tokenize", "--model", name, "--text", "Hi \u00e9"});
    ASSERT_EQ(ids.status, 0) << ids.err;
    EXPECT_EQ(ids.out, "256 72 105 32 195 169\n");
    const Outcome plain = run(
        {"models", "tokenize", "--model", name, "--text-file", "-", "--no-special-tokens"}, "Hi");
    EXPECT_EQ(plain.out, "72 105\n");
    const Outcome text =
        run({"models", "tokenize", "--model", name, "--decode", "--text", "72 105 32 195 169"});
    EXPECT_EQ(text.out, "Hi \u00e9\n");
}

TEST_F(CliTest, TokenizeAsJson)
{
    const Outcome outcome =
        run({"models", "tokenize", "--model", model().string(), "--text", "Hi", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json value = json::parse(outcome.out);
    EXPECT_EQ(value.at("ids"), json({256, 72, 105}));
    EXPECT_EQ(value.at("tokens"), json({"<|begin|>", "H", "i"}));
    EXPECT_EQ(value.at("text"), "Hi");
}

TEST_F(CliTest, TokenizeRefusesWhatIsNoId)
{
    for (const char* text : {"12 apples", "-1", "258", "99999999999999", "1.5"}) {
        const Outcome outcome =
            run({"models", "tokenize", "--model", model().string(), "--decode", "--text", text});
        EXPECT_THAT(outcome, failsWith(1)) << text;
        EXPECT_EQ(outcome.out, "") << text;
    }
}

TEST_F(CliTest, PowerPrintsOneJsonObjectALine)
{
    const Outcome outcome = run({"doctor", "--watch", "--power", "modelled", "--interval-ms", "20",
                                 "--samples", "3", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    std::vector<json> samples;
    for (std::string line; std::getline(lines, line);)
        samples.push_back(json::parse(line));
    ASSERT_THAT(samples, SizeIs(3));
    EXPECT_EQ(samples[0].at("start_ns"), 0);
    for (const json& sample : samples) {
        EXPECT_TRUE(sample.at("modelled").get<bool>());
        EXPECT_GT(sample.at("duration_ns").get<std::int64_t>(), 0);
        EXPECT_GT(sample.at("total_mw").get<double>(), 0.0);
        EXPECT_TRUE(sample.at("power_mw").at("dram").is_null());
    }
}

TEST_F(CliTest, PowerWithoutASourceFails)
{
    const Outcome outcome = run({"doctor", "--watch", "--power", "none"});
    EXPECT_THAT(outcome, failsWith(2, "doctor"));
    EXPECT_EQ(outcome.out, "");
}

TEST_F(CliTest, DoctorNamesEverySourceTheEngineAndTheModels)
{
    const Outcome outcome = run({"doctor", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json value = json::parse(outcome.out);
    std::vector<std::string> kinds;
    for (const json& source : value.at("sources"))
        kinds.push_back(source.at("kind").get<std::string>());
    for (const char* kind : {"powermetrics", "replay", "modelled"})
        EXPECT_THAT(kinds, Contains(kind));
    EXPECT_TRUE(value.at("engine").at("available").get<bool>());
    EXPECT_FALSE(value.at("engine").at("torch").get<std::string>().empty());
    EXPECT_FALSE(value.at("engine").at("loaded").get<bool>());
    EXPECT_FALSE(value.at("models").empty()) << "the bundled model";
    EXPECT_EQ(value.at("database").at("path"), database().string());
    EXPECT_FALSE(std::filesystem::exists(database()));

    const Outcome text = run({"doctor"});
    EXPECT_EQ(text.status, 0);
    EXPECT_THAT(text.out, HasSubstr("powermetrics"));
}

TEST_F(CliTest, DoctorLoadsTheEngineIfAsked)
{
    const Outcome outcome = run({"doctor", "--engine", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json engine = json::parse(outcome.out).at("engine");
    EXPECT_TRUE(engine.at("loaded").get<bool>());
    EXPECT_THAT(engine.at("devices").get<std::vector<std::string>>(), Contains("cpu"));
    const json file = json::parse(run({"doctor", "--json"}).out).at("engine");
    EXPECT_FALSE(file.at("torch").get<std::string>().empty()) << "known without loading";
    EXPECT_EQ(file.at("library"), engine.at("library"));

    // A file that cannot be loaded shows which of the two commands tries to.
    std::ofstream(folder() / "engine.so") << "not a library";
    setEnvironment("EP_ENGINE_LIBRARY", (folder() / "engine.so").string());
    EXPECT_TRUE(
        json::parse(run({"doctor", "--json"}).out).at("engine").at("available").get<bool>());
    EXPECT_THAT(run({"doctor", "--engine", "--json"}).out, HasSubstr("cannot be opened"));
}

TEST_F(CliTest, DoctorWithoutAnEngineSaysSo)
{
    setEnvironment("EP_ENGINE_LIBRARY", "/nowhere/ep-engine.so");
    const Outcome outcome = run({"doctor", "--json"});
    ASSERT_EQ(outcome.status, 0);
    EXPECT_FALSE(json::parse(outcome.out).at("engine").at("available").get<bool>());
    const Outcome failed = profile({"--power", "none"});
    EXPECT_THAT(failed, failsWith(1));
}

TEST_F(CliTest, ABundledModelIsFoundByItsName)
{
    setEnvironment("EP_RESOURCES", folder().string());
    std::filesystem::create_directories(folder() / "models");
    std::filesystem::rename(model(), folder() / "models" / "story");
    const Outcome outcome = run({"models", "tokenize", "--model", "story", "--text", "a"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const Outcome unknown = run({"models", "tokenize", "--model", "glory", "--text", "a"});
    EXPECT_EQ(unknown.status, 1);
    EXPECT_THAT(unknown.err, HasSubstr("story")) << "what there is instead";
}

class RunsTest : public CliTest {
protected:
    RunsTest()
    {
        EXPECT_EQ(profile({"--power", "none", "--tag", "first"}).status, 0);
        EXPECT_EQ(profile({"--power", "modelled", "--interval-ms", "20"}).status, 0);
    }
};

TEST_F(RunsTest, ListAsTextAndJson)
{
    const Outcome asJson = run({"runs", "list", "--json"});
    ASSERT_EQ(asJson.status, 0) << asJson.err;
    EXPECT_EQ(schemaProblem(asJson.out, "run_list.schema.json"), "");
    EXPECT_THAT(json::parse(asJson.out).at("runs"), SizeIs(2));
    const Outcome text = run({"runs", "list"});
    for (const std::string& id : storedIds())
        EXPECT_THAT(text.out, HasSubstr(id.substr(0, 8)));
    EXPECT_THAT(text.out, HasSubstr("Once upon"));

    const Outcome tagged = run({"runs", "list", "--tag", "first", "--json"});
    EXPECT_THAT(json::parse(tagged.out).at("runs"), SizeIs(1));
    const Outcome limited = run({"runs", "list", "--limit", "1", "--json"});
    EXPECT_THAT(json::parse(limited.out).at("runs"), SizeIs(1));
}

TEST_F(RunsTest, TraceSqlWritesStatementsWithoutValues)
{
    const Outcome plain = run({"runs", "list"});
    EXPECT_EQ(plain.err, "");
    const Outcome traced = run({"--trace-sql", "runs", "list", "--tag", "secret-tag"});
    EXPECT_EQ(traced.status, 0);
    EXPECT_THAT(traced.err, ContainsRegex("sql +[0-9.]+ ms  SELECT"));
    EXPECT_THAT(traced.err, Not(HasSubstr("secret-tag")));
    EXPECT_THAT(traced.out, Not(HasSubstr("SELECT")));
}

TEST_F(CliTest, AChatTemplateWritesTheConversation)
{
    const std::string name = model().string();
    const Outcome none = run({"models", "tokenize", "--model", name, "--text", "Hi", "--chat"});
    EXPECT_THAT(none, failsWith(1, "no chat template"));
    EXPECT_EQ(profile({"--chat", "--power", "none"}).status, 1);

    std::ofstream(model() / "chat_template.jinja")
        << "{{ bos_token }}{% for m in messages %}{{ m.role[0] }}{{ m.content }}{% endfor %}:";
    const Outcome ids = run({"models", "tokenize", "--model", name, "--text", "Hi", "--chat"});
    ASSERT_EQ(ids.status, 0) << ids.err;
    EXPECT_EQ(ids.out, "256 117 72 105 58\n");
    const Outcome text = run({"models", "tokenize", "--model", name, "--text", "Hi", "--chat",
                              "--system", "S", "--json"});
    EXPECT_EQ(json::parse(text.out).at("text"), "<|begin|>sSuHi:");

    const Outcome profiled = profile({"--chat", "--power", "none", "--json", "--full"});
    ASSERT_EQ(profiled.status, 0) << profiled.err;
    const json info = json::parse(profiled.out).at("run").at("info");
    EXPECT_EQ(info.at("chat_template"), true);
    // An answer is no continuation, so it begins a line of its own.
    const std::string prompt = info.at("prompt");
    const std::string answer = prompt + '\n' + std::string(info.at("response"));
    EXPECT_THAT(run({"runs", "show", "last"}).out, HasSubstr(answer));
    EXPECT_THAT(profile({"--chat", "--power", "none"}).out, HasSubstr(answer));
    EXPECT_EQ(info.at("prompt"), "Once upon"); // as typed by the user
    EXPECT_EQ(info.at("input_tokens"), 12);
}

TEST_F(CliTest, MessagesGoThroughTheTemplate)
{
    const std::string name = model().string();
    std::ofstream(model() / "chat_template.jinja")
        << "{% for m in messages %}{{ m.role[0] }}{{ m.content }}{% endfor %}"
           "{% if tools %}{{ tools | length }}{% endif %}{{ enable_thinking }}";
    std::ofstream(folder() / "chat.json")
        << R"({"model": "m", "messages": [{"role": "system", "content": "S"},
                {"role": "user", "content": "Hi"}], "tools": [{"type": "function"}]})";
    const Outcome text = run({"models", "tokenize", "--model", name, "--messages", "chat.json"});
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_EQ(text.out, "sSuHi1\n");
    EXPECT_THAT(text.err, HasSubstr("chat.json also has model, which is not used"));
    const Outcome ids = run({"models", "tokenize", "--model", name, "--messages", "chat.json",
                             "--template-var", "enable_thinking=false", "--json"});
    EXPECT_EQ(schemaProblem(ids.out, "tokenize.schema.json"), "");
    EXPECT_EQ(json::parse(ids.out).at("text"), "sSuHi1False");

    std::ofstream(folder() / "batch.jsonl") << R"([{"role": "user", "content": "One"}])"
                                               "\n"
                                            << R"([{"role": "user", "content": "Two"}])"
                                               "\n";
    const Outcome several =
        run({"models", "tokenize", "--model", name, "--messages", "batch.jsonl"});
    EXPECT_EQ(several.out, "uOne\n---\nuTwo\n") << several.err;
    const Outcome list =
        run({"models", "tokenize", "--model", name, "--messages", "batch.jsonl", "--json"});
    EXPECT_EQ(schemaProblem(list.out, "tokenize.schema.json"), "");
    EXPECT_EQ(json::parse(list.out).at(1).at("text"), "uTwo");

    const std::vector<std::string> common{
        "run", "--model", name, "--max-new-tokens", "2", "--power", "none", "--json", "--full"};
    const auto profiled = [&](std::vector<std::string> more) {
        more.insert(more.begin(), common.begin(), common.end());
        return run(more);
    };
    const Outcome one =
        profiled({"--messages", "chat.json", "--template-var", "enable_thinking=true"});
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(schemaProblem(one.out, "run.schema.json"), "");
    const json info = json::parse(one.out).at("run").at("info");
    EXPECT_EQ(info.at("prompt"), "Hi");
    EXPECT_EQ(info.at("input_tokens"), 10); // sSuHi1True
    EXPECT_EQ(info.at("conversation").at("messages").at(0).at("content"), "S");
    EXPECT_EQ(info.at("conversation").at("template_variables").at("enable_thinking"), true);
    const Outcome batch = profiled({"--messages", "batch.jsonl"});
    ASSERT_EQ(batch.status, 0) << batch.err;
    EXPECT_EQ(json::parse(batch.out).at("run").at("info").at("batch").size(), 2U);
    EXPECT_THAT(run({"runs", "show", "last"}).out, HasSubstr("\n[2] Two"));
    const Outcome hashed = profiled({"--messages", "chat.json", "--hashes-only"});
    EXPECT_THAT(hashed.out, Not(HasSubstr("\"S\"")));
    EXPECT_THAT(hashed.out, HasSubstr("sha256:"));
}

TEST_F(CliTest, MessagesThatCannotBeUsed)
{
    const std::string name = model().string();
    std::ofstream(folder() / "image.json")
        << R"([{"role": "user", "content": [{"type": "image_url"}]}])";
    const Outcome image = run({"models", "tokenize", "--model", name, "--messages", "image.json"});
    EXPECT_THAT(image, failsWith(1, "image.json: message 1 (user) has an image"));
    EXPECT_EQ(run({"models", "tokenize", "--model", name, "--messages", "no.json"}).status, 1);
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
             {"--messages", "image.json", "--text", "a"},
             {"--messages", "image.json", "--decode"},
             {"--text", "a", "--template-var", "thinking=true"},
             {"--text", "a", "--chat", "--template-var", "thinking=True"}}) {
        std::vector<std::string> all{"models", "tokenize", "--model", name};
        all.insert(all.end(), wrong.begin(), wrong.end());
        EXPECT_EQ(run(all).status, 2) << wrong.back();
    }
}

TEST_F(RunsTest, ShowByTheBeginningOfTheId)
{
    const std::string id = storedIds().front();
    const Outcome text = run({"runs", "show", id.substr(0, 8)});
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr(id));
    EXPECT_THAT(text.out, HasSubstr("prefill"));
    const Outcome asJson = run({"runs", "show", id, "--json", "--full"});
    EXPECT_EQ(schemaProblem(asJson.out, "run.schema.json"), "");

    const Outcome unknown = run({"runs", "show", "zzzz"});
    EXPECT_EQ(unknown.status, 1);
    EXPECT_EQ(unknown.out, "");
    EXPECT_THAT(unknown.err, HasSubstr("zzzz"));
}

TEST_F(RunsTest, ExportEqualsShow)
{
    const std::string id = storedIds().front();
    ASSERT_EQ(run({"runs", "export", id, "--out", "run.json"}).status, 0);
    std::ifstream file(folder() / "run.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, run({"runs", "show", id, "--json", "--full"}).out);
    EXPECT_EQ(text, run({"runs", "export", id, "--out", "-"}).out);

    const Outcome csv = run({"runs", "export", id, "--format", "csv", "--out", "tables"});
    ASSERT_EQ(csv.status, 0) << csv.err;
    EXPECT_FALSE(std::filesystem::is_empty(folder() / "tables"));
}

TEST_F(RunsTest, DeleteTakesAllOrNone)
{
    const std::vector<std::string> ids = storedIds();
    ASSERT_THAT(ids, SizeIs(2));
    const Outcome wrong = run({"runs", "delete", ids[0], "zzzz"});
    EXPECT_EQ(wrong.status, 1);
    EXPECT_THAT(storedIds(), SizeIs(2));

    const Outcome one = run({"runs", "delete", ids[0].substr(0, 8), ids[0], "--json"});
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(json::parse(one.out).at("deleted"), json({ids[0]}));
    EXPECT_THAT(storedIds(), ElementsAre(ids[1]));
}

TEST_F(CliTest, RunsOfADatabaseThatIsNotThere)
{
    const Outcome list = run({"runs", "list", "--json"});
    EXPECT_EQ(list.status, 0) << list.err;
    EXPECT_THAT(json::parse(list.out).at("runs"), IsEmpty());
    const Outcome show = run({"runs", "show", "1a"});
    EXPECT_EQ(show.status, 1);
    EXPECT_THAT(show.err, HasSubstr(database().string()));
    EXPECT_FALSE(std::filesystem::exists(database()));
}

TEST_F(CliTest, TheDatabaseMayBeNamed)
{
    const std::string other = (folder() / "other.db").string();
    ASSERT_EQ(profile({"--power", "none", "--db", other}).status, 0);
    EXPECT_FALSE(std::filesystem::exists(database()));
    const Outcome list = run({"runs", "list", "--db", other, "--json"});
    EXPECT_THAT(json::parse(list.out).at("runs"), SizeIs(1));
}

} // namespace
