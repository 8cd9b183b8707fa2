// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats.h"
#include "lines.h"
#include "log.h"
#include "table_layout.h"

#include "ep/json/document.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ep::powerlog {
namespace {

// A guessed format for objects that no row of the table describes: fields whose names state a unit
// of power ("gpu_power_w", also one level deeper), and a field whose name means a time.
struct GuessedJson {
    JsonFormat format{}; // points into the other members
    std::vector<FieldRule> fields;
    std::array<const char*, 1> times{};
    std::deque<std::string> texts;
};

constexpr std::size_t kMaxGuessedFields = 100;
constexpr std::size_t kLongestKey = 100;

// A dot would separate keys in a path.
bool isPlainKey(const std::string& key)
{
    return !key.empty() && key.size() <= kLongestKey && key.find('.') == std::string::npos
        && key != "[]";
}

// Null: no field is a power.
std::unique_ptr<GuessedJson> guessJson(const json::Json& object)
{
    auto guess = std::make_unique<GuessedJson>();
    const auto keep = [&](std::string text) {
        return guess->texts.emplace_back(std::move(text)).c_str();
    };
    const auto addPowers = [&](const json::Json& part, const std::string& parent) {
        for (const auto& [key, value] : part.items()) {
            const Header header = readHeader(key);
            const auto unit = unitFrom(header.unit);
            if (!value.is_number() || !isPlainKey(key) || !unit || unit->of != Unit::Of::Power
                || isOtherPower(header) || guess->fields.size() >= kMaxGuessedFields)
                continue;
            std::string rail = genericRail(header);
            if (!parent.empty())
                rail = rail == "power" ? parent : parent + " " + rail;
            const Kind kind = kindOf(rail);
            guess->fields.push_back({keep(parent.empty() ? key : parent + "." + key),
                                     keep(header.unit), keep(rail), kind.measured, kind.part});
        }
    };
    if (!object.is_object())
        return nullptr;
    addPowers(object, {});
    for (const auto& [key, value] : object.items()) {
        if (value.is_object() && isPlainKey(key))
            addPowers(value, key);
    }
    if (guess->fields.empty())
        return nullptr;
    guess->format.id = "json";
    guess->format.title = "JSON with powers";
    guess->format.required = guess->fields.front().path;
    for (const auto& [key, value] : object.items()) {
        const Header header = readHeader(key);
        if (!isPlainKey(key) || !isTimeName(header.name)
            || !(value.is_number() || value.is_string()) || guess->times[0] != nullptr)
            continue;
        guess->times[0] = keep(key);
        guess->format.times = guess->times;
        if (const auto unit = unitFrom(header.unit); unit && unit->of == Unit::Of::Time)
            guess->format.time_s = unit->factor;
    }
    guess->format.fields = guess->fields;
    return guess;
}

using json::Json;

// Finds the values at a path: "a.b", or "a.[].b" for each element of a list.
void findValues(const Json& value, std::string_view path, std::vector<const Json*>& found)
{
    if (path.empty()) {
        if (value.is_array()) {
            for (const Json& element : value)
                found.push_back(&element);
        } else {
            found.push_back(&value);
        }
        return;
    }
    const std::size_t dot = path.find('.');
    const std::string key(path.substr(0, dot));
    const std::string_view rest =
        dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (key == "[]") {
        if (value.is_array()) {
            for (const Json& element : value)
                findValues(element, rest, found);
        }
        return;
    }
    if (!value.is_object())
        return;
    const auto field = value.find(key);
    if (field != value.end())
        findValues(*field, rest, found);
}

std::vector<const Json*> valuesAt(const Json& value, std::string_view path)
{
    std::vector<const Json*> found;
    if (!path.empty())
        findValues(value, path, found);
    return found;
}

class JsonLogReader {
public:
    explicit JsonLogReader(Log& log)
        : m_log(log)
    {
    }

    Status take(const std::string& text, std::int64_t row)
    {
        // mactop writes the member cpu_temp twice.
        auto object = json::parseUniqueKeys(text, "cpu_temp");
        if (!object)
            return rowError(row,
                            Message("the object that begins here is %1.", object.error().message));
        const auto isFormat = [&](const JsonFormat& format) {
            const auto found = valuesAt(*object, format.required);
            return !found.empty()
                && (format.required[0] != 's' || object->contains("power_mw")
                    || std::string_view(format.required) != "start_ns");
        };
        if (m_format == nullptr) {
            const auto formats = jsonFormats();
            const auto format = std::ranges::find_if(formats, isFormat);
            if (format != formats.end())
                m_format = &*format;
            else if ((m_guess = guessJson(*object)))
                m_format = &m_guess->format;
            if (m_format != nullptr) {
                m_log.recording.format = m_format->id;
                m_log.recording.format_title = m_format->title;
                for (const FieldRule& field : m_format->fields)
                    m_log.recording.columns.push_back(
                        {field.path, std::string("power of ") + field.rail});
            }
        }
        if (m_format == nullptr || !isFormat(*m_format)) {
            if (m_others++ == 0)
                m_firstOther = row;
            return {};
        }
        return valuesOf(*object, row);
    }

