// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/source.h"

#include "sources/counter_source.h"
#include "sources/hwmon_source.h"
#include "sources/ioreport_source.h"
#include "sources/nvml_source.h"
#include "sources/powermetrics_source.h"
#include "sources/replay_source.h"

#include "ep/core/joined.h"
#include "ep/core/number_text.h"
#include "ep/core/power_limits.h"
#include "ep/power/battery_source.h"
#include "ep/power/capture_reader.h"
#include "ep/power/modelled_source.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ep::power {
namespace {

Error badWatts(const std::string& text)
{
    return {ErrorCode::InvalidInput,
            {"The power source '%1' is not understood; write modelled:IDLE,FULL with watts, such "
             "as modelled:5,35.",
             text}};
}

Result<SourceChoice> parseModelled(const std::string& text, const std::string& watts)
{
    SourceChoice choice;
    choice.kind = "modelled";
    const auto comma = watts.find(',');
    if (comma == std::string::npos)
        return badWatts(text);
    const auto idle = ep::readNumber(watts.substr(0, comma));
    const auto full = ep::readNumber(watts.substr(comma + 1));
    if (!idle || !full)
        return badWatts(text);
    choice.idle_watts = *idle;
    choice.full_watts = *full;
    if (auto valid = checkWatts(choice); !valid)
        return valid.error();
    return choice;
}

// Result of probing a source.
struct Finding {
    SourceReport report;
    std::vector<std::string> samplers; // samplers of powermetrics
};

using Created = Result<std::unique_ptr<Source>>;

// Creates a source that needs no further information.
template <typename T>
Created create(const SourceChoice&, const Finding&)
{
    return std::unique_ptr<Source>(std::make_unique<T>());
}

void addRail(Finding& finding, Rail rail)
{
    std::vector<Rail>& rails = finding.report.rails;
    if (std::ranges::find(rails, rail) == rails.end())
        rails.push_back(rail);
}

// Adds a sentence for each sensor that is left out.
void addFaults(const ReadingCheck& readings, Finding& finding)
{
    for (const Message& fault : readings.faults())
        finding.report.explanation = sequence({finding.report.explanation, fault});
}

constexpr const char* kAppleGain =
    "not stated; the system's estimates, for comparisons on one machine";
constexpr const char* kNoGain = "not stated by the manufacturer";

// Begins the finding about a source: whether it was found, or why not.
template <typename Found>
Finding findingOf(const Found& found, const Message& resolution, const char* gain)
{
    Finding finding;
    finding.report.available = static_cast<bool>(found);
    finding.report.resolution = resolution;
    finding.report.gain = gain;
    if (!found)
        finding.report.explanation = found.error().message;
    return finding;
}

Finding findIoReport(int)
{
    const auto rails = findIoReportRails();
    Finding finding = findingOf(rails, {"%1 mJ, counters; GPU in nJ", 1}, kAppleGain);
    if (!rails)
        return finding;
    finding.report.rails = *rails;
    finding.report.explanation = "The energy counters that macOS publishes (IOReport, SMC), as "
                                 "estimated by the system; no root needed.";
    return finding;
}

Finding findPowermetrics(int intervalMs)
{
    const auto command = powermetricsCommand();
    const auto probe = probePowermetrics(command, intervalMs);
    Finding finding;
    finding.samplers = probe.samplers;
    finding.report.resolution = {"%1 mJ per rail and window", 1};
    finding.report.gain = kAppleGain;
    finding.report.available = probe.works;
    finding.report.rails = probe.rails;
    finding.report.explanation = probe.works
        ? "Apple's powermetrics: energy counters of the processor, as estimated by the system."
        : probe.problem;
    if (probe.installed && !probe.works)
        finding.report.remedy =
            Message("Run `sudo -v` in the terminal that starts this program, or let an "
                    "administrator allow this one command with the sudoers rule: %1",
                    sudoersRule("%admin", command, intervalMs,
                                probe.samplers.empty() ? defaultSamplers() : probe.samplers));
    return finding;
}

Created createPowermetrics(const SourceChoice&, const Finding& finding)
{
    PowermetricsOptions options;
    options.samplers = finding.samplers;
    options.samplers_known = true;
    return std::unique_ptr<Source>(std::make_unique<PowermetricsSource>(std::move(options)));
}

Finding findNvml(int)
{
    ReadingCheck readings;
    const auto devices = findNvmlDevices(readings);
    Finding finding =
        findingOf(devices, {"%1 mJ, counters that advance about every %2 ms", 1, 100},
                  "-6 to +11 % against external meters on the cards of arXiv 2312.02741");
    if (!devices)
        return finding;
    std::vector<std::string> names;
    for (const NvmlDevice& device : *devices)
        names.push_back(std::to_string(device.index) + ' ' + device.name
                        + (device.has_counter ? "" : " (power only)"));
    finding.report.explanation =
        Message("The energy counters of NVIDIA's driver: %1.", joined(names, "; "));
    addFaults(readings, finding);
    finding.report.rails = {Rail::Gpu};
    return finding;
}

Created createNvml(const SourceChoice& choice, const Finding&)
{
    // The argument of `auto` is the compute device: "cuda:1".
    const auto colon = choice.argument.find(':');
    const bool cuda = choice.argument.starts_with("cuda");
    auto devices =
        parseNvmlDevices(!cuda                            ? choice.argument
                             : colon == std::string::npos ? "0"
                                                          : choice.argument.substr(colon + 1));
    if (!devices)
        return devices.error();
    return std::unique_ptr<Source>(std::make_unique<NvmlSource>(std::move(*devices)));
}

Finding findBattery(int)
{
    const Status usable = checkBattery();
    Finding finding = findingOf(usable, "that of the gauge, several seconds", kNoGain);
    if (usable)
        finding.report.explanation =
            "Power drawn from the battery: a cross-check over tens of seconds.";
    finding.report.rails = {Rail::System};
    return finding;
}

Finding findRapl(int)
{
    ReadingCheck readings;
    const auto zones = findRaplZones(powercapFolder(), readings);
    Finding finding =
        findingOf(zones, {"about %1 uJ, counters that advance every millisecond", 61}, kNoGain);
    if (!zones) {
        if (zones.error().code == ErrorCode::Io)
            finding.report.remedy = raplRemedy(powercapFolder());
        return finding;
    }
    finding.report.explanation = "Linux's energy counters of the processor packages (RAPL).";
    for (const auto& zone : *zones) {
        addRail(finding, zone.rail);
    }
    addFaults(readings, finding);
    if (!readings.faults().empty())
        finding.report.remedy = raplRemedy(powercapFolder());
    return finding;
}

Finding findHwmon(int)
{
    ReadingCheck readings;
    const auto meters = findHwmonMeters(hwmonFolder(), readings);
    Finding finding = findingOf(meters, "that of the driver, often one second", kNoGain);
    if (!meters)
        return finding;
    std::vector<std::string> drivers;
    for (const HwmonMeter& meter : *meters) {
        drivers.push_back(meter.driver);
        addRail(finding, meter.rail);
    }
    finding.report.explanation =
        Message("Power meters of Linux's drivers: %1.", joined(drivers, "; "));
    addFaults(readings, finding);
    return finding;
}

Finding findIntelGpu(int)
{
    ReadingCheck readings;
    const auto counters = findIntelGpuCounters(hwmonFolder(), readings);
    Finding finding =
        findingOf(counters, "1 uJ, counters that the driver reads when asked", kNoGain);
    if (!counters)
        return finding;
    finding.report.explanation = counters->size() == 1
        ? Message("The energy counter of an Intel graphics card.")
        : Message("The energy counters of %1 Intel graphics cards.", counters->size());
    finding.report.rails = {Rail::Gpu};
    addFaults(readings, finding);
    return finding;
}

Finding findReplay(int)
{
    Finding finding;
    finding.report.available = true;
    finding.report.explanation = "Replays a recorded powermetrics capture (replay:FILE) or, in "
                                 "`run`, a stored run (replay:RUN).";
    finding.report.resolution = "that of the recording";
    finding.report.gain = "that of the recording";
    finding.report.rails = {Rail::Cpu, Rail::Gpu, Rail::Ane};
    return finding;
}

Created createReplay(const SourceChoice& choice, const Finding&)
{
    if (!(choice.replay_speed >= 0.0) || !std::isfinite(choice.replay_speed))
        return Error{
            ErrorCode::InvalidInput,
            "The speed of a replay must be 0 (as fast as possible) or more; 1 is real time."};
    if (choice.recorded)
        return std::unique_ptr<Source>(std::make_unique<ReplaySource>(
            choice.recorded, choice.argument, choice.replay_speed, choice.replay_endless));
    CaptureReader reader(choice.argument);
    if (auto opened = reader.open(); !opened)
        return opened.error();
    return std::unique_ptr<Source>(std::make_unique<ReplaySource>(
        choice.argument, choice.replay_speed, choice.replay_endless));
}

Finding findModelled(int)
{
    const auto times = machineCpuClock()->read();
    Finding finding;
    finding.report.available = static_cast<bool>(times);
    finding.report.explanation = times ? "A model, not a sensor: CPU time of the machine between "
                                         "idle and full watts that you set; only on request."
                                       : times.error().message;
    finding.report.rails = {Rail::Cpu};
    finding.report.resolution = "none: a model";
    finding.report.gain = "none: a model";
    return finding;
}

Created createModelled(const SourceChoice& choice, const Finding&)
{
    if (auto valid = checkWatts(choice); !valid)
        return valid.error();
    return std::unique_ptr<Source>(
        std::make_unique<ModelledSource>(choice.idle_watts, choice.full_watts));
}

enum class System { Any, Linux, MacOs };

#ifdef __APPLE__
constexpr System kThisSystem = System::MacOs;
#else
constexpr System kThisSystem = System::Linux;
#endif

struct Row {
    const char* kind;
    const char* title;
    System system; // system that can have the source
    const char* argument; // as written in help texts
    bool automatic; // whether `auto` may choose it
    Finding (*find)(int intervalMs);
    Created (*create)(const SourceChoice& choice, const Finding& finding); // uses a finding
};

// Best first: `auto` takes the first automatic source that works, nvml only for its own device. To
// add a source, add a row.
constexpr std::array<Row, 9> kSources = {{
    {"ioreport", "Apple's energy counters", System::MacOs, "", true, findIoReport,
     create<IoReportSource>},
    {"powermetrics", "Apple's powermetrics", System::MacOs, "", true, findPowermetrics,
     createPowermetrics},
    {"nvml", "NVIDIA graphics cards", System::Linux, "[:0,1]", true, findNvml, createNvml},
    {"rapl", "Energy counters of the processor", System::Linux, "", true, findRapl,
     create<RaplSource>},
    {"hwmon", "Power meters of the system", System::Linux, "", false, findHwmon,
     create<HwmonSource>},
    {"intel-gpu", "Intel graphics cards", System::Linux, "", false, findIntelGpu,
     create<IntelGpuSource>},
    {"battery", "Battery", System::Any, "", false, findBattery, create<BatterySource>},
    {"replay", "Replay of a recording", System::Any, ":FILE", false, findReplay, createReplay},
    {"modelled", "Model of the processor", System::Any, "[:IDLE,FULL]", false, findModelled,
     createModelled},
}};

// A run on the processor must not be measured by a graphics card that happens to be present.
bool fits(const Row& row, const std::string& device)
{
    return std::string_view(row.kind) != "nvml" || device.empty() || device.starts_with("cuda");
}

// The one rule for `auto` without a sensor: it never falls back to a model, which must be asked
// for. The doctor says why each source does not work.
Message noSensor()
{
    return Message("No power sensor works on this machine, so there are times and no energies: ask "
                   "for --power modelled (estimates them from the processor's load) or --power "
                   "none; energy-profiler doctor says how to measure.");
}

Result<CreatedSource> createAutomatically(const SourceChoice& choice, int intervalMs)
{
    Message instead; // why a better source was passed over
    for (const auto& row : kSources) {
        if (!row.automatic || !fits(row, choice.argument))
            continue;
        const auto finding = row.find(intervalMs);
        if (!finding.report.available)
            continue;
        Message reason("%1 is the best available source.", row.kind);
        if (std::string_view(row.kind) == "ioreport") {
            const std::string trouble = ioReportCpuTrouble();
            if (!trouble.empty() && findPowermetrics(intervalMs).report.available) {
                instead = Message("The processor's counter of ioreport %1.", trouble);
                continue; // powermetrics reads the processor's energy correctly
            }
            if (!trouble.empty())
                reason = Message("%1 Its counter of the processor %2; powermetrics, where it is "
                                 "allowed, has a better one.",
                                 reason, trouble);
        }
        auto source = row.create(choice, finding);
        if (!source)
            return source.error();
        return CreatedSource{std::move(*source), row.kind, sequence({reason, instead})};
    }
    return CreatedSource{nullptr, "none", noSensor()};
}

bool isKnownSource(const std::string& kind)
{
    return std::ranges::any_of(kSources, [&](const Row& row) { return kind == row.kind; });
}

// The message lists the available ones.
Error unknownSource(const std::string& kind)
{
    std::vector<std::string> known;
    for (const SourceKind& source : sourceKinds())
        known.push_back(source.kind + (source.argument.starts_with(':') ? source.argument : ""));
    return {ErrorCode::InvalidInput,
            {"There is no power source '%1'; choose one of %2.", kind, joined(known)}};
}

} // namespace

