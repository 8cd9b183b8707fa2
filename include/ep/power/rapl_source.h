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

// One energy counter of Linux's powercap tree.
struct RaplZone {
    std::filesystem::path folder;
    Rail rail = Rail::Cpu;
    std::uint64_t max_energy_range_uj = 0; // the counter starts again at 0 after it
};

// Where the kernel shows the tree; the environment variable EP_POWERCAP replaces it for trials.
std::filesystem::path powercapFolder();

// The packages (rail cpu: cores, caches, integrated graphics), their memory (rail dram) and, where
// the machine counts it, the whole platform (psys, rail system) below the folder. Fails with what
// to do when there is none, or when the counters may not be read: since Linux 5.10 they are root's.
Result<std::vector<RaplZone>> findRaplZones(const std::filesystem::path& powercap);

// The command that makes the counters readable until the next restart.
std::string raplRemedy(const std::filesystem::path& powercap);

// At full power a counter takes about 60 s from its begin to its end (Intel SDM vol. 3B, "RAPL
// Interfaces", of MSR_PKG_ENERGY_STATUS; a range of 262 kJ makes that 4.4 kW).
inline constexpr Nanoseconds kShortestRaplWrap = 60'000'000'000;

// What a counter advanced; adds the range once when it started again. Nothing where that is not
// known: it went back and its range is not known; the wrap would mean more than full power, so it
// was reset; or so much time passed that it may have wrapped unseen.
std::optional<std::uint64_t> raplDifference(std::uint64_t before, std::uint64_t after,
                                            std::uint64_t range, Nanoseconds elapsed);

// Rated power of the packages (their long-term limit), where the kernel shows it.
std::optional<Milliwatts> raplRatedPower(const std::vector<RaplZone>& zones);

// Intel's and AMD's running energy counters, read at every interval. The counters are fed about
// every millisecond. The parts of a package are left out; psys contains the packages and is never
// added to them.
class RaplSource : public PolledSource {
    Q_OBJECT
public:
    explicit RaplSource(std::filesystem::path powercap = powercapFolder(),
                        QObject* parent = nullptr);

    std::string kind() const override { return "rapl"; }
    std::string detail() const override;
    SourceFacts facts() const override;

protected:
    Status open() override;
    Result<std::optional<PowerSample>> read() override;
    int longestIntervalMs() const override;

private:
    Status readAll(std::vector<std::uint64_t>& counters) const;

    std::filesystem::path m_powercap;
    std::vector<RaplZone> m_zones;
    std::vector<std::uint64_t> m_last; // µJ, one for each zone
    Nanoseconds m_lastNs = 0;
    std::int64_t m_dropped = 0;
};

} // namespace ep::power
