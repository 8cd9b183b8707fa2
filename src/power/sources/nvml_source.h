// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/polled_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ep::power {

class Nvml;

// One device with its NVML index.
struct NvmlDevice {
    unsigned index = 0;
    std::string name;
    bool has_counter = false; // total energy since the driver was loaded (Volta and later)
    std::optional<Milliwatts> limit_mw; // enforced power limit
};
// All devices; fails if there is no driver or no device, with advice.
// Devices that cannot be read are left out and noted; fails if no other is left.
Result<std::vector<NvmlDevice>> findNvmlDevices(ReadingCheck& readings);

// The indices in "0" or "0,2"; all devices if empty.
Result<std::vector<unsigned>> parseNvmlDevices(const std::string& text);

// NVIDIA's driver library, opened at run time (EP_NVML replaces it for testing). Rail gpu is the
// sum of the devices: energy is the difference of their counters, which advance about every 100 ms;
// a window lasts until all of them have advanced. Devices without a counter report instantaneous
// power (field INSTANT if available: on data-centre GPUs a sample of about 25 ms out of 100;
// otherwise the driver's own mean).
class NvmlSource : public PolledSource {
    Q_OBJECT
public:
    explicit NvmlSource(std::vector<unsigned> devices = {}, QObject* parent = nullptr);
    ~NvmlSource() override;

    std::string kind() const override { return "nvml"; }
    Message detail() const override;
    SourceFacts facts() const override;

protected:
    Status open() override;
    Result<std::optional<PowerSample>> read() override;

private:
    struct Reading {
        std::optional<std::uint64_t> counter_mj;
        std::optional<Milliwatts> power_mw; // power of a card without a counter
    };
    Result<std::vector<Reading>> readCards();
    std::optional<Millijoules> energyOfCard(std::size_t i, const Reading& after,
                                            Nanoseconds window);
    bool waits(const std::vector<Reading>& readings, Nanoseconds now);

    std::vector<unsigned> m_wanted;
    std::unique_ptr<Nvml> m_nvml;
    std::vector<NvmlDevice> m_devices;
    std::vector<Reading> m_last;
};

} // namespace ep::power
