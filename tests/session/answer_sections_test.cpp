// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/server_run.h"
#include "session/run_watcher.h"

#include "ep/core/answer_sections.h"
#include "ep/store/run_json.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace {

using namespace ep;
using test::EngineScript;
using test::RunWatcher;
using testing::ElementsAre;
using testing::IsEmpty;

// Here a token is one character.
Run runOf(const std::string& text, const std::string& chatTemplate, int tokens)
{
    EngineScript script;
    script.text = text;
    RunWatcher watcher(script);
    session::RunRequest request = watcher.request();
    request.max_new_tokens = tokens;
    if (!chatTemplate.empty()) {
        std::ofstream(request.load.folder / "chat_template.jinja") << chatTemplate;
        request.chat = session::ChatUse::Always;
    }
    return watcher.finish(request);
}

std::vector<std::pair<std::string, std::int64_t>> lengths(const Run& run)
{
    std::vector<std::pair<std::string, std::int64_t>> found;
    for (const AnswerSection& section : answerSections(run))
        found.emplace_back(section.name, section.tokens);
    return found;
}

using Length = std::pair<std::string, std::int64_t>;

TEST(AnswerSections, HaveTheTokensBetweenTheMarksOfTheTemplate)
{
    constexpr const char* kPlain = "{{ messages[0].content }}";
    const ep::Run run = runOf("<think>a</think>bc", kPlain, 18);
    // The first token belongs to the prefill.
    EXPECT_THAT(lengths(run), ElementsAre(Length("Thinking", 15), Length("Answer", 2)));
    EXPECT_THAT(lengths(runOf("ab</think>cde ", "{{ messages[0].content }}<think>\n", 13)),
                ElementsAre(Length("Thinking", 9), Length("Answer", 3)));
    EXPECT_THAT(lengths(runOf("abcd", "{{ messages[0].content }}<think>\n", 4)),
                ElementsAre(Length("Thinking", 3)));
    EXPECT_THAT(lengths(runOf("abcd", kPlain, 4)), IsEmpty());
    EXPECT_THAT(lengths(runOf("<think>a</think>bc", "", 18)), IsEmpty()); // no template
}

// The section reported with each token during the run; "-" before the first thought.
std::string toldSections(const std::string& text, const char* draft = "")
{
    EngineScript script;
    script.text = text;
    RunWatcher watcher(script);
    session::RunRequest request = watcher.request();
    request.max_new_tokens = static_cast<int>(text.size());
    request.levers.draft = draft;
    std::ofstream(request.load.folder / "chat_template.jinja") << "{{ messages[0].content }}";
    request.chat = session::ChatUse::Always;
    watcher.run(request);
    std::string told;
    for (const session::TokenComplete& token : watcher.tokens)
        told += token.section.empty() ? '-' : static_cast<char>(token.section.front());
    return told;
}

TEST(AnswerSections, AreToldDuringTheRun)
{
    EXPECT_EQ(toldSections("a<think>b</think>cd"), "-------TTTTTTTTTTAA");
    EXPECT_EQ(toldSections("abcd"), "----");
    EXPECT_EQ(toldSections("<think>ab", "ngram").find('T'), std::string::npos);
}

