// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/text_file.h"
#include "ep/power/source.h"
#include "ep/session/study.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

namespace ep::session {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kOrders = {StudyOrder::Interleaved, StudyOrder::Random, StudyOrder::Listed};
constexpr const char* kFormat = "energy-profiler-study";
constexpr int kVersion = 1;
constexpr int kLargestCount = 1'000'000;

// What a file may not hold; caught at the one door of this file.
struct Problem {
    std::string text;
};

[[noreturn]] void refuse(const std::string& where, const std::string& what)
{
    throw Problem{"\"" + where + "\" " + what};
}

double number(const Json& json, const std::string& key, double standard, double least, double most)
{
    const auto found = json.find(key);
    if (found == json.end())
        return standard;
    if (!found->is_number())
        refuse(key, "must be a number");
    const double value = found->get<double>();
    if (!(value >= least && value <= most))
        refuse(key, "must lie between " + Json(least).dump() + " and " + Json(most).dump());
    return value;
}

int integer(const Json& value, const std::string& key, int least, int most)
{
    if (!value.is_number_integer() || value.get<double>() < least || value.get<double>() > most)
        refuse(key,
               "must be a whole number from " + std::to_string(least) + " to "
                   + std::to_string(most));
    return value.get<int>();
}

int integerAt(const Json& json, const std::string& key, int standard, int least, int most)
{
    const auto found = json.find(key);
    return found == json.end() ? standard : integer(*found, key, least, most);
}

std::string text(const Json& value, const std::string& key)
{
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
        refuse(key, "must be a text that is not empty");
    return value.get<std::string>();
}

std::string textAt(const Json& json, const std::string& key, const std::string& standard)
{
    const auto found = json.find(key);
    return found == json.end() ? standard : text(*found, key);
}

// A list, or one value in its place; each value once.
template <typename T, typename Read>
std::vector<T> listAt(const Json& json, const std::string& key, std::vector<T> standard, Read read)
{
    const auto found = json.find(key);
    if (found == json.end())
        return standard;
    std::vector<T> values;
    const auto add = [&](const Json& one) {
        T value = read(one);
        if (std::find(values.begin(), values.end(), value) != values.end())
            refuse(key, "holds " + one.dump() + " twice; use \"repeats\" to repeat cells");
        values.push_back(std::move(value));
    };
    if (found->is_array()) {
        for (const Json& one : *found)
            add(one);
    } else {
        add(*found);
    }
    if (values.empty())
        refuse(key, "is empty; name at least one");
    return values;
}

std::string readPromptFile(const std::string& file, const std::filesystem::path& folder)
{
    auto text = readTextFile(folder / file);
    if (!text)
        refuse("prompts", "names a file: " + text.error().message);
    return *std::move(text);
}

std::vector<StudyPrompt> promptsOf(const Json& json, const std::filesystem::path& folder)
{
    if (!json.contains("prompts"))
        refuse("prompts", "is missing; list the texts to continue");
    auto prompts = listAt<StudyPrompt>(json, "prompts", {}, [&](const Json& one) {
        if (one.is_string())
            return StudyPrompt{{}, text(one, "prompts")};
        if (!one.is_object() || one.contains("text") == one.contains("file"))
            refuse("prompts",
                   "must hold texts, or objects with a \"name\" and a \"text\" or \"file\"");
        StudyPrompt prompt;
        prompt.name = textAt(one, "name", {});
        prompt.text = one.contains("text") ? text(one.at("text"), "text")
                                           : readPromptFile(text(one.at("file"), "file"), folder);
        if (prompt.text.empty())
            refuse("prompts", "names an empty file");
        return prompt;
    });
    std::set<std::string> names;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        if (prompts[i].name.empty())
            prompts[i].name = "prompt " + std::to_string(i + 1);
        if (!names.insert(prompts[i].name).second)
            refuse("prompts", "names \"" + prompts[i].name + "\" twice");
    }
    return prompts;
}

