// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats.h"

#include "cell.h"

#include <array>
#include <cctype>

namespace ep::powerlog {

namespace {

using energy::Measured;
using table::kAnyPower;
using table::kCoarse;
using table::kEndsAtBlank;
using table::kFromStart;
using table::kGuessedUnit;
using table::kLengthFromTime;
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

constexpr std::array kHwinfoNeeds{"date", "time", "*power|*leistung*|*puissance*|*potencia*|*ppt"};
constexpr std::array kHwinfo{
    ColumnRule{"date", Role::Date},
    ColumnRule{"time", Role::TimeOfDay},
    ColumnRule{"cpu package power|cpu ppt", Role::Power, "W", "cpu package", Measured::Processor, "cpu"},
    ColumnRule{"ia cores power|core power|cpu core power", Role::Power, "W", "ia cores", Measured::Part, "part"},
    ColumnRule{"total dram power|dram power", Role::Power, "W", "dram", Measured::Memory, "dram"},
    ColumnRule{"gpu core power", Role::Power, "W", "gpu core", Measured::Part, "gpu"},
    ColumnRule{"gpu power|total gpu power|gpu asic power|gpu ppt|total board power", Role::Power, "W", "gpu", Measured::GraphicsCard, "gpu"},
    ColumnRule{"total system power|system power", Role::Power, "W", "system", Measured::Machine, "system"},
};

constexpr std::array kLibreNeeds{"sensor_name", "watts|value|power"};
constexpr std::array kLibre{
    ColumnRule{"time|timestamp|time_stamp", Role::Time, "s"},
    ColumnRule{"sensor_name", Role::RailName},
    ColumnRule{"watts|value|power", Role::Power, "W", "@", Measured::Machine, "?"},
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

constexpr std::array kTurbostatNeeds{"pkgwatt"};
constexpr std::array kTurbostat{
    ColumnRule{"time_of_day", Role::Time},
    ColumnRule{"pkgwatt", Role::MeanPower, "W", "@", Measured::Processor, "cpu"},
    ColumnRule{"corwatt|gfxwatt", Role::MeanPower, "W", "@", Measured::Part, "part"},
    ColumnRule{"ramwatt", Role::MeanPower, "W", "@", Measured::Memory, "dram"},
    ColumnRule{"syswatt", Role::MeanPower, "W", "@", Measured::Machine, "system"},
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
    ColumnRule{kAnswerTokens, Role::Tokens},
    ColumnRule{"threads|n_threads|num_threads", Role::Threads},
    ColumnRule{"tokens/s|tokens_per_second|tps|t/s|tok/s|tokens_per_sec", Role::Rate},
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
    TableFormat{"hwinfo", "HWiNFO", kHwinfoNeeds, kHwinfo, kAnyPower},
    TableFormat{"librehardwaremonitor", "LibreHardwareMonitor", kLibreNeeds, kLibre},
    TableFormat{"pyjoules", "pyJoules", kPyJoulesNeeds, kPyJoules},
    TableFormat{"zeus", "Zeus", kZeusNeeds, kZeus},
    TableFormat{"pyjoules-frame", "pyJoules (data frame)", kPyJoulesFrameNeeds, kPyJoulesFrame},
    TableFormat{"turbostat", "turbostat", kTurbostatNeeds, kTurbostat, kSummaryRows | kLengthFromTime},
    TableFormat{"usb-meter", "USB meter", kUsbNeeds, kUsb},
    TableFormat{"voltcraft", "Voltcraft energy logger", kVoltcraftNeeds, kVoltcraft},
    TableFormat{"smart-plug", "smart plug", kPlugNeeds, kPlug, 0, "Its own energy column is too coarse and is not used."},
    TableFormat{"board-meter", "board power meter", kBoardNeeds, kBoard, kOnlyThese},
    TableFormat{"gpu-columns", "one column per GPU", kGpuWideNeeds, kGpuWide, kOnlyThese},
    TableFormat{"phase-energies", "energies by phase", kPhaseTableNeeds, kPhaseTable, kGuessedUnit},
    TableFormat{"answers", "energies of whole answers", kAnswersNeeds, kAnswerColumns, table::kAnswers},
};

constexpr std::array kTimeField{"timestamp"};
constexpr std::array kMacmon{
    FieldRule{"all_power", "W", "all", Measured::Machine, "sum"},
    FieldRule{"cpu_power", "W", "cpu", Measured::Processor, "cpu"},
    FieldRule{"gpu_power", "W", "gpu", Measured::Graphics, "gpu"},
    FieldRule{"ane_power", "W", "ane", Measured::NeuralEngine, "ane"},
    FieldRule{"ram_power", "W", "ram", Measured::Memory, "dram"},
    FieldRule{"sys_power", "W", "system", Measured::Machine, "system"},
};
constexpr std::array kMactop{
    FieldRule{"soc_metrics.cpu_power", "W", "cpu", Measured::Processor, "cpu"},
    FieldRule{"soc_metrics.gpu_power", "W", "gpu", Measured::Graphics, "gpu"},
    FieldRule{"soc_metrics.ane_power", "W", "ane", Measured::NeuralEngine, "ane"},
    FieldRule{"soc_metrics.dram_power", "W", "dram", Measured::Memory, "dram"},
    FieldRule{"soc_metrics.system_power", "W", "system", Measured::Machine, "system"},
};
constexpr std::array kScaphandreTimes{"host.timestamp", "timestamp"};
constexpr std::array kScaphandre{FieldRule{"host.consumption", "uW", "host", Measured::Machine, "system"}};
constexpr std::array kTasmotaTimes{"Time"};
constexpr std::array kTasmota{FieldRule{"ENERGY.Power", "W", "wall", Measured::Machine, "system"}};
constexpr std::array kTasmotaStatusTimes{"StatusSNS.Time"};
constexpr std::array kTasmotaStatus{FieldRule{"StatusSNS.ENERGY.Power", "W", "wall", Measured::Machine, "system"}};
constexpr std::array kShellyTimes{"ts", "timestamp", "time", "unixtime", "aenergy.minute_ts"};
constexpr std::array kShelly2{FieldRule{"apower", "W", "wall", Measured::Machine, "system"}};
constexpr std::array kShellyStatusTimes{"ts", "timestamp", "sys.unixtime"};
constexpr std::array kShellyStatus{
    FieldRule{"switch:0.apower", "W", "wall", Measured::Machine, "system"},
    FieldRule{"switch:1.apower", "W", "wall 1", Measured::Machine, "system"},
    FieldRule{"switch:2.apower", "W", "wall 2", Measured::Machine, "system"},
    FieldRule{"switch:3.apower", "W", "wall 3", Measured::Machine, "system"},
};
constexpr std::array kShelly1Times{"ts", "timestamp", "unixtime", "meters.[].timestamp"};
constexpr std::array kShelly1{FieldRule{"meters.[].power", "W", "wall", Measured::Machine, "system"}};
constexpr std::array kShellyEm{FieldRule{"emeters.[].power", "W", "wall", Measured::Machine, "system"}};
constexpr std::array kShelly3Em{FieldRule{"total_act_power", "W", "wall", Measured::Machine, "system"}};
constexpr std::array kOwnTimes{"start_ns"};
constexpr std::array kOwn{
    FieldRule{"power_mw.cpu", "mW", "cpu", Measured::Processor, "cpu"},
    FieldRule{"power_mw.gpu", "mW", "gpu", Measured::Part, "gpu"},
    FieldRule{"power_mw.ane", "mW", "ane", Measured::NeuralEngine, "ane"},
    FieldRule{"power_mw.dram", "mW", "dram", Measured::Memory, "dram"},
    FieldRule{"power_mw.system", "mW", "system", Measured::Machine, "system"},
};
constexpr std::array kAnswerFields{FieldRule{"metrics.energyJoules", "J", "energy", Measured::Machine, "system"}};

constexpr std::array kJson{
    JsonFormat{"macmon", "macmon", "all_power", kTimeField, kMacmon},
    JsonFormat{"mactop", "mactop", "soc_metrics.cpu_power", kTimeField, kMactop},
    JsonFormat{"scaphandre", "Scaphandre", "host.consumption", kScaphandreTimes, kScaphandre},
    JsonFormat{"tasmota", "Tasmota", "ENERGY.Power", kTasmotaTimes, kTasmota},
    JsonFormat{"tasmota", "Tasmota", "StatusSNS.ENERGY.Power", kTasmotaStatusTimes, kTasmotaStatus},
    JsonFormat{.id = "shelly", .title = "Shelly", .required = "apower", .times = kShellyTimes, .fields = kShelly2, .device = "id"},
    JsonFormat{"shelly", "Shelly", "switch:0.apower", kShellyStatusTimes, kShellyStatus},
    JsonFormat{"shelly", "Shelly", "meters.[].power", kShelly1Times, kShelly1},
    JsonFormat{"shelly", "Shelly", "emeters.[].power", kShelly1Times, kShellyEm},
    JsonFormat{"shelly", "Shelly", "total_act_power", kShellyTimes, kShelly3Em},
    JsonFormat{.id = "energy-profiler", .title = "energy-profiler power --json", .required = "start_ns", .times = kOwnTimes,
               .fields = kOwn, .rule = Rule::Interval, .length = "duration_ns", .length_s = 1e-9, .from_start = true, .time_s = 1e-9},
    JsonFormat{.id = "answers", .title = "energies of whole answers", .required = "metrics.energyJoules", .times = kTimeField,
               .fields = kAnswerFields, .rule = Rule::Joules, .length = "metrics.energyMeasurementWindowSeconds",
               .tokens = "metrics.generatedTokenCount"},
};

constexpr std::array kMetrics{
    MetricRule{"dcgm", "dcgm-exporter", "dcgm_fi_dev_power_usage", Rule::Trapezoid, 1.0, "gpu", "$", Measured::GraphicsCard, "gpu"},
    MetricRule{"dcgm", "dcgm-exporter", "dcgm_fi_dev_power_usage_instant", Rule::Trapezoid, 1.0, "gpu", "$ instant", Measured::GraphicsCard, "part"},
    MetricRule{"dcgm", "dcgm-exporter", "dcgm_fi_dev_total_energy_consumption", Rule::Counter, 1e-3, "gpu", "$ counter", Measured::Part, "part"},
    MetricRule{"kepler", "Kepler", "kepler_node_cpu_joules_total", Rule::Counter, 1.0, "zone", "$", Measured::Machine, "?", true},
    MetricRule{"kepler", "Kepler", "kepler_node_cpu_watts", Rule::Trapezoid, 1.0, "zone", "$ power", Measured::Part, "part", true},
    MetricRule{"kepler", "Kepler", "kepler_node_gpu_joules_total", Rule::Counter, 1.0, "gpu", "gpu$", Measured::GraphicsCard, "gpu"},
    MetricRule{"kepler", "Kepler", "kepler_node_gpu_watts", Rule::Trapezoid, 1.0, "gpu", "gpu$ power", Measured::Part, "part"},
    MetricRule{"kepler", "Kepler", "kepler_node_*_joules_total", Rule::Counter, 1.0, "", "*", Measured::Machine, "?", true},
    MetricRule{"all-smi", "all-smi", "all_smi_gpu_power_consumption_watts", Rule::Trapezoid, 1.0, "index|gpu_index|gpu", "gpu$", Measured::Part, "gpu"},
    MetricRule{"all-smi", "all-smi", "all_smi_cpu_power*_watts", Rule::Trapezoid, 1.0, "", "cpu", Measured::Processor, "cpu"},
    MetricRule{"all-smi", "all-smi", "all_smi_ane_power_watts", Rule::Trapezoid, 1.0, "", "ane", Measured::NeuralEngine, "ane"},
    MetricRule{"all-smi", "all-smi", "all_smi_dram_power_watts", Rule::Trapezoid, 1.0, "", "dram", Measured::Memory, "dram"},
    MetricRule{"all-smi", "all-smi", "all_smi_combined_power_watts", Rule::Trapezoid, 1.0, "", "combined", Measured::Machine, "sum"},
    MetricRule{"all-smi", "all-smi", "all_smi_chassis_power_watts", Rule::Trapezoid, 1.0, "", "chassis", Measured::Machine, "system"},
    MetricRule{"scaphandre", "Scaphandre", "scaph_host_power_microwatts", Rule::Trapezoid, 1e-6, "", "host", Measured::Machine, "system"},
    MetricRule{"node-exporter", "node_exporter", "node_rapl_*_joules_total", Rule::Counter, 1.0, "index", "*-$", Measured::Machine, "?"},
    MetricRule{"nvidia-exporter", "nvidia_gpu_exporter", "nvidia_smi_power_draw_watts", Rule::Trapezoid, 1.0, "uuid", "$", Measured::GraphicsCard, "gpu"},
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

std::span<const JsonFormat> jsonFormats()
{
    return kJson;
}

std::span<const MetricRule> metricRules()
{
    return kMetrics;
}

bool matches(const char* pattern, std::string_view text, std::string* star)
{
    std::string_view rest(pattern);
    for (;;) {
        const std::size_t bar = rest.find('|');
        if (matchesOne(rest.substr(0, bar), text, star))
            return true;
        if (bar == std::string_view::npos)
            return false;
        rest.remove_prefix(bar + 1);
    }
}

Kind kindOf(std::string_view rail)
{
    struct Word {
        const char* pattern;
        Kind kind;
    };
    // The first one that matches counts.
    static constexpr std::array kWords{
        Word{
            "*system*|*wall*|*psys*|*mains*|*plug*|*host*|*chassis*|*platform*|*vdd_in*|*pom_5v_in*"
            "|*board*|*machine*|*node*",
            {Measured::Machine, "system"}},
        Word{"*combined*|*total*|all|soc|*package power*", {Measured::Machine, "sum"}},
        Word{"*uncore*|*cores*|core*|*pp0*|*pp1*|ia*|gt*|*_core*", {Measured::Part, "part"}},
        Word{"*dram*|*ram*|*memory*|*ddr*|*speicher*", {Measured::Memory, "dram"}},
        Word{"*nvidia*|*gpu#*|*card#*", {Measured::GraphicsCard, "gpu"}},
        Word{"*gpu*|*graphics*", {Measured::GraphicsCard, "gpu"}},
        Word{"*ane*|*npu*", {Measured::NeuralEngine, "ane"}},
        Word{"*cpu*|*package*|*processor*|*pkg*", {Measured::Processor, "cpu"}},
    };
    const std::string lower = lowerCase(rail);
    for (const Word& word : kWords) {
        if (matches(word.pattern, lower))
            return word.kind;
    }
    return {};
}

} // namespace ep::powerlog