TEST(AnswerSections, HaveTheJoulesOfTheirTokens)
{
    ep::Run run = runOf("<think>a</think>bc", "{{ messages[0].content }}", 18);
    for (TokenSpan& token : run.trace.tokens) {
        token.energy.total_mj = Millijoules{10.0 + token.index};
        token.energy.provenance = Provenance::Measured;
    }
    const auto sections = answerSections(run);
    ASSERT_EQ(sections.size(), 2U);
    double decoded = 0.0;
    for (const TokenSpan& token : run.trace.tokens) {
        if (token.phase == Phase::Decode && token.energy.total_mj)
            decoded += token.energy.total_mj->value;
    }
    double sum = 0.0;
    for (const AnswerSection& section : sections) {
        ASSERT_TRUE(section.energy.energy_mj);
        sum += section.energy.energy_mj->value;
        EXPECT_NEAR(*section.joulesPerToken() * static_cast<double>(section.tokens) * 1000.0,
                    section.energy.energy_mj->value, 1e-9);
    }
    EXPECT_GT(decoded, 0.0);
    EXPECT_NEAR(sum, decoded, 1e-9 * decoded);
    for (const TokenSpan& token : run.trace.tokens) {
        EXPECT_EQ(AnswerSections(run.info).nameFor(token),
                  token.phase == Phase::Prefill ? ""
                      : token.index < 16        ? "Thinking"
                                                : "Answer");
    }
    const auto json = nlohmann::json::parse(store::runToJson(run)).at("run").at("answer_sections");
    ASSERT_EQ(json.size(), 2U);
    EXPECT_EQ(json[0].at("section"), "Thinking");
    EXPECT_EQ(json[0].at("tokens"), 15);
    EXPECT_NEAR(json[0].at("energy_mj").get<double>() + json[1].at("energy_mj").get<double>(),
                decoded, 1e-6 * decoded);
}

// Chunks at 10, 20, .. ms; the answer stops with the last one.
Run serverRun(const std::vector<attach::Chunk>& chunks, std::int64_t tokens)
{
    constexpr Nanoseconds kMs = 1'000'000;
    session::ServerRequest request{.engine = "llama.cpp",
                                   .dialect = "openai-chat",
                                   .address = "http://127.0.0.1:8080",
                                   .endpoint = "/v1/chat/completions",
                                   .way = "client",
                                   .model = "m",
                                   .prompt = "hi",
                                   .answer = {},
                                   .outcome = {}};
    attach::Answer& answer = request.answer;
    answer.streamed = true;
    answer.figures.output_tokens = tokens;
    for (const attach::Chunk& chunk : chunks) {
        answer.chunks.push_back(chunk);
        answer.chunks.back().at_ns = static_cast<Nanoseconds>(answer.chunks.size()) * 10 * kMs;
    }
    answer.stopped_ns = answer.chunks.back().at_ns;
    answer.ended_ns = *answer.stopped_ns;
    const session::MachineLoad machine(session::systemLoadClocks({}));
    session::MeasuredPower none;
    none.info.source = "none";
    return session::assembleServerRun(session::describeRequest(request), request, none, machine,
                                      {});
}

TEST(AnswerSections, OfAServerAreItsReasoningOrTheMarksInItsText)
{
    const ep::Run reasoning = serverRun(
        {{0, "h", true}, {0, "m", true}, {0, ".", true}, {0, "a", false}, {0, "b", false}}, 5);
    EXPECT_THAT(lengths(reasoning), ElementsAre(Length("Thinking", 2), Length("Answer", 2)));
    const auto sections = answerSections(reasoning);
    EXPECT_EQ(sections[0].time, (TimeRange{10'000'000, 30'000'000}));
    EXPECT_EQ(sections[1].time, (TimeRange{30'000'000, 50'000'000}));
    EXPECT_FALSE(sections[0].energy.energy_mj); // there is no sensor: missing, not zero
    EXPECT_THAT(lengths(serverRun({{0, "<think>"}, {0, "hm"}, {0, "</think>"}, {0, "a"}}, 4)),
                ElementsAre(Length("Thinking", 2), Length("Answer", 1)));
    EXPECT_THAT(lengths(serverRun({{0, "a"}, {0, "b"}}, 2)), IsEmpty());
    // With several tokens per part, the sections exist, but their token counts are unknown.
    const auto untold = answerSections(serverRun({{0, "h", true}, {0, "m", true}, {0, "a"}}, 9));
    ASSERT_EQ(untold.size(), 2U);
    EXPECT_EQ(untold[0].tokens, 0);
    EXPECT_FALSE(untold[0].joulesPerToken());
}

} // namespace
