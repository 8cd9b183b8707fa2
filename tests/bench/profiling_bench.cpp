// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of recording at each depth, and the speed of the engine relative to the machine's limit:
// the table of docs/performance.md. Everything is a ratio of steps that follow one another in this
// process, as the speed of shared machines drifts; two threads.
//   profiling_bench [25] [110] [--benchmark_min_time=0.001]     (the last: only that it runs)
//   profiling_bench [25] [110] q8_0     (recording a decode in that number format, nothing else)
//   profiling_bench FILE.gguf...     (decodes of these models as they are stored: the rate of a
//   bare
//                                     read of their bytes, and recording)
//   profiling_bench --steps N none|decomposed|module|deep 25|110     (for callgrind)
#include "bench_model.h"
#include "record/recorder.h"

#include "ep/core/clock.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace ep;
using bench::BareProducts;
using bench::BareRead;
using bench::BenchModel;
using bench::BenchStep;
using bench::medianRatio;

constexpr int kContext = 512;
constexpr int kPrompt = 128;

struct Goals {
    // Shares that are added.
    double module_decode = 0.0, deep_same = 0.0, deep_fastest = 0.0, module_prefill = 0.0;
    double read_share = 0.0, bf16 = 0.0, product_share = 0.0;
    double remainder = 1.0;
};

struct Case {
    const char* name;
    test::TinyModel shape;
    Goals goals;
};

const Case kCases[] = {
    {"25",
     {.hidden_size = 384,
      .intermediate_size = 1024,
      .layers = 8,
      .heads = 6,
      .kv_heads = 6,
      .max_positions = 1024,
      .tied = false,
      .vocabulary = 8192},
     {0.02, 0.04, 0.20, 0.03, 0.85, 1.3, 0.80, 1.0}},
    {"110",
     {.hidden_size = 768,
      .intermediate_size = 2048,
      .layers = 12,
      .heads = 12,
      .kv_heads = 12,
      .max_positions = 1024,
      .tied = false,
      .vocabulary = 32000},
     {0.01, 0.025, 0.08, 0.02, 0.95, 1.45, 0.85, 0.03}},
};

class Table {
public:
    explicit Table(std::string model)
        : m_model(std::move(model))
    {
    }
    void atMost(const char* what, double goal, double figure, const char* unit) const
    {
        row(what, "<=", goal, figure, unit, figure <= goal);
    }
    void atLeast(const char* what, double goal, double figure, const char* unit) const
    {
        row(what, ">=", goal, figure, unit, figure >= goal);
    }

private:
    void row(const char* what, const char* sign, double goal, double figure, const char* unit,
             bool passed) const
    {
        std::printf("%-5s %-62s %s %-6.4g %-2s %8.4g  %s\n", m_model.c_str(), what, sign, goal,
                    unit, figure, passed ? "pass" : "MISSED");
        std::fflush(stdout);
    }

    std::string m_model;
};

session::Recorder makeRecorder(Depth depth, session::PublishedOperation& published)
{
    return session::Recorder({.depth = depth,
                              .expected_spans = 1 << 20,
                              .ticks = session::TickClock::ofSystem(),
                              .calibrate = depth == Depth::Module},
                             published, {});
}

// A recorder and the number of steps that it has recorded.
class Watched {
public:
    explicit Watched(Depth depth)
        : m_recorder(makeRecorder(depth, m_published))
    {
    }
    Nanoseconds run(BenchStep& step, bool decomposed)
    {
        const Nanoseconds begin = monotonicNow();
        m_recorder.enter(Phase::Decode, m_token++);
        step.run(&m_recorder, decomposed);
        static_cast<void>(m_recorder.endStep());
        return monotonicNow() - begin;
    }
    const session::Recorder& recorder() const { return m_recorder; }
    std::int32_t tokens() const { return m_token; }

private:
    session::PublishedOperation m_published{0};
    session::Recorder m_recorder;
    std::int32_t m_token = 0;
};

// Share of a token that neither its sections nor its layers cover: mean over the last tokens.
double remainderShare(BenchStep& step)
{
    constexpr int kTokens = 20;
    Watched module(Depth::Module);
    double whole = 0.0;
    for (int i = 0; i < kTokens; ++i)
        whole += static_cast<double>(module.run(step, false));
    RunTrace trace;
    module.recorder().appendTo(trace, kTokens);
    double covered = 0.0;
    for (const Span& span : trace.sections) {
        if (span.section != Section::Layers)
            covered += static_cast<double>(span.time.duration_ns());
    }
    for (const Span& span : trace.layers)
        covered += static_cast<double>(span.time.duration_ns());
    return 1.0 - covered / whole;
}

