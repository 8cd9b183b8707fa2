// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/document.h"
#include "ep/session/run_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

namespace ep::session {
namespace {

using nlohmann::json;

std::string text(const std::string& file)
{
    std::ifstream stream(std::string(EP_SOURCE_DIR) + "/" + file);
    std::ostringstream all;
    all << stream.rdbuf();
    return all.str();
}

std::string number(double value)
{
    std::ostringstream text;
    text << std::setprecision(15) << value;
    return text.str();
}

std::string placesOf(const NumberSetting& row)
{
    std::string places;
    for (const auto& [place, word] :
         {std::pair{unsigned{kInRequests}, "API"}, std::pair{kInStudies | kInSampling, "studies"},
          std::pair{unsigned{kInSides}, "`pays`"}, std::pair{unsigned{kWithServers}, "`attach`"},
          std::pair{unsigned{kWithCommands}, "`record`"}}) {
        if ((row.places & place) != 0)
            places += (places.empty() ? "" : ", ") + std::string(word);
    }
    return places;
}

TEST(RunSettings, ThePageIsTheTable)
{
    std::string table;
    for (const NumberSetting& row : numberSettings()) {
        table += "| `" + std::string(row.name) + "` | `" + std::string(row.option) + "` | "
            + number(row.least) + " to " + number(row.most) + " | " + number(row.standard()) + " | "
            + placesOf(row) + " | " + std::string(row.help) + " |\n";
    }
    EXPECT_THAT(text("docs/settings.md"), testing::HasSubstr(table)) << table;
}

TEST(RunSettings, TheSchemaOfStudiesHasTheRanges)
{
    const json study = json::parse(text("resources/schema/study.schema.json")).at("properties");
    int compared = 0;
    for (const NumberSetting& row : numberSettings()) {
        const std::string name(row.name);
        for (const json& fields : {study, study.at("sampling").at("properties")}) {
            if (!fields.contains(name))
                continue;
            EXPECT_EQ(fields.at(name).at("minimum"), row.least) << name;
            EXPECT_EQ(fields.at(name).at("maximum"), row.most) << name;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 15); // seed is there twice: of the order and of the sampling
}

TEST(RunSettings, ReadsTheWholeRangeAndNoMore)
{
    for (const NumberSetting& row : numberSettings()) {
        const auto read = [&](double value) {
            json body;
            if (row.whole())
                body[std::string(row.name)] = static_cast<std::int64_t>(value);
            else
                body[std::string(row.name)] = value;
            return body;
        };
        const auto accepts = [&](double value) {
            const json body = read(value);
            return ep::json::read("It", body, [&](const ep::json::Value& root) {
                ep::json::StrictObject object(root);
                RunRequest request;
                readSetting(object, row.name, request);
                return valueOf(row, request);
            });
        };
        for (const double value : {row.least, row.most}) {
            const auto found = accepts(value);
            ASSERT_TRUE(found) << row.name;
            EXPECT_EQ(*found, value) << row.name;
        }
        EXPECT_FALSE(accepts(row.least - 1)) << row.name;
        EXPECT_FALSE(accepts(row.most + 1)) << row.name;
    }
}

TEST(RunSettings, SaysWhichCannotBeUsedTogether)
{
    struct Case {
        void (*set)(RunRequest&);
        const char* sentence; // the beginning; empty: they can
    };
    const Case cases[] = {
        {[](RunRequest&) {}, ""},
        {[](RunRequest& run) { run.levers.draft = kNgramDraft; }, ""},
        {[](RunRequest& run) {
             run.levers.draft = kNgramDraft;
             run.batch_size = 2;
         },
         "Drafts and the prompt cache"},
        {[](RunRequest& run) {
             run.levers.prompt_cache = true;
             run.further_prompts = {"b"};
         },
         "Drafts and the prompt cache"},
        {[](RunRequest& run) {
             run.conversations.resize(1);
             run.system = "s";
         },
         "Messages have a system message"},
        {[](RunRequest& run) { run.template_variables = "{}"; }, "Variables are for"},
        {[](RunRequest& run) {
             run.template_variables = "{}";
             run.chat = ChatUse::Always;
         },
         ""},
    };
    for (const Case& each : cases) {
        RunRequest run;
        each.set(run);
        const Status possible = checkTogether(run);
        EXPECT_EQ(possible.has_value(), *each.sentence == '\0') << each.sentence;
        if (!possible) {
            EXPECT_THAT(possible.error().message.english(), testing::StartsWith(each.sentence));
        }
    }
}

} // namespace
} // namespace ep::session
