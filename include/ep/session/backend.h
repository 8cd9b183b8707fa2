// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/result.h"
#include "ep/core/thread_clock.h"
#include "ep/model/engine_library.h"
#include "ep/power/source.h"
#include "ep/session/activity.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The environment of a run, in which tests replace LibTorch and sensors by scripted parts.
namespace ep::power {
class CpuClock;
}

namespace ep::session {

// Receiver of a power feed. Called on the feed's thread, one call at a time.
struct PowerSink {
    std::function<void(const PowerSample&)> sample;
    std::function<void(const std::string&)> problem; // the source failed; no more samples follow
};

// One power source for the duration of a run. The members belong to the inference thread.
class PowerFeed {
public:
    virtual ~PowerFeed() = default; // stops the source
    // Returns once the source is running, or with the reason why it cannot work.
    virtual Status start(const power::SourceChoice& choice, int intervalMs, PowerSink sink) = 0;
    // Requests the last samples and waits for them; the sink is not called afterwards.
    virtual void stop() = 0;
    virtual std::string kind() const = 0; // "none" if nothing will be delivered
    virtual std::string detail() const = 0;
    virtual std::string reason() const = 0; // why this source was chosen
    virtual power::SourceFacts facts() const { return {}; } // valid after stop()
};

struct Backend {
    std::function<Result<std::shared_ptr<model::EngineLibrary>>()> openEngineLibrary;
    std::function<std::unique_ptr<PowerFeed>()> makePowerFeed;
    // Available memory in bytes; without the function, no model is refused because of its size.
    std::function<std::optional<std::int64_t>()> availableMemory{};
    // Without the function, the system is not asked to stay awake.
    std::function<std::unique_ptr<Activity>(const std::string& reason)> beginActivity{};
    // Where the engine stores which kernels were fastest; empty: nowhere.
    std::filesystem::path kernelFile{};
    // Threads of this program that do not work on a run, namely those of the window. A run records
    // how much processor time they took from it; Profiler adds its owner's thread.
    std::vector<ThreadClock> beside{};
    // Processor time of the machine; without the function, the system's is used.
    std::function<std::shared_ptr<power::CpuClock>()> cpuClock{};
};

// The program's own engine library, and the sources of the power area.
Backend realBackend();

} // namespace ep::session
