// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/properties.h"

#include "ep/core/format.h"
#include "ep/core/joined.h"
#include "ep/core/run_title.h"
#include "ep/core/setting_places.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/utf8.h"
#include "ep/energy/comparison.h"
#include "ep/energy/insights.h"

#include <algorithm>
#include <map>
#include <set>

namespace ep::energy {

namespace {

constexpr std::size_t kPromptPreview = 24;

// "0.8", not "0.800000"
std::string number(double value)
{
    std::string text = formatSignificant(value, 6);
    if (text.find('.') != std::string::npos && text.find("×") == std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.'))
            text.pop_back();
    }
    return text;
}

std::string promptKey(const std::string& prompt, const Conversation& conversation)
{
    std::string key = prompt + conversation.tools;
    for (const ChatMessage& message : conversation.messages)
        key += message.json;
    return key;
}

std::string allPrompts(const RunInfo& info)
{
    // Copies of one prompt in a batch count as the same text.
    std::string all = promptKey(info.prompt, info.conversation);
    std::set<std::string> known{all};
    for (const BatchSequence& sequence : info.batch) {
        std::string key = promptKey(sequence.prompt, sequence.conversation);
        if (known.insert(key).second)
            all += '\x1f' + key;
    }
    return all;
}

std::string samplingText(const SamplingSettings& s)
{
    if (s.temperature == 0.0 && s.repetition_penalty == 1.0 && s.stop.empty())
        return "greedy";
    std::string text = "T " + number(s.temperature) + ", k " + std::to_string(s.top_k) + ", p "
        + number(s.top_p) + ", min-p " + number(s.min_p) + ", penalty "
        + number(s.repetition_penalty) + ", seed " + std::to_string(s.seed);
    for (const std::string& stop : s.stop)
        text += ", stop " + stop;
    return text;
}

// "q4_0 (4.6 bits)": files of one format may differ in the tensors that they leave unquantized.
Message formatText(const RunInfo& info)
{
    const auto bits = valueOf(RunFeature::BitsPerWeight, info);
    return bits && !info.model.quantization.empty()
        ? Message("%1 (%2 bits)", info.dtype, formatSignificant(*bits, 2))
        : Message(info.dtype);
}

std::string valueText(const RecordedSetting& setting)
{
    const auto text = []<typename T>(const T& value) -> std::string {
        if constexpr (std::is_same_v<T, bool>)
            return value ? "on" : "off";
        else if constexpr (std::is_same_v<T, double>)
            return number(value);
        else if constexpr (std::is_same_v<T, std::string>)
            return value;
        else
            return std::to_string(value);
    };
    return std::visit(text, setting.value);
}

unsigned placesOf(const std::string& setting)
{
#define EP_SETTING(name, option, places, ...)                                                      \
    if (setting == #name)                                                                          \
        return places;
#include "ep/core/run_settings.def"
#undef EP_SETTING
    return 0;
}

// The recorded settings that the other properties do not state. How a run was measured and how
// often it was repeated does not make it a different run.
Message otherSettings(const RunInfo& info)
{
    return recordedText(info, kApart);
}

// Settings in the order used in labels.
constexpr Property kProperties[] = {
    {"model", [](const RunInfo& i) -> Message { return i.model.name; },
     [](const RunInfo& i) { return i.model.name + '\x1f' + i.model.fingerprint; }},
    {"dtype", formatText, [](const RunInfo& i) { return i.dtype + '\x1f' + i.model.quantization; },
     false},
    {"engine",
     [](const RunInfo& i) -> Message {
         return i.profiling.server    ? i.profiling.server->engine
             : i.profiling.command    ? i.profiling.command->engine
             : i.device == "imported" ? "imported recording"
                                      : "built-in engine";
     },
     nullptr},
    {"device", [](const RunInfo& i) -> Message { return i.device; }, nullptr, false},
    {"batch size", [](const RunInfo& i) -> Message { return std::to_string(batchSize(i)); },
     nullptr, true, "batch %1"},
    {"depth", [](const RunInfo& i) -> Message { return std::string(name(i.depth)); }, nullptr,
     false, "depth %1"},
    {"power source", [](const RunInfo& i) -> Message { return i.power.source; }, nullptr},
    {"prompt",
     [](const RunInfo& i) -> Message { // a recorded command states no sampler
         return i.prompt.empty() ? std::string()
                                 : '"' + previewUtf8(i.prompt, kPromptPreview) + '"';
     },
     allPrompts},
    {"chat template",
     [](const RunInfo& i) -> Message { return std::string(i.chat_template ? "chat" : "no chat"); },
     nullptr},
    {"template variables", [](const RunInfo& i) -> Message { return i.conversation.variables; },
     nullptr},
    {"maximum new tokens",
     [](const RunInfo& i) -> Message { return std::to_string(i.max_new_tokens); }, nullptr, true,
     "up to %1 tokens"},
    {"sampling", [](const RunInfo& i) -> Message { return samplingText(i.sampling); }, nullptr},
    {"threads", [](const RunInfo& i) -> Message { return std::to_string(i.environment.threads); },
     nullptr, false, "threads=%1"}, // spelled like the option of `pays`
    {"machine", [](const RunInfo& i) -> Message { return i.environment.cpu; },
     [](const RunInfo& i) { return i.environment.machine + '\x1f' + i.environment.cpu; }},
    {"LibTorch", [](const RunInfo& i) -> Message { return i.environment.torch_version; }, nullptr,
     false, "LibTorch %1"},
    {"attention", [](const RunInfo& i) -> Message { return i.execution.attention; }, nullptr,
     false},
    {"cache", [](const RunInfo& i) -> Message { return i.execution.cache; }, nullptr, false},
    {"settings", otherSettings, nullptr, false},
    {"experiment", [](const RunInfo& i) -> Message { return i.experiment; }, nullptr},
};

bool differs(const std::vector<const RunInfo*>& runs, const Property& property)
{
    std::optional<std::string> first;
    for (const RunInfo* run : runs) {
        if (!property.knownOf(*run))
            continue;
        const std::string key = property.keyOf(*run);
        if (first && *first != key)
            return true;
        first = key;
    }
    return false;
}

std::vector<const RunInfo*> infosOf(const std::vector<RunGroup>& groups)
{
    std::vector<const RunInfo*> infos;
    for (const RunGroup& group : groups) {
        for (const ComparedRun& run : group.runs)
            infos.push_back(&run.run->info);
    }
    return infos;
}

// The first few of these settings that are known for the run.
Message labelOf(const RunInfo& info, const std::vector<const Property*>& settings)
{
    constexpr std::size_t kMaxParts = 3;
    std::vector<Message> parts;
    for (const Property* property : settings) {
        if (parts.size() == kMaxParts || !property->knownOf(info))
            continue;
        const Message text = property->text(info);
        if (!text.empty())
            parts.push_back(property->pattern ? Message(property->pattern, text) : text);
    }
    return sequence(std::move(parts), ", ");
}

} // namespace

std::string recordedText(const RunInfo& info, unsigned without)
{
    std::vector<std::string> texts;
    for (const RecordedSetting& setting : info.profiling.settings.value_or(RecordedSettings())) {
        if ((placesOf(setting.name) & without) == 0)
            texts.push_back(setting.name + ' ' + valueText(setting));
    }
    return joined(texts);
}

std::span<const Property> properties()
{
    return kProperties;
}

std::string repeatKey(const RunInfo& info)
{
    std::string key;
    for (const Property& property : kProperties)
        key += property.keyOf(info) + '\x1e';
    return key;
}

bool isSound(const RunInfo& info)
{
    const auto& quality = info.power.quality;
    return info.status == RunStatus::Complete
        && !(quality && quality->verdict == QualityVerdict::Poor);
}

std::vector<std::vector<std::size_t>> groupRepeats(const std::vector<const RunInfo*>& runs)
{
    std::vector<std::vector<std::size_t>> groups;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i]->status != RunStatus::Complete) {
            groups.push_back({i});
            continue;
        }
        const auto [place, fresh] = places.try_emplace(repeatKey(*runs[i]), groups.size());
        if (fresh)
            groups.emplace_back();
        groups[place->second].push_back(i);
    }
    return groups;
}

