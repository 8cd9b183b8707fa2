// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/document.h"
#include "ep/json/value.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ep::json {
namespace {

const char* const kDocument = R"({
    "name": "x", "flag": true, "none": null, "half": 0.5, "count": 3, "whole": 4096.0,
    "huge": 18446744073709551615, "list": [1, "two", {"three": []}],
    "inner": {"deep": {"word": "w"}}, "odd key!": {"x": 1}, "é": "é", "long": "éé"})";

// The message that a reader throws, or "".
std::string problem(const std::function<void(const Value&)>& reader)
{
    const auto json = parse(kDocument);
    const auto result = read("file.json", *json, [&](const Value& root) {
        reader(root);
        return 0;
    });
    return result ? std::string() : result.error().message.english();
}

TEST(JsonValue, ReadsWhatIsThere)
{
    EXPECT_EQ(problem([](const Value& root) {
                  EXPECT_EQ(root.string("name"), "x");
                  EXPECT_EQ(root.string("none", "fallback"), "fallback");
                  EXPECT_EQ(root.string("absent", "fallback"), "fallback");
                  EXPECT_TRUE(root.boolean("flag", false));
                  EXPECT_TRUE(root.boolean("absent", true));
                  EXPECT_EQ(root.at("whole").asWholeNumber(0, 5000), 4096); // as JSON Schema has it
                  EXPECT_EQ(root.number("half", std::nullopt, 0.0, 1.0), 0.5);
                  EXPECT_EQ(root.number("absent", 7.0, 0.0, 1.0), 7.0);
                  EXPECT_EQ(root.integer("count", std::nullopt, 0, 5), 3);
                  EXPECT_EQ(root.integer("whole", std::nullopt, 0, 5000), 4096);
                  EXPECT_EQ(root.integer("none", 9, 0, 5), 9);
                  EXPECT_TRUE(root.contains("none"));
                  EXPECT_FALSE(root.has("none"));
                  EXPECT_TRUE(root.findOrNull("none")->isNull());
                  EXPECT_EQ(root.at("list").elements().size(), 3U);
                  EXPECT_EQ(root.at("list").at(1).asString(), "two");
                  EXPECT_EQ(root.at("é").asCharacter(), "é");
              }),
              "");
}

TEST(JsonValue, OneSentenceSaysWhereAndWhat)
{
    struct Sentence {
        std::function<void(const Value&)> reader;
        std::string message;
    };
    const std::vector<Sentence> cases{
        {[](const Value& v) { v.at("absent"); }, "absent is missing"},
        {[](const Value& v) { v.at("none"); }, "none is missing"},
        {[](const Value& v) { v.at("inner").at("deep").at("x"); }, "inner.deep.x is missing"},
        {[](const Value& v) { v.at("odd key!").at("x").asString(); },
         "[\"odd key!\"].x must be a string, not 1"},
        {[](const Value& v) { v.string("count", ""); }, "count must be a string, not 3"},
        {[](const Value& v) { v.boolean("name", true); },
         "name must be true or false, not a string"},
        {[](const Value& v) { v.number("name", 0.0, 0.0, 1.0); },
         "name must be a number, not a string"},
        {[](const Value& v) { v.number("count", 0.0, 0.0, 1.5); },
         "count must be a number from 0 to 1.5, not 3"},
        {[](const Value& v) { v.integer("half", 0, 0, 5); },
         "half must be a whole number from 0 to 5, not 0.5"},
        {[](const Value& v) { v.integer("list", 0, 0, 5); },
         "list must be a whole number from 0 to 5, not a list"},
        {[](const Value& v) { v.at("half").asWholeNumber(0, 5000); },
         "half must be a whole number from 0 to 5000, not 0.5"},
        {[](const Value& v) { v.at("whole").asInteger(0, 5000); },
         "whole must be a whole number from 0 to 5000, not 4096.0"},
        {[](const Value& v) { v.at("huge").asInteger(0, 5); },
         "huge must be a whole number from 0 to 5, not 18446744073709551615"},
        {[](const Value& v) { v.at("list").at(2).at("three").requireObject(); },
         "list[2].three must be an object, not a list"},
        {[](const Value& v) { v.at("inner").elements(); }, "inner must be a list, not an object"},
        {[](const Value& v) { v.at("long").asCharacter(); },
         "long must be a single character, not \"éé\""},
        {[](const Value& v) { v.fail("is odd"); }, "the document is odd"},
        {[](const Value& v) { v.fail("flag", "is odd"); }, "flag is odd"},
    };
    for (const Sentence& c : cases)
        EXPECT_EQ(problem(c.reader), "file.json: " + c.message + ".");
}

TEST(JsonValue, KeepsTheKindOfProblem)
{
    const Json json = {{"a", 1}};
    const auto result = read("file.json", json, [](const Value& root) {
        root.at("a").unsupported("is not supported");
        return 0;
    });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Unsupported);
}

// A problem may be the sentence of another part of the program.
TEST(JsonValue, OneFullStopEndsASentence)
{
    for (const char* const problem : {"is wrong", "is wrong: give another one."}) {
        const auto refused =
            read("The file", Json::object(), [&](const Value& root) -> int { root.fail(problem); });
        const std::string text = refused.error().message.english();
        EXPECT_TRUE(text.ends_with('.')) << text;
        EXPECT_FALSE(text.ends_with("..")) << text;
    }
}

TEST(JsonStrictObject, RefusesKeysThatNobodyAskedFor)
{
    const auto read = [](const char* text) {
        const auto json = parseOrdered(text);
        const auto result = json::read("file.json", *json, [](const OrderedValue& root) {
            StrictObject object(root);
            const auto known = object.find("known");
            object.ignore("derived");
            object.refuseOthers("is not known");
            return known.has_value();
        });
        return result ? std::string() : result.error().message.english();
    };
    EXPECT_EQ(read(R"({})"), "");
    EXPECT_EQ(read(R"({"known": 1, "derived": {}})"), "");
    EXPECT_EQ(read(R"({"known": null})"), "");
    EXPECT_EQ(read(R"({"knwon": 1})"), "file.json: knwon is not known.");
    EXPECT_EQ(read(R"({"known": 1, "derived": 2, "more": 3})"), "file.json: more is not known.");
    EXPECT_EQ(read(R"([])"), "file.json: the document must be an object, not a list.");
}

TEST(JsonValue, StatesThePlaceOfAPartThatWasReadByItself)
{
    const auto part = parseOrdered(R"({"list": [{"a": 1}]})");
    const OrderedValue root(*part);
    const auto placed = [](const OrderedValue& value) {
        try {
            value.fail("is wrong");
        } catch (const ReadError& problem) {
            return problem.within("run.tokens[3]").message().english();
        }
    };
    EXPECT_EQ(placed(root), "run.tokens[3] is wrong");
    EXPECT_EQ(placed(root.at("list").at(0).at("a")), "run.tokens[3].list[0].a is wrong");
    EXPECT_EQ(placed(OrderedValue(part->at("list")).at(0)), "run.tokens[3][0] is wrong");
}

TEST(JsonDocument, WritesOptionalValuesAndQuantities)
{
    const OrderedJson json{{"none", std::optional<double>()},
                           {"some", std::optional<int>(3)},
                           {"energy", std::optional(Millijoules{1.5})}};
    EXPECT_EQ(textOf(json), R"({"none":null,"some":3,"energy":1.5})");
}

} // namespace
} // namespace ep::json