// Measures what recording adds to decoding.
void measureRecording(const Table& table, const Goals& goals, BenchStep& decode, int pairs)
{
    Watched none(Depth::None);
    Watched module(Depth::Module);
    Watched deep(Depth::Deep);
    const auto plain = [&] { return none.run(decode, false); };
    table.atMost("module with statistics, decode, added to none", goals.module_decode * 100,
                 100 * (medianRatio(pairs, plain, [&] { return module.run(decode, false); }) - 1),
                 "%");
    table.atMost("deep with all extras, decode, added to none decomposed", goals.deep_same * 100,
                 100
                     * (medianRatio(
                            pairs, [&] { return none.run(decode, true); },
                            [&] { return deep.run(decode, true); })
                        - 1),
                 "%");
    table.atMost("deep, decode, added to none with the fastest attention", goals.deep_fastest * 100,
                 100 * (medianRatio(pairs, plain, [&] { return deep.run(decode, true); }) - 1),
                 "%");
    const session::RecorderCost cost = module.recorder().cost();
    table.atMost("one span recorded, without statistics", 60.0, cost.span_ns, "ns");
    table.atMost("memory of the recorder for a span", 40.0,
                 static_cast<double>(cost.memory_bytes) / static_cast<double>(cost.spans), "B");
    table.atMost("remainder of a token", goals.remainder * 100, 100 * remainderShare(decode), "%");
}

void measure(const Case& one, std::optional<model::DType> format, bool smoke)
{
    test::TinyModel shape = one.shape;
    if (smoke) {
        shape.layers = 1;
        shape.vocabulary = 300;
    }
    const int pairs = smoke ? 2 : 240;
    const int prefills = smoke ? 1 : 60;
    const BenchModel model(shape);
    const Table table(one.name);
    if (format) {
        const model::Decoder decoder = model.in(*format);
        BenchStep decode(decoder, model.pool(), 1, kContext);
        measureRecording(table, one.goals, decode, pairs);
        return;
    }
    {
        BenchStep decode(model.f32(), model.pool(), 1, kContext);
        measureRecording(table, one.goals, decode, pairs);
    }
    {
        BenchStep prefill(model.f32(), model.pool(), kPrompt, 0);
        Watched none(Depth::None);
        Watched module(Depth::Module);
        const auto plain = [&] { return none.run(prefill, false); };
        table.atMost(
            "module, prefill of 128, added to none", one.goals.module_prefill * 100,
            100 * (medianRatio(prefills, plain, [&] { return module.run(prefill, false); }) - 1),
            "%");
        BareProducts products(model);
        table.atLeast("none, prefill of 128 f32, of the rate of the matrix products",
                      one.goals.product_share,
                      medianRatio(prefills, plain, [&] { return products.run(kPrompt); }), "");
        BenchStep decode(model.f32(), model.pool(), 1, kContext);
        BareRead bare(bench::storedWeights(model.folder()), model.pool(), decode);
        table.atLeast(
            "none, decode f32, of a bare read of the same bytes", one.goals.read_share,
            medianRatio(
                pairs, [&] { return none.run(decode, false); }, [&] { return bare.run(); }),
            "");
        const model::Decoder bf16 = model.in(model::DType::BF16);
        BenchStep narrow(bf16, model.pool(), 1, kContext);
        table.atLeast("none, decode bf16, times decode f32", one.goals.bf16,
                      medianRatio(
                          pairs, [&] { return none.run(narrow, false); },
                          [&] { return none.run(decode, false); }),
                      "x");
    }
}

void measureFile(const std::filesystem::path& path)
{
    constexpr int kPairs = 240;
    constexpr Goals kGoals{
        .module_decode = 0.01, .deep_same = 0.025, .deep_fastest = 0.025, .read_share = 0.95};
    const auto pool = std::make_shared<model::ThreadPool>(bench::kThreads);
    const model::Decoder decoder = bench::storedModel(path, *pool);
    BenchStep decode(decoder, pool, 1, kContext);
    const Table table(path.stem().string());
    Watched none(Depth::None);
    BareRead bare(bench::storedWeights(path), pool, decode);
    table.atLeast("none, decode, of a bare read of the same bytes", kGoals.read_share,
                  medianRatio(
                      kPairs, [&] { return none.run(decode, false); }, [&] { return bare.run(); }),
                  "");
    measureRecording(table, kGoals, decode, kPairs);
}

// Some steps at one depth and nothing else, for tools that count instructions: a step costs the
// difference between two such runs divided by the difference in steps. Uses one thread, because
// waiting threads spin.
void repeatSteps(const Case& one, const std::string& how, int steps)
{
    const BenchModel model(one.shape, 1);
    BenchStep decode(model.f32(), model.pool(), 1, kContext);
    Watched watched(how == "module" ? Depth::Module : how == "deep" ? Depth::Deep : Depth::None);
    for (int i = 0; i < steps; ++i)
        watched.run(decode, how == "deep" || how == "decomposed");
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 5 && std::strcmp(argv[1], "--steps") == 0) {
        for (const Case& one : kCases) {
            if (std::strcmp(one.name, argv[4]) == 0)
                repeatSteps(one, argv[3], std::atoi(argv[2]));
        }
        return 0;
    }
    bool smoke = false;
    std::string wanted;
    std::optional<model::DType> format;
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--benchmark_min_time", 20) == 0)
            smoke = true;
        else if (std::filesystem::exists(argv[i]))
            files.emplace_back(argv[i]);
        else if (const auto dtype = model::dtypeFromName(argv[i]))
            format = dtype;
        else
            wanted += std::string(" ") + argv[i] + " ";
    }
    std::printf("%-5s %-62s %s\n", "M", "what", "goal       figure");
    for (const std::filesystem::path& file : files)
        measureFile(file);
    for (const Case& one : kCases) {
        if ((wanted.empty() && files.empty())
            || wanted.find(" " + std::string(one.name) + " ") != std::string::npos)
            measure(one, format, smoke);
    }
    return 0;
}
