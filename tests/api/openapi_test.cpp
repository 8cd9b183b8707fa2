// SPDX-License-Identifier: GPL-3.0-or-later
// The served description matches the server: every path replies, every reply has the described
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
    // A reference hides its sibling members.
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
        for (const std::string& method : methods) {
            std::string verb = method;
            for (char& c : verb)
                c = static_cast<char>(c - 'a' + 'A');
            const bool documented = operationsOfPath.contains(method);
            if (documented && method == "delete")
                continue; // below
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

} // namespace

} // namespace ep::test
