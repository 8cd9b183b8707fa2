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

TEST(RunSettings, ThePageIsTheTable)
{
    std::string table;
    for (const NumberSetting& row : kNumberSettings) {
        table += "| `" + std::string(row.name) + "` | `" + std::string(row.option) + "` | "
            + number(row.least) + " to " + number(row.most) + " | " + number(row.standard) + " | "
            + std::string(row.help) + " |\n";
    }
    EXPECT_THAT(text("docs/settings.md"), testing::HasSubstr(table)) << table;
}

TEST(RunSettings, TheSchemaOfStudiesHasTheRanges)
{
    const json study = json::parse(text("resources/schema/study.schema.json")).at("properties");
    int compared = 0;
    for (const NumberSetting& row : kNumberSettings) {
        const std::string name(row.name);
        for (const json& fields : {study, study.at("sampling").at("properties")}) {
            if (!fields.contains(name))
                continue;
            EXPECT_EQ(fields.at(name).at("minimum"), row.least) << name;
            EXPECT_EQ(fields.at(name).at("maximum"), row.most) << name;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 14); // seed is there twice: of the order and of the sampling
}

TEST(RunSettings, ReadsTheWholeRangeAndNoMore)
{
    for (const NumberSetting& row : kNumberSettings) {
        const auto read = [&](double value) {
            json body;
            if (row.whole)
                body[std::string(row.name)] = static_cast<std::int64_t>(value);
            else
                body[std::string(row.name)] = value;
            return body;
        };
        const auto accepts = [&](double value) {
            const json body = read(value);
            return ep::json::read("It", body, [&](const ep::json::Value& root) {
                ep::json::StrictObject object(root);
                return row.whole ? static_cast<double>(readWhole(object, row.name))
                                 : readNumber(object, row.name);
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

} // namespace
} // namespace ep::session
