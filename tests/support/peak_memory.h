// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <optional>
#include <thread>
#include <unistd.h>

namespace ep::test {

// Resident memory of this process in bytes; absent where the system does not report it.
inline std::optional<std::int64_t> residentMemory()
{
    std::ifstream file("/proc/self/statm");
    std::int64_t all = 0;
    std::int64_t resident = 0;
    if (!(file >> all >> resident))
        return std::nullopt;
    return resident * ::sysconf(_SC_PAGESIZE);
}

// How much the resident memory of this process grows while this object exists.
class PeakMemory {
public:
    PeakMemory()
        : m_begin(residentMemory().value_or(0))
        , m_peak(m_begin)
        , m_thread([this] {
            while (!m_ending) {
                look();
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
        })
    {
    }
    ~PeakMemory()
    {
        m_ending = true;
        m_thread.join();
    }
    PeakMemory(const PeakMemory&) = delete;
    PeakMemory& operator=(const PeakMemory&) = delete;

    double growthInMegabytes() const
    {
        constexpr double kMegabyte = 1e6;
        return static_cast<double>(m_peak - m_begin) / kMegabyte;
    }

private:
    void look()
    {
        const std::int64_t now = residentMemory().value_or(0);
        if (now > m_peak)
            m_peak = now;
    }

    const std::int64_t m_begin;
    std::atomic<std::int64_t> m_peak;
    std::atomic<bool> m_ending = false;
    std::thread m_thread;
};

} // namespace ep::test
