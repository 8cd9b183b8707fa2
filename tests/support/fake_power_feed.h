// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/modelled_source.h"
#include "ep/session/backend.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace ep::test {

// How a scripted power source behaves: windows of constant power on the CPU rail only, contiguous
// from start() to stop(), however late its thread runs.
struct PowerScript {
    std::string kind = "scripted"; // "none": no samples
    double watts = 10.0;
    std::chrono::milliseconds window{2};
    int samples_before_failure = -1; // afterwards `problem`; -1: never fails
    std::string problem = "The scripted source died.";
    bool silent = false; // runs, but never sends a sample
    std::optional<Error> start_error = {};
    // The counter's energy at an instant; absent: `watts` applies.
    std::function<double(Nanoseconds)> joules_until = {};
};

class FakePowerFeed final : public session::PowerFeed {
public:
    explicit FakePowerFeed(PowerScript script);
    ~FakePowerFeed() override;

    Status start(const power::SourceChoice& choice, int intervalMs,
                 session::PowerSink sink) override;
    void stop() override;
    std::string kind() const override { return m_script.kind; }
    Message detail() const override { return "scripted detail"; }
    Message reason() const override { return "asked for by the test"; }

private:
    void work();

    const PowerScript m_script;
    session::PowerSink m_sink;
    Nanoseconds m_begin = 0; // begin of the first window
    std::atomic<bool> m_stopping = false;
    std::thread m_thread;
};

// The processor time of a machine that does nothing else, so that no test depends on what runs
// beside it.
std::shared_ptr<power::CpuClock> idleMachine();

// A backend on such a machine, with a sensor that follows the script.
session::Backend scriptedBackend(const PowerScript& script = {},
                                 std::shared_ptr<model::EngineLibrary> library = nullptr);

} // namespace ep::test
