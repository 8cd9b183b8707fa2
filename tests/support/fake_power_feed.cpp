// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_power_feed.h"

#include "ep/core/clock.h"

#include <utility>

namespace ep::test {

FakePowerFeed::FakePowerFeed(PowerScript script)
    : m_script(std::move(script))
{
}

FakePowerFeed::~FakePowerFeed()
{
    stop();
}

Status FakePowerFeed::start(const power::SourceChoice& /*choice*/, int /*intervalMs*/,
                            session::PowerSink sink)
{
    if (m_script.start_error)
        return *m_script.start_error;
    m_sink = std::move(sink);
    m_begin = monotonicNow();
    if (m_script.kind != "none" && !m_script.silent)
        m_thread = std::thread([this] { work(); });
    return {};
}

void FakePowerFeed::stop()
{
    m_stopping = true;
    if (m_thread.joinable())
        m_thread.join();
}

void FakePowerFeed::work()
{
    Nanoseconds begin = m_begin;
    double joules = m_script.joules_until ? m_script.joules_until(begin) : 0.0;
    bool last = false;
    for (int count = 0; !last; ++count) {
        if (count == m_script.samples_before_failure) {
            m_sink.problem(m_script.problem);
            return;
        }
        std::this_thread::sleep_for(m_script.window);
        last = m_stopping; // read before the end of the window, which therefore ends after stop()
        PowerSample sample;
        sample.window = {begin, monotonicNow()};
        double watts = m_script.watts;
        if (m_script.joules_until) {
            const double until = m_script.joules_until(sample.window.end_ns);
            watts = (until - std::exchange(joules, until)) / toSeconds(sample.window.duration_ns());
        }
        sample.power_mw[Rail::Cpu] = Milliwatts{watts * 1000.0};
        sample.total_mw = sample.power_mw[Rail::Cpu];
        sample.arrival_ns = sample.window.end_ns;
        begin = sample.window.end_ns;
        m_sink.sample(sample);
    }
}

std::shared_ptr<power::CpuClock> idleMachine()
{
    class Clock final : public power::CpuClock {
    public:
        Result<power::CpuTimes> read() override { return power::CpuTimes{}; }
    };
    return std::make_shared<Clock>();
}

session::Backend scriptedBackend(const PowerScript& script,
                                 std::shared_ptr<model::EngineLibrary> library)
{
    session::Backend backend{
        .openEngineLibrary = {},
        .makePowerFeed = [script] { return std::make_unique<FakePowerFeed>(script); },
        .cpuClock = idleMachine};
    if (library)
        backend.openEngineLibrary = [library = std::move(library)] {
            return Result<std::shared_ptr<model::EngineLibrary>>(library);
        };
    return backend;
}

} // namespace ep::test
