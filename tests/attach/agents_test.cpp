// SPDX-License-Identifier: GPL-3.0-or-later
// Three scripted agents whose requests really pass through the proxy, in any order and without an
// id: their sessions are recognised by content, and nothing is lost or counted twice.
#include "attach/proxy_house.h"
#include "attach/raw_client.h"

#include "ep/session/jobs.h"

#include <nlohmann/json.hpp>

#include <map>
#include <random>
#include <set>

namespace ep::test {
namespace {

using Json = nlohmann::json;

constexpr int kSteps = 6; // per agent
constexpr int kAgents = 3;

std::int64_t wordsIn(const Json& messages)
{
    std::int64_t words = 0;
    for (const Json& message : messages) {
        const auto text = message.at("content").get<std::string>();
        words += 1 + std::ranges::count(text, ' ');
    }
    return words;
}

// Answers differ, as sampled ones do, even where two agents ask the same question.
class AgentServer {
public:
    AgentServer()
        : m_server([this](const FakeRequest& request) { return answer(request); })
    {
    }
    const FakeLlmServer& server() const { return m_server; }

private:
    FakeAnswer answer(const FakeRequest& request)
    {
        const Json asked = Json::parse(request.body, nullptr, false);
        if (!asked.is_object())
            return {.status = 404, .parts = {{.bytes = "{}"}}};
        const int number = m_answers++;
        const std::string text = "I call tool " + std::to_string(number) + " now";
        const Json usage{{"prompt_tokens", wordsIn(asked.at("messages"))},
                         {"completion_tokens", 5 + number % 7}};
        constexpr auto kComputing = std::chrono::microseconds(2500);
        if (!asked.value("stream", false)) {
            const Json body{{"object", "chat.completion"},
                            {"model", "m"},
                            {"choices",
                             {{{"index", 0},
                               {"message", {{"role", "assistant"}, {"content", text}}},
                               {"finish_reason", "stop"}}}},
                            {"usage", usage}};
            return {.parts = {{.pause = kComputing, .bytes = body.dump()}}, .sized = true};
        }
        const auto chunk = [&](const Json& more) {
            Json json{{"object", "chat.completion.chunk"}, {"model", "m"}};
            json.update(more);
            return "data: " + json.dump() + "\n\n";
        };
        FakeAnswer answer{.type = "text/event-stream"};
        answer.parts.push_back(
            {.pause = kComputing,
             .bytes = chunk({{"choices", {{{"index", 0}, {"delta", {{"content", text}}}}}}})});
        answer.parts.push_back(
            {.bytes = chunk(
                 {{"choices",
                   {{{"index", 0}, {"delta", Json::object()}, {"finish_reason", "stop"}}}}})});
        answer.parts.push_back(
            {.bytes = chunk({{"choices", Json::array()}, {"usage", usage}}) + "data: [DONE]\n\n"});
        return answer;
    }

    std::atomic<int> m_answers = 0;
    FakeLlmServer m_server;
};

struct ScriptedAgent {
    std::string task;
    bool streams = false;
    bool shortens = false; // drops an old result in the middle of its session
    Json messages = Json::array();
    int step = 0;
    std::int64_t input = 0; // as reported by the server
    std::int64_t output = 0;
    std::vector<std::string> answers{};

