// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/counter_source.h"

#include "ep/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ep::power {

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

} // namespace ep::power
