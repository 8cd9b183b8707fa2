// SPDX-License-Identifier: GPL-3.0-or-later
// Compares with the output of Jinja itself (tests/data/jinja/make_goldens.py).
#include "support/folders.h"
#include "template.h"
#include "text/golden_time.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <string>

namespace ep::text::jinja {

namespace {

using Json = nlohmann::ordered_json;

Result<std::string> rendered(const std::string& source, const Json& variables)
{
    const auto parsed = Template::parse(source);
    if (!parsed)
        return parsed.error();
    return parsed->render(variables, test::goldenTime());
}

std::string readData(const std::string& name)
{
    std::ifstream file(test::dataPath("jinja/") + name, std::ios::binary);
    EXPECT_TRUE(file) << name;
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

// A null golden means that Jinja refuses the template or the conversation.
void expectGolden(const std::string& source, const Json& variables, const Json& golden)
{
    const Result<std::string> text = rendered(source, variables);
    if (golden.is_null()) {
        EXPECT_FALSE(text) << *text;
    } else if (text) {
        EXPECT_EQ(*text, golden.get<std::string>());
    } else {
        ADD_FAILURE() << text.error().message;
    }
}

TEST(JinjaGolden, WritesWhatJinjaWrites)
{
    const Json document = Json::parse(readData("goldens.json"));
    const Json& cases = document.at("cases");
    ASSERT_GT(cases.size(), 100U);
    for (const Json& one : cases) {
        const std::string source = one.at("template").get<std::string>();
        SCOPED_TRACE(source);
        expectGolden(source, document.at("context"), one.at("golden"));
    }
}

// Templates built like those of the model families, with several conversations.
TEST(JinjaGolden, WritesConversationsAsJinjaDoes)
{
    const Json document = Json::parse(readData("goldens.json"));
    const Json& conversations = document.at("conversations");
    ASSERT_GE(document.at("models").size(), 8U);
    for (const auto& [model, goldens] : document.at("models").items()) {
        ASSERT_EQ(goldens.size(), conversations.size());
        for (std::size_t i = 0; i < goldens.size(); ++i) {
            SCOPED_TRACE(model + ", conversation " + std::to_string(i));
            expectGolden(readData("models/" + model + ".jinja"), conversations[i], goldens[i]);
        }
    }
}

} // namespace

} // namespace ep::text::jinja
