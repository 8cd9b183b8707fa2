// SPDX-License-Identifier: GPL-3.0-or-later
// What a long run costs: its file, and saving, showing and exporting it by the program. Its shape
// is that of 25 M parameters at depth deep: 8 layers with 14 components and 14 operations each.
//   EP_BENCH_TOKENS=4096 growth_bench
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

constexpr int kLayers = 8;
constexpr int kHeads = 6;
constexpr Nanoseconds kRunBegin = 1'000'000'000;

constexpr std::array kComponents{
    Component::InputLayernorm, Component::QProj,    Component::KProj,
    Component::VProj,          Component::KvCache,  Component::Attention,
    Component::OProj,          Component::Residual, Component::PostAttentionLayernorm,
    Component::GateProj,       Component::UpProj,   Component::Activation,
    Component::DownProj,       Component::Residual};

std::vector<Operation> operationsOf(Component component)
{
    switch (component) {
    case Component::InputLayernorm:
    case Component::PostAttentionLayernorm:
        return {Operation::Variance, Operation::Normalize, Operation::ScaleShift};
    case Component::Attention:
        return {Operation::Rotary,    Operation::QkMatmul, Operation::Scale,
                Operation::MaskApply, Operation::Softmax,  Operation::ValueMatmul};
    case Component::Activation:
        return {Operation::Activation, Operation::GateMultiply};
    default:
        return {};
    }
}

int tokensWanted()
{
    const char* tokens = std::getenv("EP_BENCH_TOKENS");
    return tokens ? std::atoi(tokens) : 128;
}

// Values without a pattern that would shrink the file.
class LongRun {
public:
    LongRun(int tokens, Depth depth, bool energy)
        : m_depth(depth)
        , m_energy(energy)
    {
        m_run.info.id = "long";
        m_run.info.status = RunStatus::Complete;
        m_run.info.depth = depth;
        m_run.info.output_tokens = tokens;
        m_run.info.model.name = "bench";
        for (int token = 0; token < tokens; ++token)
            step(token);
        m_run.trace.time = {kRunBegin, m_now};
        m_run.trace.phases.push_back({Phase::Decode, m_run.trace.time, value(1.0)});
        m_run.metrics.duration_ns = m_run.trace.time.duration_ns();
        m_run.metrics.energy = value(1.0);
    }

    Run take() { return std::move(m_run); }

private:
    double noise()
    {
        m_state = m_state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(m_state >> 11) / 9007199254740992.0;
    }
    std::optional<Millijoules> millijoules()
    {
        return m_energy ? std::optional(Millijoules{noise()}) : std::nullopt;
    }
    SpanEnergyNotes notes()
    {
        return m_energy ? SpanEnergyNotes{static_cast<float>(noise()), static_cast<float>(noise())}
                        : SpanEnergyNotes{};
    }
    EnergyValue value(double scale)
    {
        EnergyValue energy;
        if (!m_energy)
            return energy;
        energy.total_mj = Millijoules{scale * noise()};
        energy.rails_mj[Rail::Cpu] = energy.total_mj;
        energy.provenance = Provenance::Attributed;
        energy.sd_mj = Millijoules{noise()};
        energy.alternative_mj = Millijoules{noise()};
        return energy;
    }
    ActivationStats stats()
    {
        return {static_cast<float>(noise()), static_cast<float>(noise()),
                static_cast<float>(noise()), static_cast<float>(noise())};
    }
    TimeRange next(double microseconds)
    {
        const Nanoseconds begin = m_now + 200;
        m_now = begin + static_cast<Nanoseconds>(microseconds * 1e3 * (0.5 + noise()));
        return {begin, m_now};
    }

    void step(int token)
    {
        const Nanoseconds begin = m_now;
        const Phase phase = token == 0 ? Phase::Prefill : Phase::Decode;
        const auto section = [&](Section which, const TimeRange& time, bool output) {
            m_run.trace.sections.push_back(
                {.phase = phase,
                 .section = which,
                 .token = token,
                 .time = time,
                 .energy = value(1.0),
                 .work = output ? std::optional(SpanWork{1536, 4608}) : std::nullopt,
                 .stats = output ? std::optional(stats()) : std::nullopt});
        };
        section(Section::Embedding, next(1.0), true);
        section(Section::PositionEmbedding, next(2.0), false);
        const Nanoseconds layers = m_now;
        for (int i = 0; m_depth != Depth::None && i < kLayers; ++i)
            layer(token, i);
        if (m_depth == Depth::None)
            m_now += 3'000'000;
        section(Section::Layers, {layers, m_now}, true);
        section(Section::FinalNorm, next(3.0), true);
        section(Section::LmHead, next(900.0), true);
        section(Section::Sampling, next(15.0), false);
        section(Section::KvCacheAppend, next(1.0), false);
        TokenSpan& made = m_run.trace.tokens.emplace_back();
        made.index = token;
        made.position = token + 4;
        made.id = token % 4096;
        made.text = " word";
        made.phase = phase;
        made.time = {begin, m_now};
        made.probability = static_cast<float>(noise());
        made.energy = value(10.0);
    }

    void layer(int token, int index)
    {
        LayerSpan layer{.token = token,
                        .layer = index,
                        .time = {m_now, 0},
                        .stats = stats(),
                        .energy_mj = millijoules(),
                        .energy_notes = notes()};
        for (const Component which : kComponents) {
            ComponentSpan part{.token = token,
                               .layer = index,
                               .component = which,
                               .time = {m_now, 0},
                               .stats = stats(),
                               .energy_mj = millijoules(),
                               .work = SpanWork{294912, 592896},
                               .energy_notes = notes()};
            if (which == Component::Attention)
                part.work = SpanWork{1000 + 1536 * std::int64_t{token}, 3072 * std::int64_t{token}};
            if (m_depth == Depth::Deep) {
                for (const Operation operation : operationsOf(which))
                    operate(part, operation);
            }
            next(50.0);
            part.time.end_ns = m_now;
            m_run.trace.components.push_back(part);
        }
        layer.time.end_ns = m_now;
        m_run.trace.layers.push_back(layer);
    }

    void operate(const ComponentSpan& within, Operation operation)
    {
        OperationSpan& span = m_run.trace.operations.emplace_back();
        span.token = within.token;
        span.layer = within.layer;
        span.component = within.component;
        span.operation = operation;
        span.time = next(2.0);
        span.energy_mj = millijoules();
        span.energy_notes = notes();
        OperationExtras extras;
        if (operation == Operation::Softmax) {
            for (auto* heads : {&extras.attention_entropy, &extras.max_attention_weight,
                                &extras.attention_sparsity}) {
                for (int head = 0; head < kHeads; ++head)
                    heads->push_back(static_cast<float>(noise()));
            }
        }
        if (operation == Operation::ScaleShift)
            extras.variance_ratio = static_cast<float>(noise());
        span.extras = SharedExtras(std::move(extras));
        if (operation != Operation::Variance && operation != Operation::Scale
            && operation != Operation::QkMatmul && operation != Operation::MaskApply)
            span.stats = stats();
    }

    Run m_run;
    const Depth m_depth;
    const bool m_energy;
    std::uint64_t m_state = 1;
    Nanoseconds m_now = kRunBegin;
};

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
EP_COMMAND(runs_show_json, {"runs", "show", "long", "--json"})->Iterations(1);
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
