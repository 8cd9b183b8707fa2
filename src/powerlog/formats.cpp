// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats.h"

#include "cell.h"
#include "log.h"
#include "table_layout.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace ep::powerlog {
namespace {

using energy::Measured;
using table::kAnyPower;
using table::kChangesOnly;
using table::kCoarse;
using table::kEndsAtBlank;
using table::kEntities;
using table::kFromStart;
using table::kGuessedUnit;
using table::kHourly;
using table::kLengthFromTime;
using table::kMonthFirst;
using table::kNamesBelow;
using table::kNumbered;
using table::kOnlyThese;
using table::kSummaryRows;

constexpr const char* kTimes =
    "timestamp|time|datetime|date_time|datum|zeit|zeitstempel|ts|time stamp";

// clang-format off
constexpr std::array kNvidiaNeeds{"power.draw*"};
constexpr std::array kNvidia{
    ColumnRule{kTimes, Role::Time},
    ColumnRule{"index|gpu|gpu_index|device|gpu_id", Role::Device},
    ColumnRule{"uuid|gpu_uuid|pci.bus_id|gpu_bus_id|serial|gpu_serial", Role::Device},
    ColumnRule{"power.draw.instant", Role::Power, "W", "gpu#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"power.draw", Role::Power, "W", "gpu#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"power.draw.average", Role::Power, "W", "gpu#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"utilization.gpu", Role::Use},
    ColumnRule{"enforced.power.limit|power.limit|power.default_limit", Role::Rated, "W"},
};

constexpr std::array kGpuWideNeeds{"gpu#|gpu_#|gpu #"};
constexpr std::array kGpuWide{
    ColumnRule{kTimes, Role::Time},
    ColumnRule{"gpu#|gpu_#|gpu #", Role::Power, "W", "@", Measured::GraphicsCard, "gpu"},
};

constexpr std::array kAmdMetricNeeds{"gpu", "socket_power"};
constexpr std::array kAmdMetric{
    ColumnRule{kTimes, Role::Time},
    ColumnRule{"gpu", Role::Device},
    ColumnRule{"socket_power", Role::Power, "W", "gpu#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"gfx_activity", Role::Use},
};

constexpr std::array kAmdMonitorNeeds{"gpu", "power|power_usage", "gpu_t*|hotspot_t*|mem_t*|gfx*"};
constexpr std::array kAmdMonitor{
    ColumnRule{kTimes, Role::Time},
    ColumnRule{"gpu", Role::Device},
    ColumnRule{"power|power_usage", Role::Power, "W", "gpu#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"gfx_util|gfx%|gfx|gpu_util", Role::Use},
};

constexpr std::array kRocmNeeds{"device", "*package power"};
constexpr std::array kRocm{
    ColumnRule{kTimes, Role::Time},
    ColumnRule{"device", Role::Device},
    ColumnRule{"current socket graphics package power", Role::Power, "W", "card#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"average graphics package power", Role::Power, "W", "card#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"*package power", Role::Power, "W", "card#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"gpu use", Role::Use},
    ColumnRule{"max graphics package power", Role::Rated, "W"},
};

constexpr std::array kDmonNeeds{"gpu", "pwr"};
constexpr std::array kDmon{
    ColumnRule{"date", Role::Date},
    ColumnRule{"time", Role::TimeOfDay},
    ColumnRule{"gpu", Role::Device},
    ColumnRule{"pwr", Role::Power, "W", "gpu#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"sm", Role::Use},
};

constexpr std::array kDcgmiNeeds{"entity", "power*|pwr*"};
constexpr std::array kDcgmi{
    ColumnRule{"entity", Role::Device},
    ColumnRule{"power|powerd|pwr", Role::Power, "W", "gpu#", Measured::GraphicsCard, "gpu"},
    ColumnRule{"gputl|gpuutil", Role::Use},
};

constexpr std::array kPowermetricsCsvNeeds{"elapsed|elapsed_time", "cpu_power|combined_power|package_power"};
constexpr std::array kPowermetricsCsv{
    ColumnRule{kTimes, Role::Time},
    ColumnRule{"elapsed|elapsed_time", Role::Length, "ms"},
    ColumnRule{"cpu_power", Role::MeanPower, "", "cpu", Measured::Processor, "cpu"},
    ColumnRule{"gpu_power", Role::MeanPower, "", "gpu", Measured::Graphics, "gpu"},
    ColumnRule{"ane_power", Role::MeanPower, "", "ane", Measured::NeuralEngine, "ane"},
    ColumnRule{"dram_power", Role::MeanPower, "", "dram", Measured::Memory, "dram"},
    ColumnRule{"combined_power", Role::MeanPower, "", "combined", Measured::Machine, "sum"},
    ColumnRule{"package_power", Role::MeanPower, "", "package", Measured::Machine, "sum"},
};

constexpr std::array kEnergiBridgeNeeds{"delta", "time"};
constexpr std::array kEnergiBridge{
    ColumnRule{"delta", Role::Length, "ms"},
    ColumnRule{"time", Role::Time},
    ColumnRule{"system_power", Role::MeanPower, "W", "@", Measured::Machine, "system"},
    ColumnRule{"cpu_energy|package_energy", Role::Counter, "J", "@", Measured::Processor, "cpu"},
    ColumnRule{"pp0_energy|pp1_energy", Role::Counter, "J", "@", Measured::Part, "part"},
    ColumnRule{"dram_energy", Role::Counter, "J", "@", Measured::Memory, "dram"},
    ColumnRule{"psys_energy", Role::Counter, "J", "@", Measured::Machine, "system"},
    ColumnRule{"gpu#_power", Role::MeanPower, "", "@", Measured::GraphicsCard, "gpu"},
};

constexpr std::array kCodeCarbonNeeds{"duration", "emissions", "energy_consumed"};
constexpr std::array kCodeCarbon{
    ColumnRule{"timestamp", Role::Time},
    ColumnRule{"duration", Role::Length, "s"},
    ColumnRule{"cpu_energy", Role::Energy, "kWh", "cpu", Measured::Processor, "cpu"},
    ColumnRule{"gpu_energy", Role::Energy, "kWh", "gpu", Measured::Part, "gpu"},
    ColumnRule{"ram_energy", Role::Energy, "kWh", "ram", Measured::Memory, "dram"},
    ColumnRule{"energy_consumed", Role::Energy, "kWh", "total", Measured::Machine, "sum"},
    ColumnRule{"cpu_power", Role::StatedPower, "W", "cpu"},
    ColumnRule{"gpu_power", Role::StatedPower, "W", "gpu"},
    ColumnRule{"ram_power", Role::StatedPower, "W", "ram"},
};

constexpr std::array kIntelNeeds{"rdtsc", "elapsed time"};
constexpr std::array kIntel{
    ColumnRule{"elapsed time", Role::Time, "s"},
    ColumnRule{"processor power_0|processor power", Role::MeanPower, "W", "package", Measured::Processor, "cpu"},
    ColumnRule{"processor power_#", Role::MeanPower, "W", "package *", Measured::Processor, "cpu"},
    ColumnRule{"ia power_0|ia power", Role::MeanPower, "W", "ia", Measured::Part, "part"},
    ColumnRule{"ia power_#", Role::MeanPower, "W", "ia *", Measured::Part, "part"},
    ColumnRule{"dram power_0|dram power", Role::MeanPower, "W", "dram", Measured::Memory, "dram"},
    ColumnRule{"dram power_#", Role::MeanPower, "W", "dram *", Measured::Memory, "dram"},
    ColumnRule{"gt power_0|gt power", Role::MeanPower, "W", "gt", Measured::Part, "part"},
    ColumnRule{"cumulative processor energy_0@joules", Role::Counter, "J", "package counter",
               Measured::Part, "part", "", "package"},
};

// Headers are in the user's language; a unit of power is not.
constexpr std::array kHwinfoNeeds{"date|datum|fecha|data|дата|日期|日付", "time|zeit|uhrzeit|heure|hora|время|时间|時間|時刻", "*@w"};
constexpr std::array kHwinfo{
    ColumnRule{"date|datum|fecha|data|дата|日期|日付", Role::Date},
    ColumnRule{"time|zeit|uhrzeit|heure|hora|время|时间|時間|時刻", Role::TimeOfDay},
    ColumnRule{"cpu package power|cpu ppt", Role::Power, "W", "cpu package", Measured::Processor, "cpu"},
    ColumnRule{"ia cores power|core power|cpu core power", Role::Power, "W", "ia cores", Measured::Part, "part"},
    ColumnRule{"total dram power|dram power", Role::Power, "W", "dram", Measured::Memory, "dram"},
    ColumnRule{"gpu core power", Role::Power, "W", "gpu core", Measured::Part, "gpu"},
    ColumnRule{"gpu power|total gpu power|gpu asic power|gpu ppt|total board power", Role::Power, "W", "gpu", Measured::GraphicsCard, "gpu"},
    ColumnRule{"total system power|system power", Role::Power, "W", "system", Measured::Machine, "system"},
};

constexpr std::array kGpuZNeeds{"date|日期|дата", "board power draw|gpu chip power draw|pcie slot power|*-pin*power|mvddc power draw"};
constexpr std::array kGpuZ{ColumnRule{"date|日期|дата", Role::Time}};

constexpr std::array kHomeHistoryNeeds{"entity_id", "state", "last_changed|last_updated|last_changed_ts|last_updated_ts"};
constexpr std::array kHomeHistory{
    ColumnRule{"entity_id", Role::RailName},
    ColumnRule{"last_changed|last_updated|last_changed_ts|last_updated_ts", Role::Time},
    ColumnRule{"state", Role::Power, "", "@", Measured::Machine, "?"},
};

constexpr std::array kHomeMeansNeeds{"statistic_id", "start|start_ts", "mean"};
constexpr std::array kHomeMeans{
    ColumnRule{"statistic_id", Role::RailName},
    ColumnRule{"start|start_ts", Role::Time},
    ColumnRule{"unit|unit_of_measurement", Role::UnitName},
    ColumnRule{"mean", Role::MeanPower, "", "@", Measured::Machine, "?"},
};

constexpr std::array kHomeSumsNeeds{"statistic_id", "start|start_ts", "sum"};
constexpr std::array kHomeSums{
    ColumnRule{"statistic_id", Role::RailName},
    ColumnRule{"start|start_ts", Role::Time},
    ColumnRule{"unit|unit_of_measurement", Role::UnitName},
    ColumnRule{"sum", Role::Counter, "", "@", Measured::Machine, "?"},
};

constexpr std::array kLibreNeeds{"sensor_name", "watts|value|power"};
constexpr std::array kLibre{
    ColumnRule{"time|timestamp|time_stamp", Role::Time, "s"},
    ColumnRule{"sensor_name", Role::RailName},
    ColumnRule{"watts|value|power", Role::Power, "W", "@", Measured::Machine, "?"},
};

constexpr std::array kLibreWideNeeds{"*/power/#"};
constexpr std::array kLibreWide{
    ColumnRule{"|time", Role::Time},
    ColumnRule{"*/power/#", Role::Power, "W", "@", Measured::Machine, "?"},
};

constexpr std::array kMactopCsvNeeds{"timestamp", "total_power", "system_power", "gpu_usage"};
constexpr std::array kMactopCsv{
    ColumnRule{"timestamp", Role::Time},
    ColumnRule{"system_power", Role::Power, "W", "system", Measured::Machine, "system"},
    ColumnRule{"total_power", Role::Power, "W", "total", Measured::Part, "part"},
    ColumnRule{"gpu_usage", Role::Use},
};

constexpr std::array kPyJoulesNeeds{"timestamp", "tag", "duration"};
constexpr std::array kPyJoules{
    ColumnRule{"timestamp", Role::Start},
    ColumnRule{"duration", Role::Length, "s"},
    ColumnRule{"package_#", Role::Energy, "uJ", "@", Measured::Processor, "cpu"},
    ColumnRule{"dram_#", Role::Energy, "uJ", "@", Measured::Memory, "dram"},
    ColumnRule{"core_#|uncore_#", Role::Energy, "uJ", "@", Measured::Part, "part"},
    ColumnRule{"psys_#", Role::Energy, "uJ", "@", Measured::Machine, "system"},
    ColumnRule{"nvidia_gpu_#", Role::Energy, "mJ", "@", Measured::GraphicsCard, "gpu"},
};

constexpr std::array kPyJoulesFrameNeeds{"duration", "* energy"};
constexpr std::array kPyJoulesFrame{
    ColumnRule{"timestamp", Role::Start},
    ColumnRule{"duration", Role::Length, "s"},
    ColumnRule{"* energy", Role::Energy, "J", "*", Measured::Machine, "?"},
    ColumnRule{"* power", Role::StatedPower, "W", "*"},
};

constexpr std::array kZeusNeeds{"start_time", "window_name", "elapsed_time"};
constexpr std::array kZeus{
    ColumnRule{"start_time", Role::Start},
    ColumnRule{"elapsed_time", Role::Length, "s"},
    ColumnRule{"*_energy", Role::Energy, "J", "*", Measured::Machine, "?"},
};

constexpr std::array kVoltcraftNeeds{"datetime|date|date/time", "actual consumption"};
constexpr std::array kVoltcraft{
    ColumnRule{"datetime|date|date/time", Role::Time},
    ColumnRule{"actual consumption", Role::Power, "W", "wall", Measured::Machine, "system"},
};

constexpr std::array kPlugNeeds{"datum*|date*|zeit*|time*|uhrzeit", "leistung*|power|wirkleistung*|active power|puissance|potencia|verbrauch@w",
                                "energie*@kwh|energy*@kwh|verbrauch@kwh|total*@kwh|energie*@wh|energy*@wh|énergie@kwh|energía@kwh"};
constexpr std::array kPlug{
    ColumnRule{"uhrzeit", Role::TimeOfDay},
    ColumnRule{"datum*|date*|zeit*|time*", Role::Time},
    ColumnRule{"leistung*|power|wirkleistung*|active power|puissance|potencia|verbrauch@w", Role::Power, "", "wall", Measured::Machine, "system"},
};

constexpr std::array kBoardNeeds{"timestamp|time", "power@mw"};
constexpr std::array kBoard{
    ColumnRule{"timestamp|time", Role::Time},
    ColumnRule{"power@mw", Role::Power, "", "board", Measured::Board, "system"},
};

constexpr std::array kTurbostatNeeds{"pkgwatt|pkg@j"};
constexpr std::array kTurbostat{
    ColumnRule{"time_of_day", Role::Time},
    ColumnRule{"pkgwatt", Role::MeanPower, "W", "@", Measured::Processor, "cpu"},
    ColumnRule{"corwatt|gfxwatt", Role::MeanPower, "W", "@", Measured::Part, "part"},
    ColumnRule{"ramwatt", Role::MeanPower, "W", "@", Measured::Memory, "dram"},
    ColumnRule{"syswatt", Role::MeanPower, "W", "@", Measured::Machine, "system"},
    // --Joules: the energy of each interval
    ColumnRule{"pkg@j", Role::Energy, "J", "@", Measured::Processor, "cpu"},
    ColumnRule{"cor@j|gfx@j", Role::Energy, "J", "@", Measured::Part, "part"},
    ColumnRule{"ram@j", Role::Energy, "J", "@", Measured::Memory, "dram"},
    ColumnRule{"sys@j", Role::Energy, "J", "@", Measured::Machine, "system"},
};

constexpr std::array kUsbNeeds{"timestamp", "voltage", "current"};
constexpr std::array kUsb{
    ColumnRule{"timestamp|time", Role::Time},
    ColumnRule{"voltage", Role::Volts, "V", "usb", Measured::Usb, "system"},
    ColumnRule{"current", Role::Amperes, "A"},
    ColumnRule{"energy", Role::Counter, "J", "usb counter", Measured::Part, "part", "", "usb"},
};

constexpr std::array kPhaseTableNeeds{"duration_*", "energy_*_gpu|energy_gpu_*"};
constexpr std::array kPhaseTable{
    ColumnRule{"energy_*_gpu", Role::Energy, "kWh", "* gpu", Measured::GraphicsCard, "part", "duration_*"},
    ColumnRule{"energy_gpu_*", Role::Energy, "kWh", "* gpu", Measured::GraphicsCard, "part", "duration_*"},
    ColumnRule{"energy_*_cpu", Role::Energy, "kWh", "* cpu", Measured::Processor, "part", "duration_*"},
    ColumnRule{"energy_cpu_*", Role::Energy, "kWh", "* cpu", Measured::Processor, "part", "duration_*"},
    ColumnRule{"response_tokens", Role::Tokens},
};

constexpr const char* kAnswerTokens =
    "tokens|output_tokens|completion_tokens|generated_tokens|tokens_generated|eval_count|output tokens";
constexpr std::array kAnswersNeeds{"duration|execution_time|total_time|latency",
                                   "totalenergy|total_energy|energy|energy_usage|energy_used|energy_consumed|joules"};
constexpr std::array kAnswerColumns{
    ColumnRule{"timestamp|datetime", Role::Time},
    ColumnRule{"duration|execution_time|total_time|latency", Role::Length, "s"},
    ColumnRule{"totalenergy|total_energy|energy|energy_usage|energy_used|energy_consumed|joules", Role::Energy, "", "energy",
               Measured::Machine, "system"},
    ColumnRule{"tokens@s|token@s|tok@s|t@s|tokens_per@second|tokens_per@sec|tokens_per@s|tps", Role::Rate},
    ColumnRule{kAnswerTokens, Role::Tokens},
    ColumnRule{"threads|n_threads|num_threads", Role::Threads},
    ColumnRule{"power|avg_power|average_power|mean_power", Role::StatedPower, "W", "energy"},
};

constexpr std::array kTables{
    TableFormat{"nvidia-smi", "nvidia-smi --query-gpu", kNvidiaNeeds, kNvidia},
    TableFormat{"amd-smi", "amd-smi metric", kAmdMetricNeeds, kAmdMetric, kNumbered},
    TableFormat{"rocm-smi", "rocm-smi", kRocmNeeds, kRocm},
    TableFormat{"nvidia-dmon", "nvidia-smi dmon", kDmonNeeds, kDmon, kNumbered},
    TableFormat{"dcgmi", "dcgmi dmon", kDcgmiNeeds, kDcgmi, kNumbered, "TOTEC has three digits only and is not used."},
    TableFormat{"amd-monitor", "amd-smi monitor", kAmdMonitorNeeds, kAmdMonitor, kNumbered},
    TableFormat{"powermetrics-csv", "powermetrics as CSV", kPowermetricsCsvNeeds, kPowermetricsCsv, kCoarse},
    TableFormat{"energibridge", "EnergiBridge", kEnergiBridgeNeeds, kEnergiBridge, kFromStart},
    TableFormat{"codecarbon", "CodeCarbon", kCodeCarbonNeeds, kCodeCarbon, 0, "The memory's power is a constant that CodeCarbon assumes."},
    TableFormat{"intel-power-gadget", "Intel Power Gadget", kIntelNeeds, kIntel, kLengthFromTime | kEndsAtBlank},
    TableFormat{"gpu-z", "GPU-Z", kGpuZNeeds, kGpuZ, kAnyPower},
    TableFormat{"home-assistant", "Home Assistant (history)", kHomeHistoryNeeds, kHomeHistory, kEntities | kChangesOnly,
                "Home Assistant writes a state when it changes; each one stands until the next."},
    TableFormat{"home-assistant", "Home Assistant (statistics)", kHomeMeansNeeds, kHomeMeans, kEntities | kFromStart | kHourly},
    TableFormat{"home-assistant", "Home Assistant (statistics)", kHomeSumsNeeds, kHomeSums, kEntities},
    TableFormat{"hwinfo", "HWiNFO", kHwinfoNeeds, kHwinfo, kAnyPower},
    TableFormat{"librehardwaremonitor", "LibreHardwareMonitor", kLibreNeeds, kLibre},
    TableFormat{"librehardwaremonitor", "LibreHardwareMonitor", kLibreWideNeeds, kLibreWide, kNamesBelow | kMonthFirst},
    TableFormat{"mactop", "mactop as CSV", kMactopCsvNeeds, kMactopCsv},
    TableFormat{"pyjoules", "pyJoules", kPyJoulesNeeds, kPyJoules},
    TableFormat{"zeus", "Zeus", kZeusNeeds, kZeus},
    TableFormat{"pyjoules-frame", "pyJoules (data frame)", kPyJoulesFrameNeeds, kPyJoulesFrame},
    TableFormat{"turbostat", "turbostat", kTurbostatNeeds, kTurbostat, kSummaryRows | kLengthFromTime},
    TableFormat{"usb-meter", "USB meter", kUsbNeeds, kUsb, table::kWithoutPower},
    TableFormat{"voltcraft", "Voltcraft energy logger", kVoltcraftNeeds, kVoltcraft},
    TableFormat{"smart-plug", "smart plug", kPlugNeeds, kPlug, 0, "Its own energy column is too coarse and is not used."},
    TableFormat{"board-meter", "board power meter", kBoardNeeds, kBoard, kOnlyThese},
    TableFormat{"gpu-columns", "one column per GPU", kGpuWideNeeds, kGpuWide, kOnlyThese},
    TableFormat{"phase-energies", "energies by phase", kPhaseTableNeeds, kPhaseTable, kGuessedUnit},
    TableFormat{"answers", "energies of whole answers", kAnswersNeeds, kAnswerColumns, table::kAnswers},
};
// clang-format on

bool matchesOne(std::string_view pattern, std::string_view text, std::string* star)
{
    if (pattern.empty())
        return text.empty();
    if (pattern.front() == '*' || pattern.front() == '#') {
        const bool digits = pattern.front() == '#';
        std::size_t most = 0;
        while (most < text.size()
               && (!digits || std::isdigit(static_cast<unsigned char>(text[most])) != 0))
            ++most;
        for (std::size_t length = digits ? 1 : 0; length <= most; ++length) {
            if (matchesOne(pattern.substr(1), text.substr(length), nullptr)) {
                if (star != nullptr)
                    *star = std::string(text.substr(0, length));
                return true;
            }
        }
        return false;
    }
    return !text.empty() && text.front() == pattern.front()
        && matchesOne(pattern.substr(1), text.substr(1), star);
}

using LineReaderFn = Status (*)(Log& log, std::string_view line, std::int64_t row);

// Reads all lines; the last one may be truncated.
Status readLines(Log& log, LineReaderFn read)
{
    std::optional<Error> pending;
    const Status all = log.lines.forEach([&](std::string_view line) -> Status {
        if (trimBlanks(line).empty())
            return {};
        if (pending)
            return *pending;
        if (const Status done = read(log, line, log.lines.row()); !done)
            pending = done.error();
        return {};
    });
    if (!all)
        return all;
    if (pending && log.collector.readings() == 0)
        return *pending;
    if (pending)
        log.collector.note(Weight::Note, "The last row is cut off and was left out.");
    return {};
}

// Energies in joules by event: "1.001048308,19.63,Joules,power/energy-pkg/,...", with another
// separator, or as the human-readable table.
bool isPerf(std::string_view line)
{
    return !trimBlanks(line).starts_with('{')
        && line.find("power/energy-") != std::string_view::npos
        && line.find("Joules") != std::string_view::npos;
}

Status readPerfLine(Log& log, std::string_view line, std::int64_t row)
{
    if (line.starts_with('#') || line.find("power/energy-") == std::string_view::npos)
        return {};
    std::vector<std::string_view> cells;
    // The separator is the character before the unit.
    const std::size_t unit = line.find("Joules");
    char separator = kBlanks;
    if (unit != std::string_view::npos && unit > 0 && line[unit - 1] != ' ')
        separator = line[unit - 1];
    else if (unit == std::string_view::npos && line.find(';') != std::string_view::npos)
        separator = ';';
    else if (unit == std::string_view::npos && line.find(',') != std::string_view::npos)
        separator = ',';
    splitLine(line, separator, cells);
    const auto event = std::ranges::find_if(
        cells, [](std::string_view cell) { return cell.starts_with("power/energy-"); });
    const auto joules = std::ranges::find(cells, std::string_view("Joules"));
    if (event == cells.end())
        return rowError(row, "the event is cut off.");
    const auto rail = log.collector.rail(perfRail(*event), row);
    if (!rail)
        return rail.error();
    Reading reading{.row = row};
    if (joules == cells.end() || joules == cells.begin()) {
        // "<not counted>", "<not supported>"
        if (line.find("<not") == std::string_view::npos)
            return rowError(row, "the event has no unit of energy.");
    } else {
        const auto number = log.numbers.read(*(joules - 1), LogNumbers::kValues, row);
        if (!number && (joules - 1)->find("<not") == std::string_view::npos)
            return rowError(row, Message("%1 is not an energy.", quoteCell(*(joules - 1))));
        if (number)
            reading.value = number->value;
    }
    const auto value = joules == cells.end() ? cells.begin() : joules - 1;
    if (value != cells.begin() && separator != kBlanks) {
        const auto time = log.numbers.read(cells.front(), LogNumbers::kTimes, row);
        if (!time || !time->rest.empty() || !(time->value >= 0.0 && time->value < 9e9))
            return rowError(row, Message("%1 is not a time.", quoteCell(cells.front())));
        const auto at =
            log.clock.at(Instant{.ns = std::llround(time->value * 1e9), .clock = Clock::Own});
        if (!at)
            return at.error();
        reading.at_ns = *at;
    } else if (value != cells.begin()) {
        const auto at = log.clock.at(cells.front(), row);
        if (!at)
            return at.error();
        reading.at_ns = *at;
    } else {
        log.collector.note(Weight::Note, kPerfWithoutTimes);
    }
    return log.collector.add(*rail, reading);
}

// "1759592247529773 397277 Package_0": microseconds and microjoules.
bool isRaplLine(std::string_view line)
{
    std::vector<std::string_view> cells;
    splitLine(trimBlanks(line), kBlanks, cells);
    const auto digits = [](std::string_view cell) {
        return !cell.empty() && cell.find_first_not_of("0123456789") == std::string_view::npos;
    };
    return cells.size() == 3 && cells[0].size() == 16 && digits(cells[0]) && digits(cells[1])
        && !digits(cells[2]);
}

Status readRaplLine(Log& log, std::string_view line, std::int64_t row)
{
    std::vector<std::string_view> cells;
    splitLine(trimBlanks(line), kBlanks, cells);
    if (cells.size() != 3)
        return rowError(row, Message("it has %1 values instead of 3.", cells.size()));
    const auto at = log.clock.at(cells[0], row);
    if (!at)
        return at.error();
    const auto number = readNumber(cells[1]);
    if (!number)
        return rowError(row, Message("%1 is not a number of microjoules.", quoteCell(cells[1])));
    const std::string name = asUtf8(cells[2].substr(0, 100));
    const Kind kind = kindOf(name);
    const auto rail = log.collector.rail(
        {.name = name, .rule = Rule::Joules, .measured = kind.measured, .part = kind.part}, row);
    if (!rail)
        return rail.error();
    return log.collector.add(*rail, {.at_ns = *at, .value = *number * 1e-6, .row = row});
}

// "VDD_IN 5542mW/5542mW": the present value, and the mean since the start.
struct TegraPower {
    std::string_view name;
    double watts = 0.0;
};

bool isTegraName(std::string_view name)
{
    return matches("vdd*|pom_*|vin*|vddq*|cv|gpu|cpu|soc|sys*", lowerCase(name));
}

std::vector<TegraPower> tegraPowers(std::string_view line)
{
    std::vector<std::string_view> words;
    splitLine(line, kBlanks, words);
    std::vector<TegraPower> powers;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::size_t slash = words[i].find('/');
        if (slash == std::string_view::npos)
            continue;
        const auto now = readNumberText(words[i].substr(0, slash));
        const auto mean = readNumberText(words[i].substr(slash + 1));
        if (!now || !mean || now->rest != mean->rest)
            continue;
        const auto unit = unitFrom(now->rest);
        const bool stated = unit && unit->of == Unit::Of::Power;
        if (!stated && !(now->rest.empty() && isTegraName(words[i - 1])))
            continue;
        powers.push_back({words[i - 1], now->value * (stated ? unit->factor : 1e-3)});
    }
    return powers;
}

bool isTegra(std::string_view line)
{
    return line.find("RAM ") != std::string_view::npos && line.find("MB") != std::string_view::npos
        && !tegraPowers(line).empty();
}

Status readTegraLine(Log& log, std::string_view line, std::int64_t row)
{
    const auto powers = tegraPowers(line);
    if (powers.empty() || !log.lines.complete())
        return rowError(row, "it has no power of a rail.");
    log.clock.setMonthFirst();
    const std::size_t ram = line.find("RAM ");
    const std::string_view timestamp =
        ram == std::string_view::npos ? std::string_view() : trimBlanks(line.substr(0, ram));
    const bool whole = std::ranges::any_of(powers, [](const TegraPower& power) {
        return matches("vdd_in|pom_5v_in|vin_sys*|sys_vin*", lowerCase(power.name));
    });
    for (const TegraPower& power : powers) {
        const std::string name = asUtf8(power.name.substr(0, 100));
        const bool input = matches("vdd_in|pom_5v_in|vin_sys*|sys_vin*", lowerCase(name));
        const Kind kind = whole ? Kind{Measured::Part, "part"} : kindOf(name);
        const auto rail = log.collector.rail({.name = name,
                                              .measured = input ? Measured::Board : kind.measured,
                                              .part = input ? "system" : kind.part},
                                             row);
        if (!rail)
            return rail.error();
        const auto at = timestamp.empty()
            ? log.clock.atIndex(log.collector.readings() / static_cast<std::int64_t>(powers.size()),
                                row)
            : log.clock.at(timestamp, row);
        if (!at)
            return at.error();
        if (const Status added =
                log.collector.add(*rail, {.at_ns = *at, .value = power.watts, .row = row});
            !added)
            return added;
    }
    return {};
}

// "Time,28-12-2020 15:21:14.682,Watts,22.950000,Volts,..."
bool isPtdaemon(std::string_view line)
{
    return line.starts_with("Time,") && line.find(",Watts,") != std::string_view::npos;
}

Status readPtdaemonLine(Log& log, std::string_view line, std::int64_t row)
{
    std::vector<std::string_view> cells;
    splitLine(line, ',', cells);
    if (cells.size() < 4 || cells[0] != "Time" || cells[2] != "Watts"
        || (cells.size() == 4 && !log.lines.complete()))
        return rowError(row, "it does not state a time and watts.");
    const auto at = log.clock.at(cells[1], row);
    if (!at)
        return at.error();
    Reading reading{.at_ns = *at, .row = row};
    if (const auto number = readNumber(cells[3]))
        reading.value = *number;
    else if (!isUnavailable(cells[3]))
        return rowError(row, Message("%1 is not a number of watts.", quoteCell(cells[3])));
    const auto rail = log.collector.rail({.name = "wall"}, row);
    return rail ? log.collector.add(*rail, reading) : rail.error();
}

constexpr std::array kLineFormats{
    LineFormat{"perf", "perf stat", isPerf, [](Log& log) { return readLines(log, readPerfLine); }},
    LineFormat{"rapl-log", "RAPL log (µs, µJ)", isRaplLine,
               [](Log& log) { return readLines(log, readRaplLine); }},
    LineFormat{"tegrastats", "tegrastats", isTegra,
               [](Log& log) { return readLines(log, readTegraLine); }},
    LineFormat{"ptdaemon", "PTDaemon", isPtdaemon,
               [](Log& log) { return readLines(log, readPtdaemonLine); }},
};

} // namespace

std::span<const TableFormat> tableFormats()
{
    return kTables;
}

bool matches(std::string_view rest, std::string_view text, std::string* star)
{
    do {
        if (matchesOne(cutAt('|', rest), text, star))
            return true;
    } while (!rest.empty());
    return false;
}

// Logs of lines that do not form a table: perf stat, RAPL loggers, tegrastats, PTDaemon.

RailSpec perfRail(std::string_view event)
{
    RailSpec spec{.name = asUtf8(event.substr(0, Collector::kLongestName)), .rule = Rule::Joules};
    constexpr std::string_view kStart = "power/";
    if (event.starts_with(kStart)) {
        event.remove_prefix(kStart.size());
        spec.name = asUtf8(event.substr(0, event.find('/')).substr(0, Collector::kLongestName));
    }
    Kind kind = kindOf(spec.name);
    if (spec.name == "energy-gpu") // this GPU is inside the package
        kind = {Measured::Part, "part", Division::Processor};
    spec.take(kind);
    return spec;
}

std::span<const LineFormat> lineFormats()
{
    return kLineFormats;
}

} // namespace ep::powerlog
