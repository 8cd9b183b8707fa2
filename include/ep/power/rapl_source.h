// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/source.h"

#include <QTimer>

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

// The packages (rail cpu: cores, caches, integrated graphics) and their memory (rail dram) below
// the folder. Fails with what to do when there is none, or when the counters may not be read: since
// Linux 5.10 they are root's.
Result<std::vector<RaplZone>> findRaplZones(const std::filesystem::path& powercap);

// The command that makes the counters readable until the next restart.
std::string raplRemedy(const std::filesystem::path& powercap);

// What a counter advanced; adds the range once when it started again. Nothing when it went back and
// its range is not known.
std::optional<std::uint64_t> raplDifference(std::uint64_t before, std::uint64_t after,
                                            std::uint64_t range);

// Intel's and AMD's running energy counters, read at every interval. The counters are fed about
// every millisecond. psys, which contains the packages, and the parts of a package are left out.
class RaplSource : public Source {
    Q_OBJECT
public:
    explicit RaplSource(std::filesystem::path powercap = powercapFolder(),
                        QObject* parent = nullptr);

    std::string kind() const override { return "rapl"; }
    std::string detail() const override;
    void start(int intervalMs) override;
    void stop() override; // delivers the part of a window that has passed

private:
    Status read(std::vector<std::uint64_t>& counters) const;
    void sample();
    void end(const std::string& problem);

    std::filesystem::path m_powercap;
    std::vector<RaplZone> m_zones;
    std::vector<std::uint64_t> m_last; // µJ, one for each zone
    Nanoseconds m_lastNs = 0;
    QTimer m_timer;
    bool m_ended = false;
};

} // namespace ep::power
