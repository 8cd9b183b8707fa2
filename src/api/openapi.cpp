// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate_fields.h"
#include "routes.h"

#include "ep/core/run_figure.h"
#include "ep/json/document.h"
#include "ep/model/dtype.h"
#include "ep/session/environment.h"

#include <array>
#include <utility>

namespace ep::api {

namespace {

// The bodies in JSON Schema. A test validates real replies against them.
constexpr const char* kSchemas = R"json({
"Error": {"type": "object", "required": ["error"], "properties": {"error": {"type": "object",
  "required": ["status", "message"], "properties": {"status": {"type": "integer"}, "message": {"type": "string"}}}}},
"Alive": {"type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}}},
"Health": {"type": "object",
  "required": ["status", "version", "running", "waiting", "live_clients", "database_problem"],
  "properties": {"status": {"enum": ["ok", "degraded"]}, "version": {"type": "string"},
  "running": {"type": "boolean"}, "waiting": {"type": "integer"}, "live_clients": {"type": "integer"},
  "database_problem": {"type": ["string", "null"]}}},
"OpenApi": {"type": "object", "required": ["openapi", "info", "paths"]},
"GenerateRequest": {"type": "object", "additionalProperties": false,
  "allOf": [
    {"oneOf": [{"required": ["model_name"]}, {"required": ["model"]}]},
    {"anyOf": [{"required": ["prompt"]}, {"required": ["messages"]}]},
    {"not": {"required": ["messages", "prompt"]}}, {"not": {"required": ["messages", "system"]}},
    {"not": {"required": ["max_new_tokens", "max_length"]}},
    {"not": {"required": ["experiment_name", "experiment"]}},
    {"if": {"required": ["tools"], "properties": {"tools": {"type": "array"}}}, "then": {"required": ["messages"]}},
    {"if": {"required": ["template_variables"], "properties": {"template_variables": {"type": "object"}},
      "not": {"required": ["messages"]}},
      "then": {"required": ["chat"], "properties": {"chat": {"const": true}}}}],
  "properties": {
  "model_name": {"type": "string", "minLength": 1, "description": "Name of a known model"},
  "model": {"type": "string", "minLength": 1, "description": "The same as model_name"},
  "prompt": {"type": "string", "minLength": 1},
  "messages": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/ChatMessage"},
    "description": "A conversation in OpenAI's form, instead of prompt and system"},
  "tools": {"type": ["array", "null"], "items": {"type": "object", "maxProperties": 1000},
    "description": "With messages"},
  "template_variables": {"type": ["object", "null"], "maxProperties": 1000,
    "properties": {"messages": false, "tools": false},
    "description": "Variables of the chat template, with messages or chat: {\"enable_thinking\": false}"},
  "profiling_depth": {"enum": ["none", "module", "deep", null], "description": "Default module"},
  "ignore_eos": {"type": ["boolean", "null"]},
  "kv_cache": {"enum": ["growing", "static", "q8_0", null], "description": "Default growing"},
  "prompt_cache": {"type": ["boolean", "null"], "description": "Compute common beginnings of prompts once"},
  "draft": {"type": "string", "description": "What proposes tokens: ngram, or the name of a model"},
  "chat": {"type": ["boolean", "null"]}, "system": {"type": "string"},
  "experiment_name": {"type": ["string", "null"]}, "experiment": {"type": ["string", "null"], "description": "The same as experiment_name"},
  "wait": {"type": ["boolean", "null"], "description": "false: reply immediately with 202"}}},
"ChatMessage": {"type": "object", "required": ["role"], "maxProperties": 1000,
  "properties": {
  "role": {"type": "string", "minLength": 1, "description": "system, user, assistant, tool; others are left to the template"},
  "content": {"description": "A text, null (not of system, developer and user) or a list of parts of text", "anyOf": [
    {"type": "string"}, {"type": "null"}, {"type": "array", "items": {"$ref": "#/components/schemas/TextPart"}}]},
  "tool_calls": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/ToolCall"}},
  "tool_call_id": {"type": ["string", "null"]}, "name": {"type": ["string", "null"]},
  "images": {"$ref": "#/components/schemas/Nothing"}, "audio": {"$ref": "#/components/schemas/Nothing"}},
  "if": {"properties": {"role": {"enum": ["system", "developer", "user"]}}},
  "then": {"required": ["content"], "properties": {"content": {"type": ["string", "array"]}}}},
"TextPart": {"type": "object", "required": ["type"], "maxProperties": 1000,
  "properties": {"type": {"enum": ["text", "refusal", "thinking", "reasoning"]}},
  "if": {"properties": {"type": {"const": "text"}}},
  "then": {"required": ["text"], "properties": {"text": {"type": "string"}}}},
"ToolCall": {"type": "object", "maxProperties": 1000, "description": "Name and arguments, also in an object function",
  "if": {"required": ["function"], "properties": {"function": {"not": {"type": "null"}}}},
  "then": {"properties": {"function": {"$ref": "#/components/schemas/NamedCall"}}},
  "else": {"$ref": "#/components/schemas/NamedCall"}},
"NamedCall": {"type": "object", "required": ["name"], "maxProperties": 1000, "properties": {
  "name": {"type": "string"}, "arguments": {"type": ["string", "object", "null"], "maxProperties": 1000}}},
"Nothing": {"type": ["null", "array", "object"], "maxItems": 0, "maxProperties": 0, "description": "Only texts can be measured"},
"Generated": {"type": "object",
  "required": ["run_id", "status", "saved", "response", "input_tokens", "output_tokens", "summary"],
  "properties": {"run_id": {"type": "string"}, "status": {"type": "string"}, "saved": {"type": "boolean"},
  "response": {"type": "string"}, "input_tokens": {"type": "integer"}, "output_tokens": {"type": "integer"},
  "summary": {"$ref": "#/components/schemas/RunSummary"}}},
"Accepted": {"type": "object", "required": ["run_id", "status", "position"], "properties": {
  "run_id": {"type": "string"}, "status": {"enum": ["running", "queued"]},
  "position": {"type": "integer", "description": "Number of runs ahead of it"}}},
"Queue": {"type": "object", "required": ["running", "waiting"], "properties": {
  "running": {"type": ["string", "null"]}, "waiting": {"type": "array", "items": {"type": "object",
  "required": ["run_id", "position"], "properties": {"run_id": {"type": "string"}, "position": {"type": "integer"}}}}}},
"Cancelled": {"type": "object", "required": ["cancelled"], "properties": {"cancelled": {"type": "string"}}},
"Deleted": {"type": "object", "required": ["deleted"], "properties": {"deleted": {"type": "string"}}},
"RunItem": {"type": "object",
  "required": ["id", "status", "created_at", "created_at_ms", "model_name", "prompt", "tags", "total_duration_ms",
    "total_energy_mj", "energy_provenance", "joules_per_token", "tokens_per_second"],
  "properties": {
  "id": {"type": "string"}, "run_id": {"type": "string"}, "title": {"type": "string"},
  "status": {"enum": ["running", "complete", "cancelled", "failed", "interrupted"]},
  "status_message": {"type": "string"},
  "created_at": {"type": "string", "description": "Local time without a zone"},
  "created_at_utc": {"type": "string"}, "created_at_ms": {"type": "integer"},
  "model_name": {"type": "string"}, "model_path": {"type": "string"},
  "prompt": {"type": "string"}, "response": {"type": "string"},
  "tags": {"type": "array", "items": {"type": "string"}}, "experiment_name": {"type": "string"},
  "profiling_depth": {"type": "string"}, "device": {"type": "string"}, "dtype": {"type": "string"},
  "batch_size": {"type": "integer"}, "power_source": {"type": "string"},
  "quality": {"type": ["string", "null"]},
  "input_tokens": {"type": ["integer", "null"], "description": "null: the server that generated did not state it"},
  "output_tokens": {"type": ["integer", "null"]},
  "energy_provenance": {"enum": ["measured", "attributed", "calibrated", "modelled", "imported", "missing"]}}},
"RunList": {"type": "array", "items": {"$ref": "#/components/schemas/RunItem"}},
"Energy": {"type": "object", "required": ["energy_mj", "energy_provenance"], "properties": {
  "energy_mj": {"type": ["number", "null"]}, "energy_provenance": {"type": "string"}}},
"KnownEnergy": {"allOf": [{"$ref": "#/components/schemas/Energy"}, {"type": "object",
  "required": ["known_energy_mj", "energy_uncovered_ms"], "properties": {
  "known_energy_mj": {"type": ["number", "null"],
    "description": "energy_mj, or if that is null the energy of the tokens that have one"},
  "energy_uncovered_ms": {"type": "number", "description": "Time whose energy is missing from known_energy_mj"}}}]},
"RunSummary": {"allOf": [{"$ref": "#/components/schemas/RunItem"}, {"type": "object",
  "required": ["rails", "phases", "components", "power_samples"], "properties": {
  "rails": {"$ref": "#/components/schemas/KnownEnergy"},
  "phases": {"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/KnownEnergy"}, {"type": "object",
    "required": ["phase", "duration_ms"], "properties": {"phase": {"type": "string"}, "duration_ms": {"type": "number"}}}]}},
  "components": {"type": "array", "items": {"type": "object",
    "required": ["component_name", "time_ms", "energy_mj", "known_energy_mj", "energy_uncovered_ms"],
    "properties": {"component_name": {"type": "string"}, "time_ms": {"type": "number"},
    "energy_mj": {"type": ["number", "null"], "description": "null if the energy of some of it is missing"},
    "known_energy_mj": {"type": ["number", "null"],
      "description": "energy_mj, or if that is null the energy of the parts that have one"},
    "energy_uncovered_ms": {"type": "number",
      "description": "Time whose energy is missing from known_energy_mj"}}}},
  "power_samples": {"type": "integer"}}}]},
