// SPDX-License-Identifier: GPL-3.0-or-later
// What the program says first: the answer of a run, and which word of a command line is wrong.
#include "app/cli_fixture.h"
#include "support/folders.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using nlohmann::json;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::size_t widestOf(const std::vector<std::string>& lines)
{
    std::size_t widest = 0;
    for (const std::string& line : lines) {
        widest = std::max(widest, static_cast<std::size_t>(std::ranges::count_if(line, [](char c) {
                              return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                          })));
    }
    return widest;
}

std::string onOneLine(std::string text)
{
    std::ranges::replace(text, '\n', ' ');
    return text;
}

class FirstWordsTest : public CliTest {
protected:
    FirstWordsTest() { setEnvironment("COLUMNS", "80"); }

    std::string answerOf(const std::string& run)
    {
        const Outcome why = this->run({"runs", "why", run, "--json"});
        EXPECT_EQ(why.status, 0) << why.err;
        return json::parse(why.out).at("answer");
    }
};

TEST_F(FirstWordsTest, ARunEndsWithItsAnswerInTwelveLines)
{
    struct Case {
        const char* name;
        std::vector<std::string> options;
        bool modelled;
    };
    const std::vector<Case> cases = {
        {"modelled", {"--power", "modelled", "--interval-ms", "20"}, true},
        {"deep", {"--power", "modelled", "--depth", "deep"}, true},
        {"without energy", {"--power", "none"}, false},
        {"with a baseline", {"--power", "modelled", "--baseline-seconds", "0.2"}, true}};
    for (const Case& one : cases) {
        const Outcome outcome = profile(one.options);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const std::string answer = answerOf("last");
        // The generated text ends before the answer, whose first word is a figure.
        const std::size_t begin = outcome.out.find("\n\n" + answer.substr(0, 8));
        ASSERT_NE(begin, std::string::npos) << one.name << '\n' << outcome.out;
        const std::string said = outcome.out.substr(begin + 2);
        EXPECT_THAT(onOneLine(said), StartsWith(answer)) << one.name;
        const std::vector<std::string> lines = linesOf(said);
        EXPECT_LE(lines.size(), 12U) << said;
        EXPECT_LE(widestOf(lines), 80U) << said;
        for (const char* word : {"energy ", "tokens ", "tokens/s", "saved "})
            EXPECT_THAT(said, HasSubstr(word)) << one.name;
        EXPECT_THAT(said, HasSubstr(one.modelled ? "quality" : "No power source")) << one.name;
        static const std::regex kModelled("[Mm]odelled");
        EXPECT_EQ(std::distance(std::sregex_iterator(said.begin(), said.end(), kModelled),
                                std::sregex_iterator()),
                  one.modelled ? 1 : 0)
            << said;
        if (one.modelled) {
            for (const char* name :
                 {"per output token", "per input and output token", "per decoded token"})
                EXPECT_THAT(onOneLine(std::regex_replace(said, std::regex("\n +"), " ")),
                            HasSubstr(name));
        }
        const Outcome shown = run({"runs", "show", "last"});
        EXPECT_THAT(onOneLine(shown.out), StartsWith(answer));
        EXPECT_THAT(shown.out, StartsWith(said.substr(0, said.find("\nsaved "))));
        EXPECT_LE(widestOf(linesOf(shown.out)), 80U) << shown.out;
    }
    const Outcome detailed = profile({"--power", "none", "--details"});
    for (const char* word : {"pre_inference", "between phases", "engine ", "status "})
        EXPECT_THAT(detailed.out, HasSubstr(word));
}

TEST_F(FirstWordsTest, RunsAreFoundByTheirPlaceFromTheEnd)
{
    for (const char* seed : {"1", "2", "3"})
        ASSERT_EQ(profile({"--power", "none", "--seed", seed}).status, 0);
    const std::vector<std::string> ids = storedIds();
    ASSERT_THAT(ids, SizeIs(3));
    const auto shown = [&](const std::string& word) {
        return json::parse(run({"runs", "show", word, "--json"}).out)
            .at("run")
            .at("info")
            .at("id")
            .get<std::string>();
    };
    EXPECT_EQ(shown("last"), ids[0]);
    EXPECT_EQ(shown("last~0"), ids[0]);
    EXPECT_EQ(shown("last~2"), ids[2]);
    const Outcome none = run({"runs", "show", "last~3"});
    EXPECT_EQ(none.status, 1);
    EXPECT_THAT(none.err, HasSubstr("last~3"));
    EXPECT_EQ(run({"runs", "show", "last~x"}).status, 1);
    EXPECT_EQ(run({"runs", "compare", "last", "last~1", "--json"}).status, 0);
}

