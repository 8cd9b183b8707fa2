// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/statement.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

// The views that show packed spans as tables of earlier versions, and the packed
// size.
namespace ep::store {
namespace {

using test::makeSampleRun;
using test::TempFolder;

Millijoules single(float energy)
{
    return {static_cast<double>(energy)};
}

// A run whose spans have every field, with values that exercise every bit of the number formats.
ep::Run fullRun()
{
    ep::Run run = makeSampleRun({.tokens = 5});
    const auto odd = [](std::size_t i) {
        const double values[] = {0.1, -0.0, 1e-310, 4.9e-324, 1.7e308, 123456.789, -2.5e-7};
        return values[i % 7];
    };
    for (std::size_t i = 0; i < run.trace.operations.size(); ++i) {
        Span& span = run.trace.operations[i];
        span.energy_mj = i % 5 == 0 ? std::nullopt : std::optional(Millijoules{odd(i)});
        span.sd_mj = single(static_cast<float>(i) * 0.3F);
        span.alternative_mj = single(1e-42F);
        span.stats = ActivationStats{0.1F, 3.4e38F, 1e-45F, static_cast<float>(i) / 7.0F};
        if (i % 3 == 0)
            span.work = SpanWork{static_cast<std::int64_t>(i) << 33, 12};
        OperationExtras extras;
        extras.attention_entropy = {1.25F, 0.1F};
        extras.variance_ratio = 0.5F;
        if (i % 2 == 0)
            extras.expert = static_cast<std::int32_t>(i);
        span.extras = SharedExtras(extras);
    }
    for (Span& span : run.trace.components) {
        span.sd_mj = single(0.25F);
        span.alternative_mj = single(7.0F);
    }
    for (Span& section : run.trace.sections) {
        section.sd_mj = Millijoules{0.3};
        section.alternative_mj = Millijoules{0.7};
    }
    return run;
}

class PackedSpans : public testing::Test {
protected:
    void SetUp() override
    {
        auto store = Store::open(m_folder / "runs.db");
        ASSERT_TRUE(store);
        ASSERT_TRUE((*store)->saveRun(makeSampleRun({.id = "other", .tokens = 2})));
        ASSERT_TRUE((*store)->saveRun(m_run));
        auto database = Database::open(m_folder / "runs.db", Database::Access::ReadOnly);
        ASSERT_TRUE(database);
        m_database = std::move(*database);
    }

    // Calls check(row) for each row of the run.
    template <typename Check>
    std::size_t forEachRow(const std::string& columns, const std::string& view, const Check& check)
    {
        std::size_t rows = 0;
        Statement query = m_database->prepare(
            "SELECT " + columns + " FROM " + view + " WHERE run_id = ? ORDER BY id", "test");
        const Status done = query.bind(m_run.info.id).forEachRow([&](Statement& row) {
            check(row, rows);
            ++rows;
        });
        EXPECT_TRUE(done) << done.error().message;
        return rows;
    }

    void expectStats(Statement& row, const std::optional<ActivationStats>& stats)
    {
        for (const auto member : {&ActivationStats::mean_abs, &ActivationStats::std,
                                  &ActivationStats::max_abs, &ActivationStats::sparsity}) {
            std::optional<float> value;
            row.take(value);
            EXPECT_EQ(value, stats ? std::optional((*stats).*member) : std::nullopt);
        }
    }

    void expectTime(Statement& row, const TimeRange& time)
    {
        Nanoseconds start = 0;
        Nanoseconds duration = 0;
        row.take(start);
        row.take(duration);
        EXPECT_EQ(start, time.begin_ns - m_run.trace.time.begin_ns);
        EXPECT_EQ(duration, time.duration_ns());
    }

    template <typename Value>
    void expectNext(Statement& row, const std::optional<Value>& expected)
    {
        std::optional<Value> value;
        row.take(value);
        EXPECT_EQ(value, expected);
    }

    void expectEnergy(Statement& row, const std::optional<Millijoules>& expected)
    {
        expectNext(row, expected);
    }
    void expectSingle(Statement& row, const std::optional<Millijoules>& expected)
    {
        expectNext(row,
                   expected ? std::optional(static_cast<float>(expected->value)) : std::nullopt);
    }