"Timed": {"allOf": [{"$ref": "#/components/schemas/Energy"}, {"type": "object",
  "required": ["start_ms", "end_ms", "duration_ms"], "properties": {"start_ms": {"type": "number"},
  "end_ms": {"type": "number"}, "duration_ms": {"type": "number"}}}]},
"Pipeline": {"type": "object", "required": ["run_id", "total_duration_ms", "total_energy_mj", "phases"],
  "properties": {"run_id": {"type": "string"}, "total_duration_ms": {"type": "number"},
  "total_energy_mj": {"type": ["number", "null"]}, "phases": {"type": "array", "items": {"allOf": [
    {"$ref": "#/components/schemas/Timed"}, {"type": "object", "required": ["phase", "sections"], "properties": {
    "phase": {"type": "string"}, "sections": {"type": "array", "items": {"allOf": [
      {"$ref": "#/components/schemas/Timed"}, {"type": "object", "required": ["section_name", "token"], "properties": {
      "section_name": {"type": "string"}, "token": {"type": ["integer", "null"]}}}]}}}}]}}}},
"Run": {"type": "object", "description": "docs/run-format.md, resources/schema/run.schema.json",
  "required": ["format", "version", "run"]},
"Comparison": {"type": "object", "required": ["baseline", "runs", "differences", "cautions", "tree", "tree_tests", "quality"],
  "properties": {"baseline": {"type": "string"}, "runs": {"$ref": "#/components/schemas/RunList"},
  "differences": {"type": "array", "items": {"type": "object", "required": ["run_id", "metrics"], "properties": {
    "run_id": {"type": "string"}, "metrics": {"type": "object", "additionalProperties": {"type": "object",
    "required": ["absolute", "relative"], "properties": {"absolute": {"type": ["number", "null"]},
    "relative": {"type": ["number", "null"]}}}}}}},
  "cautions": {"type": "array", "items": {"type": "string"}},
  "tree_tests": {"type": "object", "description": "What the p-values of the tree test"},
  "tree": {"type": "array", "description": "The parts of the runs and their differences, as in runs compare --json",
    "items": {"type": "object", "required": ["node", "depth", "parent", "energy_mj", "time_ms", "tests"]}},
  "quality": {"type": "array", "description": "Of each run, beside its energy", "items": {"type": "string"}}}},