Status checkWatts(const SourceChoice& choice)
{
    if (choice.kind != "modelled"
        || (choice.idle_watts >= 0.0 && choice.full_watts > 0.0
            && choice.full_watts >= choice.idle_watts && choice.full_watts <= kMaxWatts))
        return {};
    return Error{ErrorCode::InvalidInput,
                 {"The modelled power source needs 0 <= idle watts <= full watts, and full watts "
                  "above 0 and up to %1; correct the two values.",
                  static_cast<int>(kMaxWatts)}};
}

Result<SourceChoice> parseSourceChoice(const std::string& text)
{
    const auto colon = text.find(':');
    SourceChoice choice;
    choice.kind = text.substr(0, colon);
    const std::string argument = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (choice.kind == "replay") {
        if (argument.empty())
            return Error{ErrorCode::InvalidInput,
                         "The power source 'replay' needs a capture; write replay:FILE."};
        choice.argument = argument;
        return choice;
    }
    if (choice.kind == "nvml" && colon != std::string::npos) {
        const auto devices = parseNvmlDevices(argument);
        if (!devices)
            return devices.error();
        choice.argument = argument;
        return choice;
    }
    if (choice.kind == "modelled" && colon != std::string::npos)
        return parseModelled(text, argument);
    if (choice.kind != "auto" && choice.kind != "none" && !isKnownSource(choice.kind))
        return unknownSource(choice.kind);
    if (colon != std::string::npos)
        return Error{
            ErrorCode::InvalidInput,
            {"The power source '%1' takes no argument; omit ':%2'.", choice.kind, argument}};
    return choice;
}

