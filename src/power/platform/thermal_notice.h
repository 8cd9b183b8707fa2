// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/shared_library.h"
#include "ep/core/words.h"

#include <cstdint>

namespace ep::power {

// The thermal pressure that macOS announces to every program (notify(3), key
// com.apple.system.thermalpressurelevel). Unknown elsewhere.
class ThermalNotice {
public:
    // The functions are looked up in this library and its dependencies.
    explicit ThermalNotice(const SharedLibrary& library);
    ~ThermalNotice();
    ThermalNotice(const ThermalNotice&) = delete;
    ThermalNotice& operator=(const ThermalNotice&) = delete;

    ThermalPressure read() const;

private:
    SharedLibrary m_library;
    std::uint32_t (*m_state)(int token, std::uint64_t* state) = nullptr;
    std::uint32_t (*m_cancel)(int token) = nullptr;
    int m_token = -1; // NOTIFY_TOKEN_INVALID
};

} // namespace ep::power
