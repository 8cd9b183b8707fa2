// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/battery_source.h"

#include <optional>
#include <string_view>

// Parsers of the battery reports of macOS' own programs. Text in, values out, so that they can be
// tested on any system.
namespace ep::power {

// Parses `ioreg -rn AppleSmartBattery`: lines like `"Voltage" = 12874`. Currents are in mA
// (negative, also written as two's complement, while discharging), voltages in mV, capacities in
// mAh. Absent if it contains no battery.
std::optional<BatteryState> batteryFromIoreg(std::string_view text);

// Parses `pmset -g`: its line `powermode 0`, 1 for low and 2 for high, on machines with high power
// mode (M1 to M4 Pro and Max), otherwise `lowpowermode 0`; absent if the system has no such mode.
std::optional<PowerMode> powerModeFromPmset(std::string_view text);

// Runs the program and parses its output; absent on other systems. Waits for at most two seconds.
std::optional<BatteryState> readMacBattery();
std::optional<PowerMode> readMacPowerMode();

} // namespace ep::power
