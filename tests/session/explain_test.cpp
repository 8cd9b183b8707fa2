// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/diagnosed_run.h"
#include "support/temp_folder.h"

#include "ep/session/comparison.h"
#include "ep/session/explain.h"
#include "ep/store/store.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ep::session {
namespace {

class ExplainTest : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = store::Store::open(m_folder / "runs.db");
        ASSERT_TRUE(opened) << opened.error().message;
        m_store = std::move(*opened);
    }

    std::string add(test::DiagnosedRun made, const char* id)
    {
        made.run.info.id = id;
        made.run.info.environment.machine = "Box";
        made.run.info.environment.cpu = "Chip";
        const auto imported = m_store->importRun(made.run);
        EXPECT_TRUE(imported) << imported.error().message;
        return id;
    }

    static test::DiagnosedRun runWith(energy::Cause cause, int strength)
    {
        test::RunSetup setup;
        test::inject(setup, cause, strength);
        test::DiagnosedRun made = test::diagnosedRun(setup);
        made.run.info.output_tokens = setup.steps + 1; // costs are compared at similar lengths
        return made;
    }

    // Stores the true limits of the simulated machine as a measurement.
    void addLimits(const test::DiagnosedRun& run, const std::string& dtype)
    {
        const energy::Prices& p = run.truth;
        const auto measured = [](double value) { return MeasuredConstant{value, 0.01 * value}; };
        MachineRecord record;
        record.machine = "Box, Chip";
        record.device = "cpu";
        record.dtype = dtype;
        record.threads = 2;
        record.flops_per_second = measured(1.0 / p.seconds_per_flop);
        record.bytes_per_second = measured(1.0 / p.seconds_per_byte);
        record.joules_per_flop = measured(p.joules_per_flop);
        record.joules_per_byte = measured(p.joules_per_byte);
        record.static_watts = measured(p.watts);
        record.source = "rapl";
        ASSERT_TRUE(m_store->saveMachine(record));
        const auto read = m_store->machine("Box, Chip", "cpu", dtype);
        ASSERT_TRUE(read);
        EXPECT_EQ(**read, record);
    }

    test::TempFolder m_folder;
    std::unique_ptr<store::Store> m_store;
};

constexpr const char* kFirst = "11111111-1111-1111-1111-111111111111";
constexpr const char* kSecond = "22222222-2222-2222-2222-222222222222";
constexpr const char* kThird = "33333333-3333-3333-3333-333333333333";

TEST_F(ExplainTest, SaysTheSameOfAStoredRunAsOfTheRunItself)
{
    const test::DiagnosedRun run = runWith(energy::Cause::MemoryBoundDecode, 3);
    addLimits(run, run.run.info.dtype);
    const std::string id = add(run, kFirst);
    const auto explained = explainRun(*m_store, id);
    ASSERT_TRUE(explained) << explained.error().message;
    EXPECT_EQ(explained->diagnosis.costs.energies, energy::CostOrigin::Measured);
    energy::DiagnosisRequest request = run.request();
    request.measured = costsOf(**m_store->machine("Box, Chip", "cpu", run.run.info.dtype));
    EXPECT_EQ(explained->diagnosis.answer, energy::diagnose(request).answer);
    ASSERT_FALSE(explained->bars.empty());
    EXPECT_EQ(explained->bars.front().title, "MLP");
    const std::string text = explanationToText(*explained);
    EXPECT_EQ(text.rfind(explained->diagnosis.answer, 0), 0U);
    EXPECT_NE(text.find("What to do"), std::string::npos);
    const auto json = nlohmann::json::parse(explanationToJson(*explained));
    EXPECT_EQ(json["answer"], explained->diagnosis.answer);
    EXPECT_EQ(json["reason"], explained->diagnosis.reason);
    EXPECT_EQ(json["causes"].size(), energy::kCauseCount);
}

