// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/result.h"
#include "ep/model/engine_library.h"
#include "ep/power/source.h"
#include "ep/session/activity.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

// What a run needs from the outside, so that tests can put scripted parts in place of LibTorch and
// sensors.
namespace ep::session {

// Who hears from a power feed. Called on a thread of the feed, one call at a time.
struct PowerSink {
    std::function<void(const PowerSample&)> sample;
    std::function<void(const std::string&)> problem; // the source died; no sample will follow
};

// One power source for the length of a run. The members belong to the inference thread.
class PowerFeed {
public:
    virtual ~PowerFeed() = default; // stops
    // Returns when the source runs, or with the reason why the choice cannot work here.
    virtual Status start(const power::SourceChoice& choice, int intervalMs, PowerSink sink) = 0;
    // Asks for the last samples and waits; no call of the sink comes after it.
    virtual void stop() = 0;
    virtual std::string kind() const = 0; // "none" when nothing will be delivered
    virtual std::string detail() const = 0;
    virtual std::string reason() const = 0; // why this source
    virtual power::SourceFacts facts() const { return {}; } // after stop()
};

struct Backend {
    std::function<Result<std::shared_ptr<model::EngineLibrary>>()> openEngineLibrary;
    std::function<std::unique_ptr<PowerFeed>()> makePowerFeed;
    // Bytes; without the function no model is refused for its size.
    std::function<std::optional<std::int64_t>()> availableMemory{};
    // Without the function the system is not asked to keep the machine awake.
    std::function<std::unique_ptr<Activity>(const std::string& reason)> beginActivity{};
};

// The engine library beside the program, and the sources of the power area.
Backend realBackend();

} // namespace ep::session
