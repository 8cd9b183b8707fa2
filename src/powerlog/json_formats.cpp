// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of logs in JSON and of scrapes.
#include "formats.h"

#include <array>

namespace ep::powerlog {

namespace {

using energy::Measured;

// clang-format off
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
constexpr std::array kPerfTimes{"interval"};
constexpr std::array kPerfFields{FieldRule{"counter-value", "J", "", Measured::Machine, "?"}};
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
    JsonFormat{.id = "energy-profiler", .title = "energy-profiler doctor --watch --json", .required = "start_ns", .times = kOwnTimes,
               .fields = kOwn, .rule = Rule::Interval, .length = "duration_ns", .length_s = 1e-9, .from_start = true, .time_s = 1e-9},
    JsonFormat{.id = "perf", .title = "perf stat", .required = "counter-value", .times = kPerfTimes, .fields = kPerfFields,
               .rule = Rule::Joules, .event = "event", .only = "unit"},
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
    MetricRule{"mactop", "mactop", "mactop_power_watts", Rule::Trapezoid, 1.0, "component", "$", Measured::Machine, "?"},
    MetricRule{"scaphandre", "Scaphandre", "scaph_host_power_microwatts", Rule::Trapezoid, 1e-6, "", "host", Measured::Machine, "system"},
    MetricRule{"node-exporter", "node_exporter", "node_rapl_*_joules_total", Rule::Counter, 1.0, "index", "*-$", Measured::Machine, "?"},
    MetricRule{"nvidia-exporter", "nvidia_gpu_exporter", "nvidia_smi_power_draw_watts", Rule::Trapezoid, 1.0, "uuid", "$", Measured::GraphicsCard, "gpu"},
};
// clang-format on

} // namespace

std::span<const JsonFormat> jsonFormats()
{
    return kJson;
}

std::span<const MetricRule> metricRules()
{
    return kMetrics;
}

} // namespace ep::powerlog