// A mixture of types cannot be measured by itself: the limits of other formats tell its own.
TEST_F(ExplainTest, TheLimitsOfOneFormatTellThoseOfAnother)
{
    for (const bool measured : {false, true}) {
        test::DiagnosedRun made = runWith(energy::Cause::MemoryBoundDecode, 3);
        made.run.info.dtype = "q4_k";
        if (measured)
            addLimits(made, "bf16");
        const auto found = explainRun(*m_store, add(made, measured ? kFirst : kSecond));
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_EQ(found->diagnosis.costs.ceilings == energy::CostOrigin::Measured, measured);
        const bool asks = std::ranges::any_of(found->diagnosis.findings, [](const auto& finding) {
            return finding.missing.find("calibrate") != std::string::npos;
        });
        EXPECT_EQ(asks, !measured) << "asked for once";
    }
}

TEST_F(ExplainTest, LeadsWithWhatIsUnusualAmongTheOtherRuns)
{
    const auto idOf = [](char digit) {
        std::string id = kFirst;
        std::ranges::replace(id, '1', digit);
        return id;
    };
    for (const char digit : {'2', '3', '4', '5', '6'}) {
        test::DiagnosedRun other = runWith(energy::Cause::MemoryBoundDecode, 3);
        other.run.metrics.joules_per_token = 0.020 + 0.0001 * (digit - '2');
        other.run.info.status = RunStatus::Complete;
        add(std::move(other), idOf(digit).c_str());
    }
    test::DiagnosedRun run = runWith(energy::Cause::MemoryBoundDecode, 3);
    run.run.metrics.joules_per_token = 0.0404;
    run.run.info.status = RunStatus::Complete;
    add(run, kFirst);
    const auto explained = explainRun(*m_store, kFirst);
    ASSERT_TRUE(explained) << explained.error().message;
    ASSERT_TRUE(explained->unusual);
    EXPECT_EQ(energy::lineOf(*explained->unusual),
              "Unusual: 40.4 mJ per token, 2.0 times the median of 5 other runs of this model and "
              "setting.");
    EXPECT_NE(explanationToText(*explained).find("\nUnusual: 40.4 mJ per token"),
              std::string::npos);
    const auto json = nlohmann::json::parse(explanationToJson(*explained));
    EXPECT_EQ(json["unusual"]["other_runs"], 5);
    // One of the many ordinary runs is not unusual.
    const auto usual = explainRun(*m_store, idOf('3'));
    ASSERT_TRUE(usual);
    EXPECT_FALSE(usual->unusual);
    EXPECT_TRUE(nlohmann::json::parse(explanationToJson(*usual))["unusual"].is_null());
}

TEST_F(ExplainTest, LeadsWithAPartAboveItsWorkWithoutOtherRuns)
{
    test::DiagnosedRun run = runWith(energy::Cause::Fallback, 3);
    addLimits(run, run.run.info.dtype);
    run.run.info.device = "cpu"; // a device with known limits
    run.run.info.status = RunStatus::Complete;
    run.run.metrics.joules_per_token = 0.02;
    add(run, kFirst);
    const auto explained = explainRun(*m_store, kFirst);
    ASSERT_TRUE(explained) << explained.error().message;
    EXPECT_FALSE(explained->unusual);
    ASSERT_TRUE(explained->unusual_part);
    const std::string line = energy::lineOf(*explained->unusual_part).english();
    EXPECT_EQ(explained->unusualLine(), line);
    EXPECT_NE(explanationToText(*explained).find('\n' + line + '\n'), std::string::npos);
    const auto json = nlohmann::json::parse(explanationToJson(*explained))["unusual"];
    EXPECT_EQ(json["sentence"], line);
    EXPECT_EQ(json["part"], "attention");
    EXPECT_EQ(json["quantity"], "energy");
    EXPECT_LT(json["expected_share"], json["share"]);

    // With enough other runs, these define what is usual.
    std::string id = kFirst;
    for (const char digit : {'2', '3', '4', '5', '6'}) {
        std::ranges::fill(id, digit);
        for (const std::size_t at : {8U, 13U, 18U, 23U})
            id[at] = '-';
        add(run, id.c_str());
    }
    const auto usual = explainRun(*m_store, kFirst);
    ASSERT_TRUE(usual);
    EXPECT_EQ(usual->unusualLine(), "");
}

