// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_words.h"

#include <string_view>

namespace ep::app {

namespace {

std::vector<std::string> takenWords;

} // namespace

void takeCommandWords(int& argc, char** argv)
{
    if (argc < 2 || std::string_view(argv[1]) != "record")
        return;
    for (int i = 2; i < argc; ++i) {
        if (std::string_view(argv[i]) != "--")
            continue;
        takenWords.assign(argv + i + 1, argv + argc);
        argv[i] = nullptr;
        argc = i;
        return;
    }
}

const std::vector<std::string>& wordsAfterDashes()
{
    return takenWords;
}

} // namespace ep::app
