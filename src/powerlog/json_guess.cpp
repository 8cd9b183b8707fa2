// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_guess.h"

#include "table_layout.h"

#include <string_view>

namespace ep::powerlog {

namespace {

constexpr std::size_t kMaxGuessedFields = 100;
constexpr std::size_t kLongestKey = 100;

// A dot would separate keys in a path.
bool isPlainKey(const std::string& key)
{
    return !key.empty() && key.size() <= kLongestKey && key.find('.') == std::string::npos
        && key != "[]";
}

} // namespace

std::unique_ptr<GuessedJson> guessJson(const json::Json& object)
{
    auto guess = std::make_unique<GuessedJson>();
    const auto keep = [&](std::string text) {
        return guess->texts.emplace_back(std::move(text)).c_str();
    };
    const auto addPowers = [&](const json::Json& part, const std::string& parent) {
        for (const auto& [key, value] : part.items()) {
            const Header header = readHeader(key);
            const auto unit = unitFrom(header.unit);
            if (!value.is_number() || !isPlainKey(key) || !unit || unit->of != Unit::Of::Power
                || isOtherPower(header) || guess->fields.size() >= kMaxGuessedFields)
                continue;
            std::string rail = genericRail(header);
            if (!parent.empty())
                rail = rail == "power" ? parent : parent + " " + rail;
            const Kind kind = kindOf(rail);
            guess->fields.push_back({keep(parent.empty() ? key : parent + "." + key),
                                     keep(header.unit), keep(rail), kind.measured, kind.part});
        }
    };
    if (!object.is_object())
        return nullptr;
    addPowers(object, {});
    for (const auto& [key, value] : object.items()) {
        if (value.is_object() && isPlainKey(key))
            addPowers(value, key);
    }
    if (guess->fields.empty())
        return nullptr;
    guess->format.id = "json";
    guess->format.title = "JSON with powers";
    guess->format.required = guess->fields.front().path;
    for (const auto& [key, value] : object.items()) {
        const Header header = readHeader(key);
        if (!isPlainKey(key) || !isTimeName(header.name)
            || !(value.is_number() || value.is_string()) || guess->times[0] != nullptr)
            continue;
        guess->times[0] = keep(key);
        guess->format.times = guess->times;
        if (const auto unit = unitFrom(header.unit); unit && unit->of == Unit::Of::Time)
            guess->format.time_s = unit->factor;
    }
    guess->format.fields = guess->fields;
    return guess;
}

} // namespace ep::powerlog
