// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/csv_rows.h"
#include "store/file_guards.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/run_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::makeSampleRun;
using test::TempFolder;

using test::cell;
using test::Rows;

class CsvExport : public testing::Test {
protected:
    Rows table(const std::string& name)
    {
        return test::csvRows(test::readFile(m_out / (name + ".csv")));
    }

    TempFolder m_folder;
    fs::path m_out = m_folder / "new" / "folder";
};

TEST_F(CsvExport, OneFileForEachTable)
{
    ep::Run run = makeSampleRun();
    run.trace.tokens[1].text = "a \"quoted\", line\r\nbreak";
    const Status done = exportCsv(RunInMemory(run), m_out.string());
    ASSERT_TRUE(done) << done.error().message;
    const RunTrace& trace = run.trace;
    const std::vector<std::pair<std::string, std::size_t>> expected{
        {"runs", 1},
        {"samples", trace.samples.size()},
        {"phases", trace.phases.size() + 1}, // and their remainder
        {"sections", trace.sections.size()},
        {"tokens", trace.tokens.size()},
        {"layers", trace.layers.size()},
        {"component_spans", trace.components.size()},
        {"operations", trace.operations.size()},
        {"answer_sections", 0},
    };
    for (const auto& [name, count] : expected) {
        const Rows rows = table(name);
        ASSERT_EQ(rows.size(), count + 1) << name;
        for (const auto& row : rows)
            ASSERT_EQ(row.size(), rows[0].size()) << name;
        EXPECT_EQ(rows[0][0], "run_id") << name;
    }
    EXPECT_EQ(nlohmann::json::parse(cell(table("tokens"), 2, "text_json")).get<std::string>(),
              run.trace.tokens[1].text);
    EXPECT_EQ(nlohmann::json::parse(cell(table("runs"), 1, "prompt_json")).get<std::string>(),
              run.info.prompt);
    EXPECT_EQ(cell(table("runs"), 1, "tags"), "[\"sample\",\"two words\"]");
    EXPECT_EQ(cell(table("samples"), 1, "start_ms"), "-10");
    EXPECT_EQ(cell(table("samples"), 1, "ane_power_mw"), "0");
    EXPECT_EQ(cell(table("samples"), 1, "dram_power_mw"), "") << "missing, not zero";
    EXPECT_EQ(cell(table("sections"), 1, "token_index"), "");
    EXPECT_EQ(cell(table("operations"), 2, "operation_name"), "qk_matmul");
}

TEST_F(CsvExport, NumbersReadBackExactly)
{
    const ep::Run run = makeSampleRun();
    ASSERT_TRUE(exportCsv(RunInMemory(run), m_out.string()));
    const Rows rows = table("component_spans");
    for (std::size_t i = 0; i < run.trace.components.size(); ++i) {
        const Span& component = run.trace.components[i];
        EXPECT_EQ(std::stod(cell(rows, i + 1, "energy_mj")), component.energy_mj->value);
        EXPECT_EQ(std::stoll(cell(rows, i + 1, "duration_ns")), component.time.duration_ns());
        EXPECT_EQ(std::stof(cell(rows, i + 1, "activation_std")), component.stats->std);
    }
}

TEST_F(CsvExport, TellsThinkingFromAnswer)
{
    ep::Run run = makeSampleRun();
    ASSERT_TRUE(exportCsv(RunInMemory(run), m_out.string()));
    EXPECT_EQ(cell(table("tokens"), 2, "answer_section"), "");
    EXPECT_EQ(table("answer_sections").size(), 1U);
    const TokenSpan& thought = run.trace.tokens[1];
    ASSERT_EQ(thought.phase, Phase::Decode);
    run.info.annotations = {{thought.time.begin_ns, thought.time.end_ns, "Thinking"}};
    ASSERT_TRUE(exportCsv(RunInMemory(run), m_out.string()));
    EXPECT_EQ(cell(table("tokens"), 1, "answer_section"), "") << "the prefill";
    EXPECT_EQ(cell(table("tokens"), 2, "answer_section"), "Thinking");
    const Rows sections = table("answer_sections");
    ASSERT_EQ(sections.size(), 2U);
    EXPECT_EQ(cell(sections, 1, "section"), "Thinking");
    EXPECT_EQ(cell(sections, 1, "tokens"), "1");
    EXPECT_EQ(std::stod(cell(sections, 1, "energy_mj")), thought.energy.total_mj->value);
}

TEST_F(CsvExport, AnEmptyRunHasHeaders)
{
    ASSERT_TRUE(exportCsv(RunInMemory(ep::Run{}), m_out.string()));
    EXPECT_EQ(table("tokens").size(), 1U);
}

TEST_F(CsvExport, SaysWhyItCannotWrite)
{
    test::writeFile(m_folder / "file", "x");
    const Status done = exportCsv(RunInMemory(makeSampleRun()), (m_folder / "file").string());
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::Io);
    fs::create_directories(m_out / "tokens.csv");
    const Status blocked = exportCsv(RunInMemory(makeSampleRun()), m_out.string());
    ASSERT_FALSE(blocked);
    EXPECT_NE(blocked.error().message.english().find("tokens.csv"), std::string::npos);
}

} // namespace
} // namespace ep::store