SamplingSettings samplingOf(const Json& json)
{
    SamplingSettings sampling;
    const auto found = json.find("sampling");
    if (found == json.end())
        return sampling;
    if (!found->is_object())
        refuse("sampling", "must be an object");
    for (const auto& [key, value] : found->items()) {
        if (key == "temperature")
            sampling.temperature = number(*found, key, 0.0, 0.0, 100.0);
        else if (key == "top_k")
            sampling.top_k = integer(value, key, 0, kLargestCount);
        else if (key == "top_p")
            sampling.top_p = number(*found, key, 1.0, 0.0, 1.0);
        else if (key == "min_p")
            sampling.min_p = number(*found, key, 0.0, 0.0, 1.0);
        else if (key == "repetition_penalty")
            sampling.repetition_penalty = number(*found, key, 1.0, 0.01, 100.0);
        else if (key == "seed")
            sampling.seed =
                static_cast<std::uint64_t>(integer(value, key, 0, std::numeric_limits<int>::max()));
        else
            refuse("sampling", "has no setting \"" + key + "\"");
    }
    return sampling;
}

std::string deviceOf(const Json& value)
{
    std::string device = text(value, "devices");
    const bool numbered = device.rfind("cuda:", 0) == 0 && device.size() > 5
        && device.find_first_not_of("0123456789", 5) == std::string::npos;
    if (!numbered && device != "auto" && device != "cpu" && device != "mps" && device != "cuda")
        refuse("devices", "holds \"" + device + "\"; there are auto, cpu, mps, cuda and cuda:N");
    return device;
}

std::string dtypeOf(const Json& value)
{
    std::string dtype = text(value, "dtypes");
    constexpr std::array kDtypes = {"auto", "f32", "bf16", "f16", "int8"};
    if (std::find(kDtypes.begin(), kDtypes.end(), dtype) == kDtypes.end())
        refuse("dtypes", "holds \"" + dtype + "\"; there are auto, f32, bf16, f16 and int8");
    return dtype;
}

void refuseUnknownKeys(const Json& json)
{
    const std::set<std::string> known = {"$schema",
                                         "format",
                                         "version",
                                         "name",
                                         "description",
                                         "models",
                                         "prompts",
                                         "depths",
                                         "devices",
                                         "dtypes",
                                         "batch_sizes",
                                         "output_tokens",
                                         "repeats",
                                         "order",
                                         "seed",
                                         "fixed_length",
                                         "warmup_tokens",
                                         "warmup_cv",
                                         "baseline_seconds",
                                         "baseline_expires_minutes",
                                         "power",
                                         "interval_ms",
                                         "cool_down_seconds",
                                         "threads",
                                         "sampling",
                                         "tags"};
    for (const auto& [key, value] : json.items()) {
        if (!known.contains(key))
            refuse(key, "is no setting of a study; docs/studies.md lists them");
    }
}

