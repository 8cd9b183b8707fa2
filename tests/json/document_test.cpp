// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/small_stack.h"
#include "support/temp_folder.h"

#include "ep/json/document.h"
#include "ep/json/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ep::json {
namespace {

struct BrokenJson {
    std::string text;
    std::string message;
};

const BrokenJson kBroken[] = {
    {"", "not valid JSON at line 1, column 1"},
    {"{\n \"a\": }", "not valid JSON at line 2, column 7"},
    {"{\"a\": 1} x", "not valid JSON at line 1, column 10"},
    {"\"\xff\"", "not valid JSON at line 1, column 2"},
    {"NaN", "not valid JSON at line 1, column 1"},
    {std::string("1\n\0[", 4), "not valid JSON at line 2, column 1"},
    {std::string("1\0", 2), "not valid JSON at line 1, column 2"},
    {"{\"a\": 1e999}", "not valid JSON: a number in it is too large"},
};

bool keepAll(int, Json::parse_event_t, OrderedJson&)
{
    return true;
}

TEST(JsonDocument, SaysWhereADocumentIsBroken)
{
    for (const BrokenJson& broken : kBroken) {
        const auto json = parse(broken.text);
        ASSERT_FALSE(json) << broken.text;
        EXPECT_EQ(json.error().message, broken.message) << broken.text;
        std::istringstream stream(broken.text);
        const auto streamed = parse(stream, keepAll);
        ASSERT_FALSE(streamed) << broken.text;
        EXPECT_EQ(streamed.error().message, broken.message) << broken.text;
    }
}

TEST(JsonDocument, NamesTheFile)
{
    const test::TempFolder folder;
    const auto file = folder / "a.json";
    const auto message = [&](const std::string& text) {
        std::ofstream(file) << text;
        const auto json = readFile(file, 20);
        return json ? std::string() : json.error().message.english();
    };
    EXPECT_EQ(message("{\"a\": 1}"), "");
    EXPECT_EQ(message("[]"),
              file.string() + " does not contain a JSON object: check that it is the right file.");
    EXPECT_EQ(message("{"),
              file.string() + " is not valid JSON at line 1, column 1: download it again.");
    EXPECT_EQ(message("{\"a\": 1e999}"),
              file.string()
                  + " is not valid JSON: a number in it is too large: check that it is the right "
                    "file.");
    EXPECT_EQ(message("{\"a\": \"0123456789012345\"}"),
              file.string()
                  + " is 25.0 B large, too large for a file of this kind: check that it is the "
                    "right one.");
}

// Python and transformers 5 write such numbers.
TEST(JsonDocument, FilesMayHoldNumbersThatJsonHasNot)
{
    const test::TempFolder folder;
    const auto file = folder / "a.json";
    std::ofstream(file) << R"({"a": NaN, "b": [-Infinity, Infinity, "NaN, \"Infinity"],
        "c": {"__float__": "Infinity"}, "d": {"__float__": "NaN", "x": 1}, "e": "\u007f",)"
                        << "\"f\": \"NaN\", \"\x7f\": 1}";
    const auto json = readFile(file, 1000);
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_TRUE(std::isnan(json->at("a").get<double>()));
    EXPECT_EQ(json->at("b")[0], -std::numeric_limits<double>::infinity());
    EXPECT_EQ(json->at("b")[1], std::numeric_limits<double>::infinity());
    EXPECT_EQ(json->at("b")[2], "NaN, \"Infinity");
    EXPECT_EQ(json->at("c"), std::numeric_limits<double>::infinity());
    EXPECT_EQ(json->at("d").size(), 2U);
    EXPECT_EQ(json->at("f"), "NaN");
    const auto read = [&](const char* key) {
        return json::read(
                   "a.json", *json,
                   [&](const Value& value) { return value.number(key, std::nullopt, 0.0, 1.0); })
            .error()
            .message;
    };
    EXPECT_EQ(read("a"), "a.json: a must be a number from 0 to 1, not NaN.");
    EXPECT_EQ(read("c"), "a.json: c must be a number from 0 to 1, not Infinity.");
    std::ofstream(file) << R"({"a": Infinity, "b": oops})";
    EXPECT_EQ(readFile(file, 1000).error().message,
              file.string() + " is not valid JSON at line 1, column 22: correct it there.");
    for (const char* const strict : {"[NaN]", "[Infinity]", "[-Infinity]"})
        EXPECT_FALSE(parse(strict)) << strict;
}

std::string nested(const std::string& open, const std::string& inner, const std::string& close,
                   int levels)
{
    std::string text;
    for (int i = 0; i < levels; ++i)
        text += open;
    text += inner;
    for (int i = 0; i < levels; ++i)
        text += close;
    return text;
}

struct Nesting {
    const char* name;
    const char* open;
    const char* inner;
    const char* close;
    int inside = 0; // number of levels that the innermost value has
};

const Nesting kNestings[] = {
    {"lists", "[", "1", "]"},
    {"objects", "{\"a\":", "1", "}"},
    {"lists after values", "[\"]]]\\\"\",{},[],", "1", "]", 1},
    {"lists that do not end", "[", "", ""},
};

