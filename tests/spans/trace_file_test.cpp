// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/spans/trace_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>
#include <zlib.h>

namespace ep::test {
namespace {

using spans::readTraceText;
using spans::TraceImport;

// A trace as torch.profiler writes it: in microseconds; only the times show how spans are nested.
class TraceWriter {
public:
    void event(const char* category, const std::string& name, double begin, double end,
               const std::string& dims = {})
    {
        m_text += m_text.empty() ? "" : ",\n";
        m_text += std::string(R"({"ph": "X", "cat": ")") + category + R"(", "name": ")" + name
            + R"(", "pid": 7, "tid": 9, "ts": )" + std::to_string(begin)
            + ", \"dur\": " + std::to_string(end - begin)
            + R"(, "args": {"External id": 3, "Input Dims": [)" + dims + R"(], "Ev Idx": 1}})";
    }
    void module(const std::string& name, double begin, double end)
    {
        event("python_function", "nn.Module: " + name, begin, end);
    }
    std::string text() const
    {
        return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0}], "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 7, "tid": 0, "args": {"name": "python"}},
)" + m_text + R"(], "baseTimeNanoseconds": 1700000000000000000})";
    }

private:
    std::string m_text;
};

// A pass of two layers: 1000 us, all within layers except for both ends.
// reads: positions of the prompt or the last token; seen: positions that attention looks back on, 0
// for a trace that does not say
void addPass(TraceWriter& trace, double at, bool modules, int reads = 4, int seen = 0)
{
    const auto module = [&](const std::string& name, double begin, double end) {
        if (modules)
            trace.module(name, at + begin, at + end);
    };
    const auto product = [&](double begin, double end, const std::string& weight) {
        module("Linear_1", begin, end);
        trace.event("cpu_op", "aten::linear", at + begin, at + end, "[1, 4, 64], " + weight);
        trace.event("cpu_op", "aten::addmm", at + begin + 0.5, at + end - 0.5, "[64], " + weight);
    };
    module("LlamaForCausalLM_0", 0, 1000);
    module("LlamaModel_0", 1, 900);
    module("Embedding_0", 2, 10);
    trace.event("cpu_op", "aten::embedding", at + 2, at + 10,
                "[1000, 64], [1, " + std::to_string(reads) + "]");
    for (int layer = 0; layer < 2; ++layer) {
        const double base = 20 + 400 * layer;
        module("LlamaDecoderLayer_" + std::to_string(layer), base, base + 390);
        module("LlamaRMSNorm_" + std::to_string(2 * layer), base, base + 10);
        module("LlamaAttention_" + std::to_string(layer), base + 10, base + 200);
        product(base + 10, base + 40, "[64, 64]");
        product(base + 40, base + 60, "[32, 64]");
        product(base + 60, base + 80, "[32, 64]");
        trace.event("cpu_op", "aten::scaled_dot_product_attention", at + base + 90, at + base + 150,
                    seen == 0 ? std::string()
                              : "[1, 4, " + std::to_string(reads) + ", 16], [1, 4, "
                            + std::to_string(seen) + ", 16]");
        product(base + 160, base + 199, "[64, 64]");
        module("LlamaRMSNorm_" + std::to_string(2 * layer + 1), base + 205, base + 215);
        module("LlamaMLP_" + std::to_string(layer), base + 215, base + 380);
        product(base + 216, base + 260, "[256, 64]");
        module("SiLUActivation_0", base + 260, base + 270);
        product(base + 270, base + 310, "[256, 64]");
        product(base + 320, base + 379, "[64, 256]");
    }
    module("LlamaRMSNorm_9", 850, 860);
    product(901, 999, "[1000, 64]");
}

std::string traceText(bool modules, int passes = 3)
{
    TraceWriter trace;
    for (int i = 0; i < passes; ++i)
        addPass(trace, 5'000'000.125 + 1100 * i, modules);
    trace.event("cpu_op", "aten::argmax", 5'000'000.0 + 1100 * passes,
                5'000'000.0 + 1100 * passes + 10);
    return trace.text();
}

Nanoseconds timeOf(const spans::Step& step, Component component)
{
    Nanoseconds sum = 0;
    for (const Span& one : step.components)
        sum += one.component == component ? one.time.duration_ns() : 0;
    return sum;
}

