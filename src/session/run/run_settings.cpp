// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/run_settings.h"

#include "ep/core/joined.h"
#include "ep/core/number_text.h"
#include "ep/core/power_limits.h"
#include "ep/model/dtype_plan.h"
#include "ep/model/format.h"
#include "ep/model/kernel_names.h"
#include "ep/model/sequences.h"

#include <cmath>
#include <filesystem>
#include <regex>
#include <tuple>
#include <type_traits>

namespace ep::session {

namespace {

std::vector<std::string> liveSources()
{
    std::vector<std::string> kinds;
    for (const power::SourceKind& source : power::sourceKinds()) {
        if (source.kind != "replay") // a choice of replay also names a file
            kinds.push_back(source.kind);
    }
    return kinds;
}

std::string sourceForms()
{
    std::vector<std::string> forms;
    for (const power::SourceKind& source : power::sourceKinds())
        forms.push_back(source.kind + source.argument);
    return joined(forms);
}

std::vector<std::string> formatsWithShortNames()
{
    std::vector<std::string> words = model::formatChoices();
    for (const model::FormatRow& row : model::kFormats) {
        if (!row.short_name.empty())
            words.emplace_back(row.short_name);
    }
    return words;
}

template <typename Parsed>
Status outcomeOf(const Parsed& parsed)
{
    return parsed ? Status() : Status(parsed.error());
}

constexpr SettingValues kDevices{
    .list =
        [] {
            return std::vector<std::string>{"auto", "cpu", "mps", "cuda"};
        },
    .pattern = "cuda:[0-9]{1,3}",
    .forms = "cuda:N"};
constexpr SettingValues kFormatNames{
    .list = formatsWithShortNames,
    .pattern = "[a-z0-9_.=,-]*=[a-z0-9_.=,-]*",
    .forms = "a plan of types",
    .check = [](const std::string& text) { return outcomeOf(model::parseDTypePlan(text)); },
    .named = model::formatChoicesText};
constexpr SettingValues kKernelNames{
    .list =
        [] {
            return std::vector<std::string>{"auto", "measure"};
        },
    .forms = "names of kernels",
    .check = [](const std::string& text) { return model::checkKernelNames(text); }};
constexpr SettingValues kSources{
    .list = liveSources,
    .pattern = "nvml:(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(,(25[0-5]|2[0-4][0-9]|"
               "1[0-9][0-9]|[1-9]?[0-9]))*|modelled:[0-9]+([.][0-9]+)?,[0-9]+([.][0-9]+)?",
    .forms = "modelled:IDLE,FULL",
    .check = [](const std::string& text) { return outcomeOf(power::parseSourceChoice(text)); },
    .named = sourceForms};

constexpr SettingValues numbers(double least, double most, std::string_view unit = {})
{
    return {.least = least, .most = most, .unit = unit};
}

#define EP_WORDS(...)                                                                              \
    {                                                                                              \
        .list = [] { return std::vector<std::string>{__VA_ARGS__}; }                               \
    }
#define EP_FIELD(field) [](RunRequest& run) { return SettingField(&run.field); }
#define EP_SETTING(name, option, places, field, help, ...)                                         \
    RunSetting{#name, option, places, help, EP_FIELD(field), __VA_ARGS__},
constexpr RunSetting kRunSettings[] = {
#include "ep/core/run_settings.def"
};
#undef EP_SETTING
#undef EP_FIELD
#undef EP_WORDS

// A number as in JSON, in every locale.
std::string plainNumber(double value)
{
    return value == std::floor(value) ? std::to_string(static_cast<std::int64_t>(value))
                                      : json::textOf(json::Json(value));
}

std::string sourceText(const power::SourceChoice& choice)
{
    const power::SourceChoice usual;
    const bool watts =
        choice.idle_watts != usual.idle_watts || choice.full_watts != usual.full_watts;
    if (choice.kind == "modelled" && watts)
        return "modelled:" + plainNumber(choice.idle_watts) + ',' + plainNumber(choice.full_watts);
    const bool argument = choice.kind != "auto" && !choice.argument.empty();
    return choice.kind + (argument ? ':' + choice.argument : "");
}

template <typename T>
std::string wordFor(const T& value)
{
    if constexpr (std::is_same_v<T, bool>)
        return value ? "on" : "off";
    else if constexpr (std::is_arithmetic_v<T>)
        return plainNumber(static_cast<double>(value));
    else if constexpr (std::is_same_v<T, std::string>)
        return value;
    else if constexpr (std::is_same_v<T, ChatUse>)
        return wordFor(value != ChatUse::Off);
    else if constexpr (std::is_same_v<T, BaselineMoment>)
        return wordFor(value == BaselineMoment::BeforeLoad);
    else if constexpr (std::is_same_v<T, power::SourceChoice>)
        return sourceText(value);
    else if constexpr (requires { value.has_value(); })
        return value ? wordFor(*value) : "auto";
    else
        return std::string(name(value));
}

std::optional<bool> switchOf(const std::string& word)
{
    const bool on = word == "on" || word == "true";
    return on || word == "off" || word == "false" ? std::optional(on) : std::nullopt;
}

// Sets a field from its word; false: there is no such word, and the field keeps its value.
template <typename T>
bool takeWord(const std::string& word, T& field)
{
    [[maybe_unused]] const auto take = [&field](const auto& value) {
        if (value)
            field = *value;
        return static_cast<bool>(value);
    };
    if constexpr (std::is_same_v<T, bool>) {
        return take(switchOf(word));
    } else if constexpr (std::is_same_v<T, std::string>) {
        field = word;
        return true;
    } else if constexpr (std::is_same_v<T, ChatUse>) {
        const auto on = switchOf(word);
        if (on)
            field = !*on ? ChatUse::Off : field == ChatUse::Off ? ChatUse::Always : field;
        return on.has_value();
    } else if constexpr (std::is_same_v<T, BaselineMoment>) {
        const auto on = switchOf(word);
        if (on)
            field = *on ? BaselineMoment::BeforeLoad : BaselineMoment::AfterLoad;
        return on.has_value();
    } else if constexpr (std::is_same_v<T, power::SourceChoice>) {
        return take(power::parseSourceChoice(word));
    } else if constexpr (std::is_same_v<T, Depth>) {
        return take(depthFromName(word));
    } else if constexpr (std::is_same_v<T, model::CacheKind>) {
        return take(model::cacheKindFromName(word));
    } else if constexpr (std::is_same_v<T, AttributionMethod>) {
        return take(attributionMethodFromName(word));
    } else if constexpr (requires { field.has_value(); }) {
        typename T::value_type value{};
        const bool other = takeWord(word, value);
        if (other || word == "auto")
            field = other ? std::optional(value) : std::nullopt;
        return other || word == "auto";
    } else {
        return false; // numbers have a range
    }
}

// The field is only read.
template <typename Visit>
auto visitField(const RunSetting& setting, const RunRequest& request, const Visit& visit)
{
    return std::visit([&](const auto* field) { return visit(*field); },
                      setting.field(const_cast<RunRequest&>(request)));
}

std::size_t sequencesOf(const RunRequest& request)
{
    const std::size_t prompts = request.conversations.empty() ? 1 + request.further_prompts.size()
                                                              : request.conversations.size();
    return prompts * static_cast<std::size_t>(std::max(1, request.batch_size));
}

// Parts of a request that exclude each other.
struct Conflict {
    bool (*found)(const PromptParts&);
    const char* sentence;
};

constexpr Conflict kConflicts[] = {
    {[](const PromptParts& of) { return of.messages && of.prompt; },
     "Messages take the place of the prompt: give one of them."},
    {[](const PromptParts& of) { return of.messages && of.system; },
     "Messages have a system message of their own: leave out the other one."},
    {[](const PromptParts& of) { return of.tools && !of.messages; },
     "Tools are for messages: give the messages, or leave the tools out."},
    {[](const PromptParts& of) { return of.variables && !of.messages && !of.chat; },
     "Variables are for a chat template: apply the template, or leave them out."}};

// Whether the runs of a request take a setting.
bool takes(const RunRequest& request, const RunSetting& row)
{
    if (request.server)
        return (row.places & kWithServers) != 0;
    return !request.record || (row.places & kWithCommands) != 0;
}

RecordedSetting recorded(const RunSetting& row, const RunRequest& request)
{
    RecordedSetting setting{.name = std::string(row.name), .value = textOf(row, request)};
    if (row.toggles() && textOf(row, request) != "auto")
        setting.value = textOf(row, request) == "on";
    else if (row.whole())
        setting.value = static_cast<std::int64_t>(valueOf(row, request));
    else if (row.number())
        setting.value = valueOf(row, request);
    return setting;
}

// The settings that a run's record keeps in separate fields, which are older than its list of
// settings.
RunRequest requestByFields(const RunInfo& run)
{
    RunRequest request;
    request.load.folder = run.model.path;
    request.load.device = run.device;
    request.load.dtype = run.dtype == run.model.stored_dtype ? "auto" : run.dtype;
    request.prompt = run.prompt;
    for (const BatchSequence& sequence : run.batch) {
        if (sequence.prompt != run.prompt
            && std::ranges::count(request.further_prompts, sequence.prompt) == 0)
            request.further_prompts.push_back(sequence.prompt);
    }
    if (!run.conversation.empty())
        request.conversations = {run.conversation};
    if (request.further_prompts.empty())
        request.batch_size = std::max(1, static_cast<int>(run.batch.size()));
    request.max_new_tokens = run.max_new_tokens;
    request.depth = run.depth;
    request.sampling = run.sampling;
    request.sparsity_threshold = run.sparsity_threshold;
    request.experiment = run.experiment;
    return request;
}

} // namespace

std::span<const RunSetting> runSettings()
{
    return kRunSettings;
}

const RunSetting& runSetting(std::string_view name)
{
    return *std::ranges::find(kRunSettings, name, &RunSetting::name);
}

bool RunSetting::number() const
{
    return values.most > values.least;
}

bool RunSetting::whole() const
{
    RunRequest request;
    return number() && !std::holds_alternative<double*>(field(request));
}

bool RunSetting::toggles() const
{
    RunRequest request;
    return !number() && values.list == nullptr
        && !std::holds_alternative<std::string*>(field(request));
}

bool RunSetting::names(const std::string& word) const
{
    const bool listed = values.list && std::ranges::count(values.list(), word) > 0;
    return listed
        || (!values.pattern.empty()
            && std::regex_match(word, std::regex(std::string(values.pattern))));
}

std::string RunSetting::helpText() const
{
    return values.named ? filled(help, {values.named()}) : std::string(help);
}

double valueOf(const RunSetting& setting, const RunRequest& request)
{
    return visitField(setting, request, [](const auto& field) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(field)>>)
            return static_cast<double>(field);
        else
            return 0.0;
    });
}

