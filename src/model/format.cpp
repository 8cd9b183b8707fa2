// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/format.h"

#include <algorithm>

namespace ep::model {

const FormatRow* formatFromName(std::string_view word)
{
    const auto* const found = std::ranges::find_if(kFormats, [&](const FormatRow& row) {
        return !word.empty() && (row.name == word || row.short_name == word);
    });
    return found == kFormats.end() ? nullptr : found;
}

const std::vector<std::string>& formatChoices()
{
    static const std::vector<std::string> kChoices = [] {
        std::vector<std::string> words{"auto"};
        for (const FormatRow& row : kFormats)
            words.emplace_back(row.name);
        return words;
    }();
    return kChoices;
}

std::string formatChoicesText()
{
    const std::vector<std::string>& words = formatChoices();
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

std::string formatName(std::string_view word)
{
    const FormatRow* const format = formatFromName(word);
    return std::string(format ? format->name : word);
}

std::string mainTypeName(std::string_view word)
{
    const FormatRow* const format = formatFromName(word);
    return std::string(format ? rowOf(format->dtype).name : word);
}

bool isFormatChoice(std::string_view word)
{
    return word == "auto" || formatFromName(word) != nullptr;
}

} // namespace ep::model
