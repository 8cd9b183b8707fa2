// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_title.h"

#include <sstream>

namespace ep {

namespace {

// Only of words that are paths for certain: a text may have slashes, too.
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

std::string runTitle(const RunInfo& info)
{
    if (!info.title.empty())
        return info.title;
    if (!info.profiling.command)
        return info.prompt;
    // The prompt of a command is its words; lists of runs do not read the arguments themselves.
    std::string title;
    std::istringstream words(info.prompt);
    for (std::string word; std::getline(words, word, ' ');)
        title += (title.empty() ? "" : " ") + withoutFolders(word);
    return title;
}

} // namespace ep
