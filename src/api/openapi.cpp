// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded_texts.h"
#include "generate_fields.h"
#include "handshake.h"
#include "http_message.h"
#include "proxy_limits.h"
#include "routes.h"

#include "ep/api/server.h"
#include "ep/core/run_figure.h"
#include "ep/json/document.h"
#include "ep/session/environment.h"
#include "ep/session/run_settings.h"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::api {

namespace {

Json textList(const TextList& facts)
{
    return {{"type", {"array", "null"}},
            {"maxItems", facts.most_items},
            {"items", {{"type", "string"}, {"maxLength", facts.most_characters}}}};
}

// A field with one of these types, or null.
Json typed(const char* type)
{
    return {{"type", {type, "null"}}};
}

Json schemaOf(const session::RunSetting& row)
{
    Json schema = typed(row.toggles()      ? "boolean"
                            : row.whole()  ? "integer"
                            : row.number() ? "number"
                                           : "string");
    if (row.number()) {
        const auto number = [&row](double value) {
            return row.whole() ? Json(static_cast<std::int64_t>(value)) : Json(value);
        };
        schema["minimum"] = number(row.values.least);
        schema["maximum"] = number(row.values.most);
    }
    if (row.values.list) {
        Json words = row.values.list();
        words.push_back(nullptr);
        schema = {{"enum", std::move(words)}};
    }
    if (!row.values.pattern.empty())
        schema = {{"anyOf",
                   {schema,
                    {{"type", "string"},
                     {"maxLength", kLongestWord},
                     {"pattern", "^(" + std::string(row.values.pattern) + ")$"}}}}};
    schema["default"] = session::jsonOf(row, {});
    schema["description"] = row.helpText();
    return schema;
}

// Adds the settings of a run, and the limits in generate_fields.h.
void addGenerateLimits(Json& request)
{
    Json& properties = request["properties"];
    for (const session::RunSetting& row : session::runSettings()) {
        if ((row.places & kInRequests) != 0)
            properties[std::string(row.name)] = schemaOf(row);
    }
    properties["max_length"] = properties["max_new_tokens"];
    properties["max_length"]["description"] = "The same as max_new_tokens";
    properties["power_source"]["description"] =
        "nvml:0,1 names cards, modelled:5,20 the power of an idle and of a busy machine in watts "
        "(422 if the second is less, or 0)";
    properties[kStopTexts.name] = textList(kStopTexts);
    properties[kTags.name] = textList(kTags);
    properties["experiment_name"]["maxLength"] = kLongestExperiment;
    properties["experiment"]["maxLength"] = kLongestExperiment;
}

// Adjusts the references of a schema to its own definitions, which move when it becomes a component
// of the document.
void moveReferences(Json& schema, const std::string& component)
{
    constexpr std::string_view kOwn = "#/definitions/";
    if (!schema.is_structured())
        return;
    for (auto& [key, value] : schema.items()) {
        if (key != "$ref" || !value.is_string()) {
            moveReferences(value, component);
        } else if (const auto target = value.get<std::string>(); target.starts_with(kOwn)) {
            value = "#/components/schemas/" + component + target.substr(1);
        }
    }
}

// All schemas, with the limits of a GenerateRequest and the figures of a RunItem, which are null if
// not measured.
Json schemas()
{
    Json all = Json::parse(componentSchemas());
    for (const CommandSchema& command : commandSchemas()) {
        Json schema = Json::parse(command.text);
        schema.erase("$schema");
        moveReferences(schema, std::string(command.component));
        all[std::string(command.component)] = std::move(schema);
    }
    addGenerateLimits(all["GenerateRequest"]);
    Json& properties = all["RunItem"]["properties"];
    for (const RunFigureFacts& facts : kRunFigures) {
        properties[facts.api] = {
            {"type", {"number", "null"}},
            {"description", std::string(facts.title) + ": " + facts.explanation}};
    }
    return all;
}

Json reference(const std::string& schema)
{
    return {{"$ref", "#/components/schemas/" + schema}};
}

constexpr const char* kIdPattern = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";

Json content(const std::string& type, const std::string& schema)
{
    Json media = Json::object();
    media[type] = schema.empty() ? Json({{"schema", {{"type", "string"}}}})
                                 : Json({{"schema", reference(schema)}});
    return media;
}

Json parametersOf(const Route& route)
{
    Json parameters = Json::array();
    for (std::size_t open = route.path.find('{'); open != std::string::npos;
         open = route.path.find('{', open + 1)) {
        const std::size_t close = route.path.find('}', open);
        parameters.push_back({{"name", route.path.substr(open + 1, close - open - 1)},
                              {"in", "path"},
                              {"required", true},
                              {"description", "Id of a run; anything else is not found"},
                              {"schema", {{"type", "string"}, {"pattern", kIdPattern}}}});
    }
    for (const Parameter& parameter : route.parameters) {
        Json schema{{"type", parameter.type}};
        if (!parameter.choices.empty())
            schema["enum"] = parameter.choices;
        if (parameter.type == "integer") {
            schema["minimum"] = parameter.least;
            schema["maximum"] = parameter.most;
        }
        if (parameter.type == "string" && parameter.choices.empty()) // no string may contain NUL
            schema["pattern"] = parameter.pattern.empty() ? "^[^\\u0000]*$" : parameter.pattern;
        if (parameter.required && parameter.type == "string")
            schema["minLength"] = 1;
        Json one{{"name", parameter.name}, {"in", "query"}, {"required", parameter.required}};
        std::string description = parameter.description;
        if (!parameter.alias.empty())
            description += "; " + parameter.alias + " is the same";
        if (!description.empty())
            one["description"] = std::move(description);
        one["schema"] = std::move(schema);
        parameters.push_back(std::move(one));
    }
    return parameters;
}

std::string binaryText(std::size_t bytes) // "16 KB", "1 MB"
{
    const bool mega = bytes % kMegabyte == 0;
    return std::to_string(bytes / (mega ? kMegabyte : kKilobyte)) + (mega ? " MB" : " KB");
}

// Refusals by the transport, which can happen to any request (docs/api.md, Limits).
struct CommonRefusal {
    int status;
    std::string when;
};
std::vector<CommonRefusal> commonRefusals()
{
    const Limits usual;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(usual.request_time);
    return {
        {400, "The request or one of its parameters is not as described"},
        {401, "The token is missing or wrong"},
        {403, "Host or Origin is not this server"},
        {408, "The request did not arrive within " + std::to_string(seconds.count()) + " seconds"},
        {411, "The body has no Content-Length"},
        {413, "The body is longer than " + binaryText(usual.body_bytes)},
        {414, "The address is longer than " + binaryText(kLongestTarget)},
        {417, "An expectation other than 100-continue"},
        {431,
         "More than " + std::to_string(kMaxHeaders) + " headers, or a head longer than "
             + binaryText(usual.head_bytes)},
        {500, "The database cannot be used, or an unexpected error"},
        {503, "Too many connections, or too many long requests or replies at once"}};
}

Json bodyOf(const Route& route)
{
    return {{"required", true},
            {"description",
             "At most " + binaryText(Limits().body_bytes) + ", with at most "
                 + std::to_string(kMaxValues) + " numbers, texts, lists and objects, "
                 + std::to_string(json::kMaxDepth) + " levels deep, at most "
                 + std::to_string(json::kMaxOrderedMembers) + " members in an object, valid UTF-8"},
            {"content", content("application/json", route.body)}};
}

Json operationOf(const Route& route)
{
    Json operation{{"summary", route.summary}};
    if (Json parameters = parametersOf(route); !parameters.empty())
        operation["parameters"] = std::move(parameters);
    if (!route.body.empty())
        operation["requestBody"] = bodyOf(route);
    Json responses = Json::object();
    Json answers = content(route.answer_type, route.answer);
    for (const std::string& type : route.other_answers)
        answers.update(content(type, {}));
    responses["200"] = {{"description", "Success"}, {"content", std::move(answers)}};
    const auto refusal = [&](int status, const std::string& when) {
        responses[std::to_string(status)] = {{"description", when},
                                             {"content", content("application/json", "Error")}};
    };
    for (const CommonRefusal& common : commonRefusals()) {
        if (common.status != 401 || !route.open)
            refusal(common.status, common.when);
    }
    for (const int status : route.refusals) {
        if (status == 202) {
            responses["202"] = {{"description", "Accepted"},
                                {"content", content("application/json", "Accepted")}};
        } else if (!responses.contains(std::to_string(status))) {
            refusal(status, std::string(reasonOf(status)));
        }
    }
    operation["responses"] = std::move(responses);
    if (route.open)
        operation["security"] = Json::array();
    return operation;
}

// The WebSocket. OpenAPI has no word for one, so its answer is the switch of protocols, with the
// messages that follow as its content.
Json liveOperation()
{
    Json responses = Json::object();
    responses["101"] = {
        {"description",
         "The connection is a WebSocket. The server sends text frames with one LiveMessage each; "
         "what the client sends is ignored. Times are milliseconds since the start of the run."},
        {"content", content("application/json", "LiveMessage")}};
    for (const auto& [status, when] :
         {std::pair{400, "This is not a WebSocket handshake"},
          std::pair{401, "The token is missing or wrong"},
          std::pair{403, "Host or Origin is not this server"},
          std::pair{426, "An upgrade to version 13 of the WebSocket protocol has to be requested"},
          std::pair{503, "There are too many WebSockets"}})
        responses[std::to_string(status)] = {{"description", when},
                                             {"content", content("application/json", "Error")}};
    return {{"summary", "The messages of all runs, as they are made (WebSocket)"},
            {"description",
             "Send a WebSocket handshake (Upgrade: websocket, Sec-WebSocket-Version: 13) with the "
             "header \"Authorization: Bearer TOKEN\". A page in a browser cannot set headers: it "
             "offers the sub-protocols \"energy-profiler\" and \"token.TOKEN\" instead. The "
             "server pings every 15 seconds and closes connections that miss two pings. A client "
             "that is slow loses messages of layers, components and operations; the next one says "
             "how many (messages_left_out)."},
            {"responses", std::move(responses)}};
}

} // namespace

Json openApiDocument(const std::vector<Route>& routes)
{
    Json paths = Json::object();
    for (const Route& route : routes) {
        std::string method = route.method;
        for (char& c : method)
            c = static_cast<char>(c - 'A' + 'a');
        paths[route.path][method] = operationOf(route);
    }
    paths[kLivePath] = Json{{"get", liveOperation()}};
    return {{"openapi", "3.1.0"},
            {"info",
             {{"title", "Energy Profiler"},
              {"version", session::applicationVersion()},
              {"description",
               "Profile generations and read stored runs. Messages during a run are sent over the "
               "WebSocket /ws/profiling. Times are in UTC; null: not measured."}}},
            {"servers", Json::array({{{"url", "/"}}})},
            {"security", Json::array({{{"token", Json::array()}}})},
            {"paths", std::move(paths)},
            {"components",
             {{"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}},
              {"schemas", schemas()}}}};
}

} // namespace ep::api
