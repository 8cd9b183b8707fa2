// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/token_ledger.h"
#include "ep/session/jobs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <set>

namespace {

using namespace ep;
using namespace ep::session;
using testing::SizeIs;

ChatMessage message(const std::string& role, const std::string& text)
{
    return {.role = role,
            .text = text,
            .json = R"({"role":")" + role + R"(","content":")" + text + "\"}"};
}

// An agent that calls tools: each request contains the whole conversation so far.
struct Agent {
    std::string name;
    std::string task;
    std::vector<ChatMessage> messages;
    int step = 0;
    bool shortens = false; // drops old results in the middle of its session

    RunSummary ask(std::int64_t atMs)
    {
        if (messages.empty())
            messages = {message("system", "You are an agent with tools."), message("user", task)};
        if (shortens && step == 4)
            messages[3].text = messages[3].json = "(left out)";
        RunSummary run;
        run.info.id = name + "-" + std::to_string(step);
        run.info.status = RunStatus::Complete;
        run.info.created_at_ms = atMs;
        run.info.model.name = "m";
        run.info.conversation.messages = messages;
        run.info.conversation.tools = R"([{"type":"function"}])";
        run.info.prompt = task;
        run.info.response = "I call a tool, says " + name + " in step " + std::to_string(step);
        run.info.input_tokens = 10 * static_cast<int>(messages.size());
        run.info.output_tokens = 5 + step;
        run.metrics.duration_ns = 400'000'000;
        run.metrics.energy = {.rails_mj = {},
                              .total_mj = Millijoules{100.0 / 3.0 + step},
                              .provenance = Provenance::Measured};
        run.metrics.joules_per_input_token = 0.001;
        ServerRecord server;
        server.engine = "llama.cpp";
        server.address = "http://127.0.0.1:8080";
        server.prompt_tokens = run.info.input_tokens;
        server.output_tokens = run.info.output_tokens;
        server.cached_tokens = step == 0 ? 0 : 10;
        server.uncached_tokens = run.info.input_tokens - *server.cached_tokens;
        run.info.profiling.server = server;
        messages.push_back(message("assistant", run.info.response));
        messages.push_back(message("tool", "Result " + std::to_string(step) + " of every agent"));
        ++step;
        return run;
    }
};

// Three agents, two of them with the same task, whose requests come in any order.
std::vector<RunSummary> interleaved(unsigned seed)
{
    std::mt19937 engine(seed);
    std::vector<Agent> agents{
        {.name = "a", .task = "Mend the test", .messages = {}},
        {.name = "b", .task = "Mend the test", .messages = {}},
        {.name = "c", .task = "Write the docs", .messages = {}, .shortens = true}};
    std::vector<std::size_t> order;
    for (std::size_t agent = 0; agent < agents.size(); ++agent)
        order.insert(order.end(), 7, agent);
    std::shuffle(order.begin(), order.end(), engine);
    std::vector<RunSummary> runs;
    std::int64_t now = 1'769'862'896'789;
    for (const std::size_t agent : order) {
        runs.push_back(agents[agent].ask(now));
        now += 500 + engine() % 2000;
    }
    std::shuffle(runs.begin(), runs.end(), engine);
    return runs;
}

TEST(Jobs, FindsSessionsWithoutAnId)
{
    int found = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        const auto runs = interleaved(seed);
        const std::vector<Job> jobs = jobsOf(runs);
        std::set<std::vector<std::string>> sessions;
        std::int64_t input = 0;
        std::int64_t output = 0;
        double energy = 0.0;
        for (const Job& job : jobs) {
            sessions.insert(job.runs);
            input += job.input_tokens.value_or(0);
            output += job.output_tokens.value_or(0);
            energy += job.energy.energy_mj->value;
        }
        // Whatever the jobs are, nothing is lost or counted twice.
        std::int64_t allInput = 0;
        std::int64_t allOutput = 0;
        double allEnergy = 0.0;
        for (const RunSummary& run : runs) {
            allInput += run.info.input_tokens;
            allOutput += run.info.output_tokens;
            allEnergy += run.metrics.energy.total_mj->value;
        }
        EXPECT_EQ(input, allInput);
        EXPECT_EQ(output, allOutput);
        EXPECT_NEAR(energy / allEnergy, 1.0, 1e-9);
        std::set<std::vector<std::string>> wanted;
        for (const char* name : {"a", "b", "c"}) {
            std::vector<std::string> session;
            for (int step = 0; step < 7; ++step)
                session.push_back(std::string(name) + '-' + std::to_string(step));
            wanted.insert(session);
        }
        found += sessions == wanted ? 1 : 0;
    }
    std::printf("sessions found in %d of 200 shuffles\n", found);
    EXPECT_GE(found, 190);
}

TEST(Jobs, FollowsNames)
{
    auto runs = interleaved(1);
    for (RunSummary& run : runs)
        run.info.tags.push_back(run.info.id.starts_with("c") ? "job:docs" : "job:tests");
    const std::vector<Job> jobs = jobsOf(runs);
    ASSERT_THAT(jobs, SizeIs(2));
    std::set<std::string> names{jobs[0].id, jobs[1].id};
    EXPECT_EQ(names, (std::set<std::string>{"docs", "tests"}));
    EXPECT_TRUE(jobs[0].named);
}

