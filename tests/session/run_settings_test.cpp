// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/folders.h"
#include "unusual_setting.h"

#include "ep/json/document.h"
#include "ep/session/run_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iomanip>
#include <set>
#include <sstream>
#include <string>

namespace ep::session {
namespace {

using nlohmann::json;

std::string text(const std::string& file)
{
    std::ifstream stream(test::sourcePath(file));
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

std::string placesOf(const RunSetting& row)
{
    const std::string studies =
        row.study_key.empty() ? "studies" : "studies (`" + std::string(row.study_key) + "`)";
    std::string places;
    for (const auto& [place, word] :
         {std::pair{unsigned{kInWindow}, std::string("window")},
          std::pair{unsigned{kInRequests}, std::string("API")},
          std::pair{kInStudies | kInSampling | kInLists, studies},
          std::pair{unsigned{kInSides}, std::string("`pays`")},
          std::pair{unsigned{kWithServers}, std::string("`attach`")},
          std::pair{unsigned{kWithCommands}, std::string("`record`")}}) {
        if ((row.places & place) != 0)
            places += (places.empty() ? "" : ", ") + word;
    }
    return places;
}

std::string valuesOf(const RunSetting& row)
{
    constexpr std::size_t kFew = 6;
    if (row.number())
        return number(row.values.least) + " to " + number(row.values.most)
            + (row.values.unit.empty() ? "" : ' ' + std::string(row.values.unit));
    if (!row.values.list || row.values.list().size() <= kFew)
        return valuesText(row).english();
    const auto words = row.values.list();
    return words[0] + ", " + words[1] + ", … or " + std::string(row.values.forms);
}

TEST(RunSettings, ThePageIsTheTable)
{
    std::string table;
    for (const RunSetting& row : runSettings()) {
        const std::string usual = textOf(row, RunRequest());
        const std::string option = row.option.empty() ? "" : '`' + std::string(row.option) + '`';
        table += "| `" + std::string(row.name) + "` | " + option + " | " + valuesOf(row) + " | "
            + (usual.empty() ? "—" : usual) + " | " + placesOf(row) + " | "
            + filled(row.help, {"as `--help` lists"}) + " |\n";
    }
    EXPECT_THAT(text("docs/settings.md"), testing::HasSubstr(table)) << table;
}

// The field of a setting in the schema of studies; for a list, one with a single value.
json fieldInStudies(const json& properties, const RunSetting& row)
{
    const bool sampling = (row.places & kInSampling) != 0;
    const json& place = sampling ? properties.at("sampling").at("properties") : properties;
    const json& field = place.at(std::string(row.keyInStudies()));
    return (row.places & kInLists) != 0 ? field.at("anyOf").at(0) : field;
}

TEST(RunSettings, TheSchemaOfStudiesHasTheirValues)
{
    const json study = json::parse(text("resources/schema/study.schema.json")).at("properties");
    for (const RunSetting& row : runSettings()) {
        if ((row.places & (kInStudies | kInSampling | kInLists)) == 0)
            continue;
        const json field = fieldInStudies(study, row);
        if (row.number()) {
            EXPECT_EQ(field.at("minimum"), row.values.least) << row.name;
            EXPECT_EQ(field.at("maximum"), row.values.most) << row.name;
        } else if (row.toggles()) {
            EXPECT_EQ(field.at("type"), "boolean") << row.name;
        } else if (row.values.list && row.values.forms.empty()) {
            EXPECT_EQ(field.at("enum"), json(row.values.list())) << row.name;
        } else {
            EXPECT_EQ(field.at("type"), "string") << row.name;
        }
    }
}

// Sets a setting as a JSON object does.
Result<RunRequest> set(const RunSetting& row, const json& value)
{
    const ep::json::OrderedJson body{{std::string(row.name), value}};
    return ep::json::read("It", body, [&](const ep::json::OrderedValue& root) {
        ep::json::StrictObject object(root);
        RunRequest request;
        readSetting(object, row, request);
        return request;
    });
}

TEST(RunSettings, ReadsTheWholeRangeAndNoMore)
{
    for (const RunSetting& row : runSettings()) {
        if (!row.number())
            continue;
        const auto written = [&](double value) {
            return row.whole() ? json(static_cast<std::int64_t>(value)) : json(value);
        };
        for (const double value : {row.values.least, row.values.most}) {
            const auto found = set(row, written(value));
            ASSERT_TRUE(found) << row.name;
            EXPECT_EQ(valueOf(row, *found), value) << row.name;
        }
        EXPECT_FALSE(set(row, written(row.values.least - 1))) << row.name;
        EXPECT_FALSE(set(row, written(row.values.most + 1))) << row.name;
    }
}

// Text, JSON and the field say the same, for every word that a setting can have.
TEST(RunSettings, ReadsEveryWordThatItWrites)
{
    for (const RunSetting& row : runSettings()) {
        if (row.number())
            continue;
        auto words = row.toggles() ? std::vector<std::string>{"on", "off"}
            : row.values.list      ? row.values.list()
                                   : std::vector<std::string>{"some text"};
        if (row.name == "power_source")
            words.insert(words.end(), {"nvml:0,1", "modelled:5.5,20", "replay:a.json"});
        for (const std::string& word : words) {
            SCOPED_TRACE(std::string(row.name) + " = " + word);
            RunRequest request;
            ASSERT_TRUE(readSetting(row, word, request));
            EXPECT_EQ(textOf(row, request), word);
            const auto again = set(row, jsonOf(row, request));
            ASSERT_TRUE(again) << again.error().message;
            EXPECT_EQ(*again, request);
            EXPECT_EQ(request == RunRequest(), word == textOf(row, RunRequest()));
        }
        if (!row.toggles() && !row.values.list)
            continue;
        RunRequest request;
        EXPECT_FALSE(readSetting(row, "no such word", request)) << row.name;
        EXPECT_EQ(request, RunRequest()) << row.name;
        EXPECT_FALSE(set(row, "no such word")) << row.name;
    }
}

// Cards of different settings must not be pooled, whatever the settings are.
TEST(RunSettings, TextsOfSidesDifferInEverySetting)
{
    for (const RunSetting& row : runSettings()) {
        static const std::set<std::string_view> kStatedApart{"device", "dtype", "threads",
                                                             "batch_size"};
        RunRequest side;
        side.levers.draft = row.name == "draft_tokens" ? kNgramDraft : "";
        const std::string usual = settingsText(side);
        test::makeUnusual(row, side);
        const bool differs = (row.places & kInSides) != 0 && !kStatedApart.contains(row.name);
        EXPECT_EQ(settingsText(side) != usual, differs) << row.name;
    }
    RunRequest side;
    side.levers.cache = model::CacheKind::Q8;
    side.sampling.top_k = 40;
    EXPECT_EQ(settingsText(side), "KV cache q8_0, top_k 40");
}

TEST(RunSettings, SaysWhereASettingIsUsedInstead)
{
    const ep::json::OrderedJson body{{"top_k", 1}, {"repeats", 2}};
    const auto refused = ep::json::read("It", body, [](const ep::json::OrderedValue& root) {
        const ep::json::StrictObject object(root);
        refuseElsewhere(object, kInRequests);
        return true;
    });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "It: repeats is not used here, but in `run`, the window, studies, `attach`.");
    EXPECT_EQ(settingCalled("fixed_length"), &runSetting("ignore_eos"));
    EXPECT_EQ(settingCalled("top-k"), &runSetting("top_k"));
    EXPECT_EQ(settingCalled(""), nullptr);
}

// The record of a run as its request leaves it.
RunInfo recordOf(const RunRequest& request)
{
    RunInfo run;
    run.chat_template = request.chat != ChatUse::Off;
    run.profiling.settings = recordedSettings(request);
    return run;
}

// Otherwise Run Again would forget a setting.
TEST(RunSettings, TheRecordOfARunKeepsEverySetting)
{
    EXPECT_EQ(recordOf({}).profiling.settings, RecordedSettings());
    for (const RunSetting& row : runSettings()) {
        RunRequest request;
        test::makeUnusual(row, request);
        const RunInfo run = recordOf(request);
        ASSERT_EQ(run.profiling.settings->size(), 1U) << row.name;
        EXPECT_EQ(run.profiling.settings->front().name, row.name);
        EXPECT_EQ(textOf(row, requestOf(run)), textOf(row, request)) << row.name;
    }
    RunInfo odd;
    odd.profiling.settings = {{"top_k", std::string("many")}, {"no_such_setting", true}};
    EXPECT_EQ(requestOf(odd).sampling.top_k, 0);
}

TEST(RunSettings, TheRecordOfARunKeepsWhatTheRunTakes)
{
    RunRequest request;
    request.batch_size = 4;
    request.sampling.temperature = 0.5;
    request.interval_ms = 50;
    const auto names = [&] {
        std::string all;
        for (const RecordedSetting& setting : recordedSettings(request))
            all += setting.name + ' ';
        return all;
    };
    EXPECT_EQ(names(), "temperature batch_size interval_ms ");
    request.record.emplace();
    EXPECT_EQ(names(), "interval_ms ");
    request.server.emplace();
    EXPECT_EQ(names(), "temperature interval_ms ");
}

// Runs of earlier versions have fields for some settings only.
TEST(RunSettings, ReadsTheFieldsOfEarlierRecords)
{
    RunInfo run;
    run.model.stored_dtype = run.dtype = "bf16";
    run.device = "cpu";
    run.prompt = "a";
    run.batch.resize(3);
    for (BatchSequence& sequence : run.batch)
        sequence.prompt = "a";
    run.max_new_tokens = 7;
    run.depth = Depth::Deep;
    run.sampling.top_k = 40;
    run.sampling.stop = {"."};
    const RunRequest request = requestOf(run);
    EXPECT_EQ(request.load.dtype, "auto");
    EXPECT_EQ(request.load.device, "cpu");
    EXPECT_EQ(request.batch_size, 3);
    EXPECT_TRUE(request.further_prompts.empty());
    EXPECT_EQ(request.max_new_tokens, 7);
    EXPECT_EQ(request.depth, Depth::Deep);
    EXPECT_EQ(request.sampling, run.sampling);
    run.batch[2].prompt = "b";
    EXPECT_EQ(requestOf(run).further_prompts, std::vector<std::string>{"b"});
    EXPECT_EQ(requestOf(run).batch_size, 1);
}

TEST(RunSettings, SaysWhichPartsOfAPromptCannotBeUsedTogether)
{
    const std::pair<PromptParts, const char*> cases[] = {
        {{.messages = true, .tools = true, .variables = true}, ""},
        {{.prompt = true, .system = true, .variables = true, .chat = true}, ""},
        {{.messages = true, .prompt = true}, "Messages take the place of the prompt"},
        {{.messages = true, .system = true}, "Messages have a system message"},
        {{.prompt = true, .tools = true}, "Tools are for messages"},
        {{.prompt = true, .variables = true}, "Variables are for a chat template"},
    };
    for (const auto& [parts, sentence] : cases) {
        const Status possible = checkTogether(parts);
        EXPECT_EQ(possible.has_value(), *sentence == '\0') << sentence;
        if (!possible) {
            EXPECT_THAT(possible.error().message.english(), testing::StartsWith(sentence));
        }
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
        {[](RunRequest& run) { run.levers.draft_tokens = 8; }, "Draft tokens are for a draft"},
        {[](RunRequest& run) { run.levers = {.draft = kNgramDraft, .draft_tokens = 8}; }, ""},
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
