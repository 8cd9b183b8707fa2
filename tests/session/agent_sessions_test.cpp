// SPDX-License-Identifier: GPL-3.0-or-later
// Two simultaneous sessions of an agent, without an id. Requests have the form in which the agent
// sends them to the user's own server; what it adds to each request, and how it shortens its
// history, is imitated. The table has a row for each agent.
#include "ep/attach/dialect.h"
#include "ep/session/jobs.h"
#include "ep/session/privacy.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace ep::session {
namespace {

using Json = nlohmann::ordered_json;

struct Said {
    std::string role; // "user", "assistant", "tool"
    std::string text;
    std::string call{}; // argument of the assistant's tool call
};
using History = std::vector<Said>;

struct Chance {
    std::mt19937 engine;
    int below(int most) { return static_cast<int>(engine() % static_cast<unsigned>(most)); }
    std::string hash() { return std::to_string(10'000 + below(90'000)); }
};

Json openAiMessage(const Said& said, std::size_t number)
{
    Json message{{"role", said.role}, {"content", said.text}};
    const std::string id = "call_" + std::to_string(number); // servers count from zero
    if (said.role == "tool")
        message["tool_call_id"] = id;
    if (!said.call.empty())
        message["tool_calls"] = {
            {{"id", id},
             {"type", "function"},
             {"function", {{"name", "read"}, {"arguments", "{\"path\": \"" + said.call + "\"}"}}}}};
    return message;
}

Json openAiMessages(const std::string& system, const History& history)
{
    Json messages{{{"role", "system"}, {"content", system}}};
    for (std::size_t i = 0; i < history.size(); ++i)
        messages.push_back(openAiMessage(history[i], i));
    return messages;
}

Json claudeCode(const History& history, Chance& chance)
{
    Json messages = Json::array();
    for (std::size_t i = 0; i < history.size(); ++i) {
        const Said& said = history[i];
        Json parts = Json::array();
        if (i == 0)
            parts.push_back(
                {{"type", "text"},
                 {"text",
                  "<system-reminder>\nToday is day " + chance.hash() + "\n</system-reminder>"}});
        if (said.role == "tool")
            parts.push_back({{"type", "tool_result"},
                             {"tool_use_id", "toolu_" + std::to_string(i)},
                             {"content", said.text}});
        else if (!said.text.empty())
            parts.push_back({{"type", "text"}, {"text", said.text}});
        if (!said.call.empty())
            parts.push_back({{"type", "tool_use"},
                             {"id", "toolu_" + std::to_string(i + 1)},
                             {"name", "read"},
                             {"input", {{"path", said.call}}}});
        if (i + 1 == history.size())
            parts.back()["cache_control"] = {{"type", "ephemeral"}};
        messages.push_back(
            {{"role", said.role == "assistant" ? "assistant" : "user"}, {"content", parts}});
    }
    return {{"model", "m"},
            {"system",
             {{{"type", "text"},
               {"text",
                "x-anthropic-billing-header: cc_version=2.1.36." + chance.hash()
                    + "; cc_entrypoint=cli; cch=" + chance.hash() + ";"}},
              {{"type", "text"}, {"text", "You are Claude Code."}}}},
            {"messages", messages}};
}

Json codex(const History& history, Chance& chance)
{
    Json input{{{"type", "message"},
                {"role", "user"},
                {"content",
                 {{{"type", "input_text"},
                   {"text",
                    "<environment_context>\n<current_date>" + chance.hash()
                        + "</current_date>\n</environment_context>"}}}}}};
    for (std::size_t i = 0; i < history.size(); ++i) {
        const Said& said = history[i];
        if (said.role == "tool") {
            input.push_back({{"type", "function_call_output"},
                             {"call_id", "call_" + std::to_string(i)},
                             {"output", said.text}});
            continue;
        }
        if (!said.text.empty())
            input.push_back({{"type", "message"},
                             {"role", said.role},
                             {"content",
                              {{{"type", said.role == "user" ? "input_text" : "output_text"},
                                {"text", said.text}}}}});
        if (!said.call.empty())
            input.push_back({{"type", "function_call"},
                             {"name", "read"},
                             {"arguments", "{\"path\":\"" + said.call + "\"}"},
                             {"call_id", "call_" + std::to_string(i + 1)}});
    }
    return {{"model", "m"}, {"instructions", "You are Codex."}, {"input", input}};
}

// Older releases add environment details with the time to each message of the user. They shorten a
// long history to the first exchange and the newest ones.
Json olderCline(const History& history, Chance& chance)
{
    History shown = history;
    constexpr std::ptrdiff_t kKept = 9;
    if (std::ssize(shown) > kKept)
        shown.erase(shown.begin() + 2, shown.end() - 5);
    Json messages{{{"role", "system"}, {"content", "You are Cline."}}};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const bool assistant = shown[i].role == "assistant";
        std::string text = shown[i].text + (shown[i].call.empty() ? "" : "<read>" + shown[i].call);
        if (assistant) {
            messages.push_back({{"role", "assistant"}, {"content", text}});
            continue;
        }
        messages.push_back({{"role", "user"},
                            {"content",
                             {{{"type", "text"}, {"text", text}},
                              {{"type", "text"},
                               {"text",
                                "<environment_details>\n# Time\n" + chance.hash()
                                    + "\n</environment_details>"}}}}});
    }
    return {{"model", "m"}, {"messages", messages}};
}

