// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/setting_places.h"
#include "ep/json/value.h"
#include "ep/session/events.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The settings of a run: one row each, with one name, meaning and default for the command line, the
// API, studies, pairs of runs and the window. docs/settings.md is this table.
namespace ep::session {

// A number, one of some words, a text or a switch.
using SettingField =
    std::variant<int*, double*, std::uint64_t*, bool*, std::optional<bool>*, std::string*, Depth*,
                 model::CacheKind*, ChatUse*, std::optional<AttributionMethod>*, BaselineMoment*,
                 power::SourceChoice*>;

// The values that a setting can have: a number in a range, one of some words, any text, or on or
// off.
struct SettingValues {
    double least = 0.0;
    double most = 0.0; // equal to `least`: the setting is not a number
    std::vector<std::string> (*list)() = nullptr; // words to choose from; null: a text or a switch
    std::string_view pattern{}; // regular expression of further words that the API takes
    std::string_view forms{}; // further forms that the pattern or the check allows: "cuda:N"
    Status (*check)(const std::string&) = nullptr; // replaces the list; its error is the reason
    std::string (*named)() = nullptr; // replaces %1 in the help
    std::string_view unit{}; // of a number: "s"; empty: a count or a ratio
};

struct RunSetting {
    std::string_view name; // key in JSON
    std::string_view option; // of the command line; empty: none
    unsigned places;
    std::string_view help;
    SettingField (*field)(RunRequest&); // a new RunRequest has the default
    SettingValues values{};
    std::string_view study_key{}; // its key in a study, if not `name`

    bool number() const;
    bool whole() const; // whether it is a whole number
    bool toggles() const; // whether it is a switch
    bool names(const std::string& word) const; // whether the list or the pattern has this word
    std::string_view keyInStudies() const { return study_key.empty() ? name : study_key; }
    std::string helpText() const;
};

inline constexpr double kMaxCount = 1'000'000;
inline constexpr double kDaySeconds = 86'400;
// As many digits as a JSON number and a spin box hold exactly.
inline constexpr double kMaxSeed = 999'999'999'999'999;

std::span<const RunSetting> runSettings();
// The row with this name, which must exist.
const RunSetting& runSetting(std::string_view name);

// For settings that are numbers.
double valueOf(const RunSetting& setting, const RunRequest& request);
void setValue(const RunSetting& setting, RunRequest& request, double value);
// Copies the value of a setting.
void copySetting(const RunSetting& setting, const RunRequest& from, RunRequest& to);
// As users write it: "1.5", "q8_0", "on", "modelled:5,20".
std::string textOf(const RunSetting& setting, const RunRequest& request);
json::Json jsonOf(const RunSetting& setting, const RunRequest& request);

// Reads a setting of a JSON object into its field, which keeps its value if the setting is absent
// or null. key: its name in this object, if different. Throws json::ReadError, also for values that
// the setting cannot have.
void readSetting(json::StrictObject& object, const RunSetting& setting, RunRequest& request,
                 std::string_view key = {});
void readSetting(const json::OrderedValue& value, const RunSetting& setting, RunRequest& request);
// Reads a setting from a user's text.
Status readSetting(const RunSetting& setting, const std::string& text, RunRequest& request);
Message valuesText(const RunSetting& setting); // "a whole number from 1 to 64", "on or off"

// The row with this name, option (without dashes) or key in studies; null: there is none.
const RunSetting* settingCalled(std::string_view key);
// "is not used here, but in `run`, studies": the message where a setting cannot be used.
Message elsewhereText(const RunSetting& setting);
// Throws json::ReadError for keys of settings that cannot be used in any of these places; the error
// says where they can be used.
void refuseElsewhere(const json::StrictObject& object, unsigned places);

// The unusual settings of a side of `pays` as text: "KV cache q8_0, top_k 40"; without those that
// a card states by themselves (device, dtype, threads, batch_size).
std::string settingsText(const RunRequest& side);

// Fails if settings cannot be used together, with one sentence that names them and says what to do.
// Holds for every front end; a run checks it before it loads its model.
Status checkTogether(const RunRequest& request);

// How a request states its prompts, known before their files are read.
struct PromptParts {
    bool messages = false;
    bool prompt = false; // besides the messages
    bool system = false;
    bool tools = false; // besides the messages
    bool variables = false; // of a chat template
    bool chat = false; // the template is applied to the prompt
};
// The part of checkTogether() that is about prompts.
Status checkTogether(const PromptParts& parts);

// The settings of a request that the record of its run keeps.
RecordedSettings recordedSettings(const RunRequest& request);
// The request of a stored run, as far as its record states it: with its model, prompts, experiment
// and settings, but not its tags and place.
RunRequest requestOf(const RunInfo& run);

// Settings with their names: a cell of a study, or a side of a pair.
struct NamedSettings {
    std::string id{}; // of a cell: 12 hex digits of a hash of all settings of the study
    // The settings that differ within a study ("f32, batch 4"), or the user's text
    // ("dtype=int8,threads=2").
    Message label;
    std::string prompt{}; // its name in a study
    RunRequest run{};

    std::string model() const; // folder or name of the model, or the label of the server
    std::string device() const; // "server" for a request to a server
    std::string dtype() const; // empty for a server
};

} // namespace ep::session
