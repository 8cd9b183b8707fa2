// SPDX-License-Identifier: GPL-3.0-or-later
// New runs and the queue in which they wait.
#include "context.h"

#include "ep/core/joined.h"
#include "ep/core/uuid.h"
#include "ep/json/conversation.h"
#include "ep/json/document.h"
#include "ep/json/value.h"
#include "ep/model/dtype.h"
#include "ep/model/library.h"
#include "ep/power/source.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace ep::api {

namespace {

constexpr int kMostTokens = 1'000'000;

std::vector<std::string> textsAt(json::StrictObject& body, std::string_view key)
{
    std::vector<std::string> texts;
    if (const auto list = body.find(key)) {
        for (const json::Value& text : list->elements())
            texts.push_back(text.asString());
    }
    return texts;
}

// Only by name among the known models: paths are never accepted.
std::filesystem::path modelFolder(const Context& context, const std::string& name)
{
    for (const model::ModelListing& listing :
         model::discoverModels(context.options().model_folders)) {
        if (listing.name == name && listing.supported)
            return listing.path;
    }
    return {};
}

std::string liveSources()
{
    std::vector<std::string> kinds;
    for (const power::SourceKind& source : power::sourceKinds()) {
        if (source.kind != "replay")
            kinds.push_back(source.kind);
    }
    return joined(kinds);
}

power::SourceChoice sourceOf(const std::string& text)
{
    const auto choice = power::parseSourceChoice(text);
    // A replay names a file.
    if (!choice || choice->kind == "replay")
        throw BadQuery{"power_source must be one of " + liveSources() + "."};
    return *choice;
}

std::string oneOf(const std::string& name, const std::string& value,
                  const std::vector<std::string>& choices)
{
    if (std::ranges::count(choices, value) > 0)
        return value;
    throw BadQuery{name + " must be one of " + joined(choices) + "."};
}

std::string deviceOf(const std::string& device)
{
    const bool numbered = device.rfind("cuda:", 0) == 0 && device.size() > 5 && device.size() < 9
        && device.find_first_not_of("0123456789", 5) == std::string::npos;
    return numbered ? device : oneOf("device", device, {"auto", "cpu", "mps", "cuda"});
}

struct Asked {
    session::RunRequest request;
    std::string model;
    bool wait = true;
};

// Conversations need the order of the members, which `ordered` has: the same body.
void readConversation(json::StrictObject& fields, const json::OrderedJson& ordered,
                      session::RunRequest& request)
{
    const auto part = [&](const char* key) {
        fields.ignore(key);
        return ordered.contains(key) ? ordered.at(key) : json::OrderedJson();
    };
    const json::OrderedJson messages = part("messages");
    const json::OrderedJson tools = part("tools");
    const json::OrderedJson variables = part("template_variables");
    const bool chats = request.chat != session::ChatUse::Off;
    if (messages.is_null() && !tools.is_null())
        throw BadQuery{"tools need messages."};
    if (messages.is_null() && !variables.is_null() && !chats)
        throw BadQuery{"template_variables need messages or \"chat\": true."};
    if (!messages.is_null() && !(request.prompt + request.system).empty())
        throw BadQuery{"messages take the place of prompt and system; give one of them."};
    const auto prompt = json::promptConversation({}, request.prompt);
    const auto read = json::conversationOf(
        messages.is_null() ? json::messagesJson(prompt) : messages, tools, variables);
    if (!read)
        throw BadQuery{"The conversation cannot be used: " + read.error().message + "."};
    if (messages.is_null())
        request.template_variables = read->variables;
    else
        request.conversations = {*read};
}

// Throws json::ReadError.
Asked askedBy(const json::Value& root, const json::OrderedJson& ordered)
{
    json::StrictObject fields(root);
    Asked asked;
    session::RunRequest& request = asked.request;
    asked.model = fields.string("model_name", fields.string("model", {}));
    if (asked.model.empty())
        throw BadQuery{"model_name is missing; /api/profiling/models lists the names."};
    request.prompt = fields.string("prompt", {});
    if (request.prompt.empty() && !fields.find("messages"))
        throw BadQuery{"prompt is missing, and so are messages."};
    request.depth =
        depthFromName(oneOf("profiling_depth", fields.string("profiling_depth", "module"),
                            {"none", "module", "deep"}))
            .value_or(Depth::Module);
    request.max_new_tokens = fields.integer(
        "max_new_tokens", fields.integer("max_length", request.max_new_tokens, 1, kMostTokens), 1,
        kMostTokens);
    request.sampling.temperature = fields.number("temperature", 0.0, 0.0, 100.0);
    request.sampling.top_k = fields.integer("top_k", 0, 0, kMostTokens);
    request.sampling.top_p = fields.number("top_p", 1.0, 0.0, 1.0);
    request.sampling.min_p = fields.number("min_p", 0.0, 0.0, 1.0);
    request.sampling.repetition_penalty = fields.number("repetition_penalty", 1.0, 0.01, 100.0);
    request.sampling.seed =
        static_cast<std::uint64_t>(fields.integer("seed", 0, 0, std::numeric_limits<int>::max()));
    request.sampling.stop = textsAt(fields, "stop");
    request.ignore_eos = fields.boolean("ignore_eos", false);
    request.batch_size = fields.integer("batch_size", 1, 1, 4096);
    request.load.device = deviceOf(fields.string("device", "auto"));
    request.load.dtype = oneOf("dtype", fields.string("dtype", "auto"), model::dtypeChoices());
    request.load.threads = fields.integer("threads", 0, 0, 1024);
    request.power = sourceOf(fields.string("power_source", "auto"));
    request.interval_ms = fields.integer("interval_ms", 100, 1, 60'000);
    request.baseline_seconds = fields.number("baseline_seconds", 0.0, 0.0, 600.0);
    request.warmup_tokens = fields.integer("warmup_tokens", 0, 0, kMostTokens);
    if (fields.boolean("chat", false))
        request.chat = session::ChatUse::Always;
    request.system = fields.string("system", {});
    readConversation(fields, ordered, request);
    request.tags = textsAt(fields, "tags");
    request.experiment = fields.string("experiment_name", fields.string("experiment", {}));
    asked.wait = fields.boolean("wait", true);
    fields.refuseOthers("is not known; /openapi.json lists the fields");
    return asked;
}

Asked readBody(const std::string& body)
{
    const auto json = json::parse(body);
    if (!json)
        throw BadQuery{"The body is " + json.error().message + "."};
    const auto ordered = json::parseOrdered(body);
    if (!ordered)
        throw BadQuery{"The body is " + ordered.error().message + "."};
    const auto asked = json::read("The body cannot be used", *json,
                                  [&](const json::Value& root) { return askedBy(root, *ordered); });
    if (!asked)
        throw BadQuery{asked.error().message};
    return *asked;
}

// Clients know models by name; their location is not disclosed.
struct NamedModel {
    std::string name;
    std::string folder;

    std::string nameIn(std::string message) const
    {
        for (std::size_t at = 0; (at = message.find(folder, at)) != std::string::npos;)
            message.replace(at, folder.size(), name);
        return message;
    }
};

HttpResponse outcomeResponse(const RunOutcome& outcome, const NamedModel& model)
{
    if (!outcome.finished) {
        Error error = outcome.error;
        if (error.code == ErrorCode::NotFound) // the address is right, but the run is impossible
            error.code = ErrorCode::InvalidInput;
        error.message = model.nameIn(std::move(error.message));
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
    if (run.info.status == RunStatus::Cancelled)
        return jsonResponse(json, 409);
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
    Asked asked = readBody(request.body);
    asked.request.load.folder = modelFolder(context, asked.model);
    if (asked.request.load.folder.empty()) {
        return reply.send(errorResponse(
            404, "There is no model of this name; /api/profiling/models lists the names."));
    }
    asked.request.run_id = makeUuid();
    asked.request.database = context.options().database;
    asked.request.store_texts = context.options().store_texts;
    const std::string id = asked.request.run_id;
    const NamedModel model{asked.model, asked.request.load.folder.string()};
    QueuedRun run{.request = std::move(asked.request)};
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
