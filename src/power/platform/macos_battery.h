// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/battery_source.h"

#include <optional>
#include <string_view>

// What macOS' own programs say about the battery. Texts in, values out, so that it is tested
// anywhere.
namespace ep::power {

// Of `ioreg -rn AppleSmartBattery`: lines like `"Voltage" = 12874`. Currents are mA (negative, also
// written as their two's complement, while discharging), voltages mV, capacities mAh. Nothing when
// there is no battery in it.
std::optional<BatteryState> batteryFromIoreg(std::string_view text);

// Of `pmset -g`: its line `powermode 0`, 1 for low and 2 for high, on machines that know high power
// mode (M1 to M4 Pro and Max), else `lowpowermode 0`; nothing where the system has no such mode.
std::optional<PowerMode> powerModeFromPmset(std::string_view text);

// The same from the programs themselves; nothing on other systems. Waits for at most two seconds.
std::optional<BatteryState> readMacBattery();
std::optional<PowerMode> readMacPowerMode();

} // namespace ep::power
