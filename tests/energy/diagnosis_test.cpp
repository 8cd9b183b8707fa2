// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/evidence.h"
#include "injected_run.h"
#include "support/diagnosis_trials.h"

#include "ep/core/format.h"
#include "ep/energy/attribute.h"
#include "ep/energy/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace ep::energy {
namespace {

TEST(CausesTest, HaveTextsAndUniqueNames)
{
    std::set<std::string> ids;
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const CauseFacts& facts = kCauses[i];
        EXPECT_EQ(static_cast<std::size_t>(facts.cause), i);
        EXPECT_TRUE(ids.insert(facts.id).second);
        for (const char* text : {facts.title, facts.verdict, facts.meaning, facts.evidence,
                                 facts.settles, facts.place.chart})
            EXPECT_STRNE(text, "") << facts.id;
    }
}

TEST(DiagnosisTest, AnswersWhereItWentInOneSentenceAndWhyInAnother)
{
    const ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    const Diagnosis diagnosis = diagnose(run.request());
    EXPECT_THAT(diagnosis.answer,
                testing::MatchesRegex("[0-9.]+ % of [0-9.]+ m?J went into the MLPs, [0-9.]+ % into "
                                      "[a-z ]+ and [0-9.]+ % into [a-z ]+; [0-9.]+ % was spent in "
                                      "decode\\."));
    EXPECT_THAT(diagnosis.reason,
                testing::MatchesRegex("[0-9.]+ % of decode is reading weights, [0-9.]+ % static "
                                      "power: the memory is the limit\\."));
}

// Causes of about the same size change places from one repeat to the next.
TEST(DiagnosisTest, NamesNoCauseThatAnotherRepeatWouldNotName)
{
    const Diagnosis once = diagnose(runWith(Cause::MemoryBoundDecode, 3).request());
    const struct {
        double second; // relative to the first
        const char* verdict;
    } kCases[] = {{0.7, "the memory is the limit."},
                  {0.9, "which of the causes below is the largest is undecided."}};
    for (const auto& c : kCases) {
        Diagnosis diagnosis = once;
        Finding second = diagnosis.findings.front();
        second.cause = Cause::Gaps;
        second.explained.value *= c.second;
        diagnosis.findings.insert(diagnosis.findings.begin() + 1, second);
        EXPECT_TRUE(reasonOf(diagnosis).english().ends_with(c.verdict))
            << reasonOf(diagnosis).english();
    }
}

TEST(DiagnosisTest, ExplainsOnlyTheTimeOfAModelledRun)
{
    ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    run.run.metrics.energy.provenance = Provenance::Modelled;
    run.run.info.power.source = "simulated";
    EXPECT_NE(diagnose(run.request()).why_time.find("simulated"), std::string::npos);
    run.run.info.power.source = "modelled";
    const Diagnosis diagnosis = diagnose(run.request());
    EXPECT_TRUE(diagnosis.of_time);
    EXPECT_NE(diagnosis.why_time.find("modelled"), std::string::npos);
    EXPECT_NEAR(diagnosis.total(), toSeconds(run.run.trace.time.duration_ns()), 1e-6);
    ASSERT_FALSE(diagnosis.named().empty());
    EXPECT_EQ(diagnosis.named().front()->cause, Cause::MemoryBoundDecode);
}

TEST(DiagnosisTest, ExplainsTimeWithoutASensorAndWithoutLimits)
{
    ep::test::DiagnosedRun run = runWith(Cause::Gaps, 3);
    run.run.trace.samples.clear();
    attributeByTime(run.run.trace);
    run.run.metrics.energy = {};
    const Diagnosis diagnosis = diagnose(run.request(false));
    EXPECT_TRUE(diagnosis.of_time);
    ASSERT_FALSE(diagnosis.named().empty());
    EXPECT_EQ(diagnosis.named().front()->cause, Cause::Gaps);
}

