// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_fixture.h"
#include "support/json_schema.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using ep::test::schemaProblem;
using nlohmann::json;
using testing::HasSubstr;
using testing::SizeIs;

class StudyTest : public CliTest {
protected:
    std::string writeStudy(const json& more = json::object())
    {
        json study{{"name", "test"},
                   {"models", {model().string()}},
                   {"prompts", {"Once", "Upon"}},
                   {"output_tokens", 4},
                   {"repeats", 2},
                   {"power", "modelled"},
                   {"interval_ms", 20}};
        study.update(more);
        EXPECT_EQ(schemaProblem(study.dump(), "study.schema.json"), "");
        const std::string file = (folder() / "study.json").string();
        std::ofstream(file) << study.dump();
        return file;
    }

    static std::string contentOf(const std::filesystem::path& file)
    {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return text.str();
    }

    std::vector<json> storedRuns()
    {
        const Outcome outcome = run({"runs", "list", "--json"});
        const json list = json::parse(outcome.out);
        std::vector<json> runs;
        for (const json& one : list.at("runs"))
            runs.push_back(one.at("info"));
        return runs;
    }

    // The step tags of all complete runs.
    std::multiset<std::string> doneSteps()
    {
        std::multiset<std::string> steps;
        for (const json& info : storedRuns()) {
            for (const json& tag : info.at("tags")) {
                if (info.at("status") == "complete"
                    && tag.get<std::string>().rfind("cell:", 0) == 0)
                    steps.insert(tag.get<std::string>());
            }
        }
        return steps;
    }
};

TEST_F(StudyTest, RunsAndCompares)
{
    const std::string file = writeStudy();
    const Outcome plan = run({"study", file, "--plan", "--json"});
    ASSERT_EQ(plan.status, 0) << plan.err;
    EXPECT_EQ(schemaProblem(plan.out, "study_plan.schema.json"), "");
    EXPECT_THAT(json::parse(plan.out).at("steps"), SizeIs(4));
    EXPECT_FALSE(std::filesystem::exists(database())) << "a plan runs nothing";

    const Outcome made = run({"study", file, "--json"});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(made.err, "") << "progress is for terminals";
    EXPECT_EQ(schemaProblem(made.out, "study_report.schema.json"), "");
    const json report = json::parse(made.out);
    EXPECT_EQ(report.at("ran"), 4);
    EXPECT_EQ(report.at("done"), 4);
    ASSERT_THAT(report.at("groups"), SizeIs(2));
    EXPECT_TRUE(report.at("groups")[0].at("modelled").get<bool>());
    EXPECT_THAT(doneSteps(), SizeIs(4));

    setEnvironment("COLUMNS", "80");
    const Outcome again = run({"study", file});
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("4 of 4 runs"));
    EXPECT_THAT(doneSteps(), SizeIs(4));
    EXPECT_EQ(run({"study", file, "--report"}).status, 0);
}

TEST_F(StudyTest, EndsWithAReport)
{
    const std::string file = writeStudy({{"repeats", 1}});
    const Outcome none = run({"study", file, "--report", "--json"});
    ASSERT_EQ(none.status, 0) << none.err;
    EXPECT_TRUE(json::parse(none.out).at("report").is_null()) << "nothing is stored yet";

    const Outcome made = run({"study", file});
    ASSERT_EQ(made.status, 0) << made.err;
    const std::filesystem::path usual = database().parent_path() / "study-test.html";
    EXPECT_THAT(made.out, HasSubstr("\nreport   " + usual.string() + '\n'));
    const std::string page = contentOf(usual);
    EXPECT_THAT(page, HasSubstr("prompt 2 against prompt 1"));
    EXPECT_THAT(page, HasSubstr("power source modelled"));
    EXPECT_THAT(page, HasSubstr("<svg"));

    const std::string chosen = (folder() / "chosen.html").string();
    const Outcome again = run({"study", file, "--report", "--json", "--html", chosen});
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(schemaProblem(again.out, "study_report.schema.json"), "");
    EXPECT_EQ(json::parse(again.out).at("report"), chosen);
    EXPECT_EQ(contentOf(chosen), page) << "the same runs, the same report";

    const std::string nowhere = (folder() / "no" / "such" / "place.html").string();
    const Outcome refused = run({"study", file, "--report", "--html", nowhere});
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("choose another place"));
    EXPECT_THAT(refused.out, HasSubstr("2 of 2 runs")) << "the comparison is there all the same";
}

TEST_F(StudyTest, KeepsOnlyHashesWhereAsked)
{
    const json study{{"name", "private"},
                     {"models", {model().string()}},
                     {"prompts", {"sesame opens", "sesame shuts"}},
                     {"output_tokens", 3},
                     {"repeats", 1},
                     {"power", "modelled"}};
    const Outcome made = run({"study", "-", "--hashes-only"}, study.dump());
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("2 of 2 runs"));
    EXPECT_THAT(filesWith("sesame"), testing::IsEmpty());
    const Outcome again = run({"study", "-", "--json"}, study.dump());
    EXPECT_EQ(json::parse(again.out).at("ran"), 0) << "hashed runs count as done";
}