"ModelList": {"type": "array", "items": {"type": "object",
  "required": ["name", "architecture", "supported", "problem", "parameters", "weight_bytes"], "properties": {
  "name": {"type": "string"}, "architecture": {"type": "string"}, "supported": {"type": "boolean"},
  "problem": {"type": "string"}, "parameters": {"type": ["integer", "null"]}, "weight_bytes": {"type": "integer"}}}},
"Figure": {"type": ["object", "null"],
  "required": ["prefill", "decode", "total", "low", "high", "median_error", "largest_error", "runs"], "properties": {
  "prefill": {"type": "number"}, "decode": {"type": "number"}, "total": {"type": "number"},
  "low": {"type": ["number", "null"], "description": "95 % interval of the total; null below three models"},
  "high": {"type": ["number", "null"]},
  "median_error": {"type": ["number", "null"], "description": "|predicted - actual| / actual, each run from all others"},
  "largest_error": {"type": ["number", "null"]}, "runs": {"type": "integer"}}},
"Estimate": {"type": "object", "required": ["value", "low", "high"], "properties": {
  "value": {"type": "number"}, "low": {"type": "number", "description": "95 % interval"}, "high": {"type": "number"}}},
"Explanation": {"type": "object",
  "required": ["run", "answer", "reason", "quantity", "unit", "bars", "machine", "division", "nodes", "causes", "actions",
    "tried", "notes"],
  "properties": {"run": {"type": "string"}, "answer": {"type": "string", "description": "Where it went, one sentence"},
  "reason": {"type": "string", "description": "Why, one sentence; empty if nothing can be explained"},
  "unusual": {"type": ["object", "null"], "required": ["sentence"], "properties": {"sentence": {"type": "string",
    "description": "What sets the run apart: from other runs (other_runs), or a part from its FLOPs and bytes (part)"}}},
  "quantity": {"enum": ["energy", "time"]}, "unit": {"enum": ["J", "s"]},
  "bars": {"type": "array", "items": {"type": "object", "required": ["title", "amount", "share", "place"]}},
  "machine": {"type": "object"}, "division": {"type": "object"},
  "nodes": {"type": "array", "items": {"type": "object", "required": ["phase", "part", "kind", "seconds", "division"]}},
  "causes": {"type": "array", "items": {"type": "object",
    "required": ["id", "title", "judgement", "probability", "explained", "share", "evidence", "settled_by"],
    "properties": {"judgement": {"enum": ["named", "cannot tell", "absent"]},
    "explained": {"$ref": "#/components/schemas/Estimate"}, "share": {"$ref": "#/components/schemas/Estimate"}}}},
  "actions": {"type": "array", "items": {"type": "object",
    "required": ["lever", "cause", "what", "setting", "trial", "how", "saving", "share"]}},
  "tried": {"type": "array"}, "notes": {"type": "array", "items": {"type": "string"}}}},
