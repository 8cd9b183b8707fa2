// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/counter_source.h"

#include "platform/kernel_file.h"
#include "sources/hwmon_source.h"

#include "ep/core/clock.h"
#include "ep/core/shared_library.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ep::power {

namespace {

constexpr double kMicrojoulesPerMillijoule = 1000.0;

std::string nameOf(const EnergyCounter& counter)
{
    return "The energy counter " + counter.file.string();
}

} // namespace

std::optional<std::uint64_t> CounterSource::advance(std::size_t, std::uint64_t before,
                                                    std::uint64_t after, Nanoseconds) const
{
    return after >= before ? std::optional(after - before) : std::nullopt;
}

Status CounterSource::open()
{
    auto counters = find();
    if (!counters)
        return counters.error();
    m_counters = std::move(*counters);
    const Status status = readCounters(m_last);
    m_lastNs = monotonicNow();
    return status;
}

// Fails if no counter can be read.
Status CounterSource::readCounters(std::vector<std::optional<std::uint64_t>>& values)
{
    values.clear();
    for (const EnergyCounter& counter : m_counters)
        values.push_back(readCounter(counter.file));
    if (std::ranges::any_of(values, [](const auto& value) { return value.has_value(); })) {
        for (std::size_t i = 0; i < m_counters.size(); ++i) {
            if (!values[i])
                m_readings.noteUnreadable(nameOf(m_counters[i]));
        }
        return {};
    }
    return Error{ErrorCode::Io,
                 {"The energy counter %1 can no longer be read; the run continues without power "
                  "from this point.",
                  m_counters.front().file.string()}};
}

// The energy of a device in the window; absent if its counter could not be read or was reset.
std::optional<Millijoules>
CounterSource::energyOf(std::size_t i, std::optional<std::uint64_t> counter, Nanoseconds window)
{
    if (!counter || !m_last[i])
        return std::nullopt;
    const auto microjoules = advance(i, *m_last[i], *counter, window);
    if (!microjoules)
        return std::nullopt;
    return m_readings.energy(
        nameOf(m_counters[i]),
        Millijoules{static_cast<double>(*microjoules) / kMicrojoulesPerMillijoule}, window,
        m_counters[i].most);
}

// A rail is the sum of its counters, so it has no value if one of them has none.
Result<std::optional<PowerSample>> CounterSource::read()
{
    std::vector<std::optional<std::uint64_t>> values;
    if (auto status = readCounters(values); !status)
        return status.error();
    const auto now = monotonicNow();
    if (now <= m_lastNs)
        return std::optional<PowerSample>{};
    PowerSample sample;
    sample.window = {m_lastNs, now};
    PerRail<bool> incomplete;
    for (std::size_t i = 0; i < m_counters.size(); ++i) {
        const Rail rail = m_counters[i].rail;
        auto& energy = sample.energy_mj[rail];
        if (const auto own = energyOf(i, values[i], sample.window.duration_ns()))
            energy = energy.value_or(Millijoules{}) + *own;
        else
            incomplete[rail] = true;
    }
    bool complete = true;
    bool empty = true;
    for (const Rail rail : kRails) {
        if (incomplete[rail]) {
            sample.energy_mj[rail].reset();
            complete = false;
        }
        empty = empty && !sample.energy_mj[rail];
    }
    m_last = std::move(values);
    m_lastNs = now;
    m_dropped += complete ? 0 : 1;
    if (empty) // leaves a gap
        return std::optional<PowerSample>{};
    return std::optional(complete ? completed(sample) : withoutTotal(completed(sample)));
}

namespace {

// Excludes intel-rapl-mmio, which shows the same package again.
constexpr std::string_view kPrefix = "intel-rapl:";

std::optional<Rail> railOfZone(const std::string& zone)
{
    if (zone.rfind("package-", 0) == 0)
        return Rail::Cpu;
    if (zone == "psys")
        return Rail::System;
    return zone == "dram" ? std::optional(Rail::Dram) : std::nullopt;
}

} // namespace

