// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "store/run_variations.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace ep::store {
namespace {

using test::makeSampleRun;
using test::TempFolder;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::unique_ptr<Store> openStore(const std::filesystem::path& file)
{
    auto store = Store::open(file);
    EXPECT_TRUE(store) << store.error().message;
    return store ? std::move(*store) : nullptr;
}

// Saves a run, reopens the file and loads the run.
ep::Run throughTheFile(const ep::Run& run)
{
    const TempFolder folder;
    const Status saved = openStore(folder / "runs.db")->saveRun(run);
    EXPECT_TRUE(saved) << saved.error().message;
    Result<ep::Run> loaded = openStore(folder / "runs.db")->load(run.info.id);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? *loaded : ep::Run{};
}

class RoundTrip : public testing::TestWithParam<test::RunVariation> { };

TEST_P(RoundTrip, LoadsWhatWasSaved)
{
    ep::Run run = makeSampleRun();
    GetParam().apply(run);
    EXPECT_TRUE(throughTheFile(run) == run);
}

INSTANTIATE_TEST_SUITE_P(Variations, RoundTrip, testing::ValuesIn(test::runVariations()),
                         [](const auto& variation) { return std::string(variation.param.name); });

TEST(Store, AddsUpFiguresOfOperationsAsTheTraceDoes)
{
    ep::Run run = makeSampleRun();
    ASSERT_GE(run.trace.operations.size(), 2U);
    OperationExtras extras;
    extras.attention_entropy = {1.25F, 0.1F};
    extras.activation_kill_ratio = 0.3F;
    run.trace.operations.front().extras = SharedExtras(extras);
    extras.attention_entropy = {static_cast<float>(kNan)};
    extras.variance_ratio = 12.0F;
    run.trace.operations.back().extras = SharedExtras(extras);
    const TempFolder folder;
    const auto store = openStore(folder / "runs.db");
    ASSERT_TRUE(store->saveRun(run));
    const Result<RunBreakdown> read = store->breakdown(run.info.id);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_FALSE(read->extras.empty());
    EXPECT_TRUE(*read == breakDown(run.trace));
}

TEST(Store, KeepsExtremeNumbers)
{
    ep::Run run = makeSampleRun();
    run.info.sampling.seed = std::uint64_t{1} << 63;
    run.info.sampling.temperature = std::numeric_limits<double>::denorm_min();
    run.metrics.edp_joule_seconds = std::numeric_limits<double>::infinity();
    run.trace.layers[0].stats = ActivationStats{1e-45F, 3.4e38F, 0.1F, 1.0F};
    run.trace.tokens[0].time = {std::numeric_limits<Nanoseconds>::max(),
                                std::numeric_limits<Nanoseconds>::min()};
    run.trace.tokens[1].time = {10, -10};
    EXPECT_TRUE(throughTheFile(run) == run);
}

TEST(Store, NumbersThatAreNoneBecomeMissing)
{
    ep::Run run = makeSampleRun();
    run.metrics.joules_per_token = kNan;
    run.trace.layers[0].energy_mj = Millijoules{kNan};
    run.trace.layers[0].stats->std = std::nanf("");
    const ep::Run loaded = throughTheFile(run);
    EXPECT_EQ(loaded.metrics.joules_per_token, std::nullopt);
    EXPECT_EQ(loaded.trace.layers[0].energy_mj, std::nullopt);
    ASSERT_TRUE(loaded.trace.layers[0].stats);
    EXPECT_TRUE(std::isnan(loaded.trace.layers[0].stats->std));
    EXPECT_EQ(loaded.trace.layers[0].stats->mean_abs, run.trace.layers[0].stats->mean_abs);
}

TEST(Store, KeepsSeveralRunsApart)
{
    const TempFolder folder;
    const auto store = openStore(folder / "runs.db");
    const ep::Run first = makeSampleRun({.id = "a", .tokens = 3});
    const ep::Run second = makeSampleRun({.id = "b", .tokens = 5, .layers = 3, .power = false});
    const ep::Run third = makeSampleRun({.id = "c", .tokens = 1, .deep = false});
    for (const ep::Run* run : {&first, &second, &third})
        ASSERT_TRUE(store->saveRun(*run));
    EXPECT_TRUE(*store->load("b") == second);
    EXPECT_TRUE(*store->load("a") == first);
    EXPECT_TRUE(*store->load("c") == third);
}

TEST(Store, SavingAgainReplaces)
{
    const TempFolder folder;
    const auto store = openStore(folder / "runs.db");
    ASSERT_TRUE(store->saveRun(makeSampleRun({.tokens = 6})));
    ASSERT_TRUE(store->saveRun(makeSampleRun({.id = "other"})));
    const ep::Run changed = makeSampleRun({.tokens = 2, .layers = 1});
    ASSERT_TRUE(store->saveRun(changed));
    EXPECT_TRUE(*store->load(changed.info.id) == changed);
    EXPECT_EQ(store->list()->size(), 2U);
}

TEST(Store, RefusesARunWithoutAnId)
{
    const TempFolder folder;
    const auto store = openStore(folder / "runs.db");
    const Status saved = store->saveRun(ep::Run{});
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, ErrorCode::InvalidInput);
    EXPECT_TRUE(store->list()->empty());
}

