// SPDX-License-Identifier: GPL-3.0-or-later
#include "word_reader.h"

#include "command_tree.h"
#include "old_names.h"

#include "ep/session/run_settings.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace ep::app {

namespace {

// Number of letters to insert, remove, replace or exchange with their neighbour.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> rows(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
            std::size_t least =
                std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                least = std::min(least, rows[i - 2][j - 2] + 1);
            rows[i][j] = least;
        }
    }
    return rows[a.size()][b.size()];
}

bool looksLikeOption(const std::string& word)
{
    return word.size() > 1 && word.front() == '-' && (word[1] < '0' || word[1] > '9')
        && word[1] != '.' && word != "--";
}

bool takesValue(const CLI::Option& option)
{
    return option.get_expected_max() > 0 && option.get_type_size() > 0;
}

std::vector<const CLI::App*> commandsOf(const CLI::App& app)
{
    std::vector<const CLI::App*> commands;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (!one->get_name().empty())
            commands.push_back(one);
    }
    return commands;
}

class WordReader {
public:
    WordReader(const CLI::App& app, const std::vector<std::string>& arguments)
        : m_app(&app)
        , m_arguments(arguments)
    {
    }

    CommandWords read()
    {
        for (; m_next < m_arguments.size(); ++m_next) {
            const std::string& word = m_arguments[m_next];
            if (word == "--") {
                m_words.arguments.insert(m_words.arguments.end(),
                                         m_arguments.begin() + static_cast<std::ptrdiff_t>(m_next),
                                         m_arguments.end());
                break;
            }
            if (looksLikeOption(word))
                readOption(word);
            else
                readPlain(word);
        }
        if (!m_positional) {
            for (const OptionDoc& option : m_doc.options)
                m_positional = m_positional || option.names.empty();
        }
        if (!m_positional && m_app->get_parent() != nullptr) {
            for (const CommandDoc& command : m_doc.commands)
                m_words.missing.push_back(command.words.back());
        }
        return std::move(m_words);
    }

private:
    void report(std::string problem)
    {
        if (m_words.problem.empty())
            m_words.problem = std::move(problem);
    }

    void reportUnknown(const std::string& what, const std::string& word,
                       const std::vector<std::string>& known)
    {
        std::string nearest(
            presentNameOf(m_app->get_parent() == nullptr ? word : m_app->get_name() + ' ' + word));
        if (nearest.empty() || what != "command")
            nearest = nearestWord(word, known);
        report("'" + m_words.command + "' has no " + what + ' ' + word
               + (nearest.empty() ? std::string() : "; did you mean " + nearest + '?'));
    }

    // Says where a setting is used that this command does not have.
    bool reportElsewhere(const std::string& option)
    {
        const bool hasSettings = m_app->get_name() == "attach" || m_app->get_name() == "record";
        const session::RunSetting* const row =
            option.starts_with("--") ? session::settingCalled(option.substr(2)) : nullptr;
        if (!hasSettings || !row || row->option != option)
            return false;
        report(option + ' ' + session::elsewhereText(*row).english());
        return true;
    }

    void readOption(const std::string& word)
    {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const CLI::Option* option = m_app->get_option_no_throw(name);
        if (option == nullptr) {
            m_words.arguments.push_back(word);
            if (m_app->get_allow_extras() && !word.starts_with("--")) // "-old" removes a tag
                return;
            if (reportElsewhere(name))
                return;
            if (m_app->get_name() == "record" && m_positional) {
                return report("'" + m_words.command + "' has no option " + name
                              + "; write -- before a command with options of its own");
            }
            std::vector<std::string> known;
            for (const OptionDoc& one : m_doc.options)
                known.insert(known.end(), one.names.begin(), one.names.end());
            return reportUnknown("option", name, known);
        }
        if (!takesValue(*option)) {
            m_words.arguments.push_back(word);
            return;
        }
        m_words.arguments.push_back(name);
        const bool hasNext = m_next + 1 < m_arguments.size();
        if (equals != std::string::npos) {
            const std::string value = word.substr(equals + 1);
            if (value.empty() && option->get_type_name() != "TEXT")
                report(name + " has no value");
            return addValue(*option, value);
        }
        const std::string next = hasNext ? m_arguments[m_next + 1] : std::string();
        const bool optionNext = hasNext && looksLikeOption(next)
            && m_app->get_option_no_throw(next.substr(0, next.find('='))) != nullptr;
        if (optionNext)
            report(name + " has no value, as " + next + " is an option; if it is the value, write "
                   + name + '=' + next);
        if (!hasNext || optionNext)
            return;
        ++m_next;
        addValue(*option, next);
    }

    void addValue(const CLI::Option& option, const std::string& value)
    {
        m_words.arguments.push_back(value);
        const auto doc = std::ranges::find_if(m_doc.options, [&](const OptionDoc& one) {
            return std::ranges::find(one.names,
                                     "--"
                                         + (option.get_lnames().empty()
                                                ? std::string()
                                                : option.get_lnames().front()))
                != one.names.end();
        });
        if (doc == m_doc.options.end()
            || std::ranges::find(doc->choices, value) != doc->choices.end())
            return;
        if (m_words.hint.empty())
            m_words.hint = nearestWord(value, doc->choices);
    }

    void readPlain(const std::string& word)
    {
        m_words.arguments.push_back(word);
        const auto commands = commandsOf(*m_app);
        const auto found = std::ranges::find_if(
            commands, [&](const CLI::App* one) { return one->get_name() == word; });
        if (found != commands.end()) {
            m_app = *found;
            m_doc = readCommandTree(*m_app);
            m_words.command += ' ' + word;
            m_positional = false;
            return;
        }
        const bool takesWords = std::ranges::any_of(
            m_doc.options, [](const OptionDoc& one) { return one.names.empty(); });
        m_positional = true;
        if (takesWords)
            return;
        std::vector<std::string> known;
        for (const CommandDoc& command : m_doc.commands)
            known.push_back(command.words.back());
        if (!known.empty())
            return reportUnknown("command", word, known);
        report("'" + m_words.command + "' takes no word " + word
               + "; put a text of several words in quotes");
    }

    const CLI::App* m_app;
    CommandDoc m_doc = readCommandTree(*m_app);
    const std::vector<std::string>& m_arguments;
    std::size_t m_next = 0;
    bool m_positional = false; // whether a word was given that is not a command
    CommandWords m_words{};
};

} // namespace

CommandWords readWords(const CLI::App& app, const std::vector<std::string>& arguments)
{
    CommandWords words = WordReader(app, arguments).read();
    const auto last = std::ranges::find(arguments, "--");
    const bool asksForHelp = std::any_of(arguments.begin(), last, [](const std::string& word) {
        return word == "-h" || word == "--help" || word == "--help-all";
    });
    if (asksForHelp)
        words.problem.clear();
    return words;
}

std::string nearestWord(const std::string& word, const std::vector<std::string>& candidates)
{
    constexpr std::size_t kLettersPerError = 3;
    std::string nearest;
    std::size_t least = std::max<std::size_t>(1, word.size() / kLettersPerError) + 1;
    for (const std::string& candidate : candidates) {
        const bool begins = word.size() > 2 && candidate.starts_with(word);
        const std::size_t distance = begins ? 1 : editDistance(word, candidate);
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace ep::app
