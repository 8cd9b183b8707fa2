// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/thermal_notice.h"

#include <array>
#include <cstdint>

namespace ep::power {

ThermalNotice::ThermalNotice(const SharedLibrary& library)
    : m_library(library)
{
    std::uint32_t (*subscribe)(const char* key, int* token) = nullptr;
    int token = -1;
    if (m_library.load(subscribe, "notify_register_check")
        && m_library.load(m_state, "notify_get_state") && m_library.load(m_cancel, "notify_cancel")
        && subscribe("com.apple.system.thermalpressurelevel", &token) == 0)
        m_token = token;
}

ThermalNotice::~ThermalNotice()
{
    if (m_token >= 0)
        m_cancel(m_token);
}

ThermalPressure ThermalNotice::read() const
{
    // OSThermalPressureLevel of macOS.
    constexpr std::array kLevels{ThermalPressure::Nominal, ThermalPressure::Moderate,
                                 ThermalPressure::Heavy, ThermalPressure::Trapping,
                                 ThermalPressure::Sleeping};
    std::uint64_t level = 0;
    if (m_token < 0 || m_state(m_token, &level) != 0 || level >= kLevels.size())
        return ThermalPressure::Unknown;
    return kLevels[level];
}

} // namespace ep::power