"Prediction": {"type": "object",
  "required": ["seconds", "joules", "joules_problem", "power_source", "modelled", "models", "cautions"],
  "properties": {"seconds": {"$ref": "#/components/schemas/Figure"}, "joules": {"$ref": "#/components/schemas/Figure"},
  "joules_problem": {"type": "string"}, "power_source": {"type": "string"}, "modelled": {"type": "boolean"},
  "models": {"type": "array", "items": {"type": "string"}}, "cautions": {"type": "array", "items": {"type": "string"}}}}
})json";

Json textList(const TextList& facts)
{
    return {{"type", {"array", "null"}},
            {"maxItems", facts.most_items},
            {"items", {{"type", "string"}, {"maxLength", facts.most_characters}}}};
}

// The limits that generate_fields.h has.
void addGenerateLimits(Json& request)
{
    Json& properties = request["properties"];
    for (const NumberField& field : kNumberFields) {
        Json one{{"type", {field.whole ? "integer" : "number", "null"}}};
        if (field.whole) {
            one["minimum"] = static_cast<std::int64_t>(field.least);
            one["maximum"] = static_cast<std::int64_t>(field.most);
            one["default"] = static_cast<std::int64_t>(field.standard);
        } else {
            one["minimum"] = field.least;
            one["maximum"] = field.most;
            one["default"] = field.standard;
        }
        if (*field.unit != '\0')
            one["description"] = field.unit;
        properties[field.name] = std::move(one);
    }
    properties["max_length"] = properties["max_new_tokens"];
    properties["max_length"]["description"] = "The same as max_new_tokens";
    properties[kStopTexts.name] = textList(kStopTexts);
    properties[kTags.name] = textList(kTags);
    properties["experiment_name"]["maxLength"] = kLongestExperiment;
    properties["experiment"]["maxLength"] = kLongestExperiment;
    Json dtypes = model::dtypeChoices();
    dtypes.push_back(nullptr);
    properties["dtype"] = {{"enum", std::move(dtypes)}};
    properties["device"] = {
        {"type", {"string", "null"}}, {"pattern", kDevicePattern}, {"description", "Default auto"}};
    Json sources = liveSources();
    sources.push_back(nullptr);
    properties["power_source"] = {
        {"anyOf",
         {{{"enum", std::move(sources)}},
          {{"type", "string"}, {"maxLength", kLongestSource - 1}, {"pattern", kSourcePattern}}}},
        {"description",
         "Default auto; nvml:0,1 names cards, modelled:5,20 the power of an idle and of a busy "
         "machine in watts (422 if the second is less, or 0)"}};
}