    const ep::Run m_run = fullRun();
    TempFolder m_folder;
    std::unique_ptr<Database> m_database;
};

TEST_F(PackedSpans, OperationsAreReadableAsRows)
{
    const auto& spans = m_run.trace.operations;
    const std::size_t rows = forEachRow(
        "token_index, layer_index, component_name, operation_name, start_ns, duration_ns, "
        "energy_mj, energy_sd_mj, energy_alternative_mj, tensor_mean, tensor_std, tensor_max, "
        "tensor_sparsity, flops_estimate, bytes_estimate, extra_metrics",
        "deep_operation_metrics", [&](Statement& row, std::size_t i) {
            const Span& span = spans.at(i);
            std::int32_t token = 0;
            std::int32_t layer = 0;
            Component component = Component::Residual;
            Operation operation = Operation::Combine;
            row.get(token, layer, component, operation);
            EXPECT_EQ(token, span.token);
            EXPECT_EQ(layer, span.layer);
            EXPECT_EQ(component, span.component);
            EXPECT_EQ(operation, span.operation);
            expectTime(row, span.time);
            expectEnergy(row, span.energy_mj);
            expectSingle(row, span.sd_mj);
            expectSingle(row, span.alternative_mj);
            expectStats(row, span.stats);
            expectNext(row, span.work ? std::optional(span.work->flops) : std::nullopt);
            expectNext(row, span.work ? std::optional(span.work->bytes) : std::nullopt);
            std::string extras;
            row.take(extras);
            const auto figures = nlohmann::json::parse(extras);
            EXPECT_EQ(figures.at("attention_entropy_heads").size(), 2U);
            EXPECT_NEAR(figures.at("attention_entropy").get<double>(), 0.675, 1e-6);
            EXPECT_EQ(figures.at("variance_ratio"), 0.5);
            EXPECT_EQ(figures.contains("expert"), i % 2 == 0);
            EXPECT_FALSE(figures.contains("rows"));
        });
    EXPECT_EQ(rows, spans.size());
}

TEST_F(PackedSpans, ComponentsAndLayersAreReadableAsRows)
{
    const auto& components = m_run.trace.components;
    std::size_t rows = forEachRow(
        "component_name, start_ns, duration_ns, energy_mj, energy_sd_mj, activation_mean, "
        "activation_std, activation_max, activation_sparsity, flops_estimate",
        "component_metrics", [&](Statement& row, std::size_t i) {
            const Span& span = components.at(i);
            expectNext(row, std::optional(span.component));
            expectTime(row, span.time);
            expectEnergy(row, span.energy_mj);
            expectSingle(row, span.sd_mj);
            expectStats(row, span.stats);
            expectNext(row, span.work ? std::optional(span.work->flops) : std::nullopt);
        });
    EXPECT_EQ(rows, components.size());

    const auto& layers = m_run.trace.layers;
    rows = forEachRow("layer_index, start_ns, duration_ns, energy_mj, energy_sd_mj, "
                      "activation_mean, activation_std, activation_max, activation_sparsity",
                      "layer_metrics", [&](Statement& row, std::size_t i) {
                          const Span& span = layers.at(i);
                          expectNext(row, std::optional(span.layer));
                          expectTime(row, span.time);
                          expectEnergy(row, span.energy_mj);
                          expectSingle(row, span.sd_mj);
                          expectStats(row, span.stats);
                      });
    EXPECT_EQ(rows, layers.size());
}

TEST_F(PackedSpans, SectionsAreReadableAsRows)
{
    const auto& sections = m_run.trace.sections;
    const std::size_t rows = forEachRow(
        "phase, section_name, token_index, start_ns, duration_ns, energy_mj, energy_provenance, "
        "cpu_energy_mj, gpu_energy_mj, ane_energy_mj, dram_energy_mj, system_energy_mj, "
        "energy_sd_mj, energy_alternative_mj",
        "pipeline_sections", [&](Statement& row, std::size_t i) {
            const Span& span = sections.at(i);
            expectNext(row, std::optional(span.phase));
            expectNext(row, std::optional(span.section));
            expectNext(row, span.token == kNoToken ? std::nullopt : std::optional(span.token));
            expectTime(row, span.time);
            expectEnergy(row, span.energy_mj);
            expectNext(row, std::optional(span.provenance));
            for (const Rail rail : kRails)
                expectNext(row, span.energy().rails_mj[rail]);
            expectEnergy(row, span.sd_mj);
            expectEnergy(row, span.alternative_mj);
        });
    EXPECT_EQ(rows, sections.size());
}

// The steps of a generation share a few shapes, although attention's work differs in each.
TEST(Packing, StepsShareTheirShapes)
{
    const TempFolder folder;
    ep::Run run = makeSampleRun({.tokens = 60});
    for (Span& span : run.trace.components) {
        if (span.component == Component::Attention)
            span.work = SpanWork{1000 + 16 * std::int64_t{span.token}, 64};
    }
    {
        auto store = Store::open(folder / "runs.db");
        ASSERT_TRUE(store);
        ASSERT_TRUE((*store)->saveRun(run));
        EXPECT_TRUE(*(*store)->load(run.info.id) == run);
    }
    auto database = Database::open(folder / "runs.db", Database::Access::ReadOnly);
    ASSERT_TRUE(database);
    const auto count = [&](const char* sql) { return *(*database)->queryInteger(sql, "test"); };
    EXPECT_GE(count("SELECT count(*) FROM packs"), 4 * 60);
    EXPECT_LE(count("SELECT count(*) FROM pack_shapes"), 16);
}

} // namespace
} // namespace ep::store
