// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/statement.h"
#include "store/file_guards.h"
#include "support/folders.h"
#include "support/temp_folder.h"

#include "ep/core/run_figure.h"
#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <map>
#include <regex>
#include <sstream>

namespace ep::store {
namespace {

// table or view -> its "column type" pairs in order; a view of packed spans has no types
using Tables = std::map<std::string, std::vector<std::string>>;

Tables tablesOfTheSchema()
{
    const test::TempFolder folder;
    EXPECT_TRUE(Store::open(folder / "runs.db"));
    auto database = Database::open(folder / "runs.db", Database::Access::ReadOnly);
    EXPECT_TRUE(database);
    Statement query =
        (*database)->prepare("SELECT s.name, c.name || iif(s.type = 'table', ' ' || c.type, '') "
                             "FROM sqlite_schema s, pragma_table_xinfo(s.name) c "
                             "WHERE s.type IN ('table', 'view') ORDER BY s.name, c.cid",
                             "read the schema");
    Tables tables;
    while (true) {
        const auto row = query.next();
        EXPECT_TRUE(row);
        if (!row || !*row)
            return tables;
        std::string table;
        std::string column;
        query.get(table, column);
        tables[table].push_back(column);
    }
}

// "### `table`" and below it rows of "| `column` | TYPE | ...".
Tables tablesOfTheDocument()
{
    std::istringstream document(test::readFile(test::sourcePath("docs/schema.md")));
    const std::regex heading("### `([a-z_]+)`(, a view)?.*");
    const std::regex row(R"(\| `([a-z0-9_]+)` \| ([A-Z]+) \|.*)");
    Tables tables;
    std::string table;
    bool isView = false;
    for (std::string line; std::getline(document, line);) {
        std::smatch match;
        if (std::regex_match(line, match, heading)) {
            table = match[1];
            isView = match[2].matched;
        } else if (std::regex_match(line, match, row)) {
            tables[table].push_back(match[1].str() + (isView ? "" : " " + match[2].str()));
        }
    }
    return tables;
}

// Without the figures of a run, which are described in the schema of its summary.
Tables withoutFigures(Tables tables)
{
    for (const RunFigureFacts& facts : kRunFigures) {
        const std::string field = facts.field ? facts.field : "";
        std::erase_if(tables["profiling_runs"], [&](const std::string& column) {
            return !field.empty() && column.starts_with(field + " ");
        });
    }
    return tables;
}

TEST(SchemaDocument, TellsOfEveryColumn)
{
    EXPECT_EQ(tablesOfTheDocument(), withoutFigures(tablesOfTheSchema()));
}

TEST(SchemaDocument, TheSummaryDescribesEveryFigureAndTheDatabaseHasIt)
{
    const auto summary = nlohmann::json::parse(
        test::readFile(test::sourcePath("resources/schema/run_summary.schema.json")));
    const auto& metrics = summary.at("definitions").at("metrics");
    const auto required = metrics.at("required").get<std::vector<std::string>>();
    const auto columns = tablesOfTheSchema().at("profiling_runs");
    std::size_t described = 0;
    for (const RunFigureFacts& facts : kRunFigures) {
        if (!facts.field)
            continue;
        EXPECT_THAT(required, testing::Contains(facts.field));
        ASSERT_TRUE(metrics.at("properties").contains(facts.field)) << facts.field;
        ++described;
        if (facts.figure == RunFigure::Energy)
            continue; // an object with columns for each rail
        const std::string field = facts.field;
        EXPECT_EQ(metrics.at("properties").at(field).at("description"), facts.explanation);
        EXPECT_THAT(columns,
                    testing::Contains(field + (field.ends_with("_ns") ? " INTEGER" : " REAL")));
        described += field.ends_with("_ns") ? 1 : 0; // also exists as x_ms
    }
    EXPECT_EQ(metrics.at("properties").size(), described);
}

// The tables and columns that earlier tools and scripts query by name.
TEST(SchemaDocument, KeepsTheNamesOfTheDesign)
{
    const std::map<std::string, std::string> design{
        {"profiling_runs",
         "id prompt model_path created_at total_duration_ms total_energy_mj tags experiment_name"},
        {"power_samples",
         "id run_id timestamp_ms cpu_power_mw gpu_power_mw ane_power_mw dram_power_mw "
         "total_power_mw"},
        {"pipeline_sections", "id run_id phase section_name start_ms end_ms duration_ms energy_mj"},
        {"tokens", "id run_id position text phase duration_ms energy_mj power_snapshot_mw"},
        {"layer_metrics",
         "id token_id layer_index total_time_ms attention_time_ms mlp_time_ms activation_mean "
         "activation_std activation_max activation_sparsity"},
        {"component_metrics",
         "id layer_metric_id component_name time_ms activation_mean activation_std "
         "activation_max activation_sparsity"},
        {"deep_operation_metrics",
         "id component_metric_id operation_name time_ms flops_estimate tensor_mean tensor_std "
         "tensor_max extra_metrics"},
    };
    const Tables schema = tablesOfTheSchema();
    for (const auto& [table, columns] : design) {
        ASSERT_TRUE(schema.contains(table)) << table;
        std::string present;
        for (const std::string& column : schema.at(table))
            present += " " + column + " ";
        std::istringstream wanted(columns);
        for (std::string column; wanted >> column;)
            EXPECT_NE(present.find(" " + column + " "), std::string::npos)
                << table << "." << column;
    }
}

} // namespace
} // namespace ep::store