// Cline puts the date into the system text, and wraps the user's words in a tag with the mode.
Json cline(const History& history, Chance& chance)
{
    History shown = history;
    for (Said& said : shown) {
        if (said.role == "user")
            said.text = "<user_input mode=\"act\">" + said.text + "</user_input>";
    }
    return {
        {"model", "m"},
        {"messages",
         openAiMessages("You are Cline.\n<env>\n2. Date: " + chance.hash() + "\n</env>", shown)}};
}

// Cline and Aider have a transcript summarised, in a request of its own.
Json transcript(const std::string& system, const std::string& user, const std::string& assistant,
                const History& history)
{
    std::string text;
    for (const Said& said : history)
        text += (said.role == "assistant" ? assistant : user) + said.text + said.call + "\n\n";
    return {{"model", "m"}, {"messages", openAiMessages(system, {{"user", text}})}};
}

Json clineSummary(const History& history)
{
    return transcript("Summarize the provided coding session.", "[User]: ", "[Bot]: ", history);
}

Json aiderSummary(const History& history)
{
    return transcript("*Briefly* summarize this partial conversation.", "# USER\n", "# ASSISTANT\n",
                      history);
}

// Examples and a map of the repository come before the chat, the map changes, and a reminder comes
// after it; no tools.
Json aider(const History& history, Chance& chance)
{
    Json messages{
        {{"role", "system"}, {"content", "Act as an expert. " + chance.hash()}},
        {{"role", "user"}, {"content", "Change the greeting to be more casual"}},
        {{"role", "assistant"}, {"content", "Ok, I will: hello.py <<<<<<< SEARCH"}},
        {{"role", "user"}, {"content", "Summaries of files: " + std::to_string(chance.below(3))}},
        {{"role", "assistant"}, {"content", "Ok, I won't try and edit those files."}}};
    for (const Said& said : history)
        messages.push_back({{"role", said.role == "tool" ? "user" : said.role},
                            {"content", said.text + said.call}});
    messages.push_back({{"role", "system"}, {"content", "# *SEARCH/REPLACE block* rules"}});
    return {{"model", "m"}, {"messages", messages}};
}

// The date in the system text; the oldest messages are left out.
Json continueDev(const History& history, Chance& chance)
{
    const std::size_t from = history.size() > 7 ? history.size() - 5 : 0;
    return {{"model", "m"},
            {"messages",
             openAiMessages("You are in agent mode. <env>" + chance.hash() + "</env>",
                            {history.begin() + static_cast<std::ptrdiff_t>(from), history.end()})}};
}

// The newest message and the system text become lists of parts with cache_control.
Json qwenCode(const History& history, Chance& chance)
{
    Json messages = openAiMessages("You are Qwen Code. <env>" + chance.hash() + "</env>", history);
    for (Json* one : {&messages.front(), &messages.back()})
        (*one)["content"] = {{{"type", "text"},
                              {"text", (*one)["content"]},
                              {"cache_control", {{"type", "ephemeral"}}}}};
    return {{"model", "m"}, {"messages", messages}};
}

Json goose(const History& history, Chance& chance)
{
    Json messages = openAiMessages("You are goose.", history);
    messages.back()["content"] = messages.back()["content"].get<std::string>()
        + "\n<info-msg>\nIt is currently " + chance.hash() + "\n</info-msg>";
    return {{"model", "m"}, {"messages", messages}};
}

Json plain(const History& history, Chance& chance) // opencode, Crush, Zed
{
    return {{"model", "m"},
            {"messages", openAiMessages("<env>\nToday: " + chance.hash() + "\n</env>", history)}};
}

// The history after a summary.
History goesOn(const std::string& summary)
{
    return {{"user", "This session is being continued. Summary:\n" + summary + "\nGo on."}};
}

History continueGoesOn(const std::string& summary)
{
    return {{"assistant", summary}, {"user", "Go on."}};
}

History aiderGoesOn(const std::string& summary)
{
    return {{"user", "I spoke to you previously about a number of things.\n" + summary},
            {"assistant", "Ok."},
            {"user", "Go on."}};
}

struct Agent {
    const char* name;
    Json (*body)(const History&, Chance&);
    bool callsInText; // has no tools of the API
    Json (*summary)(const History&) = nullptr; // how it requests a summary; null: asks on
    History (*after)(const std::string& summary) = goesOn;
};
constexpr Agent kAgents[] = {{"Claude Code", claudeCode, false},
                             {"Codex", codex, false},
                             {"Cline", cline, false, clineSummary},
                             {"Cline, older", olderCline, true},
                             {"Aider", aider, true, aiderSummary, aiderGoesOn},
                             {"Continue", continueDev, false, nullptr, continueGoesOn},
                             {"Qwen Code", qwenCode, false},
                             {"Goose", goose, false},
                             {"opencode, Crush, Zed", plain, false}};