RaplSource::RaplSource(std::filesystem::path powercap, QObject* parent)
    : CounterSource(parent)
    , m_powercap(std::move(powercap))
{
}

Message RaplSource::detail() const
{
    const auto count = [this](Rail rail) {
        return std::to_string(std::ranges::count(m_zones, rail, &RaplZone::rail));
    };
    const bool platform = std::ranges::count(m_zones, Rail::System, &RaplZone::rail) > 0;
    return "processor packages: " + count(Rail::Cpu) + ", memory counters: " + count(Rail::Dram)
        + (platform ? ", platform counter" : "");
}

SourceFacts RaplSource::facts() const
{
    SourceFacts facts = PolledSource::facts();
    facts.rated_mw = raplRatedPower(m_zones);
    return facts;
}

std::optional<std::uint64_t> RaplSource::advance(std::size_t zone, std::uint64_t before,
                                                 std::uint64_t after, Nanoseconds elapsed) const
{
    return raplDifference(before, after, m_zones[zone].max_energy_range_uj, elapsed);
}

int RaplSource::longestIntervalMs() const
{
    return static_cast<int>(toMilliseconds(kShortestRaplWrap / 2));
}

Result<std::vector<EnergyCounter>> RaplSource::find()
{
    auto zones = findRaplZones(m_powercap, m_readings);
    if (!zones)
        return zones.error();
    m_zones = std::move(*zones);
    std::vector<EnergyCounter> counters;
    for (const RaplZone& zone : m_zones)
        counters.push_back({.file = zone.folder / "energy_uj",
                            .rail = zone.rail,
                            .most = mostOfDevice(zone.rail, raplPeakPower(zone))});
    return counters;
}

std::filesystem::path powercapFolder()
{
    return pathFrom("EP_POWERCAP", "/sys/class/powercap");
}

std::string raplRemedy(const std::filesystem::path& powercap)
{
    return "sudo chmod a+r " + (powercap / "intel-rapl:*").string() + "/energy_uj";
}

Result<std::vector<RaplZone>> findRaplZones(const std::filesystem::path& powercap,
                                            ReadingCheck& readings)
{
    std::vector<RaplZone> zones;
    std::vector<std::filesystem::path> unreadable;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(powercap, error)) {
        const auto folder = entry.path();
        if (folder.filename().string().rfind(kPrefix, 0) != 0)
            continue;
        const auto rail = railOfZone(readLine(folder / "name"));
        if (!rail)
            continue;
        if (readCounter(folder / "energy_uj"))
            zones.push_back(
                {folder, *rail, readCounter(folder / "max_energy_range_uj").value_or(0)});
        else
            unreadable.push_back(folder / "energy_uj");
    }
    std::ranges::sort(zones, {}, &RaplZone::folder);
    std::ranges::sort(unreadable);
    const bool useful =
        std::ranges::any_of(zones, [](const RaplZone& zone) { return zone.rail != Rail::Dram; });
    if (useful) {
        for (const auto& counter : unreadable)
            readings.noteUnreadable("The energy counter " + counter.string());
        return zones;
    }
    if (!unreadable.empty())
        return Error{ErrorCode::Io,
                     {"The energy counters of the processor (RAPL) exist, but only root may read "
                      "them; make them readable until the next restart with `%1`.",
                      raplRemedy(powercap)}};
    return Error{ErrorCode::Unsupported,
                 {"This machine has no energy counters of its processor (RAPL) in %1, as in most "
                  "virtual machines; choose another power source.",
                  powercap.string()}};
}

std::optional<Milliwatts> raplRatedPower(const std::vector<RaplZone>& zones)
{
    std::optional<Milliwatts> sum;
    for (const RaplZone& zone : zones) {
        if (zone.rail != Rail::Cpu)
            continue;
        const auto limit = readCounter(zone.folder / "constraint_0_power_limit_uw");
        if (!limit || *limit == 0)
            return std::nullopt;
        sum = sum.value_or(Milliwatts{}) + Milliwatts{static_cast<double>(*limit) / 1000.0};
    }
    return sum;
}

