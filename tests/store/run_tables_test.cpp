// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/csv_rows.h"
#include "store/file_guards.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/core/clock.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/store/run_tables.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::cell;
using test::csvRows;
using test::Rows;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kFirst = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
constexpr const char* kSecond = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

// Texts that table readers take for a missing value.
const std::vector<std::string> kOddTexts{"null", "NA", "None", "", "nan", " \"quoted\",\r\nline",
                                         "=1+1"};

class RunTables : public testing::Test {
protected:
    RunTables()
    {
        auto opened = Store::open(m_folder / "runs.db");
        m_store = std::move(*opened);
        for (const char* id : {kFirst, kSecond}) {
            ep::Run run = test::makeSampleRun();
            run.info.id = id;
            run.info.prompt = "NA";
            run.info.tags = {"x", "y"};
            run.info.chat_template = true;
            for (std::size_t i = 0; i < run.trace.tokens.size(); ++i)
                run.trace.tokens[i].text = kOddTexts[i % kOddTexts.size()];
            EXPECT_TRUE(m_store->importRun(run));
        }
    }

    std::string text(TableKind kind, bool jsonLines)
    {
        std::ostringstream sink;
        const Status done =
            writeTable(*m_store, {kFirst, kSecond}, kind, {.json_lines = jsonLines}, sink);
        EXPECT_TRUE(done) << done.error().message;
        return sink.str();
    }
    static std::vector<json> lines(const std::string& text)
    {
        std::vector<json> rows;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);)
            rows.push_back(json::parse(line));
        return rows;
    }

    test::TempFolder m_folder;
    std::unique_ptr<Store> m_store;
};

TEST_F(RunTables, EveryRowNamesItsRunAndTheTime)
{
    for (const TableKind kind : kTableKinds) {
        SCOPED_TRACE(std::string(name(kind)));
        const Rows rows = csvRows(text(kind, false));
        if (kind == TableKind::AnswerSections) { // these runs have none
            EXPECT_EQ(rows.size(), 1U);
            continue;
        }
        ASSERT_GE(rows.size(), 3U);
        EXPECT_EQ(rows[0][0], "run_id");
        EXPECT_EQ(rows[0][1], "created_at");
        EXPECT_EQ(rows[1][0], kFirst);
        EXPECT_EQ(rows.back()[0], kSecond);
        const auto overview = m_store->overview(kFirst);
        EXPECT_EQ(rows[1][1], isoTimestamp(overview->run.info.created_at_ms));
        for (const auto& row : rows)
            EXPECT_EQ(row.size(), rows[0].size());

        // The same rows in JSON have the same values.
        const auto objects = lines(text(kind, true));
        ASSERT_EQ(objects.size() + 1, rows.size());
        for (std::size_t i = 0; i < objects.size(); ++i) {
            EXPECT_EQ(objects[i].at("run_id"), rows[i + 1][0]);
            EXPECT_EQ(objects[i].size(), rows[0].size());
        }
    }
}

TEST_F(RunTables, TextsSurviveReadersThatLookForMissingValues)
{
    const Rows rows = csvRows(text(TableKind::Tokens, false));
    const auto objects = lines(text(TableKind::Tokens, true));
    const auto overview = m_store->overview(kFirst);
    const auto& tokens = overview->run.trace.tokens;
    ASSERT_GE(tokens.size(), 2U);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string stored = cell(rows, i + 1, "text_json");
        EXPECT_EQ(json::parse(stored).get<std::string>(), tokens[i].text);
        EXPECT_TRUE(stored.starts_with('"') && stored.ends_with('"'));
        EXPECT_EQ(objects[i].at("text"), tokens[i].text);
        EXPECT_EQ(cell(rows, i + 1, "token_index"), std::to_string(tokens[i].index));
    }
    const Rows runs = csvRows(text(TableKind::Runs, false));
    EXPECT_EQ(cell(runs, 1, "prompt_json"), "\"NA\"");
    EXPECT_EQ(cell(runs, 1, "chat_template"), "true");
    EXPECT_EQ(json::parse(cell(runs, 1, "tags")), json({"x", "y"}));
    EXPECT_EQ(lines(text(TableKind::Runs, true))[0].at("tags"), json({"x", "y"}));
}