TEST(Store, RemovingTakesEveryRowOfTheRun)
{
    const TempFolder folder;
    const auto store = openStore(folder / "runs.db");
    const ep::Run kept = makeSampleRun({.id = "kept"});
    ASSERT_TRUE(store->saveRun(makeSampleRun({.id = "gone"})));
    ASSERT_TRUE(store->saveRun(kept));
    ASSERT_TRUE(store->remove("gone"));
    EXPECT_TRUE(*store->load("kept") == kept);
    ASSERT_TRUE(store->remove("kept"));

    auto database = Database::open(folder / "runs.db", Database::Access::ReadOnly);
    ASSERT_TRUE(database);
    for (const char* table : {"profiling_runs", "power_samples", "phases", "pipeline_sections",
                              "tokens", "layer_metrics", "component_metrics",
                              "deep_operation_metrics", "packs", "pack_shapes", "pack_spans"}) {
        const auto rows =
            (*database)->queryInteger(std::string("SELECT count(*) FROM ") + table, "count");
        ASSERT_TRUE(rows) << rows.error().message;
        EXPECT_EQ(*rows, 0) << table;
    }
}

TEST(Store, NamesTheRunThatIsNotThere)
{
    const TempFolder folder;
    const auto store = openStore(folder / "runs.db");
    for (const Error& error : {store->load("nope").error(), store->remove("nope").error(),
                               store->appendProgress("nope", {TokenSpan{}}, {}).error()}) {
        EXPECT_EQ(error.code, ErrorCode::NotFound);
        EXPECT_NE(error.message.english().find("nope"), std::string::npos) << error.message;
    }
}

// The columns that other programs query have the units in their names.
TEST(Store, DerivedColumnsHaveTheirUnits)
{
    const TempFolder folder;
    const ep::Run run = makeSampleRun();
    ASSERT_TRUE(openStore(folder / "runs.db")->saveRun(run));
    auto database = Database::open(folder / "runs.db", Database::Access::ReadOnly);
    ASSERT_TRUE(database);
    const auto holds = [&](const std::string& condition) {
        const auto found = (*database)->queryInteger("SELECT " + condition, "test");
        EXPECT_TRUE(found) << found.error().message;
        return found && *found == 1;
    };
    EXPECT_TRUE(holds("(SELECT created_at = '2026-01-31T12:34:56.789Z' FROM profiling_runs)"));
    EXPECT_TRUE(holds("(SELECT total_duration_ms = duration_ns / 1e6 FROM profiling_runs)"));
    EXPECT_TRUE(holds("(SELECT min(timestamp_ms) = -10.0 FROM power_samples)"));
    EXPECT_TRUE(holds("(SELECT abs(max(end_ms) - max(start_ms + duration_ms)) < 1e-9 "
                      "FROM pipeline_sections)"));
    EXPECT_TRUE(holds("(SELECT abs(sum(time_ms) - (SELECT sum(total_time_ms) FROM layer_metrics)) "
                      "< 0.02 * 8 + 1e-6 FROM component_metrics)"));
    EXPECT_TRUE(holds("(SELECT count(*) = 8 FROM layer_metrics WHERE attention_time_ms > 0 "
                      "AND mlp_time_ms > 0 AND attention_time_ms + mlp_time_ms < total_time_ms)"));
    EXPECT_TRUE(holds("(SELECT count(*) = 8 * 6 FROM deep_operation_metrics o "
                      "JOIN component_metrics c ON c.id = o.component_metric_id "
                      "JOIN layer_metrics l ON l.id = c.layer_metric_id "
                      "JOIN tokens t ON t.id = l.token_id "
                      "JOIN profiling_runs r ON r.id = t.run_id)"));
}

} // namespace
} // namespace ep::store