TEST_F(FirstWordsTest, JsonIsAnOverviewUnlessAllIsWanted)
{
    const Outcome overview = profile({"--power", "none", "--json"});
    const Outcome full = profile({"--power", "none", "--json", "--full"});
    ASSERT_EQ(overview.status, 0) << overview.err;
    EXPECT_EQ(json::parse(overview.out).at("format"), "energy-profiler-run-overview");
    EXPECT_FALSE(json::parse(overview.out).at("run").contains("tokens"));
    EXPECT_EQ(json::parse(full.out).at("format"), "energy-profiler-run");
    EXPECT_THAT(json::parse(full.out).at("run").at("tokens"), SizeIs(8));
    EXPECT_EQ(profile({"--power", "none", "--full"}).status, 2);
    // Everything is the same except for the growing parts.
    json all = json::parse(run({"runs", "show", "last", "--json", "--full"}).out).at("run");
    for (const char* growing : {"tokens", "sections", "unfinished_steps"})
        all.erase(growing);
    all.at("power").erase("samples");
    EXPECT_EQ(json::parse(run({"runs", "show", "last", "--json"}).out).at("run"), all);
}

struct WrongLine {
    std::vector<std::string> arguments;
    const char* word; // the wrong one
    const char* right; // what the error suggests
    const char* help; // whose help it names
};

TEST_F(FirstWordsTest, NamesTheWrongWordAndTheNearestRightOne)
{
    const std::vector<WrongLine> lines = {
        {{"rnu"}, "rnu", "did you mean run?", "energy-profiler --help"},
        {{"runs", "lits"}, "lits", "did you mean list?", "energy-profiler runs --help"},
        {{"runs"}, "energy-profiler runs", "list, show", "energy-profiler runs --help"},
        {{"runs", "frobnicate"}, "frobnicate", "", "energy-profiler runs --help"},
        {{"run", "--modle", "x"}, "--modle", "--model?", "energy-profiler run --help"},
        {{"run", "--modle=x"}, "--modle", "--model?", "energy-profiler run --help"},
        {{"run", "--model", "x"}, "--prompt", "", "energy-profiler run --help"},
        {{"run", "--model", "x", "--prompt", "a", "--depth", "moduel"},
         "moduel",
         "did you mean module?",
         "energy-profiler run --help"},
        {{"run", "--model", "x", "--prompt", "The", "old", "man"},
         "old",
         "quotes",
         "energy-profiler run --help"},
        {{"runs", "export", "last", "--fromat", "csv"},
         "--fromat",
         "--format?",
         "energy-profiler runs export --help"},
        {{"attach", "--top-k", "3"},
         "--top-k",
         "not used here, but in `run`, the window",
         "energy-profiler attach --help"},
        {{"runs", "show"}, "RUN", "", "energy-profiler runs show --help"},
        {{"run", "--model=", "--prompt", "a"}, "--model", "no value", "energy-profiler run --help"},
        {{"run", "--model", "x", "--prompt", "--no-save"},
         "--prompt",
         "--prompt=--no-save",
         "energy-profiler run --help"}};
    for (const WrongLine& line : lines) {
        const Outcome outcome = run(line.arguments);
        EXPECT_THAT(outcome, failsWith(2));
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err,
                    AllOf(HasSubstr(line.word), HasSubstr(line.right),
                          HasSubstr(std::string("; see ") + line.help)));
    }
}

TEST_F(FirstWordsTest, AnEmptyValueIsEmptyAndTakesNoOtherWord)
{
    const Outcome outcome = run({"run", "--model", model().string(), "--prompt=", "--no-save",
                                 "--power", "none", "--max-new-tokens", "2"});
    EXPECT_EQ(outcome.out.find("--no-save"), std::string::npos) << outcome.out;
    EXPECT_FALSE(std::filesystem::exists(database())) << outcome.err;
    // Each option with a value refuses an empty one or takes it as it is.
    for (const char* option :
         {"--device", "--dtype", "--threads", "--prompt-file", "--max-new-tokens", "--temperature",
          "--seed", "--power", "--interval-ms", "--depth", "--repeat", "--db"}) {
        const Outcome refused = run({"run", "--model", model().string(), "--prompt", "a",
                                     std::string(option) + '=', "--no-save"});
        EXPECT_EQ(refused.status, 2) << option;
        EXPECT_THAT(refused.err, HasSubstr(option));
    }
    EXPECT_FALSE(std::filesystem::exists(database()));
}

