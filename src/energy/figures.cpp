// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/figures.h"

#include <algorithm>
#include <array>

namespace ep::energy {

namespace {

constexpr double kMillijoulesPerKilowattHour = 3.6e9;

// Rounded yearly averages of the generation mix; users can enter better values.
const std::array<Tariff, 4>& presets()
{
    static const std::array<Tariff, 4> kPresets = {{
        {"US", 0.12, 400.0, "2025", "round figure of the United States' yearly mix"},
        {"California", 0.12, 200.0, "2025", "round figure of California's yearly mix"},
        {"Texas", 0.12, 500.0, "2025", "round figure of Texas' yearly mix"},
        {"EU", 0.12, 300.0, "2025", "round figure of the European Union's yearly mix"},
    }};
    return kPresets;
}

// The baseline as if the machine were its only rail.
BaselineRecord systemOnly(const BaselineRecord& baseline)
{
    BaselineRecord record;
    record.power_mw[Rail::System] = record.total_mw = baseline.power_mw[Rail::System];
    return record;
}

} // namespace

std::optional<Millijoules> outsideRails(const EnergyValue& energy)
{
    PerRail<Millijoules> parts = energy.rails_mj;
    const auto system = parts[Rail::System];
    parts[Rail::System].reset();
    const auto sum = totalOf(parts);
    return system && sum ? std::optional(*system - *sum) : std::nullopt;
}

std::optional<double> utilisation(const RunSummary& run)
{
    const auto& rated = run.info.power.rated_mw;
    if (!run.metrics.mean_power_mw || !rated || !(rated->value > 0.0))
        return std::nullopt;
    return *run.metrics.mean_power_mw / *rated;
}

std::span<const Tariff> tariffPresets()
{
    return presets();
}

std::optional<Tariff> tariffOf(std::string_view region)
{
    const auto found = std::ranges::find(presets(), region, &Tariff::region);
    return found != presets().end() ? std::optional(*found) : std::nullopt;
}

double costUsd(Millijoules energy, const Tariff& tariff)
{
    return energy.value / kMillijoulesPerKilowattHour * tariff.usd_per_kwh;
}

double emittedGrams(Millijoules energy, const Tariff& tariff)
{
    return energy.value / kMillijoulesPerKilowattHour * tariff.grams_per_kwh;
}

std::optional<double> batteryShare(std::optional<Millijoules> energy,
                                   std::optional<Millijoules> capacity)
{
    if (!energy || !capacity || !(capacity->value > 0.0))
        return std::nullopt;
    return *energy / *capacity;
}

AnswersPerCharge answersPerCharge(const RunSummary& run)
{
    AnswersPerCharge answers;
    const auto& system = run.metrics.energy.rails_mj[Rail::System];
    const auto& capacity = run.info.power.battery_mj;
    const auto& baseline = run.info.power.baseline;
    if (!system) {
        answers.reason = "Answers per charge need the energy of the whole machine, and this power "
                         "source does not measure it.";
        return answers;
    }
    if (!capacity || !(capacity->value > 0.0) || !(system->value > 0.0)) {
        answers.reason = "Answers per charge need the capacity of a battery, and this machine "
                         "reported none.";
        return answers;
    }
    answers.in_a_row = *capacity / *system;
    if (!baseline || !baseline->power_mw[Rail::System]) {
        answers.reason = "The idle power of the machine was not measured; make the run with a "
                         "baseline.";
        return answers;
    }
    const Nanoseconds pause = std::max<Nanoseconds>(0, kAnswerPeriodNs - run.metrics.duration_ns);
    answers.every_three_minutes =
        *capacity / (*system + *staticEnergy(pause, systemOnly(*baseline)));
    return answers;
}

} // namespace ep::energy