TEST(DiagnosisTest, CannotTellASlowRunWithoutTheMachinesLimits)
{
    const ep::test::DiagnosedRun run = runWith(Cause::SlowRun, 3);
    const Diagnosis diagnosis = diagnose(run.request(false));
    const Finding& slow = findingOf(diagnosis, Cause::SlowRun);
    EXPECT_EQ(slow.judgement, Judgement::CannotTell);
    EXPECT_NE(slow.missing.find("energy-profiler calibrate"), std::string::npos);
}

TEST(DiagnosisTest, CannotTellHeatFromOtherReasonsWithoutTheThermalState)
{
    ep::test::DiagnosedRun run = runWith(Cause::Throttling, 3);
    run.run.info.power.quality->thermal = ThermalPressure::Unknown;
    EXPECT_EQ(findingOf(diagnose(run.request()), Cause::Throttling).judgement,
              Judgement::CannotTell);
    run.run.info.power.quality->thermal = ThermalPressure::Nominal;
    EXPECT_EQ(findingOf(diagnose(run.request()), Cause::Throttling).judgement, Judgement::Absent);
}

TEST(DiagnosisTest, AnEmptyRunIsNoCrash)
{
    const ep::Run run;
    const std::vector<ComponentTotal> totals;
    const RunTrace first;
    const Diagnosis diagnosis =
        diagnose({.parts = {.run = run, .totals = totals, .first_step = first}});
    EXPECT_TRUE(diagnosis.of_time);
    EXPECT_TRUE(diagnosis.named().empty());
    EXPECT_EQ(diagnosis.answer, "Nothing was recorded that could be explained.");
}

TEST(RemediesTest, PredictWhatANarrowerFormatSaves)
{
    ep::test::RunSetup setup;
    ep::test::inject(setup, Cause::WideFormat, 0);
    const ep::test::DiagnosedRun run = ep::test::diagnosedRun(setup);
    const Diagnosis diagnosis = diagnose(run.request());
    const auto remedies = remediesFor(diagnosis, run.run.info);
    ASSERT_FALSE(remedies.empty());
    const Remedy& remedy = remedies.front();
    EXPECT_EQ(remedy.lever, Lever::NumberFormat);
    EXPECT_EQ(remedy.setting, "bf16");
    ASSERT_TRUE(remedy.saving);
    setup.computed_bits = setup.stored_bits;
    const double truth = run.joules - ep::test::diagnosedRun(setup).joules;
    EXPECT_NEAR(remedy.saving->value, truth, 3.0 * remedy.saving->sd);
    for (const Remedy& one : remedies)
        EXPECT_FALSE(one.how.empty()) << one.what;
    EXPECT_EQ(leverFromName(name(Lever::CoolDown)), Lever::CoolDown);
    EXPECT_FALSE(leverFromName("magic"));
}

TEST(EvidenceTest, KnowsTheBitsOfFormats)
{
    for (const auto& [dtype, bits] :
         {std::pair("f32", 32.0), std::pair("bf16", 16.0), std::pair("int8", 8.0),
          std::pair("q8_0", 8.5), std::pair("q4_0", 4.5), std::pair("q4_k", 4.5),
          std::pair("mlx4", 4.5), std::pair("", 0.0)})
        EXPECT_EQ(bitsOf(dtype), bits) << dtype;
    ep::test::DiagnosedRun run = runWith(Cause::WideFormat, 3);
    run.run.info.model.stored_dtype = "q4_k";
    run.run.info.dtype = "f32";
    EXPECT_EQ(findingOf(diagnose(run.request()), Cause::WideFormat).judgement, Judgement::Named);
}

// Time without recorded components is not a gap if the layers computed throughout.
TEST(DiagnoseTest, WithoutComponentsTheLayersAreNoGap)
{
    ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    run.totals.clear();
    run.first_step = {};
    const Diagnosis diagnosis = diagnose(run.request());
    EXPECT_NE(findingOf(diagnosis, Cause::Gaps).judgement, Judgement::Named);
    EXPECT_TRUE(std::ranges::none_of(diagnosis.nodes, [](const DividedNode& divided) {
        return divided.node.kind == WorkNode::Kind::Gap && divided.node.section == Section::Layers;
    }));
}