    Status finish()
    {
        if (m_format == nullptr)
            return rowError(m_firstOther == 0 ? 1 : m_firstOther,
                            "no format of power logs in JSON is known that has these fields.");
        if (m_others > 0)
            m_log.collector.note(Weight::Note,
                                 Message("%1 objects without power were skipped.", m_others));
        if (m_tokensWithoutJoules.count() > 0)
            m_log.collector.note(
                Weight::Poor,
                Message(
                    "Tokens without any energy in %1: the sensor did not move while the model ran.",
                    m_tokensWithoutJoules.text()));
        return {};
    }

private:
    Result<Nanoseconds> timeOf(const Json& object, std::int64_t row)
    {
        for (const char* path : m_format->times) {
            const auto times = valuesAt(object, path);
            if (times.empty())
                continue;
            const Json& time = *times.front();
            if (time.is_string()) {
                if (time.get_ref<const std::string&>().empty())
                    continue;
                return m_log.clock.at(time.get_ref<const std::string&>(), row);
            }
            if (time.is_number_integer() || time.is_number_float())
                return m_log.clock.at(json::textOf(time), row, m_format->time_s);
        }
        if (m_format->event[0] != '\0') {
            m_log.collector.note(Weight::Note, kPerfWithoutTimes);
            return m_log.clock.at(Instant{});
        }
        return m_log.clock.atIndex(m_objects, row);
    }

    Status valuesOf(const Json& object, std::int64_t row)
    {
        if (m_format->only[0] != '\0') {
            const auto unit = valuesAt(object, m_format->only);
            if (unit.empty() || !unit.front()->is_string() || *unit.front() != "Joules")
                return {};
        }
        const auto at = timeOf(object, row);
        if (!at)
            return at.error();
        ++m_objects;
        Reading reading{.at_ns = *at, .row = row};
        if (const auto lengths = valuesAt(object, m_format->length);
            !lengths.empty() && lengths.front()->is_number())
            reading.length_s = lengths.front()->get<double>() * m_format->length_s;
        std::string device;
        if (const auto ids = valuesAt(object, m_format->device); !ids.empty())
            device = json::textOf(*ids.front());
        if (m_objects == 1)
            m_firstDevice = device;
        for (const FieldRule& field : m_format->fields) {
            const auto found = valuesAt(object, field.path);
            const auto column =
                static_cast<std::size_t>(&field - m_format->fields.data()) + LogNumbers::kTimes + 1;
            for (std::size_t i = 0; i < found.size() && i < 64; ++i) {
                std::string name = field.rail;
                if (device != m_firstDevice)
                    name += " " + device;
                if (found.size() > 1)
                    name += " " + std::to_string(i + 1);
                RailSpec spec{.name = name,
                              .rule = m_format->rule,
                              .measured = field.measured,
                              .part = field.part,
                              .from_start = m_format->from_start};
                if (const auto events = valuesAt(object, m_format->event);
                    !events.empty() && events.front()->is_string())
                    spec = perfRail(events.front()->get_ref<const std::string&>());
                const auto rail = m_log.collector.rail(spec, row);
                if (!rail)
                    return rail.error();
                const Json& value = *found[i];
                reading.value = std::numeric_limits<double>::quiet_NaN();
                if (value.is_number())
                    reading.value = value.get<double>() * unitFrom(field.unit)->factor;
                else if (value.is_string()) {
                    const auto read =
                        textValue(value.get_ref<const std::string&>(), field, column, row);
                    if (!read)
                        return read.error();
                    reading.value = *read;
                } else if (!value.is_null()) {
                    return rowError(row, Message("%1 is not a number.", field.path));
                } else if (m_format->rule == Rule::Interval) {
                    continue; // a rail that the machine does not have
                }
                if (const Status added = m_log.collector.add(*rail, reading); !added)
                    return added;
            }
        }
        const auto tokens = valuesAt(object, m_format->tokens);
        if (!tokens.empty() && tokens.front()->is_number() && tokens.front()->get<double>() > 0
            && reading.value == 0.0)
            m_tokensWithoutJoules.add(row);
        return {};
    }

    // A number in quotation marks, which may state its unit; NaN if it is not available.
    Result<double> textValue(const std::string& text, const FieldRule& field, std::size_t column,
                             std::int64_t row)
    {
        const Unit stated = *unitFrom(field.unit);
        const auto number = m_log.numbers.read(text, column, row);
        const auto unit = number && !number->rest.empty() ? unitFrom(number->rest) : stated;
        if (number && unit && unit->of == stated.of)
            return number->value * unit->factor;
        if (!number && isUnavailable(text))
            return std::numeric_limits<double>::quiet_NaN();
        return rowError(row, Message("%1 in %2 is not a number.", quoteCell(text), field.path));
    }

    Log& m_log;
    const JsonFormat* m_format = nullptr;
    std::unique_ptr<GuessedJson> m_guess; // owns m_format if no row of the table fits
    std::int64_t m_objects = 0;
    std::int64_t m_others = 0; // objects of unknown format
    std::int64_t m_firstOther = 0;
    std::string m_firstDevice;
    energy::RowList m_tokensWithoutJoules;
};

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

Status readJsonLog(Log& log)
{
    ObjectSplitter splitter;
    JsonLogReader reader(log);
    ObjectSplitter::Objects objects;
    const Status all = log.lines.forEach([&](std::string_view line) -> Status {
        objects.clear();
        if (const Status split = splitter.feed(line, log.lines.row(), objects); !split)
            return split;
        for (const auto& [row, text] : objects) {
            if (const Status taken = reader.take(text, row); !taken)
                return taken;
        }
        return {};
    });
    if (!all)
        return all;
    if (splitter.open())
        log.collector.note(
            Weight::Note,
            Message("The last object, which begins at row %1, is cut off and was left out.",
                    splitter.row()));
    return reader.finish();
}

std::span<const JsonFormat> jsonFormats()
{
    return kJson;
}

std::span<const MetricRule> metricRules()
{
    return kMetrics;
}

} // namespace ep::powerlog
