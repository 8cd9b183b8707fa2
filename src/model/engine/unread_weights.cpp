// SPDX-License-Identifier: GPL-3.0-or-later
#include "unread_weights.h"

#include "load_error.h"
#include "unread_tensors.h"

#include "ep/core/format.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>
#include <system_error>

namespace ep::model {

namespace {

// "The checkpoint holds N tensors that the architecture does not use, among them a, b, c."
std::string unknownTensors(const std::vector<std::string>& names)
{
    constexpr std::size_t kNamed = 3;
    std::string text = "The checkpoint holds " + std::to_string(names.size())
        + (names.size() == 1 ? " tensor" : " tensors")
        + " that the architecture does not use, among them ";
    for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i)
        text += (i ? ", " : "") + names[i];
    return text + ".";
}

} // namespace

void refuseUnread(const Checkpoint& checkpoint, const ModelConfig& config,
                  const WeightLoader& weights)
{
    constexpr std::string_view kLayer = "blk.";
    for (const std::string& name : weights.unknown()) {
        const Checkpoint::Entry* const entry = checkpoint.find(name);
        const std::string own = entry->own_name;
        int layer = 0;
        if (!own.starts_with(kLayer)
            || std::from_chars(own.data() + kLayer.size(), own.data() + own.size(), layer).ec
                != std::errc()
            || layer >= config.num_hidden_layers)
            continue;
        throw LoadError({ErrorCode::Unsupported,
                         {"The tensor %1 in %2 belongs to a layer, but this program does not know "
                          "what it is for: attach to the server that runs the model.",
                          own, (checkpoint.folder() / entry->file).string()}});
    }
}

void noteUnread(const Checkpoint& checkpoint, const ModelConfig& config,
                const WeightLoader& weights, std::vector<std::string>& notes)
{
    std::map<std::string_view, std::int64_t> parts; // with their numbers of parameters
    std::vector<std::string> others;
    for (const std::string& name : weights.unknown()) {
        const std::string_view part = partLeftOut(name, config.num_hidden_layers);
        if (part.empty())
            others.push_back(name);
        else
            parts[part] += checkpoint.find(name)->tensor.elements();
    }
    for (const auto& [part, parameters] : parts) {
        notes.push_back("The " + std::string(part) + ", " + formatCount(parameters)
                        + " parameters, is not loaded.");
    }
    if (!others.empty())
        notes.push_back(unknownTensors(others));
}

} // namespace ep::model
