// SPDX-License-Identifier: GPL-3.0-or-later
#include "old_names.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace ep::app {

namespace {

struct OldName {
    std::string_view before;
    std::string_view now;
    bool accepted; // false: only named in the message about an unknown command
};

constexpr OldName kCommands[] = {
    {"power", "doctor --watch", true},
    {"tokenize", "models tokenize", true},
    {"verify", "models verify", true},
    {"job", "runs totals --by job", true},
    {"render", "runs report", true},
    {"runs import-power", "runs import --as power", true},
    {"runs import-trace", "runs import --as trace", true},
    {"runs tag", "runs edit", true},
    {"runs prune", "runs delete", true},
    {"runs reattribute", "runs edit --attribution cost", true},
    {"pays merge", "pays --merge", true},
    {"import", "runs import", true},
    {"quality", "models quality", false},
    {"selftest", "doctor --test", false},
    {"diagnostics", "doctor --report", false},
    {"roofline", "calibrate", false},
    {"runs size", "db", false},
    {"runs vacuum", "db --vacuum", false},
    {"runs restore", "db --restore", false},
    {"runs recover", "db --recover", false},
};

struct OldOption {
    std::string_view commands; // present names, each between blanks; the first word or two
    std::string_view before;
    std::string_view now;
};

constexpr OldOption kOptions[] = {
    {" doctor ", "--source", "--power"},
    {" run attach record ", "--tags", "--tag"},
    {" runs/edit ", "--method", "--attribution"},
    {" predict ", "--output-tokens", "--max-new-tokens"},
    {" models/list ", "--dir", "--models-dir"},
    {" models/quality ", "--text", "--text-file"},
};

std::vector<std::string> wordsOf(std::string_view text)
{
    std::istringstream words{std::string(text)};
    return {std::istream_iterator<std::string>(words), {}};
}

// The index of the command, which follows options of the program itself.
std::size_t commandAt(const std::vector<std::string>& arguments)
{
    std::size_t at = 0;
    while (at < arguments.size() && arguments[at] == "--trace-sql")
        ++at;
    return at;
}

std::size_t endOfOptions(const std::vector<std::string>& arguments)
{
    return static_cast<std::size_t>(std::ranges::find(arguments, "--") - arguments.begin());
}

void renameCommand(std::vector<std::string>& arguments)
{
    const std::size_t at = commandAt(arguments);
    for (const OldName& name : kCommands) {
        const std::vector<std::string> before = wordsOf(name.before);
        if (!name.accepted || arguments.size() < at + before.size())
            continue;
        const auto first = arguments.begin() + static_cast<std::ptrdiff_t>(at);
        if (!std::equal(before.begin(), before.end(), first))
            continue;
        const std::vector<std::string> now = wordsOf(name.now);
        const auto place =
            arguments.erase(first, first + static_cast<std::ptrdiff_t>(before.size()));
        arguments.insert(place, now.begin(), now.end());
        return;
    }
}

void renameOptions(std::vector<std::string>& arguments)
{
    const std::size_t at = commandAt(arguments);
    if (at >= arguments.size())
        return;
    const std::string command = ' ' + arguments[at] + ' ';
    const std::string both =
        at + 1 < arguments.size() ? ' ' + arguments[at] + '/' + arguments[at + 1] + ' ' : command;
    const std::size_t end = endOfOptions(arguments);
    for (const OldOption& option : kOptions) {
        if (option.commands.find(command) == std::string_view::npos
            && option.commands.find(both) == std::string_view::npos)
            continue;
        for (std::size_t i = at + 1; i < end; ++i) {
            std::string& word = arguments[i];
            const std::size_t size = option.before.size();
            if (word.starts_with(option.before) && (word.size() == size || word[size] == '='))
                word = std::string(option.now) + word.substr(size);
        }
    }
}

// Renames `--json FILE` of the commands that make a run, and `--json -`, which printed the complete
// run.
void renameJsonFile(std::vector<std::string>& arguments)
{
    constexpr std::string_view kJson = "--json";
    const std::size_t at = commandAt(arguments);
    if (at >= arguments.size()
        || (arguments[at] != "run" && arguments[at] != "attach" && arguments[at] != "record"))
        return;
    for (std::size_t i = at + 1; i < endOfOptions(arguments); ++i) {
        if (arguments[i].starts_with("--json=")) {
            const std::string file = arguments[i].substr(kJson.size() + 1);
            arguments[i] = kJson;
            arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, file);
        }
        if (arguments[i] != kJson || i + 1 >= endOfOptions(arguments))
            continue;
        std::string& file = arguments[i + 1];
        const bool address = arguments[at] == "attach"
            && (file.find("://") != std::string::npos
                || file.find_first_not_of("0123456789") == std::string::npos);
        if (file == "-")
            file = "--full";
        else if (!file.empty() && file.front() != '-' && !address)
            arguments[i] = "--json-file";
    }
}

} // namespace

std::vector<std::string> withPresentNames(std::vector<std::string> arguments)
{
    renameCommand(arguments);
    renameOptions(arguments);
    renameJsonFile(arguments);
    return arguments;
}

std::string_view presentNameOf(std::string_view command)
{
    const auto* const found = std::ranges::find(kCommands, command, &OldName::before);
    return found == std::end(kCommands) ? std::string_view() : found->now;
}

} // namespace ep::app
