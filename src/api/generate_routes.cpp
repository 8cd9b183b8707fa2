// SPDX-License-Identifier: GPL-3.0-or-later
// New runs and the queue in which they wait.
#include "context.h"
#include "generate_fields.h"

#include "ep/core/uuid.h"
#include "ep/json/conversation.h"
#include "ep/json/document.h"
#include "ep/json/value.h"
#include "ep/model/library.h"
#include "ep/session/run_settings.h"

#include <algorithm>
#include <utility>

namespace ep::api {

namespace {

// A body of valid form whose request is impossible: 422.
struct Impossible {
    Error error;
};

// In code points, as JSON Schema counts.
std::size_t characters(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::string> textsAt(json::StrictObject& body, const TextList& facts)
{
    std::vector<std::string> texts;
    const auto list = body.find(facts.name);
    if (!list)
        return texts;
    if (list->requireArray().size() > facts.most_items)
        list->fail("has more than " + std::to_string(facts.most_items) + " texts");
    for (const json::OrderedValue& text : list->elements()) {
        texts.push_back(text.asString());
        if (characters(texts.back()) > facts.most_characters)
            text.fail("is longer than " + std::to_string(facts.most_characters) + " characters");
    }
    return texts;
}

// Returns which of two names of a field is given. Giving both is an error.
const char* eitherName(json::StrictObject& body, const char* name, const char* other)
{
    const bool one = body.findOrNull(name).has_value();
    const bool second = body.findOrNull(other).has_value();
    if (one && second)
        throw BadQuery{std::string(name) + " and " + other + " are the same: give one of them."};
    return second ? other : name;
}

// Refuses null where a field must be a string.
std::string textAt(json::StrictObject& body, const char* name)
{
    const auto value = body.findOrNull(name);
    return value ? value->asString() : std::string();
}

// Finds known models by name only; paths are never accepted.
std::filesystem::path modelFolder(const Context& context, const std::string& name)
{
    for (const model::ModelListing& listing :
         model::discoverModels(context.options().model_folders)) {
        if (listing.name == name && listing.supported)
            return listing.path;
    }
    return {};
}

struct Asked {
    session::RunRequest request;
    std::string model;
    bool wait = true;
};

void readConversation(json::StrictObject& fields, session::RunRequest& request)
{
    const json::OrderedValue body = fields.value();
    const auto part = [&](const char* key) {
        const auto found = fields.find(key);
        return found ? found->json() : json::OrderedJson();
    };
    const json::OrderedJson messages = part("messages");
    const json::OrderedJson tools = part("tools");
    const json::OrderedJson variables = part("template_variables");
    const bool conversation = body.contains("messages");
    const Status possible =
        session::checkTogether(session::PromptParts{.messages = conversation,
                                                    .prompt = body.contains("prompt"),
                                                    .system = body.contains("system"),
                                                    .tools = !tools.is_null(),
                                                    .variables = !variables.is_null(),
                                                    .chat = request.chat != session::ChatUse::Off});
    if (!possible)
        throw BadQuery{possible.error().message.english()};
    const auto prompt = json::promptConversation({}, request.prompt);
    const auto read = json::conversationOf(conversation ? messages : json::messagesJson(prompt),
                                           tools, variables);
    if (!read)
        throw BadQuery{"The conversation cannot be used: " + read.error().message.english() + "."};
    if (!conversation)
        request.template_variables = read->variables;
    else
        request.conversations = {*read};
}

// Takes only words that the schema states: a replay would name a file. Throws json::ReadError.
void readAsked(json::StrictObject& fields, const session::RunSetting& row,
               session::RunRequest& request)
{
    const auto key = row.name == "max_new_tokens"
        ? std::string_view(eitherName(fields, "max_new_tokens", "max_length"))
        : row.name;
    if (!row.values.list)
        return session::readSetting(fields, row, request, key);
    const auto value = fields.find(key);
    if (!value)
        return;
    const std::string& word = value->asString();
    if (word.size() > kLongestWord || !row.names(word))
        value->fail(Message("must be %1, not %2", session::valuesText(row), json::inQuotes(word)));
    if (const Status possible = session::readSetting(row, word, request); !possible)
        throw Impossible{possible.error()};
}

// Throws json::ReadError.
Asked askedBy(const json::OrderedValue& root)
{
    json::StrictObject fields(root);
    Asked asked;
    session::RunRequest& request = asked.request;
    asked.model = textAt(fields, eitherName(fields, "model_name", "model"));
    if (asked.model.empty())
        throw BadQuery{"model_name is missing; /api/profiling/models lists the names."};
    request.prompt = textAt(fields, "prompt");
    if (request.prompt.empty() && !fields.findOrNull("messages"))
        throw BadQuery{"prompt is missing, and so are messages."};
    for (const session::RunSetting& row : session::runSettings()) {
        if ((row.places & kInRequests) != 0)
            readAsked(fields, row, request);
    }
    request.sampling.stop = textsAt(fields, kStopTexts);
    request.system = textAt(fields, "system");
    readConversation(fields, request);
    request.tags = textsAt(fields, kTags);
    request.experiment = fields.string(eitherName(fields, "experiment_name", "experiment"), {});
    if (characters(request.experiment) > kLongestExperiment)
        throw BadQuery{"experiment_name is longer than " + std::to_string(kLongestExperiment)
                       + " characters."};
    if (const Status possible = session::checkTogether(request); !possible)
        throw Impossible{possible.error()};
    asked.wait = fields.boolean("wait", true);
    session::refuseElsewhere(fields, kInRequests);
    fields.refuseOthers("is not known; /openapi.json lists the fields");
    return asked;
}

Asked readBody(const std::string& body)
{
    const json::TextShape shape = json::shapeOf(body);
    if (shape.values > kMaxValues && shape.depth <= json::kMaxDepth) {
        throw BadQuery{"The body has more than " + std::to_string(kMaxValues)
                       + " numbers, texts, lists and objects."};
    }
    const auto json = json::parseOrdered(body);
    if (!json)
        throw BadQuery{"The body is " + json.error().message.english() + "."};
    const auto asked = json::read("The body cannot be used", *json, askedBy);
    if (!asked)
        throw BadQuery{asked.error().message.english()};
    return *asked;
}

// Clients know models by name; their location is not disclosed.
struct NamedModel {
    std::string name;
    std::string folder;

    std::string nameIn(const Message& said) const
    {
        std::string message = said.english();
        for (std::size_t at = 0; (at = message.find(folder, at)) != std::string::npos;)
            message.replace(at, folder.size(), name);
        return message;
    }
};

HttpResponse outcomeResponse(const RunOutcome& outcome, const NamedModel& model)
{
    if (!outcome.finished) {
        Error error = outcome.error;
        if (error.code == ErrorCode::NotFound) // the address is valid, so this is not a 404
            error.code = ErrorCode::InvalidInput;
        error.message = model.nameIn(error.message);
        return failure(error);
    }
    const Run& run = *outcome.finished->run;
    Json json{{"run_id", run.info.id},
              {"status", std::string(name(run.info.status))},
              {"saved", outcome.finished->saved},
              {"response", run.info.response},
              {"input_tokens", run.info.input_tokens},
              {"output_tokens", run.info.output_tokens},
              {"summary", runSummary(run)}};
    if (run.info.status == RunStatus::Cancelled) {
        json["error"] = {{"status", 409}, {"message", "The run was cancelled."}};
        return jsonResponse(json, 409);
    }
    if (run.info.status != RunStatus::Complete || !outcome.finished->save_problem.empty()) {
        json["error"] = {{"status", 500},
                         {"message",
                          model.nameIn(outcome.finished->save_problem.empty()
                                           ? run.info.status_message
                                           : outcome.finished->save_problem)}};
        return jsonResponse(json, 500);
    }
    return jsonResponse(json);
}

void generate(Context& context, const HttpRequest& request, const Reply& reply)
{
    Asked asked;
    try {
        asked = readBody(request.body);
    } catch (const Impossible& impossible) {
        return reply.send(failure(impossible.error));
    }
    asked.request.load.folder = modelFolder(context, asked.model);
    if (asked.request.load.folder.empty()) {
        return reply.send(errorResponse(
            404, "There is no model of this name; /api/profiling/models lists the names."));
    }
    if (std::string& draft = asked.request.levers.draft;
        !draft.empty() && draft != session::kNgramDraft) {
        draft = modelFolder(context, draft).string();
        if (draft.empty())
            return reply.send(errorResponse(
                404, "There is no draft of this name; /api/profiling/models lists the names."));
    }
    asked.request.run_id = makeUuid();
    asked.request.database = context.options().database;
    asked.request.store_texts = context.options().store_texts;
    const std::string id = asked.request.run_id;
    const NamedModel model{asked.model, asked.request.load.folder.string()};
    QueuedRun run{.request = std::move(asked.request), .bytes = request.body.size()};
    if (asked.wait) {
        run.ended = [reply, model](const RunOutcome& outcome) {
            reply.send(outcomeResponse(outcome, model));
        };
        run.wanted = [reply] { return reply.clientIsThere(); };
    }
    const int position = context.queue().submit(std::move(run));
    if (position < 0) {
        HttpResponse response =
            errorResponse(429, "The queue is full: wait until one of its runs has ended.");
        response.headers.emplace_back("Retry-After", "5");
        return reply.send(response);
    }
    if (!asked.wait) {
        reply.send(jsonResponse({{"run_id", id},
                                 {"status", position == 0 ? "running" : "queued"},
                                 {"position", position}},
                                202));
    }
}

Json queueJson(Context& context)
{
    Json json{{"running", nullptr}, {"waiting", Json::array()}};
    if (const auto id = context.queue().runningId())
        json["running"] = *id;
    int position = json["running"].is_null() ? 0 : 1;
    for (const std::string& id : context.queue().waitingIds())
        json["waiting"].push_back({{"run_id", id}, {"position", position++}});
    return json;
}

} // namespace

void addGenerateRoutes(std::vector<Route>& routes, Context& context)
{
    routes.push_back(
        {.method = "POST",
         .path = "/api/profiling/generate",
         .summary =
             "Profile a generation. Only one runs at a time, others wait in a queue; the reply is "
             "sent when the run is stored, or immediately (202) with \"wait\": false",
         .body = "GenerateRequest",
         .answer = "Generated",
         .refusals = {202, 404, 409, 422, 429, 500},
         .handle = [&context](const HttpRequest& request, const Arguments&, const Reply& reply) {
             generate(context, request, reply);
         }});
    routes.push_back(
        {.method = "GET",
         .path = "/api/profiling/queue",
         .summary = "The run in progress and the waiting ones, with their positions",
         .answer = "Queue",
         .handle = [&context](const HttpRequest&, const Arguments&, const Reply& reply) {
             reply.send(jsonResponse(queueJson(context)));
         }});
    routes.push_back(
        {.method = "DELETE",
         .path = "/api/profiling/queue/{id}",
         .summary = "Cancel the run in progress (its data so far are stored), or remove one from "
                    "the queue",
         .answer = "Cancelled",
         .refusals = {404},
         .handle = [&context](const HttpRequest&, const Arguments& arguments, const Reply& reply) {
             const std::string& id = arguments.at("id");
             reply.send(context.queue().cancel(id)
                            ? jsonResponse({{"cancelled", id}})
                            : errorResponse(404, "No run with this id is in progress or waiting."));
         }});
}

} // namespace ep::api
