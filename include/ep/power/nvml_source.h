// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/polled_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ep::power {

class Nvml;

// One device as NVML numbers them.
struct NvmlDevice {
    unsigned index = 0;
    std::string name;
    bool has_counter = false; // total energy since the driver was loaded (Volta and later)
    std::optional<Milliwatts> limit_mw; // enforced power limit
};
// All devices; fails with what to do when there is no driver or no device.
Result<std::vector<NvmlDevice>> findNvmlDevices();

// Indices of "0", "0,2"; all devices when empty.
Result<std::vector<unsigned>> parseNvmlDevices(const std::string& text);

// NVIDIA's driver library, opened at run time (EP_NVML names a stand-in). Rail gpu is the sum of
// the devices: energy by difference of their counters, which advance about every 100 ms; a window
// goes on until all of them have. Devices without counter give their power at the moment (field
// INSTANT where it exists: a sample of about 25 ms out of 100 on data-centre parts; else the
// driver's own mean).
class NvmlSource : public PolledSource {
    Q_OBJECT
public:
    explicit NvmlSource(std::vector<unsigned> devices = {}, QObject* parent = nullptr);
    ~NvmlSource() override;

    std::string kind() const override { return "nvml"; }
    std::string detail() const override;
    SourceFacts facts() const override;

protected:
    Status open() override;
    Result<std::optional<PowerSample>> read() override;

private:
    struct Reading {
        std::optional<std::uint64_t> counter_mj;
        double power_mw = 0.0;
    };
    Result<std::vector<Reading>> readAll() const;

    std::vector<unsigned> m_wanted;
    std::unique_ptr<Nvml> m_nvml;
    std::vector<NvmlDevice> m_devices;
    std::vector<Reading> m_last;
    Nanoseconds m_lastNs = 0;
    std::int64_t m_dropped = 0;
};

} // namespace ep::power
