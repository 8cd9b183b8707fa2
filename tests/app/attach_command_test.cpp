// SPDX-License-Identifier: GPL-3.0-or-later
// The attach command with servers that answer as real ones did.
#include "app/cli_fixture.h"
#include "app/stored_runs.h"
#include "attach/known_server.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <fstream>
#include <memory>

namespace ep::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class AttachCommandTest : public CliTest {
protected:
    // Sends a prompt; power and processor do not matter here.
    Outcome ask(const FakeLlmServer& server, std::vector<std::string> more)
    {
        more.insert(more.begin(), {"attach", server.origin(), "--power", "none"});
        return run(more);
    }
    std::vector<ep::Run> stored() const { return storedRuns(database()); }
};

const KnownServer& known(const std::string& name)
{
    return *std::ranges::find(knownServers(), name, [](const auto& one) { return one.name; });
}

// mlx_lm.server, which reports with its tokens how many prompt tokens were in its cache.
FakeLlmServer::Handler mlxServer(std::vector<int> cached)
{
    auto next = std::make_shared<std::atomic<std::size_t>>(0);
    return [cached, next](const FakeRequest& request) {
        FakeAnswer answer;
        if (request.method != "POST") {
            answer.sized = true;
            answer.status = request.path == "/v1/models" ? 200 : 404;
            answer.parts = {{.bytes = R"({"object":"list","data":[{"id":"smol"}]})"}};
            return answer;
        }
        std::string text = recordedAnswer("mlx_chat.sse");
        const std::string stated = "\"cached_tokens\": 11";
        text.replace(text.find(stated), stated.size(),
                     "\"cached_tokens\": " + std::to_string(cached.at(*next)));
        *next = (*next + 1) % cached.size();
        answer.type = "text/event-stream";
        answer.parts = messagesOf(text, std::chrono::milliseconds(1));
        return answer;
    };
}

TEST_F(AttachCommandTest, ListsTheServerAtAnAddress)
{
    const FakeLlmServer llama(handlerOf(known("llama.cpp"), {}));
    const FakeLlmServer vllm(handlerOf(known("vLLM"), {}));
    const Outcome listed = run({"attach", std::to_string(vllm.port()), "--list"});
    EXPECT_EQ(listed.status, 0) << listed.err;
    EXPECT_THAT(listed.out, HasSubstr(vllm.origin()));
    EXPECT_THAT(listed.out, HasSubstr("vLLM 0.11.0"));
    EXPECT_THAT(listed.out, HasSubstr("meta-llama/Llama-3.1-8B-Instruct"));
    EXPECT_THAT(listed.out, Not(HasSubstr("llama.cpp")));
    EXPECT_TRUE(vllm.requests().size() > 0 && llama.requests().empty());
    const Outcome data = run({"attach", llama.origin(), "--list", "--json"});
    const json servers = json::parse(data.out).at("servers");
    ASSERT_EQ(servers.size(), 1U);
    EXPECT_EQ(servers[0].at("address"), llama.origin());
    EXPECT_EQ(servers[0].at("models"), json({"/models/tiny.gguf"}));
}

TEST_F(AttachCommandTest, SaysThatNothingListensAtAnAddress)
{
    std::uint16_t port = 0;
    {
        const FakeLlmServer gone(handlerOf(known("vLLM"), {}));
        port = gone.port();
    }
    const Outcome listed = run({"attach", std::to_string(port), "--list"});
    EXPECT_THAT(listed, failsWith(1, std::to_string(port)));
}

TEST_F(AttachCommandTest, SaysThatRepeatsDidNotDoTheSameWork)
{
    const FakeLlmServer unequal(mlxServer({0, 11, 11}));
    const Outcome told = ask(unequal, {"--prompt", "Hello", "--repeat", "3"});
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_THAT(told.err,
                HasSubstr("The repeats did not do the same work: the server computed 1 "
                          "to 12 tokens of the prompt"));
    int noted = 0;
    for (const auto& run : stored()) {
        for (const Message& note : run.info.profiling.server->notes)
            noted += note.english().starts_with("A part of the prompt came from the server's cache")
                ? 1
                : 0;
    }
    EXPECT_EQ(noted, 2);
    const FakeLlmServer equal(mlxServer({4}));
    const Outcome same = ask(equal, {"--prompt", "Hello", "--repeat", "2"});
    EXPECT_THAT(same.err, Not(HasSubstr("same work")));
}