void copySetting(const RunSetting& setting, const RunRequest& from, RunRequest& to)
{
    visitField(setting, from, [&](const auto& value) {
        *std::get<std::remove_cvref_t<decltype(value)>*>(setting.field(to)) = value;
    });
}

void setValue(const RunSetting& setting, RunRequest& request, double value)
{
    std::visit(
        [value](auto* field) {
            using T = std::remove_pointer_t<decltype(field)>;
            if constexpr (std::is_arithmetic_v<T>)
                *field = static_cast<T>(value);
        },
        setting.field(request));
}

std::string textOf(const RunSetting& setting, const RunRequest& request)
{
    return visitField(setting, request, [](const auto& field) { return wordFor(field); });
}

json::Json jsonOf(const RunSetting& setting, const RunRequest& request)
{
    const std::string text = textOf(setting, request);
    if (setting.toggles())
        return text == "on";
    if (setting.whole())
        return static_cast<std::int64_t>(valueOf(setting, request));
    return setting.number() ? json::Json(valueOf(setting, request)) : json::Json(text);
}

void readSetting(json::StrictObject& object, const RunSetting& setting, RunRequest& request,
                 std::string_view key)
{
    if (const auto value = object.find(key.empty() ? setting.name : key))
        readSetting(*value, setting, request);
}

