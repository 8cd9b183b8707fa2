// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/replay.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

// A machine whose power follows what is replayed on it, for real-time calibrations.
namespace ep::test {

// Power over time: a worker says what it draws from now on, and a fake source reads the energy.
class WorkMeter {
public:
    explicit WorkMeter(double idleWatts);
    void draw(double watts); // above idle power
    double joulesUntil(Nanoseconds time); // time: not before the last call of draw()

private:
    std::mutex m_mutex;
    const double m_idle;
    double m_watts = 0.0;
    double m_joules = 0.0; // energy until m_since
    Nanoseconds m_since = 0;
};

// The operations of a part in each token.
struct MeteredPart {
    std::string name; // name of the Component or Section
    double seconds = 0.0;
    double joules = 0.0; // above idle power
    double joules_alone = 0.0; // when replayed alone; 0: the same
    std::int64_t bytes = 1 << 20;
};

// Sleeps while it pretends to work.
class MeteredReplay final : public model::Replay {
public:
    MeteredReplay(std::shared_ptr<WorkMeter> meter, std::vector<MeteredPart> parts);

    const std::vector<model::ReplayPart>& parts() const override { return m_parts; }
    std::int64_t cacheBytes() const override { return 0; }
    Result<model::ReplayTimes> repeatParts(std::span<const int> passes, Nanoseconds duration,
                                           const CancelToken& cancel) override;
    Result<model::ReplayTimes> repeatTokens(std::optional<model::ExtraPasses> extra,
                                            Nanoseconds duration,
                                            const CancelToken& cancel) override;

private:
    Result<model::ReplayTimes> work(double seconds, double joules, Nanoseconds duration,
                                    const CancelToken& cancel);

    std::shared_ptr<WorkMeter> m_meter;
    std::vector<MeteredPart> m_script;
    std::vector<model::ReplayPart> m_parts;
};

} // namespace ep::test