TEST(TraceFile, MapsOperatorsByTheModuleStack)
{
    const auto trace = readTraceText(traceText(true), "t.json");
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->way, "module stack");
    EXPECT_EQ(trace->model, "LlamaForCausalLM");
    ASSERT_EQ(trace->parts.steps.size(), 3U);
    const spans::Step& step = trace->parts.steps[1];
    ASSERT_EQ(step.layers.size(), 2U);
    EXPECT_EQ(step.token.time.duration_ns(), 1'000'000);
    EXPECT_EQ(timeOf(step, Component::QProj), 60'000);
    EXPECT_EQ(timeOf(step, Component::OProj), 78'000);
    EXPECT_EQ(timeOf(step, Component::Attention),
              2 * (190'000 - 30'000 - 20'000 - 20'000 - 39'000));
    EXPECT_EQ(timeOf(step, Component::GateProj), 88'000);
    EXPECT_EQ(timeOf(step, Component::UpProj), 80'000);
    EXPECT_EQ(timeOf(step, Component::DownProj), 118'000);
    EXPECT_EQ(timeOf(step, Component::InputLayernorm), 20'000);
    EXPECT_EQ(timeOf(step, Component::PostAttentionLayernorm), 20'000);
    EXPECT_EQ(trace->epoch_ns, 1'700'000'005'000'000'125) << "of the first event";
    EXPECT_GT(trace->mappedShare(), 0.99);
    EXPECT_LT(trace->mappedShare(), 1.0) << "argmax is outside of the model";
    EXPECT_TRUE(trace->notes.empty()) << trace->notes.front();
}

TEST(TraceFile, MapsOperatorsByShapeAndOrderWithoutModules)
{
    const auto trace = readTraceText(traceText(false), "t.json");
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->way, "shapes and order");
    ASSERT_EQ(trace->parts.steps.size(), 3U);
    const spans::Step& step = trace->parts.steps[2];
    ASSERT_EQ(step.layers.size(), 2U);
    EXPECT_EQ(timeOf(step, Component::QProj), 60'000);
    EXPECT_EQ(timeOf(step, Component::KProj), 40'000);
    EXPECT_EQ(timeOf(step, Component::DownProj), 118'000);
    EXPECT_EQ(timeOf(step, Component::Attention), 2 * 80'000);
    EXPECT_GT(trace->mappedShare(), 0.99);
}

TEST(TraceFile, TellsGenerationsByTheirPositions)
{
    using Passes = std::vector<std::pair<int, int>>; // pairs of reads and seen
    struct Case {
        std::string name;
        Passes passes;
        std::size_t generations;
        std::size_t longest;
    };
    const std::vector<Case> cases{
        {"two prompts", {{4, 4}, {1, 5}, {1, 6}, {3, 3}, {1, 4}}, 2, 3},
        {"without attention's shapes", {{4, 0}, {1, 0}, {3, 0}, {1, 0}, {1, 0}}, 2, 3},
        {"a cache of fixed size", {{4, 64}, {1, 64}, {3, 64}, {1, 64}, {1, 64}}, 2, 3},
        {"a prompt in pieces", {{4, 4}, {4, 8}, {1, 9}, {1, 10}}, 1, 4},
        {"drafted tokens", {{4, 4}, {1, 5}, {3, 8}, {1, 9}, {2, 11}}, 1, 5},
        {"no cache", {{4, 4}, {5, 5}, {6, 6}}, 1, 3}};
    for (const Case& one : cases) {
        for (const bool modules : {true, false}) {
            TraceWriter writer;
            double at = 5'000'000;
            for (const auto& pass : one.passes) {
                addPass(writer, at, modules, pass.first, pass.second);
                at += 1100;
            }
            const auto trace = readTraceText(writer.text(), "t.json");
            ASSERT_TRUE(trace) << trace.error().message;
            SCOPED_TRACE(one.name + " by " + trace->way);
            EXPECT_EQ(trace->parts.generations, one.generations);
            EXPECT_EQ(trace->parts.steps.size(), one.longest);
            EXPECT_EQ(trace->notes.size(), one.generations > 1U ? 1U : 0U);
        }
    }
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

// kineto and its users also write values that JSON does not have.
TEST(TraceFile, ReadsNumbersThatAreNoneAndLooseBackslashes)
{
    TraceWriter writer;
    addPass(writer, 5'000'000, false, 4, 4);
    addPass(writer, 5'001'100, false, 1, 5);
    const auto plain = readTraceText(writer.text(), "t.json");
    ASSERT_TRUE(plain);
    for (const char* extra :
         {R"("GB/s": inf)", R"("GB/s": -inf)", R"("a": [NaN, nan, -Infinity, Infinity, 1e5, 2E-3])",
          R"("Path": "C:\Users\new folder\\table")", R"("Path": "a\u12", "b": "\u00e9\n\"")",
          R"("inf": "inf NaN \" inf", "t": [true, false, null])"}) {
        const auto trace =
            readTraceText(replaced(writer.text(), R"("External id": 3)", extra), "t.json");
        ASSERT_TRUE(trace) << extra;
        EXPECT_TRUE(trace->notes.empty()) << extra;
        EXPECT_EQ(trace->parts.steps.size(), 2U) << extra;
        EXPECT_EQ(trace->operators, plain->operators) << extra;
    }
}

// Two ranks compute the same in parallel, and a tool has merged their events.
TEST(TraceFile, ShowsOneOfSeveralRanks)
{
    TraceWriter writer;
    addPass(writer, 5'000'000, false, 4, 4);
    addPass(writer, 5'001'100, false, 1, 5);
    const std::string one = replaced(writer.text(), "\"pid\": 7", "\"pid\": \"[TP00] 7\"");
    const std::string other = replaced(writer.text(), "\"pid\": 7", "\"pid\": \"[TP01] 7\"");
    const auto list = [](const std::string& text) {
        const std::size_t begin = text.find("[\n{") + 1;
        return text.substr(begin, text.find("], \"base") - begin);
    };
    std::string both = one;
    both.insert(both.find("], \"base"), "," + list(other));
    const auto trace = readTraceText(both, "t.json");
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->parts.steps.size(), 2U);
    EXPECT_EQ(trace->parts.steps.front().layers.size(), 2U);
    EXPECT_THAT(trace->notes, testing::ElementsAre(testing::HasSubstr("2 processes or ranks")));
}

TEST(TraceFile, CountsWhatLiesBetweenPassesAsSampling)
{
    for (const bool modules : {true, false}) {
        TraceWriter writer;
        double at = 5'000'000;
        for (const int reads : {4, 1, 1, 3, 1}) { // two generations
            addPass(writer, at, modules, reads, 0);
            writer.event("cpu_op", "aten::argmax", at + 1010, at + 1030);
            writer.event("cpu_op", "aten::isin", at + 1040, at + 1060);
            at += 1100;
        }
        const auto trace = readTraceText(writer.text(), "t.json");
        ASSERT_TRUE(trace) << trace.error().message;
        SCOPED_TRACE(trace->way);
        ASSERT_EQ(trace->parts.steps.size(), 3U);
        ASSERT_EQ(trace->parts.sections.size(), 2U) << "none after the last pass";
        for (const Span& section : trace->parts.sections) {
            EXPECT_EQ(section.section, Section::Sampling);
            EXPECT_EQ(section.phase, Phase::Decode);
            EXPECT_EQ(section.time.duration_ns(), 50'000);
        }
        EXPECT_EQ(trace->parts.counts.overlapping, 0);
        EXPECT_NEAR(static_cast<double>(trace->operator_ns - trace->mapped_ns), 2 * 40'000, 2'000)
            << "what follows the last pass of each generation, and the ends of layers";
    }
}

TEST(TraceFile, SaysWhatItCannotMap)
{
    TraceWriter writer;
    writer.event("cpu_op", "aten::conv2d", 10, 20);
    writer.event("kernel", "volta_sgemm", 10, 20);
    const auto trace = readTraceText(writer.text(), "t.json");
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->mappedShare(), 0.0);
    EXPECT_EQ(trace->operators, 1);
    EXPECT_THAT(trace->notes, testing::Contains(testing::HasSubstr("Nothing in the trace")));
    EXPECT_THAT(trace->notes, testing::Contains(testing::HasSubstr("1 kernels")));
    for (const char* other : {"", "{}", "[]", "text", "{\"traceEvents\": 3}"})
        EXPECT_FALSE(readTraceText(other, "t.json")) << other;
}

TEST(TraceFile, ReadsListsBeginsAndEnds)
{
    const auto trace = readTraceText(
        R"([{"ph":"B","cat":"cpu_op","name":"aten::mm","ts":"10","pid":1,"tid":1},
            {"ph":"E","ts":30.5,"pid":1,"tid":1}, {"ph":"E","ts":40,"pid":1,"tid":2}])",
        "t.json");
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->operators, 1);
    EXPECT_EQ(trace->operator_ns, 20'500);
}

TEST(TraceFile, ReadsAFileThatWasCutAnywhere)
{
    const std::string whole = traceText(true, 2);
    std::mt19937 random(46);
    int read = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::size_t size = random() % whole.size();
        const auto trace = readTraceText(std::string_view(whole).substr(0, size), "t.json");
        if (!trace)
            continue;
        ++read;
        EXPECT_THAT(trace->notes, testing::Contains(testing::HasSubstr("ends in the middle")));
    }
    EXPECT_GT(read, 900);
}

TEST(TraceFile, ReadsGzip)
{
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / "ep-trace-file-test.json.gz";
    const std::string text = traceText(true);
    gzFile sink = ::gzopen(file.c_str(), "wb");
    ::gzwrite(sink, text.data(), static_cast<unsigned>(text.size()));
    ::gzclose(sink);
    const auto trace = spans::readTrace(file);
    std::filesystem::remove(file);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->parts.steps.size(), 3U);
    EXPECT_FALSE(spans::readTrace(file));
}

} // namespace
} // namespace ep::test
