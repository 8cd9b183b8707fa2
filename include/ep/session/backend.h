// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/thread_clock.h"
#include "ep/model/engine_library.h"
#include "ep/power/sampler.h"
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

using power::PowerFeed;
using power::PowerSink;

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
