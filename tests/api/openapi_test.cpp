// SPDX-License-Identifier: GPL-3.0-or-later
// The served description matches the server: every path replies, and every reply has the described
// shape.
#include "api/api_fixture.h"
#include "support/json_schema.h"

#include <gmock/gmock.h>

#include <set>

namespace ep::test {

namespace {

using nlohmann::json;

std::string filled(std::string path, const std::string& id)
{
    const std::size_t open = path.find("{id}");
    return open == std::string::npos ? path : path.replace(open, 4, id);
}

// The JSON schema of one reply, together with the document's components.
std::string schemaOf(const json& document, const json& operation, const std::string& status)
{
    const json& content = operation.at("responses").at(status).at("content");
    if (!content.contains("application/json"))
        return {};
    json schema = content.at("application/json").at("schema");
    schema["components"] = document.at("components");
    // A $ref hides the members beside it.
    const std::string reference = schema.at("$ref").get<std::string>();
    return json{{"allOf", {{{"$ref", reference}}}}, {"components", document.at("components")}}
        .dump();
}

TEST_F(ApiTest, DescribesWhatItDoes)
{
    serve();
    std::vector<std::string> ids = {generate(), generate({{"max_new_tokens", 9}}),
                                    generate({{"prompt", "Another, longer one"}})};
    const json document = ask("GET", "/openapi.json").json();
    EXPECT_EQ(document.at("openapi"), "3.1.0");
    const std::map<std::string, std::string> queries = {
        {"/api/profiling/compare", "?ids=" + ids[0] + "," + ids[1]},
        {"/api/profiling/predict", "?model=tiny&input_tokens=5&output_tokens=5&dtype=f32"}};
    const std::set<std::string> methods = {"get", "post", "delete", "put", "patch"};
    int operations = 0;
    for (const auto& [path, operationsOfPath] : document.at("paths").items()) {
        if (path == "/ws/profiling") {
            EXPECT_EQ(ask("GET", path).status, 426) << "a WebSocket: see live_test.cpp";
            continue;
        }
        for (const std::string& method : methods) {
            std::string verb = method;
            for (char& c : verb)
                c = static_cast<char>(c - 'a' + 'A');
            const bool documented = operationsOfPath.contains(method);
            if (documented && method == "delete")
                continue; // tested further below
            const auto query = queries.find(path);
            const std::string target =
                filled(path, ids[0]) + (query != queries.end() ? query->second : "");
            const std::string body = method == "post"
                ? json{{"model_name", "tiny"}, {"prompt", "x"}, {"max_new_tokens", 2}}.dump()
                : std::string();
            const Answer answer = ask(verb, target, body);
            if (!documented) {
                EXPECT_EQ(answer.status, 405) << verb << ' ' << path;
                continue;
            }
            ++operations;
            if (path == "/api/profiling/predict" && answer.status == 422) { // the times scatter
                EXPECT_THAT(answer.body, testing::HasSubstr("do not determine a prediction"));
                continue;
            }
            EXPECT_EQ(answer.status, 200) << verb << ' ' << target << ' ' << answer.body;
            const std::string schema = schemaOf(document, operationsOfPath.at(method), "200");
            if (!schema.empty()) {
                EXPECT_EQ(schemaTextProblem(answer.body, schema), "") << verb << ' ' << path;
            }
        }
    }
    EXPECT_EQ(operations, 16);

    const json& generateOperation = document.at("paths").at("/api/profiling/generate").at("post");
    const Answer accepted =
        ask("POST", "/api/profiling/generate",
            json{{"model_name", "tiny"}, {"prompt", "x"}, {"max_new_tokens", 2}, {"wait", false}}
                .dump());
    EXPECT_EQ(accepted.status, 202);
    EXPECT_EQ(schemaTextProblem(accepted.body, schemaOf(document, generateOperation, "202")), "");
    const json& deletion = document.at("paths").at("/api/profiling/run/{id}").at("delete");
    const Answer deleted = ask("DELETE", "/api/profiling/run/" + ids[2]);
    EXPECT_EQ(schemaTextProblem(deleted.body, schemaOf(document, deletion, "200")), "");
    const Answer refused = ask("DELETE", "/api/profiling/run/" + ids[2]);
    EXPECT_EQ(refused.status, 404);
    EXPECT_EQ(schemaTextProblem(refused.body, schemaOf(document, deletion, "404")), "");
}

// Stated limits are enforced: the value beyond a limit is refused, the value at the limit is not
// refused because of it.
TEST_F(ApiTest, EnforcesTheLimitsOfParametersThatItStates)
{
    serve();
    const std::string id = generate();
    const json document = ask("GET", "/openapi.json").json();
    const std::map<std::string, std::string> others = {
        {"/api/profiling/compare", "ids=" + id + ',' + generate({{"max_new_tokens", 9}}) + '&'},
        {"/api/profiling/predict", "model=tiny&input_tokens=5&output_tokens=5&"}};
    int limits = 0;
    for (const auto& [path, operations] : document.at("paths").items()) {
        if (!operations.contains("get") || !operations.at("get").contains("parameters"))
            continue;
        const auto other = others.find(path);
        const std::string target =
            filled(path, id) + '?' + (other == others.end() ? "" : other->second);
        for (const json& parameter : operations.at("get").at("parameters")) {
            if (parameter.at("in") != "query")
                continue;
            const json& schema = parameter.at("schema");
            const std::string with = target + parameter.at("name").get<std::string>() + '=';
            const auto refused = [&](const std::string& value) {
                ++limits;
                EXPECT_EQ(ask("GET", with + value).status, 400) << with << value;
            };
            const auto taken = [&](const std::string& value) {
                EXPECT_NE(ask("GET", with + value).status, 400) << with << value;
            };
            if (schema.contains("enum")) {
                refused("0");
                refused("");
                for (const json& choice : schema.at("enum"))
                    taken(choice.get<std::string>());
            }
            if (schema.at("type") == "integer") {
                refused("x");
                refused(std::to_string(schema.at("minimum").get<std::int64_t>() - 1));
                refused(std::to_string(schema.at("maximum").get<std::int64_t>() + 1));
                taken(std::to_string(schema.at("minimum").get<std::int64_t>()));
                taken(std::to_string(schema.at("maximum").get<std::int64_t>()));
            }
            if (schema.at("type") == "number")
                refused("x");
            if (schema.contains("minLength"))
                refused("");
        }
    }
    EXPECT_GT(limits, 30);
    EXPECT_EQ(ask("GET", "/api/profiling/compare?ids=" + id).status, 400) << "one is too few";
    EXPECT_EQ(ask("GET", "/api/profiling/compare?ids=a,b").status, 404) << "no such runs";
}

TEST_F(ApiTest, EnforcesTheLimitsOfTheBodyThatItStates)
{
    serve();
    server().setBusyElsewhere(true); // bodies are read, nothing is computed
    const json document = ask("GET", "/openapi.json").json();
    const json& properties =
        document.at("components").at("schemas").at("GenerateRequest").at("properties");
    const auto status = [&](const std::string& name, const json& value) {
        json body{{"model_name", "no such model"}, {"prompt", "x"}};
        body[name] = value;
        if (name == "model")
            body.erase("model_name");
        if (name == "draft_tokens")
            body["draft"] = "ngram";
        return ask("POST", "/api/profiling/generate", body.dump()).status;
    };
    constexpr int kRefused = 400;
    constexpr int kRead = 404; // no model has this name
    int limits = 0;
    for (const auto& [name, schema] : properties.items()) {
        SCOPED_TRACE(name);
        for (const auto& [limit, step] : {std::pair{"minimum", -1}, std::pair{"maximum", 1}}) {
            if (!schema.contains(limit))
                continue;
            ++limits;
            const bool whole = schema.at(limit).is_number_integer();
            const auto number = schema.at(limit).get<double>();
            EXPECT_EQ(status(name, schema.at(limit)), kRead);
            EXPECT_EQ(status(name,
                             whole ? json(schema.at(limit).get<std::int64_t>() + step)
                                   : json(number + step * 0.01)),
                      kRefused);
        }
        if (schema.contains("maxItems")) {
            ++limits;
            const auto most = schema.at("maxItems").get<std::size_t>();
            const auto longest = schema.at("items").at("maxLength").get<std::size_t>();
            EXPECT_EQ(status(name, json(std::vector<std::string>(most, "a"))), kRead);
            EXPECT_EQ(status(name, json(std::vector<std::string>(most + 1, "a"))), kRefused);
            std::string text;
            for (std::size_t i = 0; i < longest; ++i)
                text += "\u00e9"; // characters, not bytes
            EXPECT_EQ(status(name, json::array({text})), kRead);
            EXPECT_EQ(status(name, json::array({text + 'a'})), kRefused);
        }
        if (schema.contains("maxLength")) {
            ++limits;
            const auto longest = schema.at("maxLength").get<std::size_t>();
            EXPECT_EQ(status(name, std::string(longest, 'a')), kRead);
            EXPECT_EQ(status(name, std::string(longest + 1, 'a')), kRefused);
        }
        if (schema.contains("minLength")) {
            ++limits;
            EXPECT_EQ(status(name, ""), kRefused);
        }
        const bool mayBeNull = schema.contains("type") && schema.at("type").is_array();
        if (schema.contains("type")) {
            EXPECT_EQ(status(name, nullptr), mayBeNull ? kRead : kRefused);
        }
    }
    EXPECT_GT(limits, 30);
    for (const json& word : {json("cpu"), json("cuda"), json("cuda:0"), json("cuda:123"), json()})
        EXPECT_EQ(status("device", word), kRead) << word;
    for (const json& word :
         {json("cuda:"), json("cuda:1234"), json("gpu"), json("cpu:0"), json("")})
        EXPECT_EQ(status("device", word), kRefused) << word;
    for (const auto& [name, schema] : properties.items()) {
        const json words = schema.contains("anyOf") ? schema.at("anyOf").at(0) : schema;
        if (!words.contains("enum"))
            continue;
        for (const json& word : words.at("enum"))
            EXPECT_EQ(status(name, word), kRead) << name << word;
        EXPECT_EQ(status(name, "no such word"), kRefused) << name;
    }
    EXPECT_EQ(status("dtype", "q4_k_m,layers.0=q8_0"), kRead) << "a plan of types";
    for (const json& source : {json("nvml:0,2"), json("modelled:5,20"), json("none"), json()})
        EXPECT_EQ(status("power_source", source), kRead) << source;
    for (const json& source : {json("replay:/etc/passwd"), json("nvml:256"), json("modelled:x,1"),
                               json("none:1"), json("nvml:")})
        EXPECT_EQ(status("power_source", source), kRefused) << source;
    EXPECT_EQ(status("power_source", "modelled:20,5"), 422) << "in form, but impossible";
    EXPECT_EQ(status("dtype", "layers.0=q9"), 422) << "in form, but impossible";
}

TEST_F(ApiTest, RefusesFieldsThatContradictEachOther)
{
    serve();
    server().setBusyElsewhere(true);
    constexpr int kRefused = 400;
    const std::vector<json> two = {{{"model", "tiny"}}, {{"messages", json::array()}}};
    for (const json& more : two) {
        json body{{"model_name", "tiny"}, {"prompt", "x"}};
        body.update(more);
        EXPECT_EQ(ask("POST", "/api/profiling/generate", body.dump()).status, kRefused) << body;
    }
    const json lengths{
        {"model_name", "tiny"}, {"prompt", "x"}, {"max_length", 3}, {"max_new_tokens", 3}};
    EXPECT_EQ(ask("POST", "/api/profiling/generate", lengths.dump()).status, kRefused);
}

} // namespace

} // namespace ep::test