TEST(Jobs, SeparatesModelsServersAndNewSessions)
{
    Agent agent{.name = "a", .task = "T", .messages = {}};
    std::vector<RunSummary> runs{agent.ask(1000), agent.ask(3000)};
    EXPECT_THAT(jobsOf(runs), SizeIs(1));
    runs[1].info.model.name = "other";
    EXPECT_THAT(jobsOf(runs), SizeIs(2));
    // The same task again is another session.
    Agent again{.name = "b", .task = "T", .messages = {}};
    runs = {agent.ask(1000), again.ask(5000)};
    EXPECT_THAT(jobsOf(runs), SizeIs(2));
    // Unless the first attempt failed.
    Agent failed{.name = "c", .task = "U", .messages = {}};
    Agent retry{.name = "d", .task = "U", .messages = {}};
    runs = {failed.ask(1000), retry.ask(5000)};
    runs[0].info.status = RunStatus::Failed;
    EXPECT_THAT(jobsOf(runs), SizeIs(1));
    runs[1].info.status = RunStatus::Running;
    EXPECT_THAT(jobsOf(runs)[0].runs, SizeIs(1));
}

// A run of the engine says what its prompt cache held; its energy per input token counts
// cached ones too.
TEST(Jobs, CountsThePromptCacheOfTheEngine)
{
    Agent agent{.name = "a", .task = "T", .messages = {}};
    RunSummary run = agent.ask(1000);
    run.info.profiling.server.reset();
    run.info.input_tokens = 40;
    run.info.profiling.token_counts = {.cached = 32};
    const Job job = jobsOf(std::vector{run}).at(0);
    EXPECT_EQ(job.cached_tokens, 32);
    run.info.profiling.token_counts.reset();
    EXPECT_FALSE(jobsOf(std::vector{run}).at(0).cached_tokens) << "no cache is not an empty one";
    EXPECT_NEAR(*job.cache_saved_mj, 40.0 / 8.0 * 32.0, 1e-9); // 40 mJ for 8 computed tokens
}

TEST(Jobs, HaveNoTokensWhereACommandStatesNone)
{
    RunSummary run;
    run.info.status = RunStatus::Complete;
    run.info.profiling.command.emplace().arguments = {"make", "a lot"};
    const Job job = jobsOf(std::vector{run}).at(0);
    EXPECT_EQ(job.title, "make 'a lot'");
    EXPECT_FALSE(job.input_tokens || job.output_tokens || job.cached_tokens);
}

TEST(Jobs, DividesTheEnergyByOutputAndByAllTokens)
{
    Agent agent{.name = "a", .task = "T", .messages = {}};
    std::vector<RunSummary> runs{agent.ask(1000), agent.ask(4000)};
    const double joules = jobsOf(runs).at(0).energy.energy_mj->value / 1e3;
    const int output = runs[0].info.output_tokens + runs[1].info.output_tokens;
    const int input = runs[0].info.input_tokens + runs[1].info.input_tokens;
    const Job job = jobsOf(runs).at(0);
    EXPECT_NEAR(*job.joules_per_token, joules / output, 1e-12);
    EXPECT_NEAR(*job.joules_per_total_token, joules / (input + output), 1e-12);
    runs[1].info.profiling.server->prompt_tokens.reset(); // the server did not say
    EXPECT_TRUE(jobsOf(runs).at(0).joules_per_token);
    EXPECT_FALSE(jobsOf(runs).at(0).joules_per_total_token);
    runs[1].metrics.energy = {};
    EXPECT_FALSE(jobsOf(runs).at(0).joules_per_token);
}

TEST(Jobs, SaysWhatTextsCacheAndWaitingCost)
{
    Agent agent{.name = "a", .task = "T", .messages = {}};
    std::vector<RunSummary> runs{agent.ask(1000), agent.ask(3000)};
    runs[0].info.power.baseline.emplace().total_mw = Milliwatts{2000.0};
    const Job job = jobsOf(runs).at(0);
    // 20 tokens, then 40, 10 of which were cached, at 1 mJ each.
    double texts = 0.0;
    for (const auto& text : job.text_mj)
        texts += text.value_or(0.0);
    EXPECT_NEAR(texts, 20.0 + 30.0, 1e-9);
    EXPECT_GT(*job.text_mj[static_cast<std::size_t>(JobText::History)], 0.0);
    EXPECT_NEAR(*job.cache_saved_mj, 10.0, 1e-9);
    EXPECT_EQ(job.cached_tokens, 10);
    EXPECT_EQ(job.waiting_ms, 1600); // 2 s minus the first request
    EXPECT_NEAR(*job.waiting_mj, 3200.0, 1e-9);

    const Job single = jobsOf(std::span(runs).first(1)).at(0);
    EXPECT_FALSE(single.waiting_ms || single.waiting_mj);

    JobChecks checks{.solved = {true}};
    EXPECT_NEAR(*checks.millijoulesPerSolved(std::vector{job}), job.energy.energy_mj->value, 1e-9);
    checks.solved = {false};
    EXPECT_FALSE(checks.millijoulesPerSolved(std::vector{job}));
    runs[1].metrics.energy = {};
    checks.solved = {true};
    EXPECT_FALSE(checks.millijoulesPerSolved(jobsOf(runs)));
}

} // namespace
