// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_watcher.h"

#include "ep/store/store.h"

#include <QEventLoop>

#include <gmock/gmock.h>

#include <fstream>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using test::EngineScript;
using test::EngineStage;
using test::PowerScript;
using test::RunWatcher;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<RunSummary> storedRuns(const std::filesystem::path& database)
{
    auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store)
        return {};
    auto runs = (*store)->list();
    return runs ? *runs : std::vector<RunSummary>();
}

struct CancelCase {
    const char* name;
    EngineStage stage;
    int visit; // cancels at this visit of the stage
    int tokens; // tokens complete by then
};

class CancelTest : public testing::TestWithParam<CancelCase> { };

TEST_P(CancelTest, LeavesAStoredMarkedPartialRun)
{
    session::Profiler* profiler = nullptr;
    int visits = 0;
    EngineScript script;
    script.on_stage = [&](EngineStage stage) {
        if (stage == GetParam().stage && ++visits == GetParam().visit)
            profiler->cancel();
    };
    RunWatcher watcher(script);
    profiler = &watcher.profiler();
    session::RunRequest request = watcher.request();
    request.database = watcher.folder() / "runs.db";
    watcher.finish(request);
    EXPECT_TRUE(watcher.finished->saved) << watcher.finished->save_problem;
    const ep::Run& run = *watcher.finished->run;
    EXPECT_EQ(run.info.status, RunStatus::Cancelled);
    EXPECT_FALSE(run.info.status_message.empty());
    EXPECT_EQ(run.info.output_tokens, GetParam().tokens);
    EXPECT_THAT(run.trace.tokens, SizeIs(static_cast<std::size_t>(GetParam().tokens)));
    for (const Span& section : run.trace.sections)
        EXPECT_LT(section.token, GetParam().tokens) << "only steps that made a token have parts";
    for (const Span& layer : run.trace.layers)
        EXPECT_LT(layer.token, GetParam().tokens);

    const std::vector<RunSummary> stored = storedRuns(request.database);
    ASSERT_THAT(stored, SizeIs(1));
    EXPECT_EQ(stored[0].info.status, RunStatus::Cancelled);
    EXPECT_EQ(stored[0].info.id, run.info.id);
    EXPECT_EQ(stored[0].info.response, run.info.response);
}

INSTANTIATE_TEST_SUITE_P(
    Stages, CancelTest,
    testing::Values(CancelCase{"LoadBegins", EngineStage::Load, 1, 0},
                    CancelCase{"LoadGoesOn", EngineStage::Load, 3, 0},
                    CancelCase{"GenerationBegins", EngineStage::Begin, 1, 0},
                    CancelCase{"PrefillFirstLayer", EngineStage::PrefillLayer, 1, 0},
                    CancelCase{"PrefillLastLayer", EngineStage::PrefillLayer, 2, 0},
                    CancelCase{"FirstDecode", EngineStage::DecodeLayer, 1, 1},
                    CancelCase{"LaterDecode", EngineStage::DecodeLayer, 10, 5}),
    [](const auto& tested) { return tested.param.name; });

TEST(Cancel, AtTheEndComesTooLate)
{
    session::Profiler* profiler = nullptr;
    EngineScript script;
    script.on_stage = [&](EngineStage stage) {
        if (stage == EngineStage::Finish)
            profiler->cancel();
    };
    RunWatcher watcher(script);
    profiler = &watcher.profiler();
    EXPECT_EQ(watcher.finish(watcher.request()).info.status, RunStatus::Complete);
}

TEST(Cancel, EndsTheIdleBaseline)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.baseline_seconds = 3600;
    QObject::connect(&watcher.profiler(), &session::Profiler::loadProgress,
                     [&](double, const Message& what) {
                         if (what == "Measuring the idle machine")
                             watcher.profiler().cancel();
                     });
    watcher.finish(request);
    EXPECT_EQ(watcher.finished->run->info.status, RunStatus::Cancelled);
    EXPECT_FALSE(watcher.started.has_value());
    EXPECT_THAT(watcher.finished->run->trace.phases, SizeIs(1)) << "the idle time so far";
}