StudySpec specOf(const Json& json, const std::filesystem::path& folder)
{
    if (!json.is_object())
        throw Problem{"it must be one JSON object"};
    refuseUnknownKeys(json);
    if (json.contains("format") && json.at("format") != kFormat)
        refuse("format", std::string("must be \"") + kFormat + "\"");
    if (json.contains("version") && json.at("version") != kVersion)
        refuse("version", "is not 1; this program is too old for the file");
    StudySpec spec;
    if (!json.contains("name"))
        refuse("name", "is missing; it names the experiment");
    spec.name = text(json.at("name"), "name");
    if (!json.contains("models"))
        refuse("models", "is missing; name folders or known models");
    spec.models = listAt<std::string>(json, "models", {},
                                      [](const Json& one) { return text(one, "models"); });
    spec.prompts = promptsOf(json, folder);
    spec.depths = listAt<Depth>(json, "depths", spec.depths, [](const Json& one) {
        const auto depth = depthFromName(text(one, "depths"));
        if (!depth)
            refuse("depths", "holds " + one.dump() + "; there are none, module and deep");
        return *depth;
    });
    spec.devices = listAt<std::string>(json, "devices", spec.devices, deviceOf);
    spec.dtypes = listAt<std::string>(json, "dtypes", spec.dtypes, dtypeOf);
    spec.batch_sizes = listAt<int>(json, "batch_sizes", spec.batch_sizes, [](const Json& one) {
        return integer(one, "batch_sizes", 1, 4096);
    });
    spec.output_tokens =
        listAt<int>(json, "output_tokens", spec.output_tokens, [](const Json& one) {
            return integer(one, "output_tokens", 1, kLargestCount);
        });
    spec.repeats = integerAt(json, "repeats", spec.repeats, 1, 10'000);
    const std::string order = textAt(json, "order", std::string(name(spec.order)));
    const auto found = std::find_if(kOrders.begin(), kOrders.end(),
                                    [&](StudyOrder one) { return name(one) == order; });
    if (found == kOrders.end())
        refuse("order", "must be interleaved, random or listed");
    spec.order = *found;
    spec.seed =
        static_cast<std::uint64_t>(integerAt(json, "seed", 1, 0, std::numeric_limits<int>::max()));
    if (const auto fixed = json.find("fixed_length"); fixed != json.end()) {
        if (!fixed->is_boolean())
            refuse("fixed_length", "must be true or false");
        spec.fixed_length = fixed->get<bool>();
    }
    spec.warmup_tokens = integerAt(json, "warmup_tokens", spec.warmup_tokens, 0, kLargestCount);
    spec.warmup_settled = number(json, "warmup_cv", spec.warmup_settled, 0.0, 10.0);
    spec.baseline_seconds = number(json, "baseline_seconds", 0.0, 0.0, 86'400.0);
    spec.baseline_expires_minutes =
        number(json, "baseline_expires_minutes", spec.baseline_expires_minutes, 0.0, 1e6);
    spec.cool_down_seconds = number(json, "cool_down_seconds", 0.0, 0.0, 86'400.0);
    spec.power = textAt(json, "power", spec.power);
    if (const auto choice = power::parseSourceChoice(spec.power); !choice)
        refuse("power", "is wrong: " + choice.error().message);
    spec.interval_ms = integerAt(json, "interval_ms", spec.interval_ms, 1, 60'000);
    spec.threads = integerAt(json, "threads", 0, 0, 1024);
    spec.sampling = samplingOf(json);
    spec.tags =
        listAt<std::string>(json, "tags", {}, [](const Json& one) { return text(one, "tags"); });
    return spec;
}

} // namespace

std::string_view name(StudyOrder order)
{
    switch (order) {
    case StudyOrder::Interleaved:
        return "interleaved";
    case StudyOrder::Random:
        return "random";
    case StudyOrder::Listed:
        return "listed";
    }
    return {};
}

Result<StudySpec> parseStudy(const std::string& json, const std::filesystem::path& folder)
{
    try {
        return specOf(Json::parse(json), folder);
    } catch (const Problem& problem) {
        return Error{ErrorCode::InvalidInput, "The study cannot be used: " + problem.text + "."};
    } catch (const Json::exception& problem) {
        return Error{ErrorCode::InvalidInput,
                     std::string("The study is no valid JSON: ") + problem.what() + "."};
    }
}

std::string studyToJson(const StudySpec& spec)
{
    Json json{
        {"format", kFormat}, {"version", kVersion}, {"name", spec.name}, {"models", spec.models}};
    json["prompts"] = Json::array();
    for (const StudyPrompt& prompt : spec.prompts)
        json["prompts"].push_back({{"name", prompt.name}, {"text", prompt.text}});
    json["depths"] = Json::array();
    for (const Depth depth : spec.depths)
        json["depths"].push_back(std::string(name(depth)));
    json["devices"] = spec.devices;
    json["dtypes"] = spec.dtypes;
    json["batch_sizes"] = spec.batch_sizes;
    json["output_tokens"] = spec.output_tokens;
    json["repeats"] = spec.repeats;
    json["order"] = std::string(name(spec.order));
    json["seed"] = spec.seed;
    json["fixed_length"] = spec.fixed_length;
    json["warmup_tokens"] = spec.warmup_tokens;
    json["warmup_cv"] = spec.warmup_settled;
    json["baseline_seconds"] = spec.baseline_seconds;
    json["baseline_expires_minutes"] = spec.baseline_expires_minutes;
    json["cool_down_seconds"] = spec.cool_down_seconds;
    json["power"] = spec.power;
    json["interval_ms"] = spec.interval_ms;
    json["threads"] = spec.threads;
    json["sampling"] = {{"temperature", spec.sampling.temperature},
                        {"top_k", spec.sampling.top_k},
                        {"top_p", spec.sampling.top_p},
                        {"min_p", spec.sampling.min_p},
                        {"repetition_penalty", spec.sampling.repetition_penalty},
                        {"seed", spec.sampling.seed}};
    if (!spec.tags.empty())
        json["tags"] = spec.tags;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ep::session