void readSetting(const json::OrderedValue& value, const RunSetting& setting, RunRequest& request)
{
    const auto [least, most] = std::pair(setting.values.least, setting.values.most);
    if (setting.whole()) {
        setValue(setting, request,
                 static_cast<double>(value.asWholeNumber(static_cast<std::int64_t>(least),
                                                         static_cast<std::int64_t>(most))));
        return;
    }
    if (setting.number())
        return setValue(setting, request, value.asNumber(least, most));
    const std::string text =
        setting.toggles() ? wordFor(value.asBoolean()) : std::string(value.asString());
    const Status possible = readSetting(setting, text, request);
    if (!possible && setting.values.check && setting.names(text))
        value.fail(Message("is \"%1\": %2", text, possible.error().message));
    if (!possible)
        value.fail(Message("must be %1, not %2", valuesText(setting), json::inQuotes(text)));
}

Status readSetting(const RunSetting& setting, const std::string& text, RunRequest& request)
{
    const Error wrong{ErrorCode::InvalidInput, {"'%1' is not %2.", text, valuesText(setting)}};
    if (setting.number()) {
        std::optional<double> value = readNumber(text);
        if (setting.whole()) {
            const auto whole = readWhole(text);
            value = whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
        }
        if (!value || *value < setting.values.least || *value > setting.values.most)
            return wrong;
        setValue(setting, request, *value);
        return {};
    }
    if (setting.values.check) {
        if (Status possible = setting.values.check(text); !possible)
            return possible;
    } else if (setting.values.list && !setting.names(text)) {
        return wrong;
    }
    const bool taken =
        std::visit([&](auto* field) { return takeWord(text, *field); }, setting.field(request));
    return taken ? Status() : Status(wrong);
}