// The refusal must come before anything is built, even on a thread with half a megabyte of stack.
TEST(JsonDocument, RefusesWhatIsNestedTooDeeply)
{
    test::onSmallStack([] {
        for (const Nesting& nesting : kNestings) {
            SCOPED_TRACE(nesting.name);
            for (const int levels : {kMaxDepth + 1, 60'000, 1'000'000}) {
                const std::string text = nested(nesting.open, nesting.inner, nesting.close, levels);
                const std::string message =
                    "nested more than 200 levels deep, too deep for a file of this kind";
                const auto json = parse(text);
                ASSERT_FALSE(json);
                EXPECT_EQ(json.error().message, message);
                EXPECT_EQ(json.error().code, ErrorCode::InvalidInput);
                EXPECT_EQ(parseUniqueKeys(text).error().message, message);
                std::istringstream stream(text);
                EXPECT_EQ(parse(stream, keepAll).error().message, message);
            }
        }
    });
}

// Accepted documents can be copied, compared, written and destroyed on such a thread.
TEST(JsonDocument, RefusesMoreValuesThanAnyFileNeeds)
{
    std::string text = "[0";
    while (text.size() < 2 * kMaxValues)
        text += ",0";
    EXPECT_TRUE(parse(text + "]")); // kMaxValues, with the list
    text += ",0]";
    for (const auto& read : {parse(text), parseUniqueKeys(text)}) {
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().message, "too large: it holds more than 4194304 values");
    }
}

TEST(JsonDocument, TheDeepestDocumentFitsASmallStack)
{
    test::onSmallStack([] {
        for (const Nesting& nesting : kNestings) {
            if (!*nesting.close)
                continue;
            SCOPED_TRACE(nesting.name);
            const std::string text =
                nested(nesting.open, nesting.inner, nesting.close, kMaxDepth - nesting.inside);
            const auto json = parse(text);
            ASSERT_TRUE(json) << json.error().message;
            const Json copy = *json;
            EXPECT_TRUE(copy == *json);
            const auto again = parseUniqueKeys(copy.dump());
            ASSERT_TRUE(again) << again.error().message;
            EXPECT_TRUE(copy == *again);
            std::istringstream stream(text);
            EXPECT_TRUE(parse(stream, keepAll));
        }
    });
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The library's destructors ask for memory themselves, and may not throw.
void readWithLittleMemory()
{
    std::string text = "[[";
    for (int i = 0; i < 20'000; ++i)
        text += R"({"a":[1,"b"]},)";
    text += "0]]";
    int failures = 0;
    bool read = false; // with the memory that was left
    for (rlim_t room = 1; !read; ++room) {
        std::ifstream file("/proc/self/statm");
        rlim_t pages = 0;
        file >> pages;
        rlimit limit{};
        ::getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (room << 20U);
        ::setrlimit(RLIMIT_AS, &limit);
        try {
            static_cast<void>(parse(text));
            static_cast<void>(parseOrdered(text));
            read = true;
        } catch (const std::bad_alloc&) {
            ++failures;
        }
    }
    std::exit(failures);
}

// Death tests run first, while there is little free memory to use again.
TEST(JsonDocumentDeathTest, RunningOutOfMemoryDoesNotEndTheProgram)
{
    EXPECT_EXIT(
        readWithLittleMemory(),
        [](int status) { return WIFEXITED(status) && WEXITSTATUS(status) > 0; }, "");
}
#endif

TEST(JsonDocument, TheLastOfEqualKeysCountsUnlessTheyMustDiffer)
{
    const std::string text = R"({"a": 1, "b": {"a": 2}, "a": 3})";
    EXPECT_EQ(parse(text)->at("a"), 3);
    EXPECT_EQ(parseUniqueKeys(text).error().message, "ambiguous: it holds the key \"a\" twice");
    EXPECT_TRUE(parseUniqueKeys(R"({"a": 1, "b": {"a": 2}, "c": [{"a": 1}, {"a": 1}]})"));
}

// This used to take minutes: the library iterated over all members of an object after each one.
TEST(JsonDocument, AnObjectOfManyObjectsTakesNoQuadraticTime)
{
    std::string text = "{";
    for (int i = 0; i < 200'000; ++i)
        text += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"a":[1,2],"b":{}})";
    text += "}";
    const auto unique = parseUniqueKeys(text);
    ASSERT_TRUE(unique) << unique.error().message;
    EXPECT_EQ(unique->size(), 200'000U);
}

// With a callback, the library's own builder iterates over the list after each of its objects:
// here, 5 x 10^11 steps.
TEST(JsonDocument, AListOfManyObjectsTakesNoQuadraticTime)
{
    constexpr std::size_t kMany = 1'000'000;
    std::string text = "[{}";
    for (std::size_t i = 1; i < kMany; ++i)
        text += ",{}";
    text += "]";
    const auto ordered = parseOrdered(text);
    ASSERT_TRUE(ordered) << ordered.error().message;
    EXPECT_EQ(ordered->size(), kMany);
    std::istringstream stream(text);
    std::size_t seen = 0;
    const auto kept = parse(stream, [&](int, Json::parse_event_t, OrderedJson&) {
        ++seen;
        return true;
    });
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(kept->size(), kMany);
    EXPECT_EQ(seen, kMany + 1) << "the end of each value once";
}

TEST(JsonDocument, ALongTextIsTakenPieceByPiece)
{
    int taken = 0;
    std::istringstream text(R"({"list": [{"n": 1}, {"n": 2}], "rest": true})");
    const auto json = parse(text, [&](int depth, Json::parse_event_t event, OrderedJson&) {
        const bool element = depth == 2 && event == Json::parse_event_t::object_end;
        taken += element ? 1 : 0;
        return !element;
    });
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_EQ(taken, 2);
    EXPECT_EQ(json->at("rest"), true);
    EXPECT_EQ(json->at("list").size(), 0U);
}

} // namespace
} // namespace ep::json
