// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/run_settings.h"

#include "ep/core/joined.h"
#include "ep/core/number_text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace ep::session {

namespace {

using Request = RunRequest;

constexpr unsigned kSampled = kInRequests | kInSides | kInSampling;
constexpr unsigned kEngine = kInRequests | kInSides | kInStudies;
constexpr unsigned kMeasured = kInRequests | kWithServers | kInStudies;

constexpr std::array<NumberSetting, 16> kNumberSettings{{
    {"max_new_tokens", "--max-new-tokens", 1, kMaxCount, "Maximum number of new tokens",
     kInRequests | kWithServers, [](Request& r) { return NumberField(&r.max_new_tokens); }},
    {"temperature", "--temperature", 0, 100,
     "Sampling temperature; 0 always takes the most likely token", kSampled | kWithServers,
     [](Request& r) { return NumberField(&r.sampling.temperature); }},
    {"top_k", "--top-k", 0, kMaxCount, "Sample from the K most likely tokens; 0: all", kSampled,
     [](Request& r) { return NumberField(&r.sampling.top_k); }},
    {"top_p", "--top-p", 0, 1,
     "Sample from the smallest set of tokens whose probability reaches P; 1: all", kSampled,
     [](Request& r) { return NumberField(&r.sampling.top_p); }},
    {"min_p", "--min-p", 0, 1,
     "Sample from tokens with at least this fraction of the highest probability", kSampled,
     [](Request& r) { return NumberField(&r.sampling.min_p); }},
    {"repetition_penalty", "--repetition-penalty", 0.01, 100,
     "Penalty on the logits of tokens that already occur; 1: none", kSampled,
     [](Request& r) { return NumberField(&r.sampling.repetition_penalty); }},
    {"seed", "--seed", 0, kMaxSeed, "Seed of the random number generator",
     kInRequests | kWithServers | kInSampling,
     [](Request& r) { return NumberField(&r.sampling.seed); }},
    {"batch_size", "--batch-size", 1, 4096, "Copies of each prompt in the batch",
     kInRequests | kInSides, [](Request& r) { return NumberField(&r.batch_size); }},
    {"context", "--context", 0, kMaxCount,
     "Most tokens of prompt and answer together; 0: what the model allows", kEngine,
     [](Request& r) { return NumberField(&r.context_length); }},
    {"draft_tokens", "--draft-tokens", 1, kMaxDraftTokens,
     "With a draft: most tokens proposed for each step", kEngine,
     [](Request& r) { return NumberField(&r.levers.draft_tokens); }},
    {"threads", "--threads", 0, 1024, "Number of compute threads; 0: all cores", kEngine,
     [](Request& r) { return NumberField(&r.load.threads); }},
    {"interval_ms", "--interval-ms", 1, 60'000, "Milliseconds between two samples of power",
     kMeasured | kWithCommands, [](Request& r) { return NumberField(&r.interval_ms); }},
    {"baseline_seconds", "--baseline-seconds", 0, kDaySeconds,
     "Seconds of idle power to measure before the run", kMeasured | kWithCommands,
     [](Request& r) { return NumberField(&r.baseline_seconds); }},
    {"warmup_tokens", "--warmup", 0, kMaxCount, "Tokens to generate and discard before the run",
     kMeasured, [](Request& r) { return NumberField(&r.warmup_tokens); }},
    {"repeats", "--repeat", 1, kMaxCount, "Number of consecutive runs", kWithServers | kInStudies,
     [](Request& r) { return NumberField(&r.repeats); }},
    {"cool_down_seconds", "--cool-down", 0, kDaySeconds,
     "Seconds to wait before every run except the first", kWithServers | kInStudies,
     [](Request& r) { return NumberField(&r.cool_down_seconds); }},
}};

std::size_t sequencesOf(const RunRequest& request)
{
    const std::size_t prompts = request.conversations.empty() ? 1 + request.further_prompts.size()
                                                              : request.conversations.size();
    return prompts * static_cast<std::size_t>(std::max(1, request.batch_size));
}

// Settings that exclude each other.
struct Conflict {
    bool (*found)(const RunRequest&);
    ErrorCode code;
    const char* sentence;
};

const std::array kConflicts{
    Conflict{[](const RunRequest& run) {
                 const bool levers = !run.levers.draft.empty() || run.levers.prompt_cache;
                 return levers && !run.server && !run.record && sequencesOf(run) > 1;
             },
             ErrorCode::Unsupported,
             "Drafts and the prompt cache work for one sequence at a time: give one prompt, "
             "without copies."},
    Conflict{
        [](const RunRequest& run) { return !run.conversations.empty() && !run.system.empty(); },
        ErrorCode::InvalidInput,
        "Messages have a system message of their own: leave out the other one."},
    Conflict{[](const RunRequest& run) {
                 return run.chat == ChatUse::Off && !run.server && run.conversations.empty()
                     && !run.template_variables.empty();
             },
             ErrorCode::InvalidInput,
             "Variables are for a chat template: apply the template, or leave them out."}};

} // namespace