TEST(DiagnoseTest, AServersInsideIsNotJudged)
{
    ep::test::DiagnosedRun run = runWith(Cause::AfterTheAnswer, 2);
    run.run.info.profiling.server.emplace().engine = "llama.cpp b4689";
    run.run.trace.sections.clear();
    run.totals.clear();
    run.first_step = {};
    const Diagnosis diagnosis = diagnose(run.request(false));
    const auto named = diagnosis.named();
    ASSERT_EQ(named.size(), 1U);
    EXPECT_EQ(named.front()->cause, Cause::AfterTheAnswer);
    for (const Finding& finding : diagnosis.findings)
        EXPECT_NE(finding.judgement, Judgement::CannotTell) << factsOf(finding.cause).title;
    run.answered_at.reset();
    EXPECT_NE(diagnose(run.request(false))
                  .reason.find("hat a server does inside is not visible from outside."),
              std::string::npos);
    for (const Remedy& remedy : remediesFor(diagnosis, run.run.info))
        EXPECT_EQ(remedy.cause, Cause::AfterTheAnswer) << remedy.what;
}

TEST(DiagnoseTest, ACommandThatSentNothingIsOnePart)
{
    ep::test::DiagnosedRun run = runWith(Cause::SlowRun, 2);
    run.run.info.profiling.command.emplace().arguments = {"make"};
    run.run.info.depth = Depth::None;
    run.run.trace.phases.clear();
    run.run.trace.sections.clear();
    run.run.trace.tokens.clear();
    run.totals.clear();
    run.first_step = {};
    const Diagnosis diagnosis = diagnose(run.request());
    EXPECT_NE(diagnosis.answer.find("100.0 % of "), std::string::npos) << diagnosis.answer;
    EXPECT_NE(diagnosis.answer.find(" went into the command as a whole."), std::string::npos)
        << diagnosis.answer;
    EXPECT_EQ(diagnosis.reason, "The command did not say what it computed.");
    EXPECT_STREQ(restOf(diagnosis).title, diagnosis.of_time ? "Not divided" : "Not explained");
}

// The instruction is about what this run lacks.
TEST(DiagnoseTest, WhatWouldSettleACauseIsWhatIsMissing)
{
    ep::test::DiagnosedRun head = runWith(Cause::Head, 3);
    head.totals.clear(); // as at depth none
    head.first_step = {};
    EXPECT_EQ(findingOf(diagnose(head.request()), Cause::Head).missing,
              "Record again with --depth module.");
    const ep::test::DiagnosedRun batch = runWith(Cause::SmallBatch, 3);
    EXPECT_EQ(findingOf(diagnose(batch.request(false)), Cause::SmallBatch).missing,
              "Measure this machine's limits with `energy-profiler calibrate`.");
}

// Sampling is a part of its own, and so is what a phase other than prefill and decode does.
TEST(DiagnoseTest, TheTimeBetweenPartsIsThatOfItsBar)
{
    ep::test::DiagnosedRun run = runWith(Cause::Gaps, 3);
    for (Span& section : run.run.trace.sections) {
        if (section.section == Section::LmHead && section.token % 2 == 1) {
            section.section = Section::Sampling;
            section.work.reset();
        }
    }
    const Diagnosis diagnosis = diagnose(run.request());
    double between = 0.0;
    double all = 0.0;
    for (const DividedNode& divided : diagnosis.nodes) {
        all += divided.node.amount.seconds;
        if (divided.node.word() == "between parts" && divided.node.part() == RunPart::Rest)
            between += divided.node.amount.seconds;
    }
    EXPECT_GT(between, 0.0);
    EXPECT_EQ(findingOf(diagnosis, Cause::Gaps).evidence.english(),
              "No part of the model computes during " + formatPercent(between / all)
                  + " of the time.");
    EXPECT_TRUE(std::ranges::any_of(spendingOf(diagnosis).parts, [](const SpentPart& part) {
        return part.title == "Sampling";
    }));
    // What recording costs in the meantime is a cause of its own.
    run.run.info.profiling.cost_ns = 1'000'000;
    EXPECT_THAT(findingOf(diagnose(run.request()), Cause::Gaps).evidence.english(),
                testing::HasSubstr(" is recording, a cause of its own."));
}

