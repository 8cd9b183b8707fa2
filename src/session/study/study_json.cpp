// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/dialect.h"
#include "ep/attach/endpoint.h"
#include "ep/core/enum_words.h"
#include "ep/core/user_file.h"
#include "ep/json/conversation.h"
#include "ep/json/document.h"
#include "ep/json/value.h"
#include "ep/session/run_settings.h"
#include "ep/session/study.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::session {
namespace {

// Reads the prompts of a study's file, and its other fields. Problems are thrown as
// json::ReadError.

using Json = json::OrderedJson;
using Value = json::OrderedValue;
using json::StrictObject;

std::string textOf(const Value& value)
{
    if (value.asString().empty())
        value.fail("must not be empty");
    return value.asString();
}

// A list, or a single value instead; without duplicates.
template <typename T, typename Read>
std::vector<T> listAt(StrictObject& study, std::string_view key, std::vector<T> standard,
                      const Read& read)
{
    const auto found = study.find(key);
    if (!found)
        return standard;
    std::vector<T> values;
    for (const Value& one : found->isArray() ? found->elements() : std::vector{*found}) {
        T value = read(one);
        if (std::find(values.begin(), values.end(), value) != values.end())
            one.fail("occurs twice; use \"repeats\" to repeat cells");
        values.push_back(std::move(value));
    }
    if (values.empty())
        found->fail("is empty; name at least one");
    return values;
}

std::string readPromptFile(const Value& file, const std::filesystem::path& folder)
{
    auto text = readTextFile(folder / textOf(file));
    if (!text)
        file.fail(Message("names a file: %1", text.error().message));
    return *std::move(text);
}

// Reads conversations from the study itself or from a file.
void readConversations(const Value& json, const std::filesystem::path& folder, StudyPrompt& prompt)
{
    const auto take = [&](const Value& place) {
        const auto member = [&](const char* key) {
            const auto found = place.find(key);
            return found ? found->json() : Json();
        };
        auto read =
            json::conversationOf(member("messages"), member("tools"), member("template_variables"));
        if (!read)
            place.fail(Message("cannot be used: %1", read.error().message));
        prompt.conversations.push_back(*std::move(read));
    };
    if (json.contains("messages")) {
        take(json);
    } else if (const auto file = json.find("messages_file")) {
        auto read = json::readConversationFile(folder / textOf(*file));
        if (!read)
            file->fail(Message("names a file that cannot be used: %1", read.error().message));
        prompt.conversations = std::move(read->conversations);
    } else {
        for (const Value& one : json.at("conversations").elements())
            take(one);
    }
    if (const auto variables = json.find("template_variables");
        variables && !json.contains("messages")) {
        for (Conversation& conversation : prompt.conversations)
            conversation.variables =
                json::mergedVariables(conversation.variables, json::textOf(variables->json()));
    }
    if (!prompt.conversations.empty())
        prompt.text = questionOf(prompt.conversations.front());
}

StudyPrompt promptOf(const Value& json, const std::filesystem::path& folder)
{
    if (json.isString())
        return {.name = {}, .text = textOf(json)};
    constexpr std::array<std::string_view, 5> kContents{"text", "file", "messages", "messages_file",
                                                        "conversations"};
    const auto isGiven = [&](std::string_view key) { return json.contains(key); };
    if (!json.isObject() || std::ranges::count_if(kContents, isGiven) != 1)
        json.fail("must be a string, or an object with a \"name\" and a \"text\", a \"file\", "
                  "\"messages\" or a \"messages_file\"");
    StudyPrompt prompt;
    if (const auto name = json.find("name"))
        prompt.name = textOf(*name);
    if (json.contains("text"))
        prompt.text = textOf(json.at("text"));
    else if (json.contains("file"))
        prompt.text = readPromptFile(json.at("file"), folder);
    else
        readConversations(json, folder, prompt);
    if (prompt.text.empty() && prompt.conversations.empty())
        json.fail("names an empty file");
    return prompt;
}

std::vector<StudyPrompt> readPrompts(StrictObject& study, const std::filesystem::path& folder)
{
    auto prompts = listAt<StudyPrompt>(study, "prompts", {},
                                       [&](const Value& one) { return promptOf(one, folder); });
    if (prompts.empty())
        study.value().fail("prompts", "is missing; list the texts to continue");
    std::set<std::string> names;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        if (prompts[i].name.empty())
            prompts[i].name = "prompt " + std::to_string(i + 1);
        if (!names.insert(prompts[i].name).second)
            study.value().fail("prompts", Message("names \"%1\" twice", prompts[i].name));
    }
    return prompts;
}

