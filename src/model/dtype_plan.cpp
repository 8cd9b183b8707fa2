// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/dtype_plan.h"

#include "ep/model/format.h"

#include <algorithm>
#include <charconv>

namespace ep::model {
namespace {

constexpr std::string_view kLayers = "layers.";

// Reads and removes an integer at the beginning.
std::optional<int> takeNumber(std::string_view& text)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

// "layers.0-3", "layers.0-3.mlp", "mlp"
std::optional<DTypePlan::Rule> readPattern(std::string_view text)
{
    DTypePlan::Rule rule;
    if (text.starts_with(kLayers)) {
        text.remove_prefix(kLayers.size());
        const auto first = takeNumber(text);
        auto last = first;
        if (first && text.starts_with('-')) {
            text.remove_prefix(1);
            last = takeNumber(text);
        }
        if (!first || !last || *last < *first)
            return std::nullopt;
        rule.layers = {*first, *last};
        if (text.empty())
            return rule;
        if (!text.starts_with('.'))
            return std::nullopt;
        text.remove_prefix(1);
    }
    const bool word = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
            || (c >= 'A' && c <= 'Z');
    });
    if (!word)
        return std::nullopt;
    rule.module = text;
    return rule;
}

std::string offeredTypesText()
{
    std::string text;
    for (const DTypeRow& row : kDTypes) {
        if (row.offered)
            text += (text.empty() ? "" : ", ") + std::string(row.name);
    }
    return text;
}

Error unknownType(std::string_view word, const std::string& known)
{
    return {ErrorCode::InvalidInput, {"The type \"%1\" is not known; known are %2.", word, known}};
}

} // namespace

std::vector<std::string_view> partsOfName(std::string_view name)
{
    std::vector<std::string_view> parts;
    while (true) {
        const auto point = name.find('.');
        parts.push_back(name.substr(0, point));
        if (point == std::string_view::npos)
            return parts;
        name.remove_prefix(point + 1);
    }
}

bool DTypePlan::Rule::fits(std::string_view matrix) const
{
    const auto parts = partsOfName(matrix);
    if (!module.empty() && std::find(parts.begin(), parts.end(), module) == parts.end())
        return false;
    if (!layers)
        return true;
    for (std::string_view part : parts) { // the first number is the layer's
        if (const auto layer = takeNumber(part); layer && part.empty())
            return *layer >= layers->first && *layer <= layers->second;
    }
    return false;
}

std::string DTypePlan::Rule::pattern() const
{
    if (!layers)
        return module;
    const auto [first, last] = *layers;
    return std::string(kLayers) + std::to_string(first)
        + (last > first ? '-' + std::to_string(last) : "") + (module.empty() ? "" : '.' + module);
}

std::optional<DType> DTypePlan::of(std::string_view module) const
{
    std::optional<DType> found;
    for (const Rule& rule : rules) {
        if (rule.fits(module))
            found = rule.dtype;
    }
    return found;
}

Result<DTypePlan> parseDTypePlan(std::string_view text)
{
    DTypePlan plan;
    for (bool first = true; first || !text.empty(); first = false) {
        const auto comma = text.find(',');
        const std::string_view part = text.substr(0, comma);
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
        const auto equals = part.find('=');
        const std::string_view word =
            equals == std::string_view::npos ? part : part.substr(equals + 1);
        if (equals == std::string_view::npos) {
            if (!isFormatChoice(word))
                return unknownType(word, formatChoicesText());
            if (!first) {
                return Error{ErrorCode::InvalidInput,
                             {"In the types, \"%1\" stands after the first one without a layer or "
                              "a module: write layers.0-3=%2, or mlp=%3.",
                              part, part, part}};
            }
            const FormatRow* const format = formatFromName(word);
            plan.usual = format ? format->name : word;
            continue;
        }
        const auto type = dtypeFromName(word);
        if (!type || !rowOf(*type).offered)
            return unknownType(word, offeredTypesText());
        auto rule = readPattern(part.substr(0, equals));
        if (!rule) {
            return Error{ErrorCode::InvalidInput,
                         {"In the types, \"%1\" is no layer or module: write layers.0, layers.0-3, "
                          "layers.0-3.mlp, down_proj or lm_head.",
                          part.substr(0, equals)}};
        }
        rule->dtype = *type;
        plan.rules.push_back(std::move(*rule));
    }
    return plan;
}

Result<DTypePlan> parseDTypePlan(std::string_view text, std::string_view storedFormat)
{
    if (text == storedFormat) // also a format that users may not choose
        return DTypePlan{};
    auto plan = parseDTypePlan(text);
    if (plan && plan->usual == storedFormat)
        plan->usual = "auto";
    return plan;
}

DType usualDType(std::string_view text, DType stored)
{
    const std::string_view usual = text.substr(0, text.find(','));
    if (const FormatRow* const format = formatFromName(usual))
        return format->dtype;
    return dtypeFromName(usual).value_or(stored); // also one that users may not choose
}

} // namespace ep::model
