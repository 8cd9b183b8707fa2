// SPDX-License-Identifier: GPL-3.0-or-later
// The store compared with a bare SQLite loop that writes one row per span. The goals are for a
// million rows:
//   EP_BENCH_ROWS=1000000 store_bench
#include "sqlite/database.h"
#include "sqlite/schema.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

namespace fs = std::filesystem;
using ep::store::Store;
using ep::test::makeSampleRun;
using ep::test::TempFolder;
using Clock = std::chrono::steady_clock;

constexpr int kLayers = 76; // 988 rows per token: 76 layers with 12 components each

std::int64_t rowsWanted()
{
    const char* rows = std::getenv("EP_BENCH_ROWS");
    return rows ? std::atoll(rows) : 50'000;
}

const ep::Run& largeRun()
{
    static const ep::Run run =
        makeSampleRun({.id = "large",
                       .tokens = static_cast<int>(std::max<std::int64_t>(2, rowsWanted() / 988)),
                       .layers = kLayers,
                       .deep = false});
    return run;
}

double seconds(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The rows that a program would write if it did not pack its spans.
constexpr const char* kRows = R"sql(
CREATE TABLE profiling_runs (id TEXT NOT NULL PRIMARY KEY);
CREATE TABLE tokens (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES profiling_runs (id) ON DELETE CASCADE,
    token_index INTEGER NOT NULL);
CREATE INDEX tokens_by_run ON tokens (run_id);
CREATE TABLE layer_metrics (
    id INTEGER PRIMARY KEY,
    token_id INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
    layer_index INTEGER NOT NULL, start_ns INTEGER, duration_ns INTEGER,
    attention_time_ms REAL, mlp_time_ms REAL, energy_mj REAL, activation_mean REAL,
    activation_std REAL, activation_max REAL, activation_sparsity REAL);
CREATE INDEX layer_metrics_by_token ON layer_metrics (token_id);
CREATE TABLE component_metrics (
    id INTEGER PRIMARY KEY,
    layer_metric_id INTEGER NOT NULL REFERENCES layer_metrics (id) ON DELETE CASCADE,
    component_name TEXT NOT NULL, start_ns INTEGER, duration_ns INTEGER, energy_mj REAL,
    activation_mean REAL, activation_std REAL, activation_max REAL, activation_sparsity REAL,
    flops_estimate INTEGER, bytes_estimate INTEGER);
CREATE INDEX component_metrics_by_layer ON component_metrics (layer_metric_id);
)sql";

// One row per span in one transaction, with nothing around the calls.
class BareLoop {
public:
    explicit BareLoop(const fs::path& file)
    {
        sqlite3_open(file.c_str(), &m_database);
        execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
                "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
        execute(kRows);
        execute("INSERT INTO profiling_runs (id) VALUES ('large')");
    }
    ~BareLoop() { sqlite3_close(m_database); }
    BareLoop(const BareLoop&) = delete;
    BareLoop& operator=(const BareLoop&) = delete;