TEST(DiagnoseTest, WhatACommandDoesBeforeThePrefillIsNoGap)
{
    ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    ep::RunTrace& trace = run.run.trace;
    std::erase_if(trace.sections, [](const Span& one) { return one.phase == Phase::PreInference; });
    run.run.info.profiling.command.emplace().arguments = {"python3", "app.py"};
    const auto hasPart = [](const Spending& spending, std::string_view title) {
        return std::ranges::any_of(spending.parts,
                                   [&](const SpentPart& part) { return part.title == title; });
    };
    std::erase_if(trace.phases,
                  [](const PhaseSpan& one) { return one.phase == Phase::PreInference; });
    const Nanoseconds begin = trace.time.begin_ns;
    trace.time.begin_ns -= 100'000'000'000; // the model takes long to load
    trace.phases.insert(trace.phases.begin(),
                        {Phase::PreInference, {trace.time.begin_ns, begin}, {}});
    const Diagnosis diagnosis = diagnose(run.request());
    EXPECT_TRUE(hasPart(spendingOf(diagnosis), "Pre-inference"));
    EXPECT_NE(findingOf(diagnosis, Cause::Gaps).judgement, Judgement::Named);
}

TEST(RemediesTest, OfRecordedCommandsAreNoOptionsOfThisProgram)
{
    ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    const Diagnosis diagnosis = diagnose(run.request());
    const auto ours = remediesFor(diagnosis, run.run.info);
    run.run.info.profiling.command.emplace().arguments = {"python3", "app.py"};
    const auto theirs = remediesFor(diagnosis, run.run.info);
    ASSERT_FALSE(theirs.empty());
    EXPECT_EQ(theirs.size(), ours.size());
    EXPECT_TRUE(std::ranges::any_of(
        ours, [](const Remedy& remedy) { return remedy.trial != Trial::Elsewhere; }));
    for (const Remedy& remedy : theirs) {
        EXPECT_EQ(remedy.trial, Trial::Elsewhere) << remedy.what;
        EXPECT_EQ(remedy.how.english().find("--dtype"), std::string::npos) << remedy.how;
        EXPECT_EQ(remedy.how.english().find("--batch-size"), std::string::npos) << remedy.how;
    }
}

TEST(DiagnoseTest, ASmallCauseIsNotTheWholeStory)
{
    const auto reasonOfGap = [](double gap) {
        ep::test::RunSetup setup;
        setup.gap = gap;
        return diagnose(ep::test::diagnosedRun(setup).request()).reason;
    };
    const char* verdict = factsOf(Cause::Gaps).verdict;
    EXPECT_NE(reasonOfGap(3.0).find(std::string(": ") + verdict), std::string::npos)
        << reasonOfGap(3.0);
    const std::string small = reasonOfGap(0.3);
    EXPECT_NE(small.find("; for "), std::string::npos) << small;
    EXPECT_NE(small.find(std::string(" % of the run, ") + verdict), std::string::npos) << small;
}

TEST(DiagnoseTest, WhatComesAfterTheAnswerHasNoOtherCause)
{
    for (const Cause cause : {Cause::SlowRun, Cause::Gaps, Cause::Fallback, Cause::Throttling,
                              Cause::Recording, Cause::OtherLoad}) {
        ep::test::RunSetup setup{.answer = 0.5};
        ep::test::inject(setup, cause, 3);
        const ep::test::DiagnosedRun run = ep::test::diagnosedRun(setup);
        const Diagnosis diagnosis = diagnose(run.request());
        const Estimate after = findingOf(diagnosis, Cause::AfterTheAnswer).explained;
        const Estimate other = findingOf(diagnosis, cause).explained;
        EXPECT_GT(after.value, 0.3 * run.joules) << factsOf(cause).title;
        EXPECT_GT(other.value, 0.0) << factsOf(cause).title;
        EXPECT_LT(after.value + other.value, 1.01 * run.joules) << factsOf(cause).title;
    }
}

