// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the battery output of macOS' programs, and as a file of Linux's drivers.
#include "platform/kernel_file.h"
#include "platform/macos_battery.h"
#include "scratch_folder.h"

#include "ep/power/reading_check.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const ep::fuzz::ScratchFolder folder;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto battery = ep::power::batteryFromIoreg(text)) {
        if (battery->power_mw)
            require(std::isfinite(battery->power_mw->value));
    }
    static_cast<void>(ep::power::powerModeFromPmset(text));

    folder.write("reading", ep::fuzz::asText(data, size));
    const auto file = folder.path() / "reading";
    const auto number = ep::power::readNumber(file);
    if (const auto counter = ep::power::readCounter(file))
        require(number && *number >= 0.0);
    ep::power::ReadingCheck readings;
    const ep::Milliwatts most{300e3};
    if (const auto power = readings.power("A", number, 1e3, most))
        require(power->value >= 0.0 && *power <= most);
    return 0;
}
