// SPDX-License-Identifier: GPL-3.0-or-later
// What is known wins over what is derived, and what is derived claims no more than it can.
#include "injected_run.h"

#include "ep/energy/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace ep::energy {
namespace {

// What the system reported is stated first, even if its effect cannot be divided.
TEST(KnownCauses, AKnownCauseComesBeforeADerivedOne)
{
    ep::test::RunSetup setup{.others = 0.6};
    ep::test::inject(setup, Cause::Gaps, 3);
    const Diagnosis diagnosis = diagnose(ep::test::diagnosedRun(setup).request(false));
    ASSERT_FALSE(diagnosis.named().empty());
    const Finding& first = *diagnosis.named().front();
    EXPECT_EQ(first.cause, Cause::OtherLoad);
    EXPECT_TRUE(first.fact);
    EXPECT_EQ(first.explained.value, 0.0);
    EXPECT_EQ(lineOf(diagnosis, first).english().find("Load of other programs. Other processes "),
              0U)
        << lineOf(diagnosis, first);
    EXPECT_NE(diagnosis.reason.find("other programs use the machine"), std::string::npos)
        << diagnosis.reason;
    EXPECT_EQ(diagnosis.reason.find("0.0 % of the run"), std::string::npos) << diagnosis.reason;
}

TEST(KnownCauses, AGuessHasNoFigureAndGivesWayToAFact)
{
    ep::test::RunSetup setup;
    ep::test::inject(setup, Cause::Throttling, 3);
    ep::test::DiagnosedRun run = ep::test::diagnosedRun(setup);
    run.run.info.power.quality->thermal = ThermalPressure::Unknown;
    const Diagnosis diagnosis = diagnose(run.request());
    const Finding& guess = findingOf(diagnosis, Cause::Throttling);
    EXPECT_EQ(guess.judgement, Judgement::CannotTell);
    EXPECT_EQ(guess.explained.value, 0.0);
    EXPECT_EQ(lineOf(diagnosis, guess).english().find('%'), std::string::npos)
        << lineOf(diagnosis, guess);
    for (const Remedy& remedy : remediesFor(diagnosis, run.run.info)) {
        if (remedy.cause == Cause::Throttling) {
            EXPECT_FALSE(remedy.saving) << remedy.what;
        }
    }
    run.run.info.power.quality->other_cpu_share = 0.5;
    EXPECT_EQ(findingOf(diagnose(run.request()), Cause::Throttling).judgement, Judgement::Absent);
}

// The best rates of a run say little about the machine: two runs of one setting gave two verdicts.
TEST(KnownCauses, TheRoofIsTheMachinesOrUnknown)
{
    const ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    const Diagnosis unknown = diagnose(run.request(false));
    EXPECT_EQ(unknown.costs.ceilings, CostOrigin::Unknown);
    EXPECT_EQ(findingOf(unknown, Cause::MemoryBoundDecode).judgement, Judgement::CannotTell);
    const Diagnosis known = diagnose(run.request());
    EXPECT_EQ(findingOf(known, Cause::MemoryBoundDecode).judgement, Judgement::Named);
    // Once the limits are known, nothing asks for them again.
    for (const Finding& finding : known.findings)
        EXPECT_EQ(finding.missing.find("calibrate"), std::string::npos) << finding.missing;
}

TEST(KnownCauses, AModelInTheCacheIsNotBoundByMemory)
{
    ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    run.run.info.model.weight_bytes = 10'000'000;
    run.run.info.device = "cpu";
    DiagnosisRequest request = run.request();
    for (const auto& [cache, judgement] :
         {std::pair{0, Judgement::Named}, std::pair{8'000'000, Judgement::Named},
          std::pair{32'000'000, Judgement::Absent}}) {
        request.cache_bytes = cache;
        EXPECT_EQ(findingOf(diagnose(request), Cause::MemoryBoundDecode).judgement, judgement)
            << cache;
    }
}

TEST(Savings, HalveOnlyWhatTheUserWrote)
{
    ep::test::DiagnosedRun run = runWith(Cause::ComputeBoundPrefill, 3);
    const auto savingOf = [&run] {
        const Diagnosis diagnosis = diagnose(run.request());
        const auto remedies = remediesFor(diagnosis, run.run.info);
        const auto found = std::ranges::find(remedies, Lever::ShorterContext, &Remedy::lever);
        EXPECT_NE(found, remedies.end());
        EXPECT_TRUE(found->saving);
        return found->saving->value / diagnosis.total();
    };
    double prefill = 0.0;
    for (const DividedNode& node : diagnose(run.request()).nodes) {
        if (node.node.phase == Phase::Prefill && node.division)
            prefill += toDouble(node.division->whole) * kPico;
    }
    prefill /= diagnose(run.request()).total();
    const auto sequences = std::max<std::size_t>(1, run.run.info.batch.size());
    run.run.info.input_tokens = static_cast<int>(40 * sequences);
    const double all = savingOf();
    EXPECT_LT(all, prefill) << "never more than there is";
    run.run.info.chat_template = true; // 29 of the tokens are the template's
    run.run.info.prompt = std::string(66, 'x');
    for (BatchSequence& sequence : run.run.info.batch)
        sequence.prompt = run.run.info.prompt;
    const double written = savingOf();
    EXPECT_GT(written, 0.0);
    EXPECT_LT(written, 0.35 * all);
}

TEST(Savings, NothingIsImpossibleThatIsPossible)
{
    const ep::test::DiagnosedRun run = runWith(Cause::ComputeBoundPrefill, 3);
    bool cache = false;
    const Diagnosis diagnosis = diagnose(run.request());
    for (const Remedy& remedy : remediesFor(diagnosis, run.run.info)) {
        EXPECT_EQ(remedy.how.english().find("Not possible"), std::string::npos) << remedy.how;
        cache = cache || remedy.how.english().find("--prompt-cache") != std::string::npos;
        if (remedy.saving) {
            EXPECT_NE(lineOf(diagnosis, remedy).english().find("saves up to"), std::string::npos);
        }
    }
    EXPECT_TRUE(cache);
}

} // namespace
} // namespace ep::energy
