// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/server_run.h"
#include "power/server_process.h"
#include "run/job.h"
#include "run/prompt.h"

#include "ep/attach/dialect.h"
#include "ep/attach/http_client.h"
#include "ep/attach/server_search.h"
#include "ep/core/answer_sections.h"
#include "ep/core/clock.h"
#include "ep/core/joined.h"
#include "ep/json/conversation.h"
#include "ep/session/run_settings.h"
#include "ep/store/store.h"
#include "ep/text/thought_marks.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace ep::session {

namespace {

Result<std::string> chooseModel(const std::string& asked, const attach::FoundServer& server)
{
    const auto& models = server.models;
    if (!asked.empty() || models.empty())
        return asked;
    if (models.size() == 1)
        return models.front();
    return Error{ErrorCode::InvalidInput,
                 {"%1 has several models; choose one of %2.", server.engine, joined(models, ", ")}};
}

// The requested dialect, or the server's best one. Messages need a chat dialect.
Result<const attach::Dialect*> chooseDialect(const RunRequest& request, const std::string& best)
{
    const std::string& asked = request.server->dialect;
    const attach::Dialect* dialect = attach::dialectFromId(asked.empty() ? best : asked);
    if (dialect == nullptr)
        return Error{ErrorCode::InvalidInput, {"'%1' is no dialect of a server.", asked}};
    if (request.conversations.empty() || dialect->takesMessages())
        return dialect;
    if (!asked.empty())
        return Error{ErrorCode::InvalidInput,
                     {"The dialect %1 takes a text, not messages: choose one of a chat, such as "
                      "openai-chat.",
                      asked}};
    const attach::Dialect* chat = attach::dialectFromId(best + "-chat");
    return chat != nullptr ? chat : attach::dialectFromId("openai-chat");
}

// The messages to send to a chat; empty if the prompt alone suffices.
Conversation conversationOf(const RunRequest& request, const attach::Dialect& dialect)
{
    const bool promptAlone = request.conversations.empty() && request.system.empty()
        && request.template_variables.empty();
    if (!dialect.takesMessages() || promptAlone)
        return {};
    Conversation all = request.conversations.empty()
        ? json::promptConversation(request.system, request.prompt)
        : request.conversations.front();
    all.variables = json::mergedVariables(all.variables, request.template_variables);
    return all;
}

attach::Ask askOf(const RunRequest& request, const ServerRequest& asked, const std::string& model,
                  int maxTokens)
{
    const SamplingSettings& sampling = request.sampling;
    return {.model = model,
            .prompt = asked.prompt,
            .system = request.system,
            .conversation = asked.conversation,
            .max_tokens = maxTokens,
            .temperature = sampling.temperature,
            .top_k = sampling.top_k,
            .top_p = sampling.top_p,
            .repetition_penalty = sampling.repetition_penalty,
            .seed = sampling.seed,
            .ignore_end = request.ignore_eos};
}

// One request to a user's server, from the question; RunJob does the same with our engine. A
// request that was sent always makes a run.
class ServerJob final : public InferenceJob {
public:
    ServerJob(const RunRequest& request, const RunContext& context)
        : InferenceJob(request, context, "Profiling a server")
    {
    }

private:
    Status perform() override;
    Status findServer();
    Status settle(); // power source, idle baseline, warm-up
    Status ask();
    Status send(int maxTokens, attach::AnswerReader& reader, bool watched);
    void tell(const attach::Answer& answer);
    std::string_view sectionOf(const attach::Chunk& chunk);
    Status finish(const Status& outcome) override;
    Run assemble(const Status& outcome);

    attach::Endpoint m_endpoint;
    const attach::Dialect* m_dialect = nullptr;
    ServerRequest m_asked;
    std::string m_sent_model; // in the name that the server uses
    std::optional<ServerProcess> m_process;
    ClockWatch m_clocks;
    std::size_t m_told = 0; // number of chunks passed to the observers
    text::ThoughtMarks m_marks{{}}; // thoughts in the chunks
    bool m_thought = false; // whether any chunk was a thought
    bool m_sent = false;
};

} // namespace

Status ServerJob::perform()
{
    if (const Status found = findServer(); !found)
        return found;
    if (const Status usable = checkDatabase(m_request.database); !usable)
        return usable;
    if (m_store)
        m_store->begin(m_info);
    if (const Status settled = settle(); !settled)
        return settled;
    return ask();
}

Status ServerJob::findServer()
{
    const ServerTarget& target = *m_request.server;
    const auto endpoint = attach::parseEndpoint(target.address);
    if (!endpoint)
        return endpoint.error();
    m_endpoint = *endpoint;
    m_scope.progress("Looking at the server");
    const auto server = attach::identify(m_endpoint, target.token, m_context.cancel);
    if (!server)
        return server.error();
    const auto dialect = chooseDialect(m_request, server->dialect);
    if (!dialect)
        return dialect.error();
    m_dialect = *dialect;
    const auto model = chooseModel(target.model, *server);
    if (!model)
        return model.error();
    m_asked.engine = server->engine;
    m_asked.dialect = m_dialect->id;
    m_asked.address = m_endpoint.origin();
    m_asked.endpoint = m_dialect->path;
    m_asked.way = "client";
    m_sent_model = *model;
    // mlx_lm.server reports the model that it was started with as "default_model".
    const bool standard = *model == "default_model" && server->models.size() == 1;
    m_asked.model = standard ? server->models.front() : *model;
    m_asked.conversation = conversationOf(m_request, *m_dialect);
    m_asked.prompt = m_request.conversations.empty()
        ? m_request.prompt
        : cleanPrompt(questionOf(m_request.conversations.front()));
    m_asked.max_tokens = m_request.max_new_tokens;
    m_process.emplace(m_endpoint.port, m_asked.engine);

    m_info = describeRequest(m_asked);
    if (!m_request.run_id.empty())
        m_info.id = m_request.run_id;
    m_info.sampling = m_request.sampling;
    m_info.tags = m_request.tags;
    m_info.experiment = m_request.experiment;
    m_info.profiling.settings = recordedSettings(m_request);
    m_info.chat_template = m_dialect->chat;
    return {};
}

