// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/powermetrics_document.h"

#include <array>
#include <string_view>
#include <utility>

namespace ep::power {

namespace {

// One rail of a document: a difference of counters if there is one, otherwise only a mean power.
struct RailReading {
    std::optional<double> energy_mj;
    std::optional<double> power_mw;

    bool present() const { return energy_mj || power_mw; }
};

RailReading reading(const std::optional<std::int64_t>& energy, const std::optional<double>& power)
{
    RailReading rail; // negative values are left out
    if (energy && *energy >= 0)
        rail.energy_mj = static_cast<double>(*energy);
    if (power && *power >= 0.0)
        rail.power_mw = power;
    return rail;
}

RailReading scaled(const std::optional<double>& joules, const std::optional<double>& watts)
{
    RailReading rail;
    if (joules)
        rail.energy_mj = *joules * 1000.0;
    if (watts)
        rail.power_mw = *watts * 1000.0;
    return rail;
}

RailReading readingOf(const PowermetricsDocument& document, Rail rail)
{
    switch (rail) {
    case Rail::Cpu: {
        const auto cpu = reading(document.cpu_energy_mj, document.cpu_power_mw);
        return cpu.present() ? cpu : scaled(document.package_joules, document.package_watts);
    }
    case Rail::Gpu: {
        const auto gpu = reading(document.gpu_energy_mj, document.gpu_power_mw);
        return gpu.present() ? gpu : reading(document.gpu_section_energy_mj, std::nullopt);
    }
    case Rail::Ane:
        return reading(document.ane_energy_mj, document.ane_power_mw);
    case Rail::Dram:
        return reading(document.dram_energy_mj, document.dram_power_mw);
    case Rail::System:
        break;
    }
    return {};
}

constexpr Nanoseconds kLongestWindow = 86'400'000'000'000; // one day; 100 ms is usual

constexpr std::array<Rail, 4> kPartRails = {Rail::Cpu, Rail::Gpu, Rail::Ane, Rail::Dram};

// The names used by macOS; some systems write Fair, Serious and Critical.
ThermalPressure pressureOf(const std::string& word)
{
    constexpr std::array<std::pair<std::string_view, ThermalPressure>, 8> kWords = {{
        {"Nominal", ThermalPressure::Nominal},
        {"Moderate", ThermalPressure::Moderate},
        {"Fair", ThermalPressure::Moderate},
        {"Heavy", ThermalPressure::Heavy},
        {"Serious", ThermalPressure::Heavy},
        {"Trapping", ThermalPressure::Trapping},
        {"Critical", ThermalPressure::Trapping},
        {"Sleeping", ThermalPressure::Sleeping},
    }};
    for (const auto& [text, pressure] : kWords) {
        if (text == word)
            return pressure;
    }
    return ThermalPressure::Unknown;
}

std::string machineOf(const PowermetricsDocument& document)
{
    if (document.hw_model.empty())
        return "this machine";
    return document.os_build.empty() ? document.hw_model
                                     : document.hw_model + " with system " + document.os_build;
}

Error noEnergy(const PowermetricsDocument& document)
{
    const std::string reason = document.has_processor
        ? "it has no energy counters, as in a virtual machine"
        : "its output has no `processor` section, because it does not support that machine or the "
          "sampler cpu_power was not requested";
    return {ErrorCode::Unsupported,
            {"powermetrics gives no energy on %1 (%2); choose another power source, or `none` for "
             "timing only.",
             machineOf(document), reason}};
}

} // namespace

std::vector<Rail> railsOf(const PowermetricsDocument& document)
{
    std::vector<Rail> rails;
    for (const Rail rail : kPartRails) {
        if (readingOf(document, rail).present())
            rails.push_back(rail);
    }
    return rails;
}

Result<PowerSample> toPowerSample(const PowermetricsDocument& document, const TimeRange& window,
                                  Nanoseconds arrivalNs)
{
    if (railsOf(document).empty())
        return noEnergy(document);
    if (!document.elapsed_ns || *document.elapsed_ns <= 0 || *document.elapsed_ns > kLongestWindow)
        return Error{ErrorCode::InvalidInput,
                     "A powermetrics document lacks the length of its window (elapsed_ns); record "
                     "it again with `-f plist`."};
    PowerSample sample;
    sample.window = window;
    sample.arrival_ns = arrivalNs;
    sample.thermal = pressureOf(document.thermal_pressure);
    if (document.cores_busy_ratio)
        sample.cores_busy = static_cast<float>(*document.cores_busy_ratio);
    for (const Rail rail : kPartRails) {
        const auto value = readingOf(document, rail);
        if (value.energy_mj) {
            sample.energy_mj[rail] = Millijoules{*value.energy_mj};
            sample.power_mw[rail] = meanPower({*value.energy_mj}, *document.elapsed_ns);
        } else if (value.power_mw) {
            sample.power_mw[rail] = Milliwatts{*value.power_mw};
        }
    }
    sample.total_mw = totalOf(sample.power_mw);
    // If reported, it is exactly the sum of the rails above. Systems with a DRAM rail do not
    // report it.
    if (document.combined_power_mw && !sample.power_mw[Rail::Dram])
        sample.total_mw = Milliwatts{*document.combined_power_mw};
    return sample;
}

} // namespace ep::power