TEST_F(StudyTest, ShardsAreMergedByImport)
{
    const std::string file = writeStudy();
    for (int i = 1; i <= 2; ++i) {
        const std::string part = (folder() / ("part" + std::to_string(i) + ".db")).string();
        const Outcome made =
            run({"study", file, "--shard", std::to_string(i) + "/2", "--db", part});
        ASSERT_EQ(made.status, 0) << made.err;
    }
    const std::string one = (folder() / "part1.db").string();
    const std::string two = (folder() / "part2.db").string();
    ASSERT_EQ(run({"runs", "import", one, two}).status, 0);
    ASSERT_EQ(run({"runs", "import", two}).status, 0) << "again: all are there";
    const Outcome report = run({"study", file, "--report", "--json"});
    EXPECT_EQ(json::parse(report.out).at("done"), 4);
    EXPECT_THAT(doneSteps(), SizeIs(4));
}

TEST_F(StudyTest, ReadsStandardInputAndRefusesNonsense)
{
    const Outcome plan = run({"study", "-", "--plan"},
                             R"({"name": "n", "models": ["m"], "prompts": ["p"], "repeats": 2})");
    EXPECT_EQ(plan.status, 0) << plan.err;
    for (const char* bad : {"{", R"({"name": "n"})"}) {
        const Outcome outcome = run({"study", "-"}, bad);
        EXPECT_THAT(outcome, failsWith(1));
    }
    EXPECT_EQ(run({"study", "x.json", "--shard", "3/2"}).status, 2);
    EXPECT_EQ(run({"study", "no-such-file.json"}).status, 1);
}

TEST_F(StudyTest, AFailedCellIsToldAndDoesNotStopTheRest)
{
    const Outcome outcome =
        run({"study", writeStudy({{"models", {"no-such-model", model().string()}}}), "--json"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("no-such-model"));
    EXPECT_EQ(json::parse(outcome.out).at("ran"), 4);
    EXPECT_THAT(json::parse(outcome.out).at("failures"), SizeIs(2));

    const std::string two =
        run({"study",
             writeStudy({{"name", "numbers"}, {"models", {"no-such-model", model().string()}}})})
            .out;
    for (const char* const line : {"\nRun 1 of ", "\nRun 2 of "})
        EXPECT_EQ(('\n' + two).find(line), ('\n' + two).rfind(line)) << two;
}

// Several processes at once, one of which is killed during a run: every step exists exactly once.
TEST_F(StudyTest, SeveralProcessesDivideIt)
{
    const std::string file = writeStudy({{"repeats", 4}, {"output_tokens", 24}});
    QProcess victim;
    start(victim, {"study", file});
    while (!victim.canReadLine() && victim.waitForReadyRead(120'000)) { }
    QProcess one;
    QProcess two;
    for (QProcess* process : {&one, &two})
        start(*process, {"study", file, "--json"});
    victim.kill();
    victim.waitForFinished();
    for (QProcess* process : {&one, &two}) {
        ASSERT_TRUE(process->waitForFinished(240'000));
        EXPECT_EQ(process->exitCode(), 0) << process->readAllStandardError().toStdString();
        EXPECT_EQ(json::parse(process->readAllStandardOutput().toStdString()).at("done"), 8);
    }
    const std::multiset<std::string> done = doneSteps();
    EXPECT_THAT(done, SizeIs(8));
    EXPECT_THAT(std::set<std::string>(done.begin(), done.end()), SizeIs(8));
    EXPECT_THAT(storedRuns(), SizeIs(8)) << "nothing else is left";
}

// Killed repeatedly at random times, then left to finish: every step exists exactly once.
// EP_STUDY_KILLS=10 runs the long form: 3 prompts x 2 dtypes x 3 repeats.
TEST_F(StudyTest, SurvivesKills)
{
    const char* wanted = std::getenv("EP_STUDY_KILLS");
    const int kills = wanted != nullptr ? std::atoi(wanted) : 3;
    const bool large = wanted != nullptr;
    const std::string file =
        writeStudy({{"prompts", large ? json{"One", "Two", "Three"} : json{"One", "Two"}},
                    {"dtypes", large ? json{"f32", "bf16"} : json{"f32"}},
                    {"repeats", large ? 3 : 2},
                    {"output_tokens", 24}});
    const std::size_t steps = large ? 18 : 4;
    std::mt19937 random(20'261'122);
    for (int i = 0; i < kills; ++i) {
        QProcess process;
        start(process, {"study", file});
        // Some kills come after a line of progress, others at any moment before it.
        const int line = static_cast<int>(random() % 3);
        constexpr int kPatienceMs = 120'000;
        for (int seen = 0; seen < line && process.state() == QProcess::Running;) {
            if (!process.canReadLine() && !process.waitForReadyRead(kPatienceMs))
                break;
            while (process.canReadLine() && seen < line) {
                process.readLine();
                ++seen;
            }
        }
        process.waitForFinished(static_cast<int>(random() % 400));
        process.kill();
        process.waitForFinished();
    }
    const Outcome last = run({"study", file, "--json"});
    ASSERT_EQ(last.status, 0) << last.err;
    EXPECT_EQ(json::parse(last.out).at("done"), steps);
    const std::multiset<std::string> done = doneSteps();
    EXPECT_THAT(done, SizeIs(steps));
    EXPECT_THAT(std::set<std::string>(done.begin(), done.end()), SizeIs(steps));
    for (const json& info : storedRuns())
        EXPECT_EQ(info.at("status"), "complete") << "nothing is left behind";
}

} // namespace