std::optional<Milliwatts> raplPeakPower(const RaplZone& zone)
{
    std::uint64_t most = 0;
    for (int i = 0; i < 3; ++i) { // long term, short term, peak
        const std::string constraint = "constraint_" + std::to_string(i);
        for (const char* suffix : {"_power_limit_uw", "_max_power_uw"})
            most = std::max(most, readCounter(zone.folder / (constraint + suffix)).value_or(0));
    }
    return most > 0 ? std::optional(Milliwatts{static_cast<double>(most) / 1000.0}) : std::nullopt;
}

std::optional<std::uint64_t> raplDifference(std::uint64_t before, std::uint64_t after,
                                            std::uint64_t range, Nanoseconds elapsed)
{
    if (elapsed >= kShortestRaplWrap)
        return std::nullopt;
    if (after >= before)
        return after - before;
    if (range < before)
        return std::nullopt;
    const std::uint64_t advanced = range - before + after;
    const double most =
        static_cast<double>(range) * toSeconds(elapsed) / toSeconds(kShortestRaplWrap);
    return static_cast<double>(advanced) <= most ? std::optional(advanced) : std::nullopt;
}

namespace {

constexpr double kMicrowatts = 1000.0; // per milliwatt

// Names of the drivers' devices for whole cards; those of parts of a card ("i915_gt0") differ.
constexpr std::array<std::string_view, 2> kIntelDrivers{"xe", "i915"};

// Per Linux's Documentation/ABI/testing/sysfs-driver-intel-xe-hwmon and
// sysfs-driver-intel-i915-hwmon: energy1 measures the card, energy2 its package.
constexpr std::array<std::string_view, 2> kIntelMeters{"1", "2"};

EnergyCounter counterOf(const std::filesystem::path& card, std::string_view meter)
{
    const std::string number(meter);
    const auto rated = readCounter(card / ("power" + number + "_rated_max"));
    return {.file = card / ("energy" + number + "_input"),
            .rail = Rail::Gpu,
            .most = mostOfDevice(
                Rail::Gpu,
                rated ? std::optional(Milliwatts{static_cast<double>(*rated) / kMicrowatts})
                      : std::nullopt)};
}

} // namespace

Result<std::vector<EnergyCounter>> findIntelGpuCounters(const std::filesystem::path& hwmon,
                                                        ReadingCheck& readings)
{
    std::vector<EnergyCounter> counters;
    std::error_code error;
    for (const auto& card : std::filesystem::directory_iterator(hwmon, error)) {
        if (std::ranges::count(kIntelDrivers, readLine(card.path() / "name")) == 0)
            continue;
        const auto meter = std::ranges::find_if(kIntelMeters, [&](std::string_view number) {
            return readCounter(counterOf(card.path(), number).file).has_value();
        });
        if (meter != kIntelMeters.end())
            counters.push_back(counterOf(card.path(), *meter));
        else
            readings.note(card.path().string(),
                          {"The energy counter of the graphics card in %1 cannot be read; its "
                           "readings are missing.",
                           card.path().string()});
    }
    if (counters.empty()) {
        return Error{ErrorCode::Unsupported,
                     readings.faults().empty()
                         ? Message("There is no energy counter of an Intel graphics card in %1; "
                                   "choose another power source.",
                                   hwmon.string())
                         : sequence({readings.faults().front(), "Choose another power source."})};
    }
    std::ranges::sort(counters, {}, &EnergyCounter::file);
    return counters;
}

IntelGpuSource::IntelGpuSource(QObject* parent)
    : IntelGpuSource(hwmonFolder(), parent)
{
}

IntelGpuSource::IntelGpuSource(std::filesystem::path hwmon, QObject* parent)
    : CounterSource(parent)
    , m_hwmon(std::move(hwmon))
{
}

Message IntelGpuSource::detail() const
{
    return "graphics cards: " + std::to_string(m_cards);
}

Result<std::vector<EnergyCounter>> IntelGpuSource::find()
{
    auto counters = findIntelGpuCounters(m_hwmon, m_readings);
    if (counters)
        m_cards = counters->size();
    return counters;
}

} // namespace ep::power