TEST_F(RunTables, HoldTheEnergiesThatAreStored)
{
    const auto overview = m_store->overview(kFirst);
    const ep::Run& run = overview->run;
    const auto objects = lines(text(TableKind::Phases, true));
    for (std::size_t i = 0; i < run.trace.phases.size(); ++i) {
        const PhaseSpan& phase = run.trace.phases[i];
        EXPECT_EQ(objects[i].at("energy_mj").is_null(), !phase.energy.total_mj.has_value());
        const Tally known = knownEnergy(run.trace, phase);
        EXPECT_EQ(objects[i].at("energy_uncovered_ns"), known.uncovered_ns());
    }
    const auto components = lines(text(TableKind::Components, true));
    ASSERT_GE(components.size(), 2 * overview->totals.size());
    for (std::size_t i = 0; i < overview->totals.size(); ++i) {
        const Tally& sum = overview->totals[i].sum;
        EXPECT_EQ(components[i].at("spans"), sum.spans);
        EXPECT_EQ(components[i].at("energy_mj").is_null(), !sum.complete().has_value());
        if (sum.energy_mj) {
            EXPECT_DOUBLE_EQ(components[i].at("known_energy_mj"), sum.energy_mj->value);
        }
    }
    const auto runs = lines(text(TableKind::Runs, true));
    if (const auto& total = run.metrics.energy.total_mj) {
        EXPECT_DOUBLE_EQ(runs[0].at("energy_j"), total->value / 1000.0);
    }
}

// Rows of phases, and rows of components and sections, with the remainder.
TEST_F(RunTables, PartsAddUpToTheRun)
{
    const auto overview = m_store->overview(kFirst);
    const ep::Run& run = overview->run;
    ASSERT_TRUE(run.metrics.energy.total_mj);
    for (const auto& [kind, name] : {std::pair(TableKind::Phases, "phase"),
                                     std::pair(TableKind::Components, "component_name")}) {
        double energy = 0.0;
        std::int64_t duration = 0;
        int remainders = 0;
        bool head = kind == TableKind::Phases;
        for (const json& row : lines(text(kind, true))) {
            if (row.at("run_id") != kFirst || row.at(name) == "idle")
                continue;
            ASSERT_TRUE(row.at("energy_mj").is_number()) << row;
            energy += row.at("energy_mj").get<double>();
            duration += row.at("duration_ns").get<std::int64_t>();
            remainders += row.at(name) == "remainder" ? 1 : 0;
            head = head || row.at(name) == "lm_head";
        }
        EXPECT_EQ(remainders, 1) << name;
        EXPECT_TRUE(head) << name;
        EXPECT_NEAR(energy, run.metrics.energy.total_mj->value, 1e-9 * energy) << name;
        EXPECT_EQ(duration, run.trace.time.duration_ns()) << name;
    }
}

// The figures that are computed from others are in the table as in the API.
TEST_F(RunTables, HoldTheDerivedFigures)
{
    const auto overview = m_store->overview(kFirst);
    const RunSummary summary{overview->run.info, overview->run.metrics};
    const json row = lines(text(TableKind::Runs, true)).front();
    for (const RunFigure figure :
         {RunFigure::NetEnergy, RunFigure::NetJoulesPerToken, RunFigure::JoulesPerTotalToken,
          RunFigure::EnergyPerMillionParameters}) {
        const auto expected = apiValueOf(figure, summary);
        const json& cell = row.at(factsOf(figure).api);
        EXPECT_EQ(cell.is_null(), !expected.has_value()) << factsOf(figure).api;
        if (expected) {
            EXPECT_DOUBLE_EQ(cell.get<double>(), *expected);
        }
    }
}

TEST_F(RunTables, AppendOnlyToATableOfTheSameColumns)
{
    for (const bool jsonLines : {false, true}) {
        const std::string file = (m_folder / (jsonLines ? "t.jsonl" : "t.csv")).string();
        const auto add = [&](const char* id, TableKind kind) {
            return exportTable(*m_store, {id}, kind, {.json_lines = jsonLines}, file, true);
        };
        ASSERT_TRUE(add(kFirst, TableKind::Tokens));
        ASSERT_TRUE(add(kSecond, TableKind::Tokens));
        EXPECT_EQ(test::readFile(file), text(TableKind::Tokens, jsonLines));

        const Status other = add(kFirst, TableKind::Phases);
        ASSERT_FALSE(other);
        EXPECT_EQ(other.error().message,
                  file
                      + " has other columns than a table of phases: choose another file, or "
                        "export without --append.");
        EXPECT_FALSE(add("none", TableKind::Tokens)); // must not leave half a file
        EXPECT_EQ(test::readFile(file), text(TableKind::Tokens, jsonLines));

        std::ofstream(file, std::ios::app) << "aaa,";
        const Status cut = add(kFirst, TableKind::Tokens);
        ASSERT_FALSE(cut);
        EXPECT_THAT(cut.error().message, HasSubstr("ends in the middle of a row"));
    }
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(m_folder.path()))
        files += entry.path().string().find(".part") != std::string::npos ? 1 : 0;
    EXPECT_EQ(files, 0U);
}

TEST_F(RunTables, WithoutRowsThereIsAHeader)
{
    std::ostringstream sink;
    ASSERT_TRUE(writeTable(*m_store, {}, TableKind::Components, {}, sink));
    EXPECT_EQ(csvRows(sink.str()).size(), 1U);
    EXPECT_THAT(sink.str(), HasSubstr("run_id,created_at,layer_index,component_name,"));
}

} // namespace
} // namespace ep::store
