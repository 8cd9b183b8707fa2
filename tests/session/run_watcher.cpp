// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_watcher.h"

#include "support/tiny_model.h"

#include "ep/core/uuid.h"

#include <QEventLoop>
#include <QTimer>

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

namespace ep::test {

using session::Profiler;

RunWatcher::RunWatcher(EngineScript engine, PowerScript power, Machine machine)
    : m_folder(std::filesystem::temp_directory_path() / ("ep-session-" + makeUuid()))
{
    writeTinyModel(m_folder / "model");
    const std::optional<Error> openError = engine.open_error;
    m_library = std::make_shared<FakeEngineLibrary>(std::move(engine));
    session::Backend backend{
        .openEngineLibrary = [this, library = m_library,
                              openError]() -> Result<std::shared_ptr<model::EngineLibrary>> {
            ++m_openings;
            if (openError)
                return *openError;
            return std::shared_ptr<model::EngineLibrary>(library);
        },
        .makePowerFeed = [power] { return std::make_unique<FakePowerFeed>(power); },
        .beginActivity = activities.begin()};
    if (machine == Machine::Idle)
        backend.cpuClock = idleMachine;
    m_profiler = std::make_unique<Profiler>(std::move(backend));

    const auto heard = [this](const char* name) { signal_names.emplace_back(name); };
    Profiler* profiler = m_profiler.get();
    connect(profiler, &Profiler::loadProgress, this, [=, this](double fraction, const Message&) {
        heard("loadProgress");
        progress.push_back(fraction);
    });
    connect(profiler, &Profiler::runStarted, this, [=, this](const session::RunStarted& value) {
        heard("runStarted");
        started = value;
    });
    connect(profiler, &Profiler::sectionStarted, this, [=, this](const session::SectionEvent& e) {
        heard("sectionStarted");
        sections_begun.push_back(e);
    });
    connect(profiler, &Profiler::sectionEnded, this, [=, this](const session::SectionEvent& e) {
        heard("sectionEnded");
        sections_ended.push_back(e);
    });
    connect(profiler, &Profiler::powerSample, this, [=, this](const PowerSample& sample) {
        heard("powerSample");
        samples.push_back(sample);
    });
    connect(profiler, &Profiler::powerProblem, this, [=, this](const Message& problem) {
        heard("powerProblem");
        power_problems.push_back(problem.english());
    });
    connect(profiler, &Profiler::tokenComplete, this, [=, this](const session::TokenComplete& t) {
        heard("tokenComplete");
        tokens.push_back(t);
        if (on_token)
            on_token(t);
    });
    connect(profiler, &Profiler::finished, this, [=, this](const session::RunFinished& value) {
        heard("finished");
        finished = value;
    });
    connect(profiler, &Profiler::failed, this, [=, this](const Error& error) {
        heard("failed");
        failure = error;
    });
}

RunWatcher::~RunWatcher()
{
    m_profiler.reset();
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

session::RunRequest RunWatcher::request() const
{
    session::RunRequest request;
    request.load.folder = m_folder / "model";
    request.prompt = "Once";
    request.max_new_tokens = 8;
    request.interval_ms = 20;
    return request;
}

void RunWatcher::run(const session::RunRequest& request)
{
    constexpr int kHangMs = 120'000;
    signal_names.clear();
    finished.reset();
    failure.reset();
    QEventLoop loop;
    connect(m_profiler.get(), &Profiler::finished, &loop, &QEventLoop::quit);
    connect(m_profiler.get(), &Profiler::failed, &loop, &QEventLoop::quit);
    QTimer::singleShot(kHangMs, &loop, [&] { loop.exit(1); });
    m_profiler->start(request);
    ASSERT_EQ(loop.exec(), 0) << "the run did not end";
}

const Run& RunWatcher::finish(const session::RunRequest& request)
{
    run(request);
    if (!finished)
        throw std::runtime_error(failure.value_or(Error()).message); // ends the test
    return *finished->run;
}

} // namespace ep::test
