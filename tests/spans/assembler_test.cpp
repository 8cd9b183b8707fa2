// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/spans/assembler.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

namespace ep::test {
namespace {

using spans::Assembled;
using spans::Assembler;
using spans::Record;
using spans::RecordKind;

constexpr Nanoseconds kBegin = 1000;

Record spanOf(RecordKind kind, std::string_view name, Nanoseconds begin, Nanoseconds end)
{
    Record record;
    record.kind = kind;
    record.name = name;
    record.start_ns = begin;
    record.duration_ns = end - begin;
    return record;
}

// Adds a forward pass of two layers, 100 ns long, in the order in which hooks send its spans.
void addPass(Assembler& assembler, Nanoseconds at, int token, const char* name = "forward")
{
    const auto add = [&](RecordKind kind, const std::string& path, Nanoseconds begin,
                         Nanoseconds end) {
        Record record = spanOf(kind, path, at + begin, at + end);
        record.token = token;
        assembler.add(record);
    };
    add(RecordKind::Component, "model.embed_tokens", 1, 5);
    for (int layer = 0; layer < 2; ++layer) {
        const std::string path = "model.layers." + std::to_string(layer);
        const Nanoseconds base = 10 + 40 * layer;
        add(RecordKind::Component, path + ".input_layernorm", base + 1, base + 3);
        add(RecordKind::Component, path + ".self_attn.q_proj", base + 5, base + 8);
        add(RecordKind::Component, path + ".self_attn.o_proj", base + 15, base + 18);
        add(RecordKind::Component, path + ".self_attn", base + 4, base + 19);
        add(RecordKind::Component, path + ".mlp.up_proj", base + 22, base + 28);
        add(RecordKind::Component, path + ".mlp.down_proj", base + 30, base + 35);
        add(RecordKind::Component, path + ".mlp", base + 21, base + 35);
        add(RecordKind::Layer, path, base, base + 38);
    }
    add(RecordKind::Component, "lm_head", 90, 99);
    add(RecordKind::Token, name, 0, 100);
}

std::string textOf(const Span& span)
{
    return std::string(name(span.component)) + ' ' + std::to_string(span.time.begin_ns) + '-'
        + std::to_string(span.time.end_ns);
}

TEST(SpanAssembler, CountsEachSequenceOfABatch)
{
    Assembler assembler(kBegin);
    for (int token = 0; token < 3; ++token) {
        Record record =
            spanOf(RecordKind::Token, "forward", 2000 + 100 * token, 2090 + 100 * token);
        record.token = token;
        record.sequence = token < 2 ? 3 : std::numeric_limits<std::int32_t>::max(); // not believed
        assembler.add(record);
    }
    const Assembled result = assembler.finish(3000);
    ASSERT_EQ(result.steps.size(), 3U);
    EXPECT_EQ(result.steps[1].token.sequences, 4);
    EXPECT_EQ(result.tokens, 4 + 4 + 1024);
}

TEST(SpanAssembler, NestsByTimeAndGivesWhatLiesBetweenToItsParent)
{
    Assembler assembler(kBegin);
    addPass(assembler, 2000, 0);
    addPass(assembler, 2200, 1);
    const Assembled result = assembler.finish(3000);
    ASSERT_EQ(result.steps.size(), 2U);
    EXPECT_EQ(result.depth, Depth::Module);
    EXPECT_EQ(result.counts.overlapping, 0);
    EXPECT_EQ(result.counts.kept, result.counts.received);
    const spans::Step& step = result.steps[0];
    EXPECT_EQ(step.layers.size(), 2U);
    std::vector<std::string> first;
    Nanoseconds sum = 0;
    for (const Span& one : step.components) {
        if (one.layer != 0)
            continue;
        first.push_back(textOf(one));
        sum += one.time.duration_ns();
    }
    EXPECT_THAT(
        first,
        testing::ElementsAre("residual 2010-2011", "input_layernorm 2011-2013",
                             "residual 2013-2014", "attention 2014-2015", "q_proj 2015-2018",
                             "attention 2018-2025", "o_proj 2025-2028", "attention 2028-2029",
                             "residual 2029-2031", "activation 2031-2032", "up_proj 2032-2038",
                             "activation 2038-2040", "down_proj 2040-2045", "residual 2045-2048"));
    EXPECT_EQ(sum, step.layers[0].time.duration_ns()) << "a layer is accounted for whole";
    EXPECT_EQ(step.sections.size(), 3U); // embedding, layers, lm_head
    // 4 + 2 x 38 + 9 out of 100
    EXPECT_DOUBLE_EQ(*result.counts.mapped_share, 0.89);
    std::vector<std::string> phases;
    for (const PhaseSpan& phase : result.phases)
        phases.push_back(std::string(name(phase.phase)) + ' '
                         + std::to_string(phase.time.begin_ns));
    EXPECT_THAT(phases,
                testing::ElementsAre("pre_inference 1000", "prefill 2000", "decode 2100",
                                     "post_inference 2300"));
}

TEST(SpanAssembler, CountsWhatIsNotInTheRun)
{
    Assembler assembler(kBegin);
    assembler.add(spanOf(RecordKind::Component, "q_proj", 10, 20)); // before the run began
    addPass(assembler, 2000, 0);
    assembler.add(spanOf(RecordKind::Component, "model.layers.0.mlp", 2030, 2040)); // arrives late
    assembler.add(spanOf(RecordKind::Token, "forward", 2050, 2150)); // cuts the token before
    // These two overlap partially.
    assembler.add(spanOf(RecordKind::Layer, "model.layers.0", 2200, 2230));
    assembler.add(spanOf(RecordKind::Layer, "model.layers.1", 2220, 2240));
    assembler.add(spanOf(RecordKind::Component, "model.layers.2.own_thing", 2250, 2260));
    assembler.add(spanOf(RecordKind::Token, "forward", 2200, 2300));
    assembler.add(spanOf(RecordKind::Token, "forward", 2900, 3100)); // ends after the run
    Record dropped;
    dropped.kind = RecordKind::Dropped;
    dropped.count = 5;
    assembler.add(dropped);
    const Assembled result = assembler.finish(3000);
    EXPECT_EQ(result.counts.outside, 2);
    EXPECT_EQ(result.counts.late, 1);
    EXPECT_EQ(result.counts.overlapping, 2);
    EXPECT_EQ(result.counts.dropped, 5);
    EXPECT_EQ(result.steps.size(), 2U);
    EXPECT_THAT(result.counts.unknown, testing::ElementsAre("model.layers.2.own_thing (1)"));
}

TEST(SpanAssembler, TakesNoMoreThanItsLimit)
{
    Assembler assembler(kBegin, {.most_waiting = 20, .most_names = 4});
    for (int i = 0; i < 1000; ++i)
        assembler.add(
            spanOf(RecordKind::Component, "name" + std::to_string(i), 2000 + i, 2001 + i));
    const Assembled result = assembler.finish(9000);
    EXPECT_EQ(result.counts.received, 1000);
    EXPECT_EQ(result.counts.too_many, 990);
    EXPECT_LE(result.counts.unknown.size(), 100U);
}

TEST(SpanAssembler, ShowsTheLongestGeneration)
{
    Assembler assembler(kBegin);
    addPass(assembler, 2000, 0, "twin");
    addPass(assembler, 2200, 1, "twin");
    addPass(assembler, 2400, 0);
    addPass(assembler, 2600, 0);
    addPass(assembler, 2800, 1);
    EXPECT_EQ(assembler.takeNew(1).size(), 1U) << "no more than were asked for";
    EXPECT_EQ(assembler.takeNew(9).size(), 1U) << "without those of generations that have ended";
    EXPECT_TRUE(assembler.takeNew(9).empty());
    const Assembled result = assembler.finish(4000);
    EXPECT_EQ(result.generations, 2U);
    EXPECT_EQ(result.shown, 1U);
    ASSERT_EQ(result.steps.size(), 2U);
    EXPECT_EQ(result.steps[0].token.time.begin_ns, 2600);
    EXPECT_EQ(result.clean_steps.size(), 2U);
}

TEST(SpanAssembler, TheCleanPassIsThatBeforeTheShownGeneration)
{
    Assembler assembler(kBegin);
    addPass(assembler, 3000, 0, "twin"); // warm-up
    addPass(assembler, 3200, 0, "twin");
    addPass(assembler, 3400, 1, "twin");
    addPass(assembler, 3600, 0);
    addPass(assembler, 3800, 1);
    addPass(assembler, 4000, 0, "twin"); // belongs to another, shorter generation
    addPass(assembler, 4200, 0);
    const Assembled result = assembler.finish(9000);
    EXPECT_EQ(result.shown, 0U);
    ASSERT_EQ(result.clean_steps.size(), 2U);
    EXPECT_EQ(result.clean_steps[0].begin_ns, 3200);
}

// llama.cpp sends nodes without layers around them.
TEST(SpanAssembler, MakesLayersOfNodes)
{
    Assembler assembler(kBegin);
    Nanoseconds at = 2010;
    for (const char* node : {"inp_embd", "attn_norm-0", "Qcur-0", "kqv_out-0", "l_out-0",
                             "attn_norm-1", "l_out-1", "result_norm", "result_output"}) {
        assembler.add(spanOf(RecordKind::Component, node, at, at + 10));
        at += 10;
    }
    assembler.add(spanOf(RecordKind::Token, "forward", 2000, at));
    const Assembled result = assembler.finish(4000);
    ASSERT_EQ(result.steps.size(), 1U);
    const spans::Step& step = result.steps[0];
    ASSERT_EQ(step.layers.size(), 2U);
    EXPECT_EQ(step.layers[0].time, (TimeRange{2020, 2060}));
    EXPECT_EQ(step.components.size(), 6U);
    EXPECT_EQ(step.sections.size(), 4U); // including the layers
    EXPECT_EQ(result.counts.overlapping, 0);
    EXPECT_DOUBLE_EQ(*result.counts.mapped_share, 0.9);
}

TEST(SpanAssembler, CompletesTheNamesOfNodes)
{
    Assembler assembler(kBegin);
    Nanoseconds at = 2000;
    for (const char* node : {"norm-0 [RMS_NORM]", "attn_norm-0 [MUL]", "Qcur-0 [MUL_MAT]",
                             "Qcur-0 [ROPE]", "node_9 [GET_ROWS]", "norm-0 [RMS_NORM]",
                             "ffn_norm-0 [MUL]", "norm [RMS_NORM]", "result_norm [MUL]"}) {
        assembler.add(spanOf(RecordKind::Component, node, at, at + 10));
        at += 10;
    }
    assembler.add(spanOf(RecordKind::Token, "forward", 2000, at));
    const Assembled result = assembler.finish(4000);
    std::vector<std::string> parts;
    for (const Span& one : result.steps.at(0).components)
        parts.push_back(textOf(one));
    EXPECT_THAT(parts,
                testing::ElementsAre(
                    "input_layernorm 2000-2010", "input_layernorm 2010-2020", "q_proj 2020-2030",
                    "attention 2030-2040", "layer.get_rows 2040-2050",
                    "post_attention_layernorm 2050-2060", "post_attention_layernorm 2060-2070"));
    EXPECT_EQ(result.steps[0].sections.size(), 3U) << "two halves of the last norm, and the layers";
    EXPECT_THAT(result.counts.unknown, testing::ElementsAre("node_9 [GET_ROWS] (1)"));
    EXPECT_EQ(result.counts.overlapping, 0);
}

TEST(SpanAssembler, GivesPartsOfAnUnknownNameARowOfTheirOwn)
{
    Assembler assembler(kBegin);
    assembler.add(spanOf(RecordKind::Component, "layers.0.q_proj", 2000, 2010));
    assembler.add(spanOf(RecordKind::Component, "layers.0.strange.2.first", 2020, 2050));
    Record strange = spanOf(RecordKind::Component, "layers.0.strange", 2010, 2080);
    assembler.add(strange);
    Record leaf = spanOf(RecordKind::Component, "layers.0.mlp.conv", 2084, 2088);
    leaf.flops = 12;
    assembler.add(leaf);
    assembler.add(spanOf(RecordKind::Component, "layers.0.mlp", 2082, 2090));
    assembler.add(spanOf(RecordKind::Layer, "layers.0", 2000, 2100));
    assembler.add(spanOf(RecordKind::Token, "forward", 2000, 2100));
    const Assembled result = assembler.finish(4000);
    std::vector<std::string> parts;
    for (const Span& one : result.steps.at(0).components)
        parts.push_back(textOf(one));
    EXPECT_THAT(parts,
                testing::ElementsAre(
                    "q_proj 2000-2010", "layer.strange 2010-2020", "layer.strange.first 2020-2050",
                    "layer.strange 2050-2080", "residual 2080-2082", "activation 2082-2084",
                    "mlp.conv 2084-2088", "activation 2088-2090", "residual 2090-2100"));
    EXPECT_EQ(result.steps[0].components[6].work, (SpanWork{12, 0}));
    EXPECT_DOUBLE_EQ(*result.counts.mapped_share, 0.26) << "by names that are known";
}

TEST(SpanAssembler, GivesPartsOfAnUnknownNameOutsideOfLayersASection)
{
    Assembler assembler(kBegin);
    assembler.add(spanOf(RecordKind::Component, "model.odd.scale", 2005, 2010));
    assembler.add(spanOf(RecordKind::Component, "model.odd", 2004, 2012));
    assembler.add(spanOf(RecordKind::Component, "backbone.layers.0.q_proj", 2020, 2030));
    assembler.add(spanOf(RecordKind::Layer, "backbone.layers.0", 2020, 2040));
    assembler.add(spanOf(RecordKind::Component, "backbone", 2015, 2050));
    assembler.add(spanOf(RecordKind::Token, "forward", 2000, 2100));
    const Assembled result = assembler.finish(4000);
    std::vector<std::string> parts;
    for (const Span& one : result.steps.at(0).sections)
        parts.push_back(std::string(name(one.section)) + ' ' + std::to_string(one.time.begin_ns)
                        + '-' + std::to_string(one.time.end_ns));
    EXPECT_THAT(parts, testing::ElementsAre("model.odd.scale 2005-2010", "layers 2020-2040"))
        << "what holds other parts is not counted twice";
}

TEST(SpanAssembler, SharesOneRowAmongTooManyUnknownNames)
{
    Assembler assembler(kBegin);
    for (int i = 0; i < 1000; ++i)
        assembler.add(spanOf(RecordKind::Component,
                             "layers.0.own" + std::string(static_cast<std::size_t>(i) / 10, 'x'),
                             2000 + i, 2001 + i));
    assembler.add(spanOf(RecordKind::Layer, "layers.0", 2000, 3000));
    assembler.add(spanOf(RecordKind::Token, "forward", 2000, 3000));
    const Assembled result = assembler.finish(4000);
    std::set<Component> rows;
    for (const Span& one : result.steps.at(0).components)
        rows.insert(one.component);
    EXPECT_LE(rows.size(), 41U);
    EXPECT_EQ(name(*rows.rbegin()), "layer.other");
    EXPECT_DOUBLE_EQ(*result.counts.mapped_share, 0.0);
}

TEST(SpanAssembler, MovesTheTimesOfAnotherClock)
{
    Assembler assembler(kBegin);
    assembler.add(spanOf(RecordKind::Token, "forward", 5, 55), {.shift_ns = 2000});
    const Assembled result = assembler.finish(4000);
    ASSERT_EQ(result.steps.size(), 1U);
    EXPECT_EQ(result.steps[0].token.time, (TimeRange{2005, 2055}));
}

// Quadratic work would take minutes here.
TEST(SpanAssembler, NestsAsDeepAndAsWideAsIsSent)
{
    constexpr int kSpans = 100'000;
    const struct {
        RecordKind kind;
        const char* name;
        bool deep;
    } kCases[] = {{RecordKind::Component, "foo", true},
                  {RecordKind::Component, "model.layers.0.self_attn", true},
                  {RecordKind::Operation, "softmax", true},
                  {RecordKind::Section, "lm_head", true},
                  {RecordKind::Layer, "", false},
                  {RecordKind::Component, "model.layers.0.mlp.up_proj", false}};
    for (const auto& one : kCases) {
        SCOPED_TRACE(std::string(one.name) + (one.deep ? " deep" : " wide"));
        Assembler assembler(kBegin);
        constexpr Nanoseconds kAt = 2000;
        for (int i = 0; i < kSpans; ++i) {
            const Nanoseconds begin = one.deep ? kAt + i : kAt + 2 * i;
            Record record =
                spanOf(one.kind, one.name, begin, one.deep ? kAt + 2 * kSpans - i : begin + 2);
            record.layer = one.deep || *one.name != '\0' ? kNoLayer : i;
            assembler.add(record);
        }
        assembler.add(spanOf(RecordKind::Token, "forward", kAt - 1, kAt + 2 * kSpans + 1));
        const Assembled result = assembler.finish(kAt + 3 * kSpans);
        EXPECT_EQ(result.counts.kept + result.counts.overlapping, kSpans + 1);
        ASSERT_EQ(result.steps.size(), 1U);
    }
}

TEST(SpanAssembler, KeepsNoMoreBytesThanItMay)
{
    constexpr std::size_t kMost = 100'000;
    const std::string longText(60'000, 'y');
    Assembler assembler(kBegin, {.most_bytes = kMost});
    Nanoseconds at = 2000;
    std::size_t texts = 0;
    for (int i = 0; i < 100; ++i, at += 100) {
        const std::string name = std::to_string(i) + longText;
        assembler.add(spanOf(RecordKind::Component, name, at + 1, at + 2));
        Record token = spanOf(RecordKind::Token, "forward", at, at + 100);
        token.text = std::string_view(longText).substr(0, 20'000);
        assembler.add(token);
    }
    EXPECT_TRUE(assembler.budget().exceeded());
    const Assembled result = assembler.finish(at + 1);
    EXPECT_EQ(result.steps.size(), 100U) << "without texts they are still there";
    for (const spans::Step& step : result.steps)
        texts += step.token.text.size();
    EXPECT_LE(texts, kMost);
    for (const std::string& name : result.counts.unknown)
        EXPECT_LT(name.size(), 300U);
}

TEST(SpanAssembler, LetsNoSumOverflow)
{
    Assembler assembler(kBegin, {.most_steps = 2});
    Record work = spanOf(RecordKind::Component, "model.layers.0.mlp.up_proj", 2001, 2002);
    work.flops = work.bytes = std::numeric_limits<std::int64_t>::max() - 10;
    assembler.add(work);
    work.start_ns = 2003;
    assembler.add(work);
    Record dropped;
    dropped.kind = RecordKind::Dropped;
    dropped.count = std::numeric_limits<std::int64_t>::max();
    assembler.add(dropped);
    assembler.add(dropped);
    for (int i = 0; i < 4; ++i)
        assembler.add(spanOf(RecordKind::Token, "forward", 2000 + 100 * i, 2100 + 100 * i));
    const Assembled result = assembler.finish(3000);
    EXPECT_EQ(result.counts.dropped, std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(result.counts.too_many, 2) << "tokens";
    ASSERT_EQ(result.steps.size(), 2U);
    std::int64_t flops = 0;
    int without = 0;
    for (const Span& one : result.steps[0].components) {
        flops += one.work ? one.work->flops : 0;
        without += one.work ? 0 : 1;
    }
    EXPECT_GT(flops, 0);
    EXPECT_GE(without, 1);
}

} // namespace
} // namespace ep::test
