// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/counted_activities.h"
#include "support/fake_engine.h"
#include "support/fake_power_feed.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/session/study_runner.h"
#include "ep/store/store.h"

#include <QEventLoop>
#include <QTimer>

#include <gmock/gmock.h>

namespace {

using namespace ep;
using namespace ep::session;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::Ge;
using testing::HasSubstr;
using testing::SizeIs;

class StudyRunnerTest : public testing::Test {
protected:
    StudyRunnerTest() { test::writeTinyModel(m_folder / "tiny"); }

    static StudySpec spec()
    {
        StudySpec spec;
        spec.name = "test";
        spec.models = {"tiny"};
        spec.prompts = {{"a", "Once"}, {"b", "Upon a time"}};
        spec.values("max_new_tokens") = {"4"};
        spec.run.repeats = 2;
        spec.run.interval_ms = 20;
        return spec;
    }

    std::unique_ptr<StudyRunner> makeRunner(const StudySpec& spec,
                                            const test::EngineScript& engine = {},
                                            const StudyShard& shard = {})
    {
        m_library = std::make_shared<test::FakeEngineLibrary>(engine);
        Backend backend{
            .openEngineLibrary =
                [library = m_library]() -> Result<std::shared_ptr<model::EngineLibrary>> {
                return std::shared_ptr<model::EngineLibrary>(library);
            },
            .makePowerFeed = [power =
                                  m_power] { return std::make_unique<test::FakePowerFeed>(power); },
            .beginActivity = m_activities.begin(),
            .cpuClock = test::idleMachine};
        return std::make_unique<StudyRunner>(
            spec, planStudy(spec, shard),
            StudyOptions{
                .database = database(),
                .findModel = [this](const std::string& name) -> Result<std::filesystem::path> {
                    if (name == "tiny")
                        return m_folder / "tiny";
                    return Error{ErrorCode::NotFound, "There is no model " + name + "."};
                }},
            std::move(backend));
    }

    // Runs them until all have finished.
    static void runAll(const std::vector<StudyRunner*>& runners)
    {
        QEventLoop loop;
        std::size_t left = runners.size();
        for (StudyRunner* runner : runners) {
            QObject::connect(runner, &StudyRunner::finished, &loop, [&] {
                if (--left == 0)
                    loop.quit();
            });
        }
        constexpr int kHangMs = 240'000;
        QTimer::singleShot(kHangMs, &loop, [&] { loop.exit(1); });
        for (StudyRunner* runner : runners)
            runner->start();
        EXPECT_EQ(loop.exec(), 0) << "the study did not end";
    }

    StudyResult run(const StudySpec& spec, const test::EngineScript& engine = {},
                    const std::function<void(StudyRunner&)>& watch = {},
                    const StudyShard& shard = {})
    {
        const auto runner = makeRunner(spec, engine, shard);
        if (watch)
            watch(*runner);
        runAll({runner.get()});
        return runner->result();
    }

    std::filesystem::path database() const { return m_folder.path() / "runs.db"; }

    std::vector<RunSummary> stored() const
    {
        const auto store = store::Store::open(database());
        EXPECT_TRUE(store);
        auto runs = (*store)->list();
        EXPECT_TRUE(runs);
        return *runs;
    }