std::vector<std::string> differencesOf(const std::vector<RunGroup>& groups)
{
    std::vector<std::string> found;
    for (const Property& property : kProperties) {
        if (differs(groups, property))
            found.emplace_back(property.title);
    }
    return found;
}

bool differs(const std::vector<RunGroup>& groups, const Property& property)
{
    return differs(infosOf(groups), property);
}

std::vector<Message> differingSettings(const std::vector<const RunInfo*>& runs,
                                       std::span<const std::string_view> without)
{
    std::vector<const Property*> differing;
    for (const Property& property : kProperties) {
        if (std::ranges::find(without, property.title) == without.end() && differs(runs, property))
            differing.push_back(&property);
    }
    std::vector<Message> settings;
    for (const RunInfo* run : runs)
        settings.push_back(labelOf(*run, differing));
    return settings;
}

std::vector<Message> labelsOf(const std::vector<RunGroup>& groups)
{
    std::vector<const Property*> differing;
    for (const Property& property : kProperties) {
        if (differs(groups, property))
            differing.push_back(&property);
    }
    std::vector<Message> labels;
    for (const RunGroup& group : groups) {
        const RunInfo& info = group.runs.front().run->info;
        Message label = group.label.empty() ? labelOf(info, differing) : Message(group.label);
        labels.push_back(label.empty() ? Message(shortId(info.id)) : std::move(label));
    }
    // Equal labels are distinguished by their first run.
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const Message text = labels[i];
        if (std::count(labels.begin(), labels.end(), text) < 2)
            continue;
        for (std::size_t k = i; k < labels.size(); ++k) {
            if (labels[k] == text)
                labels[k] =
                    Message("%1 (%2)", labels[k], shortId(groups[k].runs.front().run->info.id));
        }
    }
    return labels;
}

} // namespace ep::energy