// A deep profile counts the rows of each expert. If most rows of a prompt go to a few experts,
// these are computed one after the other, and the other weights are read for next to nothing.
TEST(DiagnoseTest, ARouterThatChoosesUnevenlyIsPartOfTheCauseExperts)
{
    constexpr int kRows = 2000;
    ep::test::RunSetup setup;
    setup.prompt_rows = kRows;
    ep::test::inject(setup, Cause::Experts, 1);
    ep::test::DiagnosedRun run = ep::test::diagnosedRun(setup);
    const int experts = setup.experts;
    const auto route = [&](double busiest) { // times the even share of an expert
        run.first_step.operations.clear();
        const double even = static_cast<double>(kRows) * setup.experts_per_token / experts;
        for (int layer = 0; layer < run.run.info.model.layers; ++layer) {
            for (int expert = 0; expert < experts; ++expert) {
                const double rows =
                    expert == 0 ? busiest * even : (experts - busiest) * even / (experts - 1);
                Span span = Span::ofOperation(0, layer, Component::Experts, Operation::Expert);
                OperationExtras extras;
                extras.expert = expert;
                extras.rows = static_cast<std::int32_t>(std::lround(rows));
                span.extras = SharedExtras(extras);
                run.first_step.operations.push_back(span);
            }
        }
        return findingOf(diagnose(run.request()), Cause::Experts);
    };
    const Finding unseen = findingOf(diagnose(run.request()), Cause::Experts);
    EXPECT_EQ(unseen.evidence.english().find("busiest"), std::string::npos);
    const Finding even = route(1.0);
    EXPECT_NEAR(even.explained.value, unseen.explained.value, 0.002 * unseen.explained.value);
    EXPECT_NE(even.evidence.english().find("computed 1.0 times"), std::string::npos)
        << even.evidence;
    const Finding uneven = route(experts - 0.05);
    EXPECT_GT(uneven.explained.value, 1.002 * even.explained.value);
    EXPECT_NE(uneven.evidence.english().find("computed 16 times"), std::string::npos)
        << uneven.evidence;
}

// Layers of some mixtures of experts have a state instead of keys and values (Qwen3-Next). Every
// sequence reads its state, however few experts the router chooses.
TEST(DiagnoseTest, OnlyExpertsAreReadForNothing)
{
    const ep::test::DiagnosedRun run = runWith(Cause::Experts, 2);
    const double explained = findingOf(diagnose(run.request()), Cause::Experts).explained.value;
    ASSERT_GT(explained, 0.0);
    ep::test::DiagnosedRun hybrid = run;
    std::size_t renamed = 0;
    for (ComponentTotal& total : hybrid.totals) {
        if (total.component != Component::OProj)
            continue;
        total.component = Component::DeltaRule;
        ++renamed;
    }
    ASSERT_GT(renamed, 0U);
    const Diagnosis diagnosis = diagnose(hybrid.request());
    EXPECT_NEAR(findingOf(diagnosis, Cause::Experts).explained.value, explained, 0.02 * explained);
}

// The short form of ep-diagnosis; docs/diagnosis.md shows the long one.
TEST(DiagnosisTest, NamesWhatWasPutInAndNothingElse)
{
    const ep::test::DiagnosisScores scores = ep::test::scoreDiagnoses(4, false);
    int named = 0;
    int expected = 0;
    for (const auto& [cause, score] : scores.first) {
        named += score.good;
        expected += score.runs;
        EXPECT_GE(score.good, score.runs - 1) << factsOf(cause).id;
    }
    EXPECT_GE(expected, 30);
    EXPECT_GE(named, expected * 95 / 100);
    EXPECT_TRUE(scores.confused.empty());
    EXPECT_EQ(scores.usual.good, scores.usual.runs);
    EXPECT_GE(scores.shares.share(), 0.90);
    EXPECT_GE(scores.fitted_shares.share(), 0.80);
    for (const double error : scores.errors_byte)
        EXPECT_LT(error, 0.02);
}

} // namespace
} // namespace ep::energy