// Including the formats of numbers, and the figures of a run, which are null if not measured.
Json schemas()
{
    Json all = Json(*json::parse(kSchemas));
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
        if (parameter.type == "string" && parameter.choices.empty()) // no text holds a NUL
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

// Refusals by the transport, which any request can meet (docs/api.md, Limits).
struct CommonRefusal {
    int status;
    const char* when;
};
constexpr std::array kCommonRefusals = {
    CommonRefusal{400, "The request or one of its parameters is not as described"},
    CommonRefusal{401, "The token is missing or wrong"},
    CommonRefusal{403, "Host or Origin is not this server"},
    CommonRefusal{408, "The request did not arrive within 10 seconds"},
    CommonRefusal{411, "The body has no Content-Length"},
    CommonRefusal{413, "The body is longer than 1 MB"},
    CommonRefusal{414, "The address is longer than 8 KB"},
    CommonRefusal{417, "An expectation other than 100-continue"},
    CommonRefusal{431, "More than 64 headers, or a head longer than 16 KB"},
    CommonRefusal{500, "The database cannot be used, or an unexpected error"},
    CommonRefusal{503, "Too many connections, or too many long requests or replies at once"}};

Json bodyOf(const Route& route)
{
    return {{"required", true},
            {"description",
             "At most 1 MB, with at most " + std::to_string(kMaxValues)
                 + " numbers, texts, lists and objects, 200 levels deep, at most 1000 members in "
                   "an object, valid UTF-8"},
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
    for (const CommonRefusal& common : kCommonRefusals) {
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
    return {{"openapi", "3.1.0"},
            {"info",
             {{"title", "Energy Profiler"},
              {"version", session::applicationVersion()},
              {"description",
               "Profile generations and read stored runs. Messages during a run are sent over the "
               "WebSocket /ws/profiling; see docs/api.md."}}},
            {"security", Json::array({{{"token", Json::array()}}})},
            {"paths", std::move(paths)},
            {"components",
             {{"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}},
              {"schemas", schemas()}}}};
}

} // namespace ep::api
