// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/polled_source.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
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
    explicit CounterSource(QObject* parent)
        : PolledSource(SampleKind::Counter, parent)
    {
    }

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
};

// One energy counter in Linux's powercap tree.
struct RaplZone {
    std::filesystem::path folder;
    Rail rail = Rail::Cpu;
    std::uint64_t max_energy_range_uj = 0; // the counter wraps to 0 after this value
};

// The folder in which the kernel exposes the tree; the environment variable EP_POWERCAP replaces it
// for testing.
std::filesystem::path powercapFolder();

// The packages (rail cpu: cores, caches, integrated graphics), their memory (rail dram) and, if
// the machine has such a counter, the whole platform (psys, rail system) below the folder.
// Unreadable zones are left out and noted. Fails with advice if there is no package and no
// platform, or with Io if none of them may be read: since Linux 5.10 only root may.
Result<std::vector<RaplZone>> findRaplZones(const std::filesystem::path& powercap,
                                            ReadingCheck& readings);

// The command that makes the counters readable until the next restart.
std::string raplRemedy(const std::filesystem::path& powercap);

// At full power a counter takes about 60 s to wrap (Intel SDM vol. 3B, "RAPL Interfaces",
// MSR_PKG_ENERGY_STATUS; with a range of 262 kJ that is 4.4 kW).
inline constexpr Nanoseconds kShortestRaplWrap = 60'000'000'000;

// The advance of a counter; adds the range once if it wrapped. Absent if unknown: if it decreased
// and its range is unknown; if a wrap would imply more than full power, so it was reset; or if so
// much time passed that it may have wrapped unnoticed.
std::optional<std::uint64_t> raplDifference(std::uint64_t before, std::uint64_t after,
                                            std::uint64_t range, Nanoseconds elapsed);

// Rated power of the packages (their long-term limit), if the kernel exposes it.
std::optional<Milliwatts> raplRatedPower(const std::vector<RaplZone>& zones);
// The highest power that a zone may draw for a moment, if the kernel exposes it.
std::optional<Milliwatts> raplPeakPower(const RaplZone& zone);

// Energy counters of Intel and AMD processors, read at every interval. The counters are updated
// about every millisecond. Subzones of a package are left out; psys contains the packages and is
// never added to them.
class RaplSource : public CounterSource {
    Q_OBJECT
public:
    explicit RaplSource(std::filesystem::path powercap = powercapFolder(),
                        QObject* parent = nullptr);

    std::string kind() const override { return "rapl"; }
    Message detail() const override;
    SourceFacts facts() const override;

protected:
    Result<std::vector<EnergyCounter>> find() override;
    std::optional<std::uint64_t> advance(std::size_t zone, std::uint64_t before,
                                         std::uint64_t after, Nanoseconds elapsed) const override;
    int longestIntervalMs() const override;
    bool readsAtAnyTime() const override { return true; }

private:
    std::filesystem::path m_powercap;
    std::vector<RaplZone> m_zones;
};

// The energy counters that the drivers xe and i915 show for Intel's graphics cards in Linux's hwmon
// folder. A card's counter includes its memory; if there is none, the counter of its package (the
// chip) is used. Unreadable counters are noted. Fails with advice if no card has a counter.
Result<std::vector<EnergyCounter>> findIntelGpuCounters(const std::filesystem::path& hwmon,
                                                        ReadingCheck& readings);

// Intel's graphics cards, read at every interval. The counters have 64 bits and never wrap.
class IntelGpuSource : public CounterSource {
    Q_OBJECT
public:
    explicit IntelGpuSource(QObject* parent = nullptr); // of this machine
    explicit IntelGpuSource(std::filesystem::path hwmon, QObject* parent = nullptr);

    std::string kind() const override { return "intel-gpu"; }
    Message detail() const override;

protected:
    Result<std::vector<EnergyCounter>> find() override;

private:
    std::filesystem::path m_hwmon;
    std::size_t m_cards = 0;
};

} // namespace ep::power