Status ServerJob::settle()
{
    if (const Status started = m_power.start({}); !started) // the server may use any device
        return started;
    if (m_request.warmup_tokens > 0) {
        m_scope.progress("Warming up");
        attach::AnswerReader unused(*m_dialect, attach::Framing::Whole, 0);
        if (const Status warm = send(m_request.warmup_tokens, unused, false); !warm)
            return warm;
    }
    if (const Status idle = m_power.measureIdle(m_request.baseline_seconds); !idle)
        return idle;
    return m_power.restartReplay({});
}

Status ServerJob::ask()
{
    m_load.begin(&*m_process);
    m_clocks.begin();
    m_info.power = m_power.describe();
    attach::AnswerReader reader(*m_dialect, attach::Framing::Whole, monotonicNow());
    m_sent = true;
    const Status sent = send(m_request.max_new_tokens, reader, true);
    m_load.end();
    m_clocks.look();
    return sent;
}

// The reader is created again once the kind of answer is known.
Status ServerJob::send(int maxTokens, attach::AnswerReader& unused, bool watched)
{
    const attach::HttpAsk ask{
        .endpoint = m_endpoint,
        .path = m_dialect->path,
        .body = m_dialect->body(askOf(m_request, m_asked, m_sent_model, maxTokens)),
        .token = m_request.server->token};
    std::optional<attach::AnswerReader> reader;
    Nanoseconds asked = 0;
    const auto sending = [&](Nanoseconds at) {
        asked = at;
        if (!watched)
            return;
        m_power.announce(m_info, at);
        m_power.phases().enter(Phase::Prefill, at);
        m_context.outbox.put(
            SectionBegan{{.phase = Phase::Prefill, .section = Section::Layers, .time = {at, at}}});
    };
    const auto head = [&](const attach::AnswerHead& answered) {
        reader.emplace(*m_dialect, attach::framingOf(answered.field("content-type").value_or("")),
                       asked);
        return Status();
    };
    const auto bytes = [&](std::string_view text, Nanoseconds at) {
        const Status fed = reader->feed(text, at);
        if (watched)
            tell(reader->answer());
        return fed;
    };
    Status outcome =
        attach::perform(ask, {.head = head, .bytes = bytes, .sending = sending}, m_context.cancel);
    const Nanoseconds end = monotonicNow();
    m_sent = m_sent && (outcome || !attach::nobodyListens(outcome.error()));
    if (reader && outcome)
        outcome = reader->finish(end);
    if (!watched)
        return outcome;
    m_asked.answer = reader ? reader->answer() : unused.answer();
    m_asked.answer.asked_ns = asked;
    m_asked.answer.ended_ns = std::max(asked, outcome ? m_asked.answer.ended_ns : end);
    return outcome;
}

// Returns the current section, as far as the text so far shows it; empty before any thinking.
std::string_view ServerJob::sectionOf(const attach::Chunk& chunk)
{
    m_marks.add(chunk.text);
    const bool thinking = chunk.thought || m_marks.last() == text::AnswerPart::Thinking;
    m_thought = m_thought || thinking;
    return !m_thought ? std::string_view() : thinking ? kThinkingSection : kAnswerSection;
}

// Passes on parts of the text as they arrive; the number of tokens is known only at the end.
void ServerJob::tell(const attach::Answer& answer)
{
    for (; m_told < answer.chunks.size(); ++m_told) {
        const attach::Chunk& chunk = answer.chunks[m_told];
        TokenComplete event;
        event.token.index = static_cast<std::int32_t>(m_told);
        event.token.text = chunk.text;
        event.token.phase = m_told == 0 ? Phase::Prefill : Phase::Decode;
        event.token.time = {m_told == 0 ? answer.asked_ns : answer.chunks[m_told - 1].at_ns,
                            chunk.at_ns};
        if (m_told == 0) {
            m_power.phases().enter(Phase::Decode, chunk.at_ns);
            m_context.outbox.put(SectionBegan{{.phase = Phase::Decode,
                                               .section = Section::Layers,
                                               .time = {chunk.at_ns, chunk.at_ns}}});
        }
        event.section = sectionOf(chunk);
        m_power.estimate(event);
        m_context.outbox.put(std::move(event));
    }
}

Run ServerJob::assemble(const Status& outcome)
{
    m_asked.outcome = outcome;
    checkCounts(m_asked);
    m_power.phases().end(m_asked.answer.ended_ns);
    return assembleServerRun(m_info, m_asked, measuredPower(m_scope), m_load,
                             m_clocks.interruptions());
}

Status ServerJob::finish(const Status& outcome)
{
    if (!m_sent) {
        m_power.stop({});
        if (m_store && m_info.profiling.server)
            m_store->discard();
        return outcome;
    }
    m_power.stop({m_asked.answer.asked_ns, m_asked.answer.ended_ns});
    putRun(assemble(outcome));
    return {};
}

std::unique_ptr<InferenceJob> makeServerJob(const RunRequest& request, const RunContext& context)
{
    return std::make_unique<ServerJob>(request, context);
}

} // namespace ep::session
