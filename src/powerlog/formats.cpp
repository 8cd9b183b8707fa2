// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats.h"

#include "cell.h"

#include <array>
#include <cctype>

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

} // namespace

std::span<const TableFormat> tableFormats()
{
    return kTables;
}

bool matches(std::string_view rest, std::string_view text, std::string* star)
{
    for (;;) {
        const std::size_t bar = rest.find('|');
        if (matchesOne(rest.substr(0, bar), text, star))
            return true;
        if (bar == std::string_view::npos)
            return false;
        rest.remove_prefix(bar + 1);
    }
}

} // namespace ep::powerlog
