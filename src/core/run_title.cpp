// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_title.h"

#include <vector>

namespace ep {

namespace {

// Shortens only words that are certainly paths: a text may have slashes, too.
std::string withoutFolders(const std::string& word)
{
    if (!word.starts_with('/') && !word.starts_with("./") && !word.starts_with("../"))
        return word;
    const std::size_t end = word.find_last_not_of('/');
    if (end == std::string::npos)
        return word;
    const std::size_t slash = word.rfind('/', end);
    return slash == std::string::npos ? word : word.substr(slash + 1, end - slash);
}

} // namespace

std::string shortId(const std::string& id)
{
    constexpr std::size_t kCharacters = 8;
    return id.substr(0, kCharacters);
}

std::string runTitle(const RunInfo& info)
{
    const auto& command = info.profiling.command;
    if (!command || info.title != commandText(command->arguments))
        return info.title.empty() ? info.prompt : info.title;
    std::vector<std::string> words;
    for (const std::string& argument : command->arguments)
        words.push_back(withoutFolders(argument));
    return commandText(words);
}

} // namespace ep