TEST_F(FirstWordsTest, HelpFitsTheTerminalAndHidesWhatIsRare)
{
    const std::vector<std::vector<std::string>> commands = {
        {"run"}, {"doctor"}, {"runs", "compare"}, {"attach"}, {}};
    for (const char* columns : {"60", "80", "120"}) {
        setEnvironment("COLUMNS", columns);
        for (std::vector<std::string> command : commands) {
            command.emplace_back("--help");
            const std::string help = run(command).out;
            EXPECT_LE(widestOf(linesOf(help.substr(0, help.find("Examples:")))),
                      std::stoul(columns))
                << help;
        }
    }
    const std::string help = run({"run", "--help"}).out;
    const std::string all = run({"run", "--help-all"}).out;
    EXPECT_THAT(
        help,
        AllOf(HasSubstr("Model:"), HasSubstr("--help-all"), Not(HasSubstr("--statistics-every"))));
    EXPECT_THAT(all, AllOf(HasSubstr("Rarely needed:"), HasSubstr("--statistics-every")));
    EXPECT_THAT(run({"runs", "compare", "--help"}).out,
                AllOf(HasSubstr("RUN..."), Not(HasSubstr("x 2")), Not(HasSubstr("(2x)"))));
}

// What the help lists below "Subcommands:".
std::vector<std::string> commandsOf(const std::string& help)
{
    std::vector<std::string> names;
    bool below = false;
    for (const std::string& line : linesOf(help)) {
        below = line == "Subcommands:" || (below && !line.empty());
        if (below && line.starts_with("  ") && line[2] != ' ')
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return names;
}

TEST_F(FirstWordsTest, ThereAreAtMost28Commands)
{
    const std::vector<std::string> commands = commandsOf(run({"--help"}).out);
    std::size_t count = commands.size();
    for (const std::string& command : commands)
        count += commandsOf(run({command, "--help"}).out).size();
    EXPECT_GE(count, 20U);
    EXPECT_LE(count, 28U);
}

TEST_F(FirstWordsTest, ScriptsMayGoOnUsingEarlierNames)
{
    ASSERT_EQ(profile({"--power", "modelled", "--tags", "first,other", "--json", "a.json"}).status,
              0);
    const std::string name = model().string();
    const std::string power = ep::test::dataPath("powerlog/base.csv");
    const std::vector<std::string> lines[] = {
        {"power", "--source", "modelled", "--samples", "1", "--interval-ms", "20"},
        {"tokenize", "--model", name, "--text=a"},
        {"job", "--json"},
        {"render", "last", "--out", "report"},
        {"runs", "import-power", power, "--dry-run"},
        {"runs", "tag", "last", "+new", "-other"},
        {"runs", "reattribute", "last", "--method=time"},
        {"runs", "prune", "--keep-last", "1"},
        {"import", "a.json"},
        {"models", "list", "--dir", "."}};
    for (const std::vector<std::string>& line : lines) {
        const Outcome outcome = run(line);
        EXPECT_EQ(outcome.status, 0) << testing::PrintToString(line) << outcome.err;
    }
    const json info = json::parse(run({"runs", "show", "last", "--json"}).out)["run"]["info"];
    EXPECT_EQ(info["tags"], json({"first", "new"}));
    const json whole = json::parse(profile({"--power", "none", "--json", "-", "--no-save"}).out);
    EXPECT_EQ(whole["format"], "energy-profiler-run");
}

TEST_F(FirstWordsTest, OtherEarlierNamesNameThePresentOnes)
{
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{"selftest"}, "did you mean doctor --test?"},
        {{"diagnostics"}, "did you mean doctor --report?"},
        {{"roofline"}, "did you mean calibrate?"},
        {{"quality"}, "did you mean models quality?"},
        {{"runs", "restore"}, "did you mean db --restore?"}};
    for (const auto& [line, said] : cases) {
        const Outcome outcome = run(line);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_THAT(outcome.err, HasSubstr(said));
    }
}

