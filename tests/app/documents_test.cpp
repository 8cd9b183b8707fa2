// SPDX-License-Identifier: GPL-3.0-or-later
// Man page, completions and examples are generated from the options; here they are compared with
// the output of --help.
#include "app/cli_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> words(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> all;
    for (std::string word; stream >> word;)
        all.push_back(word);
    return all;
}

std::set<std::string> optionsIn(const std::string& text)
{
    static const std::regex kOption("(^|[\\s,])(--[a-z][a-z0-9-]*)");
    std::set<std::string> options;
    for (std::sregex_iterator one(text.begin(), text.end(), kOption), end; one != end; ++one)
        options.insert((*one)[2]);
    return options;
}

class DocumentsTest : public CliTest {
protected:
    std::string document(const std::string& kind)
    {
        const Outcome outcome = run({"documentation", kind});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return outcome.out;
    }

    // All commands, "", "run", "runs", "runs list", ...: found by asking each for its help.
    std::vector<std::string> commands(const std::string& parent = {})
    {
        std::vector<std::string> all = {parent};
        const std::string help = helpOf(parent);
        // CLI11 writes this heading in capitals from version 2.5 on.
        const std::size_t begin = std::min(help.find("Subcommands:"), help.find("SUBCOMMANDS:"));
        if (begin == std::string::npos)
            return all;
        static const std::regex kCommand("\n  ([a-z]+) ");
        const std::string list = help.substr(begin, help.find("Examples:") - begin);
        for (std::sregex_iterator one(list.begin(), list.end(), kCommand), end; one != end; ++one) {
            const std::string name = (parent.empty() ? "" : parent + ' ') + (*one)[1].str();
            for (const std::string& below : commands(name))
                all.push_back(below);
        }
        return all;
    }

    std::string helpOf(const std::string& command)
    {
        std::vector<std::string> arguments = words(command);
        arguments.emplace_back("--help");
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << command;
        return outcome.out;
    }

    // What bash offers for a line whose last word is incomplete.
    std::vector<std::string> complete(const std::string& line)
    {
        const std::string script = (folder() / "completion").string();
        std::ofstream(script) << document("bash");
        std::vector<std::string> typed = words(line);
        if (line.back() == ' ')
            typed.emplace_back();
        std::string array;
        for (const std::string& word : typed)
            array += " '" + word + "'";
        QProcess bash;
        bash.start(
            QStringLiteral("bash"),
            {QStringLiteral("-c"),
             QString::fromStdString("source '" + script + "'; COMP_WORDS=(" + array
                                    + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                                      "_energy_profiler; printf '%s\\n' \"${COMPREPLY[@]}\"")});
        EXPECT_TRUE(bash.waitForFinished(60'000));
        EXPECT_EQ(bash.readAllStandardError().toStdString(), "");
        return words(bash.readAllStandardOutput().toStdString());
    }
};

TEST_F(DocumentsTest, EveryCommandHasExamplesThatAreUnderstood)
{
    const Outcome outcome = run({"documentation", "check"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
}

TEST_F(DocumentsTest, HoldWhatHelpHolds)
{
    const std::string man = document("man");
    const std::string bash = document("bash");
    const std::string zsh = document("zsh");
    const std::vector<std::string> all = commands();
    EXPECT_THAT(all, testing::Contains("runs delete"));
    EXPECT_THAT(all, testing::Contains("study"));
    EXPECT_THAT(all, testing::Not(testing::Contains("documentation")));
    for (const std::string& command : all) {
        const std::string help = helpOf(command);
        EXPECT_THAT(help, HasSubstr("Examples:")) << command;
        EXPECT_THAT(bash, HasSubstr("'" + command + "') words=")) << command;
        for (const std::string& option : optionsIn(help.substr(0, help.find("Examples:")))) {
            std::string escaped;
            for (const char c : option)
                escaped += c == '-' ? "\\-" : std::string(1, c);
            EXPECT_THAT(man, HasSubstr(escaped)) << command;
            EXPECT_THAT(bash, HasSubstr(option)) << command;
            EXPECT_THAT(zsh, HasSubstr(option)) << command;
        }
    }
}

TEST_F(DocumentsTest, BashCompletes)
{
    EXPECT_THAT(complete("energy-profiler ru"), testing::ElementsAre("run", "runs"));
    EXPECT_THAT(complete("energy-profiler runs exp"), testing::ElementsAre("export"));
    EXPECT_THAT(complete("energy-profiler run --max"), testing::ElementsAre("--max-new-tokens"));
    EXPECT_THAT(complete("energy-profiler run --dtype b"), testing::ElementsAre("bf16"));
    EXPECT_THAT(complete("energy-profiler runs export --format "),
                testing::ElementsAre("json", "csv", "jsonl", "trace", "otlp", "sqlite"));
    EXPECT_THAT(complete("energy-profiler run --model x --dep"), testing::ElementsAre("--depth"));
    EXPECT_THAT(complete("energy-profiler study " + folder().string() + "/comp"),
                testing::ElementsAre((folder() / "completion").string()));
    EXPECT_THAT(complete("energy-profiler models tokenize --text run --de"),
                testing::ElementsAre("--decode"))
        << "the value of an option is no subcommand";
}

} // namespace
