// SPDX-License-Identifier: GPL-3.0-or-later
// Spans of several processes, and what lies outside of passes.
#include "ep/spans/assembler.h"

#include <gtest/gtest.h>

#include <utility>

namespace ep::spans {
namespace {

constexpr Nanoseconds kRunBegin = 1000;

Record partOf(RecordKind kind, std::string_view name, Nanoseconds begin, Nanoseconds end)
{
    Record record;
    record.kind = kind;
    record.name = name;
    record.start_ns = begin;
    record.duration_ns = end - begin;
    return record;
}

// Two processes generate at the same time: their passes and parts do not mix.
TEST(Senders, KeepsSendersApart)
{
    Assembler assembler(kRunBegin);
    const Sender first{.id = 1};
    const Sender second{.id = 2};
    Record facts{.kind = RecordKind::Facts};
    for (const auto& [sender, tokens] : {std::pair{first, 8}, std::pair{second, 5}}) {
        facts.input_tokens = tokens;
        assembler.add(facts, sender);
    }
    for (int pass = 0; pass < 3; ++pass) {
        const Nanoseconds at = 2000 + 100 * pass;
        assembler.add(
            partOf(RecordKind::Component, "model.layers.0.self_attn.q_proj", at + 10, at + 20),
            first);
        assembler.add(
            partOf(RecordKind::Component, "model.layers.0.self_attn.k_proj", at + 15, at + 30),
            second);
        Record token = partOf(RecordKind::Token, "forward", at, at + 50);
        token.token = pass;
        assembler.add(token, first);
        token = partOf(RecordKind::Token, "forward", at + 5, at + 60);
        token.token = pass;
        if (pass < 2)
            assembler.add(token, second);
    }
    EXPECT_EQ(assembler.takeNew(100).size(), 5U);
    const Assembled result = assembler.finish(4000);
    EXPECT_EQ(result.generations, 2U);
    EXPECT_EQ(result.senders, 2U);
    EXPECT_TRUE(result.overlapping);
    EXPECT_EQ(result.tokens, 5);
    EXPECT_EQ(result.input_tokens, 13);
    EXPECT_EQ(result.shown_input_tokens, 8);
    ASSERT_EQ(result.steps.size(), 3U);
    for (const Step& step : result.steps) {
        ASSERT_EQ(step.components.size(), 1U);
        EXPECT_EQ(step.components[0].component, Component::QProj);
    }
    EXPECT_EQ(result.counts.late, 0);
    EXPECT_EQ(result.counts.overlapping, 1) << "the part whose pass never ended";
}

// Loading is a section of the phase before the prefill, also by two processes at once; it is not
// part of a pass.
TEST(Senders, LoadingIsASection)
{
    Assembler assembler(kRunBegin);
    assembler.add(partOf(RecordKind::Section, "model_load", 1100, 1400), {.id = 1});
    assembler.add(partOf(RecordKind::Section, "model_load", 1200, 1500), {.id = 2});
    for (const int pass : {0, 1}) {
        Record token = partOf(RecordKind::Token, "forward", 2000 + 200 * pass, 2100 + 200 * pass);
        token.token = pass;
        assembler.add(token);
    }
    const Assembled result = assembler.finish(4000);
    ASSERT_EQ(result.sections.size(), 1U);
    EXPECT_EQ(result.sections[0].section, Section::ModelLoad);
    EXPECT_EQ(result.sections[0].phase, Phase::PreInference);
    EXPECT_EQ(result.sections[0].time, (TimeRange{1100, 1500}));
}

// Parts of a generation that are not kept still count, and a longer generation replaces shorter
// ones.
TEST(Senders, MayGenerateMoreThanIsKept)
{
    Assembler assembler(kRunBegin, {.most_spans = 60, .most_steps = 8, .most_generations = 40});
    Nanoseconds at = 2000;
    const auto generate = [&](int tokens) {
        for (int token = 0; token < tokens; ++token, at += 100) {
            assembler.add(partOf(RecordKind::Section, "lm_head", at - 5, at - 1));
            assembler.add(partOf(RecordKind::Component, "layers.0.q_proj", at + 1, at + 2));
            Record record = partOf(RecordKind::Token, "forward", at, at + 90);
            record.token = token;
            assembler.add(record);
        }
    };
    for (int i = 0; i < 20; ++i)
        generate(2);
    EXPECT_EQ(assembler.counts().too_many, 0) << "those that have ended make room";
    generate(3);
    generate(12);
    const Nanoseconds end = at - 10;
    for (int i = 0; i < 30; ++i)
        generate(1);
    const Assembled result = assembler.finish(at + 100);
    EXPECT_EQ(result.generations, 40U);
    EXPECT_EQ(result.shown, 21U);
    EXPECT_EQ(result.tokens, 20 * 2 + 3 + 12 + 18);
    EXPECT_EQ(result.steps.size(), 5U) << "beside those of the longest one before";
    EXPECT_EQ(result.phases.at(2).time.end_ns, end) << "with the steps that were not kept";
    EXPECT_EQ(result.counts.too_many, 7 * 2 + 12);
    for (const Span& section : result.sections)
        EXPECT_LT(section.time.end_ns, end) << "of the shown generation";
}

TEST(Senders, LeaveRoomForOthersWithoutTokens)
{
    Assembler assembler(kRunBegin, {.most_waiting = 100});
    const Record part = partOf(RecordKind::Component, "layers.0.q_proj", 2001, 2002);
    for (int i = 0; i < 1000; ++i)
        assembler.add(part, {.id = 1});
    assembler.add(part, {.id = 2});
    assembler.add(partOf(RecordKind::Token, "forward", 2000, 2100), {.id = 2});
    const Assembled result = assembler.finish(3000);
    EXPECT_EQ(result.counts.too_many, 950);
    ASSERT_EQ(result.steps.size(), 1U);
    EXPECT_EQ(result.steps[0].components.size(), 1U);
}

} // namespace
} // namespace ep::spans