TEST(Cancel, FromTheReceiverOfATokenAndAgain)
{
    RunWatcher watcher(EngineScript{.layer_time = 1ms});
    session::RunRequest request = watcher.request();
    request.max_new_tokens = 4000;
    watcher.on_token = [&](const session::TokenComplete&) {
        watcher.profiler().cancel();
        watcher.profiler().cancel();
    };
    watcher.finish(request);
    EXPECT_EQ(watcher.finished->run->info.status, RunStatus::Cancelled);
    EXPECT_LT(watcher.finished->run->info.output_tokens, 4000);
    // The next run is unaffected.
    watcher.on_token = nullptr;
    EXPECT_EQ(watcher.finish(watcher.request()).info.status, RunStatus::Complete);
}

TEST(Cancel, DestroyingTheProfilerEndsTheRun)
{
    RunWatcher watcher(EngineScript{.layer_time = 1ms});
    session::RunRequest request = watcher.request();
    request.max_new_tokens = 4000;
    request.database = watcher.folder() / "runs.db";
    QEventLoop loop;
    watcher.on_token = [&](const session::TokenComplete&) { loop.quit(); };
    watcher.profiler().start(request);
    loop.exec();
    watcher.destroyProfiler();
    const std::vector<RunSummary> stored = storedRuns(request.database);
    ASSERT_THAT(stored, SizeIs(1));
    EXPECT_EQ(stored[0].info.status, RunStatus::Cancelled);
}

struct FailureCase {
    const char* name;
    std::function<void(EngineScript&, PowerScript&)> break_it;
    ErrorCode code;
    const char* message;
};

const Error kScripted{ErrorCode::Unsupported, "Scripted trouble."};

class FailureTest : public testing::TestWithParam<FailureCase> { };

TEST_P(FailureTest, BeforeTheFirstTokenLeavesNothingBehind)
{
    EngineScript engine;
    PowerScript power;
    GetParam().break_it(engine, power);
    RunWatcher watcher(engine, power);
    session::RunRequest request = watcher.request();
    request.database = watcher.folder() / "runs.db";
    watcher.run(request);
    ASSERT_TRUE(watcher.failure.has_value());
    EXPECT_FALSE(watcher.finished.has_value());
    EXPECT_EQ(watcher.failure->code, GetParam().code);
    EXPECT_THAT(watcher.failure->message, HasSubstr(GetParam().message));
    EXPECT_EQ(watcher.signal_names.back(), "failed");
    EXPECT_FALSE(watcher.profiler().running());
    EXPECT_THAT(storedRuns(request.database), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Stages, FailureTest,
    testing::Values(
        FailureCase{"OpeningTheEngine",
                    [](EngineScript& engine, PowerScript&) { engine.open_error = kScripted; },
                    ErrorCode::Unsupported, "Scripted trouble."},
        FailureCase{"Loading",
                    [](EngineScript& engine, PowerScript&) { engine.load_error = kScripted; },
                    ErrorCode::Unsupported, "Scripted trouble."},
        FailureCase{"ContextTooSmall",
                    [](EngineScript& engine, PowerScript&) { engine.context_length = 4; },
                    ErrorCode::InvalidInput, "shorten the prompt"},
        FailureCase{"StartingThePowerSource",
                    [](EngineScript&, PowerScript& power) { power.start_error = kScripted; },
                    ErrorCode::Unsupported, "Scripted trouble."},
        FailureCase{"BeginningTheGeneration",
                    [](EngineScript& engine, PowerScript&) { engine.begin_error = kScripted; },
                    ErrorCode::Unsupported, "Scripted trouble."},
        FailureCase{"Prefill",
                    [](EngineScript& engine, PowerScript&) { engine.step_error = kScripted; },
                    ErrorCode::Unsupported, "Scripted trouble."},
        FailureCase{"AnExceptionInTheEngine",
                    [](EngineScript& engine, PowerScript&) { engine.throws_in_step = true; },
                    ErrorCode::Internal, "scripted exception"}),
    [](const auto& tested) { return tested.param.name; });

TEST(Failure, InTheMiddleKeepsWhatWasThere)
{
    RunWatcher watcher(EngineScript{.step_error = kScripted, .failing_step = 3});
    session::RunRequest request = watcher.request();
    request.database = watcher.folder() / "runs.db";
    const ep::Run& run = watcher.finish(request);
    EXPECT_EQ(run.info.status, RunStatus::Failed);
    EXPECT_EQ(run.info.status_message, "Scripted trouble.");
    EXPECT_EQ(run.info.response, "the");
    EXPECT_THAT(run.trace.layers, SizeIs(6));
    const std::vector<RunSummary> stored = storedRuns(request.database);
    ASSERT_THAT(stored, SizeIs(1));
    EXPECT_EQ(stored[0].info.status, RunStatus::Failed);
}

TEST(Failure, AMissingFolderIsNamedAndTheNextRunWorks)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.load.folder = watcher.folder() / "nowhere";
    watcher.run(request);
    ASSERT_TRUE(watcher.failure.has_value());
    EXPECT_THAT(watcher.failure->message, HasSubstr("nowhere"));
    EXPECT_EQ(watcher.loads(), 0);

    watcher.run(watcher.request());
    EXPECT_TRUE(watcher.finished.has_value());
}