    // Sends one request on its own connection and appends the answer to the messages.
    void ask(std::uint16_t port)
    {
        if (messages.empty())
            messages = {{{"role", "system"}, {"content", "You are an agent with tools."}},
                        {{"role", "user"}, {"content", task}}};
        if (shortens && step == kSteps - 2)
            messages[3]["content"] = "(left out)";
        const Json body{{"model", "m"}, {"messages", messages}, {"stream", streams}};
        RawClient client(port);
        ASSERT_TRUE(client.send(postOf(port, "/v1/chat/completions", body.dump())));
        const RawAnswer got = client.receive();
        ASSERT_TRUE(got.whole);
        take(got.body);
        messages.push_back({{"role", "assistant"}, {"content", answers.back()}});
        messages.push_back(
            {{"role", "tool"}, {"content", "Result " + std::to_string(step) + " of every agent"}});
        ++step;
    }

private:
    void take(const std::string& body)
    {
        std::string text;
        const auto read = [&](const Json& json) {
            for (const Json& choice : json.value("choices", Json::array())) {
                const Json& part = choice.contains("delta") ? choice["delta"] : choice["message"];
                text += part.value("content", std::string());
            }
            if (json.contains("usage") && json["usage"].is_object()) {
                input += json["usage"]["prompt_tokens"].get<std::int64_t>();
                output += json["usage"]["completion_tokens"].get<std::int64_t>();
            }
        };
        if (!streams)
            read(Json::parse(body));
        for (std::size_t at = body.find("data: {"); streams && at != body.npos;
             at = body.find("data: {", at + 1))
            read(Json::parse(body.substr(at + 6, body.find('\n', at) - at - 6)));
        answers.push_back(text);
    }
};

std::vector<ScriptedAgent> threeAgents()
{
    return {{.task = "Mend the test", .streams = true},
            {.task = "Mend the test"}, // the same task as the first
            {.task = "Write the docs", .shortens = true}};
}

std::vector<std::size_t> shuffledTurns(std::mt19937& random)
{
    std::vector<std::size_t> turns;
    for (std::size_t agent = 0; agent < kAgents; ++agent)
        turns.insert(turns.end(), kSteps, agent);
    std::ranges::shuffle(turns, random);
    return turns;
}

// Checks tokens exactly and energies to 1e-9, whatever the jobs are.
void expectNothingLost(const std::vector<session::Job>& jobs, const std::vector<RunSummary>& runs,
                       const std::vector<ScriptedAgent>& agents)
{
    std::int64_t input = 0;
    std::int64_t output = 0;
    double energy = 0.0;
    std::set<std::string> ids;
    for (const session::Job& job : jobs) {
        input += job.input_tokens.value_or(0);
        output += job.output_tokens.value_or(0);
        energy += job.energy.energy_mj.value_or(Millijoules{0.0}).value;
        ids.insert(job.runs.begin(), job.runs.end());
    }
    std::int64_t told = 0;
    std::int64_t made = 0;
    for (const ScriptedAgent& agent : agents) {
        told += agent.input;
        made += agent.output;
    }
    double all = 0.0; // of runs with an energy: other programs may have disturbed some
    for (const RunSummary& run : runs)
        all += run.metrics.energy.total_mj.value_or(Millijoules{0.0}).value;
    EXPECT_EQ(input, told);
    EXPECT_EQ(output, made);
    EXPECT_EQ(ids.size(), runs.size());
    EXPECT_NEAR(energy, all, 1e-9 * all);
}

// Finds the runs of each agent, in order, by the answers that it got.
bool sessionsAreFound(const std::vector<session::Job>& jobs, const std::vector<RunSummary>& runs,
                      const std::vector<ScriptedAgent>& agents)
{
    std::map<std::string, std::string> byAnswer;
    for (const RunSummary& run : runs)
        byAnswer[run.info.response] = run.info.id;
    std::set<std::vector<std::string>> wanted;
    for (const ScriptedAgent& agent : agents) {
        std::vector<std::string> session;
        for (const std::string& answer : agent.answers)
            session.push_back(byAnswer[answer]);
        wanted.insert(session);
    }
    std::set<std::vector<std::string>> found;
    for (const session::Job& job : jobs)
        found.insert(job.runs);
    return found == wanted;
}

// The last runs that the proxy made.
std::vector<RunSummary> madeRuns(const ProxyHouse& house, std::size_t after)
{
    std::vector<RunSummary> runs;
    for (std::size_t i = after; i < house.made.size(); ++i)
        runs.push_back({house.made[i].run->info, house.made[i].run->metrics});
    return runs;
}

// A server with one model and nothing stored, so that hundreds of requests take only seconds.
void asAgentsAskIt(api::ProxyOptions& options)
{
    options.server.models = {"m"};
    options.recorder.run.database.clear();
}

TEST(Agents, SessionsAreFoundWithoutAnIdInShuffledRequestsThroughTheProxy)
{
    constexpr unsigned kShuffles = 20;
    AgentServer server;
    ProxyHouse house(server.server().port(), "OpenAI-compatible server", asAgentsAskIt);
    int found = 0;
    std::size_t measured = 0; // runs that have an energy
    std::size_t before = 0;
    for (unsigned seed = 0; seed < kShuffles; ++seed) {
        std::mt19937 random(seed);
        auto agents = threeAgents();
        house.during([&] {
            for (const std::size_t turn : shuffledTurns(random))
                agents[turn].ask(house.port());
        });
        ASSERT_TRUE(house.waitForRuns(before + kAgents * kSteps));
        const auto runs = madeRuns(house, before);
        before = house.made.size();
        const auto jobs = session::jobsOf(runs);
        expectNothingLost(jobs, runs, agents);
        measured += static_cast<std::size_t>(std::ranges::count_if(
            runs, [](const RunSummary& run) { return run.metrics.energy.total_mj.has_value(); }));
        found += sessionsAreFound(jobs, runs, agents) ? 1 : 0;
    }
    std::printf(
        "sessions found in %d of %u shuffles through the proxy, %zu of %zu requests with an "
        "energy\n",
        found, kShuffles, measured, before);
    EXPECT_GE(found, 19);
}

// Run concurrently, so that requests overlap and share their energy.
TEST(Agents, RequestsThatOverlapAddUp)
{
    AgentServer server;
    ProxyHouse house(server.server().port(), "OpenAI-compatible server", asAgentsAskIt);
    auto agents = threeAgents();
    house.during([&] {
        std::vector<std::thread> threads;
        for (ScriptedAgent& agent : agents) {
            threads.emplace_back([&agent, port = house.port()] {
                for (int step = 0; step < kSteps; ++step)
                    agent.ask(port);
            });
        }
        for (std::thread& thread : threads)
            thread.join();
    });
    ASSERT_TRUE(house.waitForRuns(kAgents * kSteps));
    const auto runs = madeRuns(house, 0);
    const auto jobs = session::jobsOf(runs);
    std::int64_t input = 0;
    std::int64_t told = 0;
    for (const session::Job& job : jobs)
        input += job.input_tokens.value_or(0);
    for (const ScriptedAgent& agent : agents)
        told += agent.input;
    EXPECT_EQ(input, told);
    EXPECT_TRUE(sessionsAreFound(jobs, runs, agents));
}

} // namespace
} // namespace ep::test
