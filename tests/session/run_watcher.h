// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/counted_activities.h"
#include "support/fake_engine.h"
#include "support/fake_power_feed.h"

#include "ep/session/profiler.h"

#include <QObject>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::test {

// A Profiler with scripted parts and a tiny model folder; records all its signals during a run.
class RunWatcher : public QObject {
public:
    enum class Machine { Idle, Real }; // Idle: runs see no other programs
    explicit RunWatcher(EngineScript engine = EngineScript(), PowerScript power = PowerScript(),
                        Machine machine = Machine::Idle);
    ~RunWatcher() override;

    session::RunRequest request() const; // for the tiny model, eight tokens
    std::filesystem::path folder() const { return m_folder; } // removed by the destructor
    // Runs the event loop until the run is over.
    void run(const session::RunRequest& request);
    // Likewise; the run, which must not have failed, stays until the next one.
    const Run& finish(const session::RunRequest& request);
    session::Profiler& profiler() { return *m_profiler; }
    // Destroys the Profiler, as closing the window during a run does.
    void destroyProfiler() { m_profiler.reset(); }
    int loads() const { return m_library->loads(); }
    int engineOpenings() const { return m_openings; }

    test::CountedActivities activities;

    // Called for each token on the owner's thread.
    std::function<void(const session::TokenComplete&)> on_token;

    // The names of the received signals, in order.
    std::vector<std::string> signal_names;
    std::vector<double> progress;
    std::optional<session::RunStarted> started;
    std::vector<session::SectionEvent> sections_begun;
    std::vector<session::SectionEvent> sections_ended;
    std::vector<session::TokenComplete> tokens;
    std::vector<PowerSample> samples;
    std::vector<std::string> power_problems;
    std::optional<session::RunFinished> finished;
    std::optional<Error> failure;

private:
    std::filesystem::path m_folder;
    std::shared_ptr<FakeEngineLibrary> m_library;
    std::atomic<int> m_openings = 0; // on the inference thread, which the profiler ends
    std::unique_ptr<session::Profiler> m_profiler;
};

} // namespace ep::test