    void write(const ep::RunTrace& trace)
    {
        execute("BEGIN IMMEDIATE");
        sqlite3_stmt* token = prepare("INSERT INTO tokens (id, run_id, token_index) "
                                      "VALUES (?, 'large', ?)");
        for (const ep::TokenSpan& span : trace.tokens) {
            sqlite3_bind_int64(token, 1, span.index + 1);
            sqlite3_bind_int64(token, 2, span.index);
            step(token);
        }
        sqlite3_finalize(token);
        sqlite3_stmt* layer = prepare(
            "INSERT INTO layer_metrics (id, token_id, layer_index, attention_time_ms, "
            "mlp_time_ms, energy_mj, start_ns, duration_ns, activation_mean, activation_std, "
            "activation_max, activation_sparsity) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        std::int64_t id = 0;
        for (const ep::Span& span : trace.layers) {
            sqlite3_bind_int64(layer, 1, ++id);
            sqlite3_bind_int64(layer, 2, span.token + 1);
            sqlite3_bind_int64(layer, 3, span.layer);
            sqlite3_bind_double(layer, 4, 1.0);
            sqlite3_bind_double(layer, 5, 1.0);
            sqlite3_bind_double(layer, 6, span.energy_mj->value);
            common(layer, 7, span.time, *span.stats, trace);
            step(layer);
        }
        sqlite3_finalize(layer);
        sqlite3_stmt* component = prepare(
            "INSERT INTO component_metrics (id, layer_metric_id, component_name, energy_mj, "
            "start_ns, duration_ns, activation_mean, activation_std, activation_max, "
            "activation_sparsity, flops_estimate, bytes_estimate) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        id = 0;
        for (const ep::Span& span : trace.components) {
            sqlite3_bind_int64(component, 1, ++id);
            sqlite3_bind_int64(component, 2, 1 + span.token * kLayers + span.layer);
            const std::string_view word = ep::name(span.component);
            sqlite3_bind_text(component, 3, word.data(), static_cast<int>(word.size()),
                              SQLITE_STATIC);
            sqlite3_bind_double(component, 4, span.energy_mj->value);
            common(component, 5, span.time, *span.stats, trace);
            sqlite3_bind_int64(component, 11, span.work->flops);
            sqlite3_bind_int64(component, 12, span.work->bytes);
            step(component);
        }
        sqlite3_finalize(component);
        execute("COMMIT");
    }

private:
    static void common(sqlite3_stmt* statement, int first, const ep::TimeRange& time,
                       const ep::ActivationStats& stats, const ep::RunTrace& trace)
    {
        sqlite3_bind_int64(statement, first, time.begin_ns - trace.time.begin_ns);
        sqlite3_bind_int64(statement, first + 1, time.duration_ns());
        sqlite3_bind_double(statement, first + 2, static_cast<double>(stats.mean_abs));
        sqlite3_bind_double(statement, first + 3, static_cast<double>(stats.std));
        sqlite3_bind_double(statement, first + 4, static_cast<double>(stats.max_abs));
        sqlite3_bind_double(statement, first + 5, static_cast<double>(stats.sparsity));
    }
    void execute(const char* sql)
    {
        if (sqlite3_exec(m_database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
            std::fprintf(stderr, "bare loop: %s\n", sqlite3_errmsg(m_database));
            std::exit(1);
        }
    }
    sqlite3_stmt* prepare(const char* sql)
    {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(m_database, sql, -1, &statement, nullptr) != SQLITE_OK)
            execute("-"); // reports the reason
        return statement;
    }
    void step(sqlite3_stmt* statement)
    {
        if (sqlite3_step(statement) != SQLITE_DONE)
            execute("-");
        sqlite3_reset(statement);
    }

    sqlite3* m_database = nullptr;
};

// Saves a run, and compares the time with that of the bare loop.
void saveLargeRun(benchmark::State& state)
{
    const ep::Run& run = largeRun();
    double store = 0.0;
    double bare = 0.0;
    for (auto _ : state) {
        const TempFolder folder;
        auto opened = Store::open(folder / "store.db");
        const auto begin = Clock::now();
        if (!opened || !(*opened)->saveRun(run)) {
            state.SkipWithError("the run was not saved");
            return;
        }
        store += seconds(begin);
        state.PauseTiming();
        BareLoop loop(folder / "bare.db");
        const auto bareBegin = Clock::now();
        loop.write(run.trace);
        bare += seconds(bareBegin);
        state.ResumeTiming();
    }
    state.counters["rows"] =
        static_cast<double>(run.trace.components.size() + run.trace.layers.size());
    state.counters["ratio_to_bare"] = store / bare;
}
BENCHMARK(saveLargeRun)->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(3);

struct LargeFile {
    LargeFile()
    {
        auto store = Store::open(folder / "runs.db");
        if (store)
            static_cast<void>((*store)->saveRun(largeRun()));
    }
    TempFolder folder;
};

const LargeFile& largeFile()
{
    static const LargeFile file;
    return file;
}

// Opens a closed file and reads the head and figures of its run.
void openToSummary(benchmark::State& state)
{
    const fs::path file = largeFile().folder / "runs.db";
    for (auto _ : state) {
        auto store = Store::open(file);
        benchmark::DoNotOptimize((*store)->list());
    }
}
BENCHMARK(openToSummary)->Unit(benchmark::kMillisecond);

// Opens a closed file and reads everything that a window shows first, including the heatmap.
void openToHeatmap(benchmark::State& state)
{
    const fs::path file = largeFile().folder / "runs.db";
    for (auto _ : state) {
        auto store = Store::open(file);
        benchmark::DoNotOptimize((*store)->overview("large"));
    }
}
BENCHMARK(openToHeatmap)->Unit(benchmark::kMillisecond);

void readOneStep(benchmark::State& state)
{
    auto store = Store::open(largeFile().folder / "runs.db");
    const auto token = static_cast<std::int32_t>(largeRun().trace.tokens.size() / 2);
    for (auto _ : state)
        benchmark::DoNotOptimize((*store)->steps("large", {token, token + 1}));
}
BENCHMARK(readOneStep)->Unit(benchmark::kMillisecond);

void loadWholeRun(benchmark::State& state)
{
    auto store = Store::open(largeFile().folder / "runs.db");
    for (auto _ : state)
        benchmark::DoNotOptimize((*store)->load("large"));
}
BENCHMARK(loadWholeRun)->Unit(benchmark::kMillisecond);

struct ManyRuns {
    explicit ManyRuns(std::int64_t count)
    {
        auto opened = Store::open(folder / "runs.db");
        store = std::move(*opened);
        ep::Run run = makeSampleRun({.tokens = 1, .layers = 1, .deep = false});
        run.trace = {};
        const std::string words = "the quick brown fox jumps over the lazy dog and so on ";
        for (int i = 0; i < 20; ++i) // an answer of one kilobyte
            run.info.response += words;
        for (std::int64_t i = 0; i < count; ++i) {
            run.info.id = std::to_string(i);
            run.info.prompt = "prompt number " + std::to_string(i);
            static_cast<void>(store->saveRun(run));
        }
    }
    TempFolder folder;
    std::unique_ptr<Store> store;
};

// The goal is for EP_BENCH_RUNS=10000.
const ManyRuns& manyRuns()
{
    const char* count = std::getenv("EP_BENCH_RUNS");
    static const ManyRuns runs(count ? std::atoll(count) : 200);
    return runs;
}

void filterByText(benchmark::State& state)
{
    const Store& store = *manyRuns().store;
    std::size_t found = 0;
    for (auto _ : state) {
        const auto runs = store.list({.text = "number 77"});
        found = runs ? runs->size() : 0;
    }
    state.counters["found"] = static_cast<double>(found);
}
BENCHMARK(filterByText)->Unit(benchmark::kMillisecond);

void listAll(benchmark::State& state)
{
    const Store& store = *manyRuns().store;
    for (auto _ : state)
        benchmark::DoNotOptimize(store.list());
}
BENCHMARK(listAll)->Unit(benchmark::kMillisecond);

} // namespace