std::span<const NumberSetting> numberSettings()
{
    return kNumberSettings;
}

const NumberSetting& numberSetting(std::string_view name)
{
    return *std::ranges::find(kNumberSettings, name, &NumberSetting::name);
}

bool NumberSetting::whole() const
{
    RunRequest request;
    return !std::holds_alternative<double*>(field(request));
}

double NumberSetting::standard() const
{
    return valueOf(*this, RunRequest());
}

double valueOf(const NumberSetting& setting, const RunRequest& request)
{
    // The field is only read.
    return std::visit([](const auto* field) { return static_cast<double>(*field); },
                      setting.field(const_cast<RunRequest&>(request)));
}

void setValue(const NumberSetting& setting, RunRequest& request, double value)
{
    std::visit(
        [value](auto* field) {
            *field = static_cast<std::remove_pointer_t<decltype(field)>>(value);
        },
        setting.field(request));
}

void readSetting(json::StrictObject& object, std::string_view name, RunRequest& request,
                 std::string_view key)
{
    const NumberSetting& setting = numberSetting(name);
    const auto value = object.find(key.empty() ? name : key);
    if (!value)
        return;
    if (setting.whole())
        setValue(
            setting, request,
            static_cast<double>(value->asWholeNumber(static_cast<std::int64_t>(setting.least),
                                                     static_cast<std::int64_t>(setting.most))));
    else
        setValue(setting, request, value->asNumber(setting.least, setting.most));
}

bool readSetting(const NumberSetting& setting, const std::string& text, RunRequest& request)
{
    std::optional<double> value = readNumber(text);
    if (setting.whole()) {
        const auto whole = readWhole(text);
        value = whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
    }
    if (!value || *value < setting.least || *value > setting.most)
        return false;
    setValue(setting, request, *value);
    return true;
}

Message rangeText(const NumberSetting& setting)
{
    const auto plain = [&](double value) {
        return setting.whole() || value == std::floor(value)
            ? std::to_string(static_cast<std::int64_t>(value))
            : nlohmann::json(value).dump();
    };
    return {setting.whole() ? "a whole number from %1 to %2" : "a number from %1 to %2",
            plain(setting.least), plain(setting.most)};
}

bool RunRequest::operator==(const RunRequest& other) const
{
    const auto words = [](const RunRequest& r) {
        return std::tie(r.load.folder, r.load.device, r.load.dtype, r.load.kernels, r.levers,
                        r.sampling, r.server, r.depth, r.power, r.also, r.attribution,
                        r.baseline_moment, r.tags, r.experiment);
    };
    const auto prompts = [](const RunRequest& r) {
        return std::tie(r.prompt, r.further_prompts, r.conversations, r.template_variables, r.chat,
                        r.system, r.ignore_eos);
    };
    const auto recording = [](const RunRequest& r) {
        return std::tie(r.sparsity_threshold, r.statistics_every, r.twin, r.exact, r.warmup_settled,
                        r.database, r.store_texts, r.ignore_memory);
    };
    const auto commandOf = [](const RunRequest& r) {
        return r.record ? r.record->arguments : std::vector<std::string>();
    };
    return std::ranges::all_of(
               kNumberSettings,
               [&](const NumberSetting& row) { return valueOf(row, *this) == valueOf(row, other); })
        && words(*this) == words(other) && prompts(*this) == prompts(other)
        && recording(*this) == recording(other) && commandOf(*this) == commandOf(other);
}

std::string ServerTarget::label() const
{
    return model.empty() ? address : model + " at " + address;
}

std::string NamedSettings::model() const
{
    return run.server ? run.server->label() : run.load.folder.string();
}

std::string NamedSettings::device() const
{
    return run.server ? "server" : run.load.device;
}

std::string NamedSettings::dtype() const
{
    return run.server ? std::string() : run.load.dtype;
}

std::string leversText(const Levers& levers)
{
    const Levers none;
    std::vector<std::string> parts;
    if (levers.cache != none.cache)
        parts.push_back("KV cache " + std::string(model::name(levers.cache)));
    if (levers.prompt_cache)
        parts.push_back("prompt cache");
    if (!levers.draft.empty()) {
        parts.push_back("draft by " + std::filesystem::path(levers.draft).filename().string());
        if (levers.draft_tokens != none.draft_tokens)
            parts.push_back(std::to_string(levers.draft_tokens) + " draft tokens");
    }
    return joined(parts);
}

Status checkTogether(const RunRequest& request)
{
    const auto conflict =
        std::ranges::find_if(kConflicts, [&](const Conflict& each) { return each.found(request); });
    return conflict == kConflicts.end() ? Status() : Error{conflict->code, conflict->sentence};
}

} // namespace ep::session