std::vector<SourceKind> sourceKinds()
{
    std::vector<SourceKind> kinds = {{"auto", ""}};
    for (const Row& row : kSources)
        kinds.push_back({row.kind, row.argument});
    kinds.push_back({"none", ""});
    return kinds;
}

Result<CreatedSource> createSource(const SourceChoice& choice, int intervalMs)
{
    if (choice.kind == "none")
        return CreatedSource{nullptr, "none", "Timing only, as requested."};
    if (choice.kind == "auto")
        return createAutomatically(choice, intervalMs);
    const auto row =
        std::ranges::find_if(kSources, [&](const Row& r) { return choice.kind == r.kind; });
    if (row == kSources.end())
        return unknownSource(choice.kind);
    const Finding finding = row->find(intervalMs);
    if (!finding.report.available)
        return Error{ErrorCode::Unsupported, finding.report.explanation};
    auto source = row->create(choice, finding);
    if (!source)
        return source.error();
    return CreatedSource{std::move(*source), row->kind, choice.reason};
}

std::vector<SourceReport> probeSources(int intervalMs)
{
    std::vector<SourceReport> reports;
    for (const auto& row : kSources) {
        reports.push_back(row.find(intervalMs).report);
        reports.back().kind = row.kind;
        reports.back().title = row.title;
        reports.back().elsewhere = row.system != System::Any && row.system != kThisSystem;
        reports.back().automatic = row.automatic;
    }
    SourceReport none;
    none.kind = "none";
    none.title = "No energy, timing only";
    none.gain = "none: nothing is measured";
    none.available = true;
    none.explanation = "Timing only; energies are missing, not zero.";
    reports.push_back(std::move(none));
    return reports;
}

} // namespace ep::power