TEST(Failure, AFolderWithoutATokenizerFailsBeforeTheEngineIsOpened)
{
    RunWatcher watcher;
    const session::RunRequest request = watcher.request();
    std::filesystem::remove(request.load.folder / "tokenizer.json");
    watcher.run(request);
    ASSERT_TRUE(watcher.failure.has_value());
    EXPECT_EQ(watcher.failure->code, ErrorCode::NotFound);
    EXPECT_THAT(watcher.failure->message, HasSubstr("tokenizer.json"));
    EXPECT_EQ(watcher.loads(), 0);
}

TEST(Saving, KeepsTheWholeRun)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.database = watcher.folder() / "runs.db";
    watcher.finish(request);
    ASSERT_TRUE(watcher.finished->saved) << watcher.finished->save_problem;
    auto store = store::Store::open(request.database, store::Store::Mode::ReadOnly);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const auto loaded = (*store)->load(watcher.finished->run->info.id);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    EXPECT_EQ(loaded->info.status, RunStatus::Complete);
    EXPECT_EQ(loaded->info.response, watcher.finished->run->info.response);
    EXPECT_THAT(loaded->trace.tokens, SizeIs(8));
    EXPECT_THAT(loaded->trace.components, SizeIs(64));
    EXPECT_THAT(loaded->trace.samples, SizeIs(watcher.finished->run->trace.samples.size()));
}

TEST(Saving, ADatabaseThatCannotBeUsedIsToldBeforeTheModelIsLoaded)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.database = watcher.folder() / "runs.db";
    std::ofstream(request.database) << "this is a text, not a database, and long enough to show it";
    watcher.run(request);
    ASSERT_TRUE(watcher.failure.has_value());
    EXPECT_THAT(watcher.failure->message, HasSubstr("runs.db"));
    EXPECT_EQ(watcher.loads(), 0);
}

// A database that is removed during the run.
TEST(Saving, TroubleWithTheDatabaseNeverEndsARun)
{
    RunWatcher watcher(EngineScript{.layer_time = std::chrono::milliseconds(10)});
    session::RunRequest request = watcher.request();
    request.database = watcher.folder() / "runs.db";
    // The database is removed at any moment of its opening.
    QObject::connect(&watcher.profiler(), &session::Profiler::runStarted, [&] {
        std::filesystem::remove(request.database);
        std::filesystem::create_directory(request.database);
    });
    watcher.finish(request);
    EXPECT_EQ(watcher.finished->run->info.status, RunStatus::Complete);
    EXPECT_FALSE(watcher.finished->saved);
    EXPECT_THAT(watcher.finished->save_problem, HasSubstr("runs.db"));
}

// A database that is moved away: the run is stored in a new one at the old path.
TEST(Saving, ARunOutlivesItsDatabase)
{
    RunWatcher watcher(EngineScript{.layer_time = std::chrono::milliseconds(10)});
    session::RunRequest request = watcher.request();
    request.database = watcher.folder() / "runs.db";
    QObject::connect(&watcher.profiler(), &session::Profiler::runStarted, [&] {
        std::filesystem::rename(request.database, watcher.folder() / "moved.db");
    });
    watcher.finish(request);
    EXPECT_TRUE(watcher.finished->saved) << watcher.finished->save_problem;
    EXPECT_THAT(storedRuns(request.database), SizeIs(1));
}

} // namespace
