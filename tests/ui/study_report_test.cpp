// SPDX-License-Identifier: GPL-3.0-or-later
// The HTML report of a study, with stored runs of two machines.
#include "support/sample_run.h"
#include "support/temp_folder.h"
#include "unique_names.h"

#include "ep/core/uuid.h"
#include "ep/store/store.h"
#include "ep/ui/report.h"

#include <QStringList>

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace ep;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

std::size_t countOf(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

class StudyHtml : public testing::Test {
protected:
    void makeStudy(int prompts, int repeats)
    {
        m_spec.name = "two machines";
        m_spec.models = {"tiny"};
        m_spec.run.repeats = repeats;
        for (int i = 1; i <= prompts; ++i)
            m_spec.prompts.push_back({"prompt " + std::to_string(i), "text " + std::to_string(i)});
        auto opened = store::Store::open(m_folder / "runs.db");
        ASSERT_TRUE(opened);
        m_store = std::move(*opened);
    }

    void addRuns(const std::string& cpu, const std::string& source)
    {
        for (const session::StudyStep& step : session::planStudy(m_spec).steps) {
            ep::Run run = test::makeSampleRun({.id = makeUuid()});
            run.info.tags = {step.tag, "host:" + cpu};
            run.info.experiment = m_spec.name;
            run.info.environment.cpu = cpu;
            run.info.power.source = source;
            ASSERT_TRUE(m_store->saveRun(run));
        }
    }

    std::string html()
    {
        const auto runs = m_store->list({.experiments = {m_spec.name}});
        EXPECT_TRUE(runs);
        const auto file = m_folder / "report.html";
        const Status saved =
            ui::saveStudyReport(*m_store, session::reportStudy(m_spec, *runs), file);
        EXPECT_TRUE(saved) << (saved ? "" : saved.error().message);
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return text.str();
    }

    test::TempFolder m_folder;
    session::StudySpec m_spec;
    std::unique_ptr<store::Store> m_store;
};

// J/(input + output) beside J/token: the sample run has the same figures in each cell.
TEST_F(StudyHtml, DividesByOutputAndByAllTokens)
{
    makeStudy(1, 3);
    addRuns("cpu A", "rapl");
    const auto runs = m_store->list({.experiments = {m_spec.name}});
    ASSERT_TRUE(runs);
    const session::StudyReport report = session::reportStudy(m_spec, *runs);
    ASSERT_EQ(report.groups.size(), 1U);
    const session::StudyGroup& group = report.groups.front();
    const RunInfo& info = runs->front().info;
    EXPECT_EQ(group.joules_per_total_token.n, 3);
    EXPECT_NEAR(group.joules_per_total_token.mean * (info.input_tokens + info.output_tokens),
                group.joules_per_token.mean * info.output_tokens, 1e-9);
    EXPECT_THAT(html(), HasSubstr("Energy per input and output token"));
}

TEST_F(StudyHtml, KeepsMachinesApartAndStandsAlone)
{
    makeStudy(2, 3);
    addRuns("Blue", "rapl");
    addRuns("Green", "nvml");
    const std::string page = html();
    EXPECT_THAT(page, HasSubstr("<h1>Study: two machines</h1>"));
    EXPECT_THAT(page, HasSubstr("cannot be ranked across machines"));
    EXPECT_EQ(countOf(page, "<h2>"), 2U) << "one for each machine and source";
    EXPECT_THAT(page, HasSubstr("Blue: Blue"));
    EXPECT_THAT(page, HasSubstr("power source nvml"));
    EXPECT_EQ(countOf(page, ">baseline<"), 2U) << "each has its own";
    EXPECT_EQ(countOf(page, "prompt 2 against prompt 1"), 2U);
    EXPECT_THAT(page, HasSubstr("<svg"));
    for (const char* outside : {"<script", "src=", "href=", "@import"})
        EXPECT_THAT(page, Not(HasSubstr(outside))) << outside;
}

TEST_F(StudyHtml, ComparesManyCellsWithTheBaselineInBlocks)
{
    makeStudy(6, 1);
    addRuns("Blue", "rapl");
    const std::string page = html();
    for (int i = 2; i <= 6; ++i)
        EXPECT_EQ(countOf(page, "prompt " + std::to_string(i) + " against prompt 1"), 1U) << i;
    EXPECT_THAT(page, HasSubstr("in blocks of up to 3"));
    EXPECT_THAT(page, Not(HasSubstr("Charts follow for")));
}

TEST_F(StudyHtml, LeavesChartsOfVeryManyCellsOut)
{
    makeStudy(15, 1);
    addRuns("Blue", "rapl");
    const std::string page = html();
    EXPECT_EQ(countOf(page, " against prompt 1<"), 12U);
    EXPECT_THAT(page, HasSubstr("Charts follow for the baseline and the first 12 configurations"));
}

TEST_F(StudyHtml, OneCellHasNothingToCompareWith)
{
    makeStudy(1, 2);
    addRuns("Blue", "rapl");
    EXPECT_THAT(html(), HasSubstr("<svg"));
}

TEST(StudyReportFile, LiesBesideTheDatabase)
{
    EXPECT_EQ(ui::studyReportFile("/data/runs.db", "dtypes"), "/data/study-dtypes.html");
    EXPECT_THAT(ui::studyReportFile("/data/runs.db", "../a b", {.index = 2, .count = 5}).string(),
                MatchesRegex("/data/study-\\.\\._a_b-[0-9a-f]{8}-2-of-5\\.html"));
    EXPECT_EQ(ui::studyReportFile("runs.db", "x"), "study-x.html");
}

TEST(StudyReportFile, NoTwoNamesShareOne)
{
    const std::string longName(100, 'n');
    std::set<std::filesystem::path> files;
    const std::vector<std::string> names{"a/b",    "a_b",
                                         "a b",    std::string("a\0b", 3),
                                         longName, longName + "x",
                                         "a",      "a-2-of-5",
                                         "\u00e4", "\u00f6",
                                         "A",      "Ab",
                                         "aB",     "AB"};
    // Compares file names as case-insensitive file systems do.
    const auto add = [&](const std::filesystem::path& file) {
        files.insert(QString::fromStdString(file.string()).toCaseFolded().toStdString());
    };
    for (const std::string& name : names)
        add(ui::studyReportFile("runs.db", name));
    add(ui::studyReportFile("runs.db", "a", {.index = 2, .count = 5}));
    EXPECT_EQ(files.size(), names.size() + 1);

    const std::string hashed = ui::studyReportFile("runs.db", "a/b").stem().string();
    const std::string same = hashed.substr(std::string("study-").size());
    EXPECT_NE(ui::studyReportFile("runs.db", same).stem(), hashed);
}

TEST(UniqueNames, DifferOnEveryFileSystem)
{
    ui::UniqueNames names;
    QStringList given;
    for (const char* name :
         {"Power", "power", "POWER", "power-2", "Straße", "STRASSE", "café", "café", "other"})
        given << names.next(QString::fromUtf8(name));
    EXPECT_EQ(given.join(u' ').toStdString(),
              "Power power-2 POWER-3 power-2-2 Straße STRASSE-2 café café-2 other");
}

} // namespace
