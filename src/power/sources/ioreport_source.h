// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"
#include "ep/core/shared_library.h"
#include "ep/core/units.h"
#include "ep/power/polled_source.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::power {

// One of IOReport's hundreds of channels.
struct EnergyChannel {
    std::string name; // "DIE_0_CPU Energy"
    std::string unit; // "mJ", possibly with blanks around it

    bool operator==(const EnergyChannel&) const = default;
};

// Millijoules per step of the unit; absent for units other than energy.
std::optional<double> millijoulesPerUnit(std::string_view unit);

// Indices of the channels whose sum is the rail. Exact names, and one family only: the whole
// ("DRAM"), otherwise its packages ("DRAM0", "DRAM1"), otherwise their dies ("DRAM0_0",
// "DRAM0_1"); likewise "CPU Energy", otherwise "DIE_0_CPU Energy", "DIE_1_CPU Energy". A looser
// match would count energy twice.
PerRail<std::vector<std::size_t>> chooseChannels(const std::vector<EnergyChannel>& channels);

// The System Management Controller of a Mac, through IOKit opened at run time (EP_IOKIT replaces it
// for testing). Needs no privileges.
class Smc {
public:
    static Result<std::unique_ptr<Smc>> open();
    ~Smc();
    Smc(const Smc&) = delete;
    Smc& operator=(const Smc&) = delete;

    // Value of a key of type `flt `, in the unit of the key; absent if there is no such key, or it
    // has another type.
    std::optional<double> value(std::string_view key);
    std::optional<Milliwatts> systemPower(); // PSTR

private:
    Smc() = default;
    struct Version {
        std::uint8_t major = 0, minor = 0, build = 0, reserved = 0;
        std::uint16_t release = 0;
    };
    struct Limit {
        std::uint16_t version = 0, length = 0;
        std::uint32_t cpu = 0, gpu = 0, memory = 0;
    };
    struct KeyInfo {
        std::uint32_t size = 0;
        std::uint32_t type = 0;
        std::uint8_t attributes = 0;
    };
    struct KeyData { // as defined by the controller's driver: 80 bytes
        std::uint32_t key = 0;
        Version version{};
        Limit limit{};
        KeyInfo info{};
        std::uint8_t result = 0;
        std::uint8_t status = 0;
        std::uint8_t command = 0;
        std::uint32_t data32 = 0;
        std::array<std::uint8_t, 32> bytes{};
    };
    static_assert(sizeof(KeyData) == 80);
    bool call(KeyData& data) const;

    SharedLibrary m_kit{};
    int (*m_close)(unsigned) = nullptr;
    int (*m_call)(unsigned, std::uint32_t, const void*, std::size_t, void*, std::size_t*) = nullptr;
    unsigned m_connection = 0;
};

// The energy counters published by the macOS kernel (IOReport, group "Energy Model"), read without
// root, and the power of the whole machine from its SMC. Rails whose channels have no value are
// missing in that window. If the system publishes counters in batches (macOS 27), samples are late
// by up to one batch (window_assembler.h). Libraries are opened at run time; the environment
// variables EP_IOREPORT, EP_COREFOUNDATION and EP_IOKIT replace them for testing.
class IoReportSource : public PolledSource {
    Q_OBJECT
public:
    explicit IoReportSource(QObject* parent = nullptr);
    ~IoReportSource() override;

    std::string kind() const override { return "ioreport"; }
    Message detail() const override;

protected:
    Status open() override;
    Result<std::vector<PowerSample>> readAll(bool last) override;

private:
    struct Machine;
    std::unique_ptr<Machine> m_machine; // null before open()
    std::string m_channels; // names of the channels in use
};

// Rails available on this machine; the error says what to do.
Result<std::vector<Rail>> findIoReportRails();

// Computes for a fifth of a second on this thread and returns the fault of the processor's counter:
// "stands still", "is published in batches"; empty: no fault, or unknown.
std::string ioReportCpuTrouble();

} // namespace ep::power
