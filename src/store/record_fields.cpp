// SPDX-License-Identifier: GPL-3.0-or-later
#include "record_fields.h"

#include <nlohmann/json.hpp>

namespace ep::store {

namespace {

using nlohmann::ordered_json;

std::string listText(const ordered_json& list)
{
    return list.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// The elements of a JSON array; nothing where the text is none.
ordered_json arrayIn(const std::string& text)
{
    ordered_json parsed = ordered_json::parse(text, nullptr, false);
    return parsed.is_array() ? parsed : ordered_json::array();
}

} // namespace

std::string listText(const std::vector<std::string>& texts)
{
    return texts.empty() ? "[]" : listText(ordered_json(texts));
}

std::string listText(const std::vector<BatchSequence>& sequences)
{
    ordered_json list = ordered_json::array();
    for (const BatchSequence& sequence : sequences) {
        ordered_json& object = list.emplace_back(ordered_json::object());
        visitFields(sequence, [&](const char* name, const auto& field) { object[name] = field; });
    }
    return listText(list);
}

void readList(const std::string& text, std::vector<std::string>& texts)
{
    texts.clear();
    if (text == "[]")
        return;
    const ordered_json list = arrayIn(text);
    for (const ordered_json& element : list) {
        if (element.is_string())
            texts.push_back(element.get<std::string>());
    }
}

void readList(const std::string& text, std::vector<BatchSequence>& sequences)
{
    sequences.clear();
    if (text == "[]")
        return;
    const ordered_json list = arrayIn(text);
    for (const ordered_json& element : list) {
        if (!element.is_object())
            continue;
        visitFields(sequences.emplace_back(), [&](const char* name, auto& field) {
            using Field = std::remove_reference_t<decltype(field)>;
            const auto found = element.find(name);
            if (found == element.end())
                return;
            if constexpr (std::is_integral_v<Field>) {
                if (found->is_number_integer())
                    field = found->template get<Field>();
            } else if (found->is_string()) {
                field = found->template get<Field>();
            }
        });
    }
}

} // namespace ep::store
