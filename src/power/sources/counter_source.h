// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/polled_source.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace ep::power {

// A file in which Linux shows the energy that a device has used, in microjoules.
struct EnergyCounter {
    std::filesystem::path file;
    Rail rail = Rail::Cpu; // a rail is the sum of its counters
    Milliwatts most{}; // the most that the device can draw
};

// Base of sources that read energy counters at every interval.
class CounterSource : public PolledSource {
    Q_OBJECT
public:
    using PolledSource::PolledSource;

    SourceFacts facts() const override;

protected:
    // The readable counters; fails with advice if there is none.
    virtual Result<std::vector<EnergyCounter>> find() = 0;
    // The advance of the counter with that index, in µJ. Absent if it is unknown, because the
    // counter was reset; this version takes any decrease for a reset.
    virtual std::optional<std::uint64_t> advance(std::size_t counter, std::uint64_t before,
                                                 std::uint64_t after, Nanoseconds elapsed) const;
    Status open() final;
    Result<std::optional<PowerSample>> read() final;

private:
    std::optional<Millijoules> energyOf(std::size_t i, std::optional<std::uint64_t> counter,
                                        Nanoseconds window);
    Status readCounters(std::vector<std::optional<std::uint64_t>>& values);

    std::vector<EnergyCounter> m_counters;
    std::vector<std::optional<std::uint64_t>> m_last; // µJ, one per counter
    Nanoseconds m_lastNs = 0;
    std::int64_t m_dropped = 0;
};

} // namespace ep::power