Json promptJson(const StudyPrompt& prompt)
{
    Json json{{"name", prompt.name}};
    if (prompt.conversations.size() == 1) {
        json.update(json::conversationJson(prompt.conversations.front()));
    } else if (prompt.conversations.empty()) {
        json["text"] = prompt.text;
    } else {
        for (const Conversation& conversation : prompt.conversations)
            json["conversations"].push_back(json::conversationJson(conversation));
    }
    return json;
}

// In the order of StudyOrder.
constexpr std::array<std::string_view, 3> kOrderWords{"interleaved", "random", "listed"};
constexpr const char* kFormat = "energy-profiler-study";
constexpr int kVersion = 1;

// "http://127.0.0.1:8080", or an object with the model as well.
ServerTarget serverOf(const Value& json)
{
    if (!json.isString() && !json.isObject())
        json.fail("must be an address, or an object with an \"address\" and a \"model\"");
    ServerTarget server;
    const Value address = json.isString() ? json : json.at("address");
    const auto endpoint = attach::parseEndpoint(textOf(address));
    if (!endpoint)
        address.fail(Message("is wrong: %1", endpoint.error().message));
    server.address = endpoint->origin();
    if (json.isString())
        return server;
    StrictObject object(json);
    object.ignore("address");
    server.model = object.string("model", {});
    server.dialect = object.string("dialect", {});
    if (!server.dialect.empty() && attach::dialectFromId(server.dialect) == nullptr)
        json.fail("dialect", "is no dialect of a server; see docs/attach.md");
    object.refuseOthers("is not a setting of a server");
    return server;
}

void readSettings(StrictObject& json, SettingPlace place, RunRequest& run)
{
    for (const RunSetting& row : runSettings()) {
        if ((row.places & place) != 0)
            readSetting(json, row, run, row.keyInStudies());
    }
}

std::optional<StudyQuality> qualityOf(StrictObject& study, const std::filesystem::path& folder)
{
    constexpr int kMaxWindow = 1'000'000;
    const auto found = study.find("quality");
    if (!found)
        return std::nullopt;
    if (found->isString())
        return StudyQuality{.text = (folder / textOf(*found)).lexically_normal()};
    StrictObject json(*found);
    StudyQuality quality;
    quality.text = (folder / textOf(json.at("text"))).lexically_normal();
    quality.context = json.integer("context", 0, 0, kMaxWindow);
    quality.stride = json.integer("stride", 0, 0, kMaxWindow);
    json.refuseOthers("is not a setting of quality; known are text, context and stride");
    return quality;
}

StudyOrder orderOf(StrictObject& study, StudyOrder standard)
{
    const auto word = study.find("order");
    if (!word)
        return standard;
    const auto order = enumOf<StudyOrder>(kOrderWords, word->asString());
    if (!order)
        word->fail("must be interleaved, random or listed");
    return *order;
}

void checkHead(StrictObject& study)
{
    study.ignore("$schema");
    study.ignore("description");
    if (const auto format = study.find("format"); format && format->json() != kFormat)
        format->fail(Message("must be \"%1\"", kFormat));
    if (const auto version = study.find("version"); version && version->json() != kVersion)
        version->fail("is not 1; this program is too old for the file");
    if (!study.find("name"))
        study.value().fail("name", "is missing; it is the name of the experiment");
}

