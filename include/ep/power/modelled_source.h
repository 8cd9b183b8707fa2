// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/source.h"

#include <QTimer>

#include <cstdint>
#include <memory>
#include <string_view>

namespace ep::power {

// CPU time of the whole machine since some moment, summed over its cores, in ticks of the system.
struct CpuTimes {
    std::uint64_t busy = 0;
    std::uint64_t total = 0;
};

// Where the CPU time comes from; a test has its own.
class CpuClock {
public:
    virtual ~CpuClock() = default;
    virtual Result<CpuTimes> read() = 0;
};
std::unique_ptr<CpuClock> machineCpuClock(); // of the machine that this runs on

// The first line of /proc/stat. Waiting for input and output is idle; guests are part of user.
Result<CpuTimes> parseProcStat(std::string_view text);

// No sensor but a model: power of rail cpu = idle watts + share of CPU time in use x (full - idle)
// watts. Every sample says `modelled`. It knows nothing of GPU, memory or clock frequencies.
class ModelledSource : public Source {
    Q_OBJECT
public:
    ModelledSource(double idleWatts, double fullWatts,
                   std::unique_ptr<CpuClock> clock = machineCpuClock(), QObject* parent = nullptr);

    std::string kind() const override { return "modelled"; }
    std::string detail() const override;
    void start(int intervalMs) override;
    void stop() override; // delivers the part of a window that has passed

private:
    void sample();
    void end(const std::string& problem);

    double m_idleWatts;
    double m_fullWatts;
    std::unique_ptr<CpuClock> m_clock;
    QTimer m_timer;
    CpuTimes m_last;
    Nanoseconds m_lastNs = 0;
    bool m_ended = false;
};

} // namespace ep::power
