// SPDX-License-Identifier: GPL-3.0-or-later
// What a long run costs: its file, and saving, showing and exporting it by the program. Its shape
// is that of 25 M parameters at depth deep: 8 layers with 14 components and 14 operations each.
//   EP_BENCH_TOKENS=4096 growth_bench
#include "long_run.h"
#include "support/temp_folder.h"

#include "ep/core/clock.h"
#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
#include <spawn.h>
#include <streambuf>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace {

namespace fs = std::filesystem;
using namespace ep;
using bench::LongRun;

int tokensWanted()
{
    const char* tokens = std::getenv("EP_BENCH_TOKENS");
    return tokens ? std::atoi(tokens) : 128;
}

// The file of a run made by another process: the memory of a command is counted from that of the
// process that starts it, so this one must be small. Therefore commands come first.
const fs::path& deepFile()
{
    static const ep::test::TempFolder folder;
    static const fs::path made = [] {
        const fs::path file = folder / "runs.db";
        const pid_t child = ::fork();
        if (child == 0) {
            const auto store = store::Store::open(file);
            const Run run = LongRun(tokensWanted(), Depth::Deep, true).take();
            ::_exit(store && (*store)->saveRun(run) ? 0 : 1);
        }
        int status = 1;
        if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0)
            std::abort();
        return file;
    }();
    return made;
}

// Runs a command of the program from start to end.
void command(benchmark::State& state, const std::vector<std::string>& words)
{
    const std::string file = deepFile().string();
    std::vector<std::string> arguments{EP_PROGRAM};
    arguments.insert(arguments.end(), words.begin(), words.end());
    arguments.insert(arguments.end(), {"--db", file});
    std::vector<char*> pointers;
    for (std::string& word : arguments)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1, 0);
    for (auto _ : state) {
        const Nanoseconds begin = monotonicNow();
        pid_t child = 0;
        int status = 1;
        rusage usage = {};
        if (posix_spawn(&child, EP_PROGRAM, &quiet, nullptr, pointers.data(), environ) != 0
            || wait4(child, &status, 0, &usage) != child || status != 0) {
            state.SkipWithError("the command failed");
            break;
        }
        state.SetIterationTime(toSeconds(monotonicNow() - begin));
#ifdef __APPLE__
        constexpr double kUnit = 1e6; // bytes
#else
        constexpr double kUnit = 1e3; // kilobytes
#endif
        state.counters["memory_MB"] = static_cast<double>(usage.ru_maxrss) / kUnit;
    }
    posix_spawn_file_actions_destroy(&quiet);
}
#define EP_COMMAND(name, ...)                                                                      \
    BENCHMARK_CAPTURE(command, name, std::vector<std::string> __VA_ARGS__)                         \
        ->UseManualTime()                                                                          \
        ->Unit(benchmark::kMillisecond)
EP_COMMAND(help, {"runs", "--help"});
EP_COMMAND(doctor, {"doctor"});
EP_COMMAND(runs_list, {"runs", "list"});
EP_COMMAND(runs_show, {"runs", "show", "long"});
EP_COMMAND(runs_why, {"runs", "why", "long"});
EP_COMMAND(runs_show_parts, {"runs", "show", "long", "--parts"})->Iterations(1);
EP_COMMAND(runs_show_json, {"runs", "show", "long", "--json", "--full"})->Iterations(1);
EP_COMMAND(export_json, {"runs", "export", "long", "--out", "/dev/null"})->Iterations(1);
EP_COMMAND(export_trace, {"runs", "export", "long", "--format", "trace", "--out", "/dev/null"})
    ->Iterations(1);

// The file of one run, and the same run in memory.
struct Stored {
    Stored(int tokens, Depth depth, bool energy)
        : run(LongRun(tokens, depth, energy).take())
    {
        const auto store = store::Store::open(file());
        if (!store || !(*store)->saveRun(run))
            std::abort();
    }
    fs::path file() const { return folder / "runs.db"; }

    ep::test::TempFolder folder;
    Run run;
};

const Stored& deepRun(bool energy)
{
    static const Stored without(tokensWanted(), Depth::Deep, false);
    static const Stored with(tokensWanted(), Depth::Deep, true);
    return energy ? with : without;
}

double megabytes(std::uintmax_t bytes)
{
    return static_cast<double>(bytes) / 1e6;
}

void save(benchmark::State& state)
{
    const Stored& stored = deepRun(state.range(0) != 0);
    for (auto _ : state) {
        state.PauseTiming();
        const ep::test::TempFolder folder;
        auto store = store::Store::open(folder / "runs.db");
        state.ResumeTiming();
        if (!store || !(*store)->saveRun(stored.run))
            state.SkipWithError("the run was not saved");
        state.PauseTiming();
        store->reset();
        state.counters["file_MB"] = megabytes(fs::file_size(folder / "runs.db"));
        state.ResumeTiming();
    }
    state.counters["spans"] = static_cast<double>(
        stored.run.trace.layers.size() + stored.run.trace.components.size()
        + stored.run.trace.operations.size() + stored.run.trace.sections.size());
}
BENCHMARK(save)->ArgName("energy")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->Iterations(3);

void openOverview(benchmark::State& state)
{
    const Stored& stored = deepRun(true);
    for (auto _ : state) {
        const auto store = store::Store::open(stored.file());
        benchmark::DoNotOptimize((*store)->overview("long"));
    }
}
BENCHMARK(openOverview)->Unit(benchmark::kMillisecond);

void breakDownStored(benchmark::State& state)
{
    const auto store = store::Store::open(deepRun(true).file());
    for (auto _ : state)
        benchmark::DoNotOptimize((*store)->breakdown("long"));
}
BENCHMARK(breakDownStored)->Unit(benchmark::kMillisecond);

// What the window reads first when it opens a run of 100,000 tokens.
void openManyTokens(benchmark::State& state)
{
    static const Stored stored(100'000, Depth::None, true);
    for (auto _ : state) {
        const auto store = store::Store::open(stored.file());
        benchmark::DoNotOptimize((*store)->overview("long"));
    }
    state.counters["file_MB"] = megabytes(fs::file_size(stored.file()));
}
BENCHMARK(openManyTokens)->Unit(benchmark::kMillisecond);

// Counts the bytes it is given.
class Count : public std::streambuf {
public:
    std::streamsize size = 0;

protected:
    std::streamsize xsputn(const char*, std::streamsize count) override
    {
        size += count;
        return count;
    }
    int_type overflow(int_type character) override
    {
        ++size;
        return character;
    }
};

void jsonSize(benchmark::State& state)
{
    const Stored& stored = deepRun(state.range(0) != 0);
    const auto store = store::Store::open(stored.file());
    for (auto _ : state) {
        const auto source = (*store)->source("long");
        Count count;
        std::ostream sink(&count);
        if (!source || !store::writeJson(**source, sink))
            state.SkipWithError("the run was not written");
        state.counters["json_MB"] = static_cast<double>(count.size) / 1e6;
        state.counters["times_the_file"] =
            static_cast<double>(count.size) / static_cast<double>(fs::file_size(stored.file()));
    }
}
BENCHMARK(jsonSize)
    ->ArgName("energy")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

} // namespace