    test::CountedActivities m_activities;
    test::PowerScript m_power;
    test::TempFolder m_folder;
    std::shared_ptr<test::FakeEngineLibrary> m_library;
};

TEST_F(StudyRunnerTest, RunsEveryStepOnce)
{
    StudySpec wanted = spec();
    wanted.run.tags = {"mine"};
    const StudyResult result = run(wanted, {.end_after = 2});
    EXPECT_EQ(result.ran, 4);
    EXPECT_EQ(result.left, 0);
    EXPECT_FALSE(result.error);
    const std::vector<RunSummary> runs = stored();
    ASSERT_THAT(runs, SizeIs(4));
    for (const RunSummary& one : runs) {
        EXPECT_EQ(one.info.experiment, "test");
        EXPECT_THAT(one.info.tags, Contains("mine"));
        EXPECT_THAT(one.info.tags, Contains(HasSubstr("host:")));
        EXPECT_EQ(one.info.output_tokens, 4) << "the end token ends nothing";
    }
    EXPECT_EQ(reportStudy(wanted, runs).done, 4U);
    EXPECT_EQ(m_library->loads(), 1) << "the model stays";
}

TEST_F(StudyRunnerTest, RefusesToMakeRunsWithoutEnergyUnlessAskedTo)
{
    EXPECT_FALSE(run(spec()).error);
    const std::size_t made = stored().size();
    m_power.kind = "none"; // no sensor works any more
    EXPECT_FALSE(run(spec()).error) << "what is complete needs none";
    const struct {
        const char* power;
        bool runs;
    } cases[] = {{"auto", false}, {"none", true}};
    for (const auto& [power, runs] : cases) {
        StudySpec wanted = spec();
        wanted.name = "another";
        wanted.run.power.kind = power;
        const StudyResult result = run(wanted);
        EXPECT_EQ(result.ran > 0, runs) << power;
        EXPECT_EQ(result.error.has_value(), !runs) << power;
        EXPECT_EQ(stored().size() == made, !runs) << power;
    }
}

TEST_F(StudyRunnerTest, KeepsTheMachineAwakeBetweenItsRunsToo)
{
    std::vector<int> held; // locks held before each run
    run(spec(), {}, [&](StudyRunner& runner) {
        QObject::connect(&runner, &StudyRunner::stepStarting, &runner,
                         [&] { held.push_back(m_activities.held()); });
    });
    EXPECT_EQ(m_activities.reasons().front(), "Running a study");
    EXPECT_THAT(held, AllOf(SizeIs(4), Each(Ge(1))));
    EXPECT_EQ(m_activities.held(), 0) << "the study has ended";
}

TEST_F(StudyRunnerTest, GoesOnWhereItWasCancelled)
{
    int steps = 0;
    const StudyResult first = run(spec(), {}, [&](StudyRunner& runner) {
        QObject::connect(&runner, &StudyRunner::stepStarting, &runner, [&] {
            if (++steps == 3)
                runner.cancel();
        });
    });
    EXPECT_TRUE(first.cancelled);
    EXPECT_EQ(first.ran, 2);
    EXPECT_EQ(first.left, 2);
    const StudyResult second = run(spec());
    EXPECT_EQ(second.skipped, 2);
    EXPECT_EQ(second.ran, 2);
    EXPECT_THAT(stored(), SizeIs(4));
    const StudyResult third = run(spec());
    EXPECT_EQ(third.skipped, 4);
    EXPECT_EQ(third.ran, 0);
}

TEST_F(StudyRunnerTest, ARunThatWasCutShortIsMadeAgain)
{
    using namespace std::chrono_literals;
    StudySpec wanted = spec();
    wanted.values("max_new_tokens") = {"200"};
    wanted.run.warmup_tokens = 0;
    const StudyResult first = run(wanted, {.layer_time = 1ms}, [&](StudyRunner& runner) {
        QObject::connect(&runner, &StudyRunner::progress, &runner,
                         [&](double, const Message& what) {
                             if (what == "Token 5")
                                 runner.cancel();
                         });
    });
    EXPECT_EQ(first.ran, 0);
    ASSERT_THAT(stored(), SizeIs(1));
    EXPECT_EQ(stored().front().info.status, RunStatus::Cancelled);
    EXPECT_EQ(run(wanted).ran, 4);
    const auto runs = stored();
    ASSERT_THAT(runs, SizeIs(4)) << "what was left behind is gone";
    for (const RunSummary& one : runs)
        EXPECT_EQ(one.info.status, RunStatus::Complete);
}

TEST_F(StudyRunnerTest, AFailedCellDoesNotStopTheRest)
{
    StudySpec wanted = spec();
    wanted.models = {"gone", "tiny"};
    const StudyResult result = run(wanted);
    EXPECT_EQ(result.ran, 4);
    EXPECT_EQ(result.left, 4);
    ASSERT_THAT(result.failures, SizeIs(2)) << "one for each cell, not for each repeat";
    EXPECT_THAT(result.failures[0].message, HasSubstr("gone"));
}

TEST_F(StudyRunnerTest, AFailingEngineFailsItsCells)
{
    const StudyResult result =
        run(spec(), {.begin_error = Error{ErrorCode::Unsupported, "Not here."}});
    EXPECT_EQ(result.ran, 0);
    EXPECT_THAT(result.failures, SizeIs(2));
    EXPECT_EQ(run(spec()).ran, 4) << "another call tries again";
}

TEST_F(StudyRunnerTest, AnyNumberDivideTheWork)
{
    StudySpec wanted = spec();
    wanted.run.repeats = 4;
    const auto one = makeRunner(wanted);
    const auto two = makeRunner(wanted);
    const auto three = makeRunner(wanted);
    runAll({one.get(), two.get(), three.get()});
    int ran = 0;
    for (const auto* runner : {&one, &two, &three}) {
        const StudyResult& result = (*runner)->result();
        EXPECT_FALSE(result.error);
        EXPECT_EQ(result.left, 0) << "none ends before the study is done";
        EXPECT_GT(result.ran, 0);
        ran += result.ran;
    }
    EXPECT_EQ(ran, 8);
    EXPECT_THAT(stored(), SizeIs(8));
    EXPECT_EQ(reportStudy(wanted, stored()).done, 8U);
}

TEST_F(StudyRunnerTest, OneThatEndsLeavesItsStepToTheOthers)
{
    const auto one = makeRunner(spec());
    auto two = makeRunner(spec());
    QObject::connect(two.get(), &StudyRunner::stepStarting, two.get(), [&] { two->cancel(); });
    runAll({one.get(), two.get()});
    EXPECT_EQ(two->result().ran, 0);
    EXPECT_EQ(one->result().ran, 4);
    EXPECT_THAT(stored(), SizeIs(4));
}

TEST_F(StudyRunnerTest, ShardsShareTheWork)
{
    StudySpec wanted = spec();
    EXPECT_EQ(run(wanted, {}, {}, {.index = 1, .count = 3}).ran, 2);
    EXPECT_EQ(run(wanted, {}, {}, {.index = 2, .count = 3}).ran, 1);
    EXPECT_EQ(reportStudy(wanted, stored()).done, 3U);
    EXPECT_EQ(run(wanted).ran, 1) << "the whole study lacks only the third share";
}

TEST_F(StudyRunnerTest, MeasuresTheBaselineAgainOnlyWhenItExpires)
{
    for (const double minutes : {60.0, 0.0}) {
        StudySpec wanted = spec();
        wanted.name = "baseline " + std::to_string(minutes);
        wanted.run.baseline_seconds = 0.05;
        wanted.baseline_expires_minutes = minutes;
        EXPECT_EQ(run(wanted).ran, 4);
        const auto store = store::Store::open(database());
        ASSERT_TRUE(store);
        const auto runs = (*store)->list({.experiments = {wanted.name}});
        ASSERT_TRUE(runs);
        int idle = 0;
        for (const RunSummary& one : *runs) {
            EXPECT_TRUE(one.info.power.baseline) << "every run has one";
            const auto whole = (*store)->load(one.info.id);
            ASSERT_TRUE(whole);
            for (const PhaseSpan& phase : whole->trace.phases)
                idle += phase.phase == Phase::Idle ? 1 : 0;
        }
        EXPECT_EQ(idle, minutes > 0.0 ? 1 : 4) << "with " << minutes << " minutes";
    }
}

TEST_F(StudyRunnerTest, TellsOfADatabaseThatCannotBeUsed)
{
    std::filesystem::create_directories(database());
    const StudyResult result = run(spec());
    ASSERT_TRUE(result.error);
    EXPECT_EQ(result.ran, 0);
}

} // namespace
