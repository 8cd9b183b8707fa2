// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/counter_source.h"

#include "ep/core/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ep::power {

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
