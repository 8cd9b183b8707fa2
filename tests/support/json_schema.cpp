// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/json_schema.h"

#include "support/folders.h"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <exception>
#include <fstream>
#include <memory>

namespace ep::test {

namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

const json* readSchema(const std::string& name)
{
    std::ifstream file(test::sourcePath("resources/schema/") + name);
    return new json(json::parse(file));
}

void freeSchema(const json* schema)
{
    delete schema;
}

std::string problemBy(const std::string& text, const json& schemaText, const std::string& name)
{
    const json document = json::parse(text);
    valijson::Schema schema;
    valijson::SchemaParser().populateSchema(Adapter(schemaText), schema, readSchema, freeSchema);
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    valijson::ValidationResults results;
    if (validator.validate(schema, Adapter(document), &results))
        return {};
    std::string problem = "not valid by " + name + ":";
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
        problem += "\n  ";
        for (const std::string& part : error.context)
            problem += part;
        problem += ": " + error.description;
    }
    return problem;
}

} // namespace

std::string schemaProblem(const std::string& text, const std::string& schemaName)
{
    try {
        const std::unique_ptr<const json> schema(readSchema(schemaName));
        return problemBy(text, *schema, schemaName);
    } catch (const std::exception& failure) {
        return std::string("cannot be checked: ") + failure.what();
    }
}

std::string schemaTextProblem(const std::string& text, const std::string& schemaText)
{
    try {
        return problemBy(text, json::parse(schemaText), "the schema");
    } catch (const std::exception& failure) {
        return std::string("cannot be checked: ") + failure.what();
    }
}

} // namespace ep::test
