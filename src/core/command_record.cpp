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

namespace {

unsigned startUmask = 0022;

} // namespace

Result<std::vector<std::string>> commandWords(std::string_view text)
{
    std::vector<std::string> words;
    bool inWord = false;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool blank = c == ' ' || c == '\t' || c == '\n';
        if (quote == '\0' && blank) {
            inWord = false;
            continue;
        }
        if (!inWord) {
            words.emplace_back();
            inWord = true;
        }
        if (quote == '\0' && (c == '\'' || c == '"'))
            quote = c;
        else if (c == quote)
            quote = '\0';
        else if (c == '\\' && quote != '\'' && i + 1 < text.size())
            words.back() += text[++i];
        else
            words.back() += c;
    }
    if (quote != '\0')
        return Error{ErrorCode::InvalidInput,
                     {"A quotation mark of the command is not closed: %1", std::string(1, quote)}};
    return words;
}

void rememberUmask(unsigned mask)
{
    startUmask = mask;
}

unsigned umaskAtStart()
{
    return startUmask;
}

} // namespace ep
