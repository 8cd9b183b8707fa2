// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_reader.h"
#include "support/temp_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace ep::model {

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
    {"{\"a\": 1e999}", "not valid JSON: a number in it is too large"},
};

TEST(JsonReader, SaysWhereADocumentIsBroken)
{
    for (const BrokenJson& broken : kBroken) {
        const auto json = parseJson(broken.text);
        ASSERT_FALSE(json) << broken.text;
        EXPECT_EQ(json.error().message, broken.message) << broken.text;
    }
}

TEST(JsonReader, NamesTheFile)
{
    const test::TempFolder folder;
    const auto file = folder / "a.json";
    const auto message = [&](const std::string& text) {
        std::ofstream(file) << text;
        const auto json = readJsonFile(file, 20);
        return json ? std::string() : json.error().message;
    };
    EXPECT_EQ(message("{\"a\": 1}"), "");
    EXPECT_EQ(message("[]"), file.string() + " does not hold a JSON object: download it again.");
    EXPECT_EQ(message("{"),
              file.string() + " is not valid JSON at line 1, column 1: download it again.");
    EXPECT_EQ(message("{\"a\": \"0123456789012345\"}"),
              file.string()
                  + " is 25.0 B large, more than a file of this kind can be: check that it is the "
                    "right one.");
}

} // namespace

} // namespace ep::model