TEST_F(AttachCommandTest, TakesDefaultModelForTheOnlyOne)
{
    const FakeLlmServer server(mlxServer({0}));
    for (const std::vector<std::string>& model :
         {std::vector<std::string>{}, {"--model", "default_model"}, {"--model", "smol"}}) {
        std::vector<std::string> more = {"--prompt", "Hello"};
        more.insert(more.end(), model.begin(), model.end());
        EXPECT_EQ(ask(server, more).status, 0);
    }
    for (const auto& run : stored())
        EXPECT_EQ(run.info.model.name, "smol");
    const std::string sent = server.requests().back().body;
    EXPECT_THAT(sent, HasSubstr("\"model\":\"smol\""));
}

// mlx_lm.server on a machine without a HuggingFace cache: its list of models is an empty text.
TEST_F(AttachCommandTest, MeasuresAServerThatCannotListItsModels)
{
    const FakeLlmServer server([answers = mlxServer({0})](const FakeRequest& request) {
        FakeAnswer answer = answers(request);
        if (request.path == "/v1/models" || request.path == "/health") {
            answer.status = 200;
            answer.parts = {{.bytes = request.path == "/health" ? R"({"status": "ok"})" : ""}};
        }
        return answer;
    });
    const Outcome listed = run({"attach", server.origin(), "--list"});
    EXPECT_EQ(listed.status, 0) << listed.err;
    EXPECT_THAT(listed.out, HasSubstr("OpenAI-compatible server"));
    const Outcome asked = ask(server, {"--prompt", "Hello"});
    EXPECT_EQ(asked.status, 0) << asked.err;
    EXPECT_EQ(json::parse(server.requests().back().body).count("model"), 0U);
    EXPECT_EQ(stored().front().info.model.name, "m") << "as the answer says";
}

// A server that loads a model at the first request and reports no times.
TEST_F(AttachCommandTest, SaysThatThePrefillMayContainTheLoading)
{
    const FakeLlmServer server(mlxServer({0}));
    const Outcome shown = ask(server, {"--prompt", "Hello", "--details"});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("the loading of the model if it was not loaded (--warmup 1"));
    EXPECT_EQ(stored().front().info.profiling.server->engine, "MLX 0.32.2");
}

TEST_F(AttachCommandTest, SendsTheConversationsOfAFileOneAfterAnother)
{
    std::ofstream(folder() / "two.jsonl")
        << R"({"messages":[{"role":"system","content":"S"},{"role":"user","content":"first"}]})"
        << '\n'
        << R"({"messages":[{"role":"user","content":"second"}],"tools":[{"type":"function"}]})"
        << '\n';
    const FakeLlmServer server(mlxServer({0}));
    const Outcome asked = ask(server, {"--messages", "two.jsonl"});
    EXPECT_EQ(asked.status, 0) << asked.err;
    std::vector<json> bodies;
    for (const FakeRequest& request : server.requests()) {
        if (request.method == "POST")
            bodies.push_back(json::parse(request.body));
    }
    ASSERT_EQ(bodies.size(), 2U);
    EXPECT_EQ(bodies[0].at("messages").size(), 2U);
    EXPECT_EQ(bodies[0].at("messages")[1].at("content"), "first");
    EXPECT_EQ(bodies[1].at("messages")[0].at("content"), "second");
    EXPECT_EQ(bodies[1].at("tools").size(), 1U);
    const std::vector<ep::Run> runs = stored(); // newest first
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].info.prompt, "second");
    EXPECT_EQ(runs[1].info.prompt, "first");
    EXPECT_EQ(runs[1].info.conversation.messages.size(), 2U);
    EXPECT_EQ(runs[0].info.conversation.tools, R"([{"type":"function"}])");
}

} // namespace
} // namespace ep::test