Message valuesText(const RunSetting& setting)
{
    if (setting.number())
        return {setting.whole() ? "a whole number from %1 to %2" : "a number from %1 to %2",
                plainNumber(setting.values.least), plainNumber(setting.values.most)};
    if (!setting.values.list && !setting.toggles())
        return "a text";
    auto words = setting.toggles() ? std::vector<std::string>{"on", "off"} : setting.values.list();
    if (!setting.values.forms.empty())
        words.emplace_back(setting.values.forms);
    const std::string last = words.back();
    words.pop_back();
    return {"%1 or %2", joined(words), last};
}

const RunSetting* settingCalled(std::string_view key)
{
    const auto called = [key](const RunSetting& row) {
        return row.name == key || row.keyInStudies() == key
            || (row.option.starts_with("--") && row.option.substr(2) == key);
    };
    const auto* const found = std::ranges::find_if(kRunSettings, called);
    return found == std::end(kRunSettings) ? nullptr : found;
}

Message elsewhereText(const RunSetting& setting)
{
    std::vector<std::string> places;
    if (!setting.option.empty())
        places.emplace_back("`run`");
    for (const auto& [place, word] :
         {std::pair{unsigned{kInWindow}, "the window"}, std::pair{unsigned{kInRequests}, "the API"},
          std::pair{kInStudies | kInSampling | kInLists, "studies"},
          std::pair{unsigned{kInSides}, "`pays`"}, std::pair{unsigned{kWithServers}, "`attach`"},
          std::pair{unsigned{kWithCommands}, "`record`"}}) {
        if ((setting.places & place) != 0)
            places.emplace_back(word);
    }
    return {"is not used here, but in %1", joined(places)};
}