struct Session {
    std::string task;
    History history{};
    int step = 0;

    RunSummary ask(const Agent& agent, int number, std::int64_t atMs, bool texts, Chance& chance)
    {
        constexpr int kCompacted = 8; // step at which the client has its history summarised
        const bool apart = step == kCompacted && agent.summary != nullptr;
        if (history.empty())
            history.push_back({"user", task});
        else if (step == kCompacted && !apart)
            history.push_back({"user", "Write a detailed summary of this conversation."});
        const Json body = apart ? agent.summary(history) : agent.body(history, chance);
        const attach::AskedFor asked = attach::readRequest(body.dump());
        RunSummary run;
        run.info.id = std::to_string(number) + "-" + std::to_string(step);
        run.info.status = RunStatus::Complete;
        run.info.created_at_ms = atMs;
        run.info.model.name = "m";
        run.info.prompt = asked.prompt;
        run.info.conversation = asked.conversation;
        answer(agent, run, step == kCompacted, chance);
        if (!texts)
            hashTexts(run.info);
        ++step;
        return run;
    }

private:
    void answer(const Agent& agent, RunSummary& run, bool summary, Chance& chance)
    {
        const std::string file = "src/file" + chance.hash() + ".cpp";
        if (summary) {
            const std::string text = "1. The task was to mend what " + file
                + " does, 2. the test of " + chance.hash() + " fails, 3. next comes the rest.";
            run.info.response = "<analysis>" + chance.hash() + "</analysis>" + text;
            history = agent.after(text);
            return;
        }
        constexpr const char* kWords[] = {"", "", "I'll look at the files.", "Now the test. "};
        Said said{"assistant", kWords[chance.below(4)], {}};
        if (agent.summary != nullptr) // both are told to plan in words
            said.text = "Next is line " + chance.hash() + ", since the test that reads it fails. ";
        const bool last = chance.below(4) == 0;
        if (last)
            said.text += "This is done, see " + file;
        else if (agent.callsInText)
            said.text += "<read>" + file;
        else
            said.call = file;
        run.info.response = said.text;
        if (!said.call.empty())
            run.info.response +=
                (said.text.empty() ? "" : "\n") + ("read{\"path\": \"" + said.call + "\"}");
        history.push_back(said);
        history.push_back(last ? Said{"user", "And now?"} : Said{"tool", "3 lines"});
    }
};

struct Found {
    int wrong = 0; // requests in a job of the other session
    int right = 0; // requests in the job of their own session
    int all = 0;
};

// Of each job, the session that has more of its requests owns it; of each session, its largest job
// counts as the right one.
void addFound(const std::vector<Job>& jobs, Found& found)
{
    std::map<char, int> largest;
    for (const Job& job : jobs) {
        std::map<char, int> of;
        for (const std::string& run : job.runs)
            ++of[run.front()];
        int most = 0;
        for (const auto& [session, count] : of) {
            most = std::max(most, count);
            largest[session] = std::max(largest[session], count);
        }
        found.wrong += static_cast<int>(job.runs.size()) - most;
        found.all += static_cast<int>(job.runs.size());
    }
    for (const auto& [session, count] : largest)
        found.right += count;
}

TEST(AgentSessions, AreFoundWithoutAnId)
{
    constexpr int kSteps = 12;
    for (const Agent& agent : kAgents) {
        for (const bool texts : {true, false}) {
            Found found;
            for (unsigned seed = 0; seed < 60; ++seed) {
                Chance chance{.engine = std::mt19937(seed)};
                std::vector<int> turns(2 * kSteps);
                for (std::size_t i = 0; i < turns.size(); ++i)
                    turns[i] = static_cast<int>(i % 2);
                std::ranges::shuffle(turns, chance.engine);
                // Every third time, both begin with the same task.
                Session sessions[2] = {
                    {.task = "Mend the test"},
                    {.task = seed % 3 == 0 ? "Mend the test" : "Write the docs"}};
                std::vector<RunSummary> runs;
                std::int64_t now = 1'769'862'896'789;
                for (const int turn : turns)
                    runs.push_back(sessions[turn].ask(agent, turn, now += 900, texts, chance));
                addFound(jobsOf(runs), found);
            }
            std::printf("%-22s %s: %5d requests, %d in the wrong job, %.2f %% in the right one\n",
                        agent.name, texts ? "texts " : "hashes", found.all, found.wrong,
                        100.0 * found.right / found.all);
            if (texts) {
                EXPECT_EQ(found.wrong, 0) << agent.name;
                EXPECT_GE(found.right, found.all * 99 / 100) << agent.name;
            }
        }
    }
}

} // namespace
} // namespace ep::session
