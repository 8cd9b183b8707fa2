// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/document.h"
#include "ep/json/value.h"
#include "ep/session/study.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reads the prompts of a study's file, and its other fields. Problems are thrown as
// json::ReadError.
namespace ep::session {

inline std::string textOf(const json::Value& value)
{
    if (value.asString().empty())
        value.fail("must not be empty");
    return value.asString();
}

// A list, or a single value instead; without duplicates.
template <typename T, typename Read>
std::vector<T> listAt(json::StrictObject& study, std::string_view key, std::vector<T> standard,
                      const Read& read)
{
    const auto found = study.find(key);
    if (!found)
        return standard;
    std::vector<T> values;
    for (const json::Value& one : found->isArray() ? found->elements() : std::vector{*found}) {
        T value = read(one);
        if (std::find(values.begin(), values.end(), value) != values.end())
            one.fail("occurs twice; use \"repeats\" to repeat cells");
        values.push_back(std::move(value));
    }
    if (values.empty())
        found->fail("is empty; name at least one");
    return values;
}

// ordered: the same document's prompts, with the members of objects in their original order.
std::vector<StudyPrompt> readPrompts(json::StrictObject& study, const json::OrderedJson& ordered,
                                     const std::filesystem::path& folder);
json::OrderedJson promptJson(const StudyPrompt& prompt);

} // namespace ep::session
