// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::power {

// The parts of a `powermetrics -f plist` document that are used. Absent keys stay absent.
//
// Energies are whole millijoules per window, powers are means in milliwatts. Which energies exist
// depends on the system: cpu, gpu and ane on Apple Silicon; dram and package only on macOS 11 and
// 12; package_joules on Intel; none on machines that the tool does not support.
struct PowermetricsDocument {
    std::optional<std::int64_t> elapsed_ns; // true length of the window
    std::string hw_model; // "MacBookPro17,1"
    std::string os_build; // "22E252"
    std::string timestamp; // UTC, whole seconds
    std::string thermal_pressure; // "Nominal", ...; empty without the thermal sampler

    bool has_processor = false;
    std::optional<std::int64_t> cpu_energy_mj, gpu_energy_mj, ane_energy_mj;
    std::optional<std::int64_t> dram_energy_mj, package_energy_mj;
    std::optional<double> cpu_power_mw, gpu_power_mw, ane_power_mw;
    std::optional<double> dram_power_mw, package_power_mw;
    std::optional<double> combined_power_mw; // cpu + gpu + ane

    // The `gpu` dictionary is sampled at another time than `processor`, so its energy is used only
    // if `processor` has none.
    std::optional<std::int64_t> gpu_section_energy_mj;

    std::optional<double> package_joules, package_watts; // on Intel

    // Mean share of time in which the cores ran, 0..1, from their idle and down ratios.
    std::optional<double> cores_busy_ratio;

    bool operator==(const PowermetricsDocument&) const = default;
};

// Parses one document as returned by the splitter, by key and nesting, never by line; the last of
// duplicate keys wins, and unknown keys are skipped. Entities are neither declared nor fetched;
// nesting is limited. Bare ampersands and invalid UTF-8 in process names are tolerated.
Result<PowermetricsDocument> readPowermetricsDocument(std::string_view xml);

// The document as a sample over its window. Power is energy / elapsed_ns (or the reported power if
// a rail has no energy); total_mw is the combined power if the system reports it. On Intel, the
// package (cores, graphics, system agent) is reported as rail cpu. Without elapsed_ns, or without
// any energy, fails with a sentence for the user.
Result<PowerSample> toPowerSample(const PowermetricsDocument& document, const TimeRange& window,
                                  Nanoseconds arrivalNs);

// Rails that the document contains.
std::vector<Rail> railsOf(const PowermetricsDocument& document);

} // namespace ep::power