TEST_F(FirstWordsTest, AFileToImportIsRecognisedByItsContent)
{
    ASSERT_EQ(profile({"--power", "modelled", "--json-file", "run.json"}).status, 0);
    const std::string trace = R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "ts": 1, "dur": 2,
        "name": "aten::add", "cat": "cpu_op", "pid": 1, "tid": 1}]})";
    std::ofstream(folder() / "trace.txt") << trace;
    const std::string power = ep::test::dataPath("powerlog/base.csv");
    const std::pair<std::vector<std::string>, const char*> kinds[] = {
        {{"run.json"}, "already exist"},
        {{database().string()}, "already exist"},
        {{"trace.txt", "--dry-run"}, "1 event, "},
        {{power, "--dry-run"}, "nvidia-smi"},
        {{"trace.txt", "--as", "power", "--dry-run"}, "trace.txt"},
        {{"run.json", "--dry-run"}, "is a file of runs, for which there is no --dry-run"},
        {{"trace.txt", "--zone", "UTC"}, "is a trace, for which there is no --zone"},
        {{power, "run.json"}, "import it by itself"}};
    for (const auto& [words, said] : kinds) {
        std::vector<std::string> line{"runs", "import"};
        line.insert(line.end(), words.begin(), words.end());
        const Outcome outcome = run(line);
        EXPECT_THAT(outcome.out + outcome.err, HasSubstr(said)) << testing::PrintToString(line);
    }
}

TEST_F(FirstWordsTest, TheDoctorBeginsWithWhatWorks)
{
    const Outcome outcome = run({"doctor"});
    EXPECT_LE(widestOf(linesOf(outcome.out)), 80U) << outcome.out;
    const std::size_t works = outcome.out.find("  + ");
    const std::size_t missing = outcome.out.find("  - ");
    EXPECT_LT(works, missing) << outcome.out;
    EXPECT_THAT(outcome.out, Not(HasSubstr("choose another power source")));
}

TEST_F(FirstWordsTest, ADatabaseThatIsNamedMustBeThere)
{
    const std::string typo = (folder() / "typo.db").string();
    for (const std::vector<std::string>& command : {std::vector<std::string>{"runs", "list"},
                                                    {"runs", "totals"},
                                                    {"runs", "totals", "--by", "job"},
                                                    {"db"}}) {
        std::vector<std::string> arguments = command;
        arguments.insert(arguments.end(), {"--db", typo});
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 1) << command.front();
        EXPECT_THAT(outcome.err, HasSubstr(typo));
    }
    EXPECT_FALSE(std::filesystem::exists(typo));
}

#ifdef Q_OS_LINUX
TEST_F(FirstWordsTest, TheWindowSaysThatThereIsNoDisplay)
{
    for (const char* display : {"", ":4711"}) {
        setEnvironment("QT_QPA_PLATFORM", "xcb");
        setEnvironment("DISPLAY", display);
        setEnvironment("WAYLAND_DISPLAY", "");
        for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {"gui"}}) {
            const Outcome outcome = run(arguments);
            EXPECT_THAT(outcome, failsWith(1, "There is no display"));
        }
    }
}
#endif

TEST_F(FirstWordsTest, AReaderThatHasEnoughIsNoError)
{
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    QProcess shell;
    start(shell, {}); // for its environment and folder
    shell.kill();
    shell.waitForFinished();
    for (const char* line : {"documentation man", "run --help-all", "doctor --json",
                             "runs export last --format csv --table runs --out -"}) {
        shell.start(QStringLiteral("bash"),
                    {QStringLiteral("-c"),
                     QStringLiteral("set -o pipefail; '" EP_PROGRAM "' ") + QLatin1String(line)
                         + QStringLiteral(" | true")});
        ASSERT_TRUE(shell.waitForFinished(60'000));
        EXPECT_EQ(shell.exitCode(), 0) << line;
        EXPECT_EQ(shell.readAllStandardError().toStdString(), "") << line;
    }
}

TEST_F(FirstWordsTest, ARestoreAsksBeforeItReplacesTheDatabase)
{
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    const std::string backup = (folder() / "copy.db").string();
    std::filesystem::copy_file(database(), backup);
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    const Outcome refused = run({"db", "--restore", "--backup", backup});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("2 runs"), HasSubstr("1 run,"), HasSubstr("--yes")));
    EXPECT_THAT(storedIds(), SizeIs(2));
    const Outcome done = run({"db", "--restore", "--backup", backup, "--yes"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(storedIds(), SizeIs(1));
}

} // namespace