// Throws json::ReadError.
StudySpec specOf(const Value& root, const std::filesystem::path& folder)
{
    StrictObject json(root);
    checkHead(json);
    StudySpec spec;
    RunRequest& run = spec.run;
    spec.name = textOf(json.at("name"));
    spec.models = listAt<std::string>(json, "models", {}, textOf);
    spec.servers = listAt<ServerTarget>(json, "servers", {}, serverOf);
    if (spec.models.empty() && spec.servers.empty())
        root.fail("models", "is missing; name folders or known models");
    spec.prompts = readPrompts(json, folder);
    for (const StudyPrompt& prompt : spec.prompts) {
        if (!spec.servers.empty() && prompt.conversations.size() > 1)
            root.fail(
                "prompts",
                Message("has several conversations in \"%1\", but a server answers one at a time",
                        prompt.name));
    }
    for (StudyList& list : spec.lists) {
        const RunSetting& row = runSetting(list.setting);
        list.values =
            listAt<std::string>(json, row.keyInStudies(), list.values, [&](const Value& one) {
                RunRequest read;
                readSetting(one, row, read);
                return textOf(row, read);
            });
    }
    spec.order = orderOf(json, spec.order);
    RunRequest shuffled; // the seed of the order has the range of a run's seed
    shuffled.sampling.seed = spec.seed;
    readSetting(json, runSetting("seed"), shuffled);
    spec.seed = shuffled.sampling.seed;
    readSettings(json, kInStudies, run);
    if (run.chat != ChatUse::Off)
        run.chat = ChatUse::IfThere; // not all models of a study need a template
    spec.baseline_expires_minutes =
        json.number("baseline_expires_minutes", spec.baseline_expires_minutes, 0.0, 1e6);
    if (const auto found = json.find("sampling")) {
        StrictObject sampling(*found);
        readSettings(sampling, kInSampling, run);
        sampling.refuseOthers("is not a sampling setting");
    }
    run.tags = listAt<std::string>(json, "tags", {}, textOf);
    spec.quality = qualityOf(json, folder);
    refuseElsewhere(json, kInStudies | kInSampling | kInLists);
    json.refuseOthers("is not a setting of a study; see docs/studies.md");
    return spec;
}

// The lists that are written first.
constexpr std::array<std::string_view, 5> kFirstLists{"profiling_depth", "device", "dtype",
                                                      "batch_size", "max_new_tokens"};

Json listJson(const StudySpec& spec, std::string_view setting)
{
    const RunSetting& row = runSetting(setting);
    Json list = Json::array();
    for (const std::string& value : spec.values(setting)) {
        RunRequest run;
        const bool known = readSetting(row, value, run).has_value();
        list.push_back(known ? Json(jsonOf(row, run)) : Json(value));
    }
    return list;
}

} // namespace

std::string_view name(StudyOrder order)
{
    return wordOf(kOrderWords, order);
}

Result<StudySpec> parseStudy(const std::string& text, const std::filesystem::path& folder)
{
    const auto document = json::parseOrdered(text);
    if (!document)
        return Error{ErrorCode::InvalidInput, {"The study is %1.", document.error().message}};
    return json::read("The study cannot be used", *document,
                      [&](const Value& root) { return specOf(root, folder); });
}

std::string studyToJson(const StudySpec& spec)
{
    Json json{
        {"format", kFormat}, {"version", kVersion}, {"name", spec.name}, {"models", spec.models}};
    if (!spec.servers.empty())
        json["servers"] = Json::array();
    for (const ServerTarget& server : spec.servers) {
        Json one{{"address", server.address}};
        if (!server.model.empty())
            one["model"] = server.model;
        if (!server.dialect.empty())
            one["dialect"] = server.dialect;
        json["servers"].push_back(std::move(one));
    }
    if (spec.models.empty())
        json.erase("models");
    json["prompts"] = Json::array();
    for (const StudyPrompt& prompt : spec.prompts)
        json["prompts"].push_back(promptJson(prompt));
    for (const std::string_view first : kFirstLists)
        json[std::string(runSetting(first).keyInStudies())] = listJson(spec, first);
    for (const StudyList& list : spec.lists)
        json[std::string(runSetting(list.setting).keyInStudies())] = listJson(spec, list.setting);
    const RunRequest& run = spec.run;
    json["order"] = std::string(name(spec.order));
    json["seed"] = spec.seed;
    json["baseline_expires_minutes"] = spec.baseline_expires_minutes;
    for (const RunSetting& row : runSettings()) {
        if ((row.places & kInSampling) != 0)
            json["sampling"][std::string(row.name)] = jsonOf(row, run);
        else if ((row.places & kInStudies) != 0 && !textOf(row, run).empty())
            json[std::string(row.keyInStudies())] = jsonOf(row, run);
    }
    if (!run.tags.empty())
        json["tags"] = run.tags;
    if (spec.quality) {
        json["quality"] = {{"text", spec.quality->text.string()},
                           {"context", spec.quality->context},
                           {"stride", spec.quality->stride}};
    }
    return json::textOf(json, 2) + '\n';
}

} // namespace ep::session