TEST_F(ExplainTest, RefusesARunThatIsNotThere)
{
    EXPECT_FALSE(explainRun(*m_store, kFirst));
}

TEST_F(ExplainTest, MakesAStudyOfARemedyAndRemembersHowItTurnedOut)
{
    const test::DiagnosedRun run = runWith(energy::Cause::WideFormat, 0);
    addLimits(run, "f32");
    add(run, kFirst);
    auto explained = explainRun(*m_store, kFirst);
    ASSERT_TRUE(explained);
    const auto remedy =
        std::ranges::find(explained->remedies, energy::Lever::NumberFormat, &energy::Remedy::lever);
    ASSERT_NE(remedy, explained->remedies.end());
    RunInfo info = run.run.info;
    info.id = kFirst;
    info.environment.machine = "Box";
    info.environment.cpu = "Chip";
    const auto study = studyFor(info, *remedy);
    ASSERT_TRUE(study) << study.error().message;
    EXPECT_EQ(study->values("dtype"), (std::vector<std::string>{"f32", "bf16"}));
    EXPECT_EQ(study->order, StudyOrder::Interleaved);
    ASSERT_TRUE(m_store->saveAdvice(adviceFor(info, *remedy, false, study->name)));
    EXPECT_EQ(trackRecordOf(explainRun(*m_store, kFirst)->tried), "");

    test::RunSetup setup;
    test::inject(setup, energy::Cause::WideFormat, 0);
    test::DiagnosedRun before = test::diagnosedRun(setup);
    setup.computed_bits = setup.stored_bits;
    test::DiagnosedRun after = test::diagnosedRun(setup);
    before.run.info.experiment = study->name;
    after.run.info.experiment = study->name;
    add(before, kSecond);
    add(after, kThird);
    const auto again = explainRun(*m_store, kFirst);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->tried.size(), 1U);
    ASSERT_TRUE(again->tried.front().observed);
    EXPECT_NEAR(again->tried.front().observed->value, again->tried.front().advice.share.value,
                0.05);
    EXPECT_NE(trackRecordOf(again->tried).english().find(" of 1 time on this machine."),
              std::string::npos);
}

TEST_F(ExplainTest, DividesTheDifferenceOfTwoRuns)
{
    const test::DiagnosedRun wide = runWith(energy::Cause::WideFormat, 0);
    addLimits(wide, "f32");
    addLimits(wide, "bf16");
    add(wide, kFirst);
    add(test::diagnosedRun({}), kSecond);
    auto groups = loadGroups(*m_store, {{kFirst}, {kSecond}});
    ASSERT_TRUE(groups) << groups.error().message;
    (*groups)[1].label = "B";
    const energy::Comparison comparison = energy::compare(*groups);
    EXPECT_FALSE(comparison.groups[0].causes) << "the baseline";
    const auto& difference = comparison.groups[1].causes;
    ASSERT_TRUE(difference);
    EXPECT_FALSE(difference->of_time);
    EXPECT_EQ(difference->sentence.english().rfind("B saves ", 0), 0U) << difference->sentence;
    const auto json = nlohmann::json::parse(comparisonToJson(comparison));
    EXPECT_TRUE(json["groups"][0]["causes"].is_null());
    EXPECT_EQ(json["groups"][1]["causes"]["sentence"], difference->sentence.english());
    double sum = 0.0;
    for (const auto& part : json["groups"][1]["causes"]["parts"])
        sum += part["difference"].get<double>();
    EXPECT_NEAR(sum, json["groups"][1]["causes"]["difference"].get<double>(), 1e-12);
}

TEST_F(ExplainTest, AStudyCannotTryWhatAPersonHasToDo)
{
    const energy::Remedy remedy{.lever = energy::Lever::Charger, .what = "Use the charger"};
    EXPECT_FALSE(studyFor({}, remedy));
}

} // namespace
} // namespace ep::session