void refuseElsewhere(const json::StrictObject& object, unsigned places)
{
    for (const auto& [key, value] : object.value().json().items()) {
        const RunSetting* const setting = settingCalled(key);
        if (setting && (setting->places & places) == 0)
            object.value().fail(key, elsewhereText(*setting));
    }
}

bool RunRequest::operator==(const RunRequest& other) const
{
    const auto prompts = [](const RunRequest& r) {
        return std::tie(r.load.folder, r.server, r.prompt, r.further_prompts, r.conversations,
                        r.template_variables, r.system, r.sampling.stop);
    };
    const auto recording = [](const RunRequest& r) {
        return std::tie(r.also, r.tags, r.experiment, r.database, r.store_texts);
    };
    const auto commandOf = [](const RunRequest& r) {
        return r.record ? r.record->arguments : std::vector<std::string>();
    };
    const auto same = [&](const RunSetting& row) {
        return visitField(row, *this, [&](const auto& mine) {
            const auto* const others = std::get<std::remove_cvref_t<decltype(mine)>*>(
                row.field(const_cast<RunRequest&>(other)));
            return mine == *others;
        });
    };
    return std::ranges::all_of(kRunSettings, same) && prompts(*this) == prompts(other)
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

std::string settingsText(const RunRequest& side)
{
    static constexpr std::array<std::string_view, 8> kElsewhere{
        "device",   "dtype",        "threads", "batch_size", // stated by the card itself
        "kv_cache", "prompt_cache", "draft",   "draft_tokens"}; // part of leversText()
    std::vector<std::string> parts{leversText(side.levers)};
    for (const RunSetting& row : kRunSettings) {
        const std::string value = textOf(row, side);
        if ((row.places & kInSides) != 0 && value != textOf(row, RunRequest())
            && std::ranges::count(kElsewhere, row.name) == 0)
            parts.push_back(std::string(row.name) + ' ' + value);
    }
    std::erase(parts, "");
    return joined(parts);
}

Status checkTogether(const RunRequest& request)
{
    const bool ours = !request.server && !request.record;
    const bool levers = !request.levers.draft.empty() || request.levers.prompt_cache;
    if (const Status fits = model::checkSequences(sequencesOf(request), ours && levers); !fits)
        return fits;
    if (request.levers.draft.empty() && request.levers.draft_tokens != kUsualDraftTokens)
        return Error{ErrorCode::InvalidInput,
                     "Draft tokens are for a draft: name the draft, or leave them out."};
    return checkTogether(PromptParts{.messages = !request.conversations.empty(),
                                     .system = !request.system.empty(),
                                     .variables = !request.template_variables.empty(),
                                     .chat = request.chat != ChatUse::Off || request.server});
}

Status checkTogether(const PromptParts& parts)
{
    for (const Conflict& conflict : kConflicts) {
        if (conflict.found(parts))
            return Error{ErrorCode::InvalidInput, conflict.sentence};
    }
    return {};
}

RecordedSettings recordedSettings(const RunRequest& request)
{
    RecordedSettings settings;
    for (const RunSetting& row : kRunSettings) {
        if (takes(request, row) && textOf(row, request) != textOf(row, RunRequest()))
            settings.push_back(recorded(row, request));
    }
    return settings;
}

RunRequest requestOf(const RunInfo& run)
{
    RunRequest request = requestByFields(run);
    const auto take = [&](const RunSetting& row, const json::OrderedJson& value) {
        // A value from another version may be unusable.
        static_cast<void>(json::read("", value, [&](const json::OrderedValue& one) {
            readSetting(one, row, request);
            return true;
        }));
    };
    for (const RecordedSetting& setting : run.profiling.settings.value_or(RecordedSettings())) {
        if (const RunSetting* const row = settingCalled(setting.name))
            std::visit([&](const auto& value) { take(*row, json::OrderedJson(value)); },
                       setting.value);
    }
    // Uses the template if the run did; the model may have none.
    request.chat = run.chat_template ? ChatUse::IfThere : ChatUse::Off;
    return request;
}

} // namespace ep::session
