// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/command_record.h"

#include <string_view>

namespace ep {

namespace {

bool isPlainWord(const std::string& word)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_-./=:,+@%";
    return !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
}

std::string quotedWord(const std::string& word)
{
    if (isPlainWord(word))
        return word;
    std::string text = "'";
    for (const char c : word) {
        if (c == '\'')
            text += "'\\''";
        else
            text += c;
    }
    return text + '\'';
}

} // namespace

std::string commandText(const std::vector<std::string>& arguments)
{
    std::string text;
    for (const std::string& argument : arguments)
        text += (text.empty() ? "" : " ") + quotedWord(argument);
    return text;
}

} // namespace ep
