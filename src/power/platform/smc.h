// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/shared_library.h"
#include "ep/core/units.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace ep::power {

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
    std::optional<Milliwatts> batteryPower(); // PPBR

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

} // namespace ep::power
