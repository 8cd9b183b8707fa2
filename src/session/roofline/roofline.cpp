// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/roofline.h"

#include "power/power_log.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/core/quantile.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/machine_costs.h"
#include "ep/json/document.h"
#include "ep/model/dtype.h"
#include "ep/model/format.h"
#include "ep/session/environment.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

namespace ep::session {

namespace {

using Json = json::OrderedJson;
using model::MatmulBurst;

constexpr std::int64_t kWidth = 4096;
constexpr double kBytesBeyondCaches = 128e6; // total size of the weights, which are read in turn
constexpr std::int64_t kManyRows = 256;
constexpr double kIdleShare = 0.15; // share of time spent idle, to see the idle machine

// Rate of the bursts: the upper quartile, since other programs only take time away. Its error
// follows from the spread between the quartiles.
MeasuredConstant rateOf(const std::vector<MatmulBurst>& bursts, double MatmulBurst::*work)
{
    std::vector<double> rates;
    for (const MatmulBurst& burst : bursts)
        rates.push_back(burst.*work
                        / toSeconds(std::max<Nanoseconds>(1, burst.time.duration_ns())));
    std::ranges::sort(rates);
    constexpr double kQuartilesOfNormal = 1.349; // between the quartiles, in standard deviations
    constexpr double kErrorOfQuartile = 1.36; // sd / sqrt(n), for a normal distribution
    constexpr double kMinError = 0.01;
    const double rate = quantileOf(rates, 0.75);
    const double sd = (rate - quantileOf(rates, 0.25)) / kQuartilesOfNormal;
    return {rate,
            std::max(kMinError * rate,
                     kErrorOfQuartile * sd / std::sqrt(static_cast<double>(rates.size())))};
}

// Work inside a window; the bursts do not overlap.
energy::Amount amountIn(const TimeRange& window, const std::vector<MatmulBurst>& bursts)
{
    energy::Amount amount{.seconds = toSeconds(window.duration_ns())};
    for (const MatmulBurst& burst : bursts) {
        const TimeRange both = intersection(window, burst.time);
        if (both.empty())
            continue;
        const double share =
            static_cast<double>(both.duration_ns()) / static_cast<double>(burst.time.duration_ns());
        amount.flops += share * burst.flops;
        amount.bytes += share * burst.bytes;
    }
    return amount;
}

std::vector<energy::CostWindow> windowsOf(const std::vector<PowerSample>& samples,
                                          const std::vector<TimeRange>& stretches,
                                          const std::vector<MatmulBurst>& bursts)
{
    const energy::EnergyTimeline timeline(samples);
    std::vector<energy::CostWindow> windows;
    for (const energy::EnergyTimeline::Window& window : timeline.windows()) {
        const bool inside = std::ranges::any_of(
            stretches, [&](const TimeRange& stretch) { return stretch.contains(window.time); });
        if (inside && window.total_pj)
            windows.push_back({amountIn(window.time, bursts),
                               energy::toDouble(*window.total_pj)
                                   / (kPicojoulesPerMillijoule * kMillijoulesPerJoule)});
    }
    return windows;
}

MeasuredConstant constantOf(const energy::Estimate& estimate)
{
    return {estimate.value, estimate.sd};
}

// A cancellable pause.
void rest(double seconds, const CancelToken& cancel)
{
    const Nanoseconds end = monotonicNow() + static_cast<Nanoseconds>(seconds * 1e9);
    while (monotonicNow() < end && !cancel.cancelled())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

struct Format {
    MachineRecord record;
    std::vector<MatmulBurst> bursts;
    std::vector<TimeRange> stretches;
};

class Measurement {
public:
    Measurement(const RooflineRequest& request, const CancelToken& cancel,
                const ProgressFn& progress)
        : m_request(request)
        , m_cancel(cancel)
        , m_progress(progress)
        , m_key(machineKey(readEnvironment()))
    {
    }

    Status run(model::EngineLibrary& library)
    {
        report(0.0, "Idle");
        const Nanoseconds begin = monotonicNow();
        rest(kIdleShare * m_request.seconds, m_cancel);
        m_idle = {begin, monotonicNow()};
        const double each = (1.0 - kIdleShare) * m_request.seconds
            / (2.0 * static_cast<double>(m_request.dtypes.size()));
        for (std::size_t i = 0; i < m_request.dtypes.size(); ++i) {
            const double done =
                static_cast<double>(i) / static_cast<double>(m_request.dtypes.size());
            report(kIdleShare + (1.0 - kIdleShare) * done, m_request.dtypes[i]);
            if (const Status measured = measure(library, m_request.dtypes[i], each); !measured)
                return measured;
        }
        return {};
    }

    void price(const std::vector<PowerSample>& samples, const std::string& source)
    {
        for (Format& format : m_formats) {
            std::vector<TimeRange> stretches = format.stretches;
            stretches.push_back(m_idle);
            const auto fit = energy::fitEnergies(windowsOf(samples, stretches, format.bursts));
            if (!fit)
                continue;
            format.record.source = source;
            format.record.joules_per_flop =
                constantOf(fit->costs.of(&energy::Prices::joules_per_flop));
            format.record.joules_per_byte =
                constantOf(fit->costs.of(&energy::Prices::joules_per_byte));
            format.record.static_watts = constantOf(fit->costs.of(&energy::Prices::watts));
        }
    }

    std::vector<MachineRecord> records() const
    {
        std::vector<MachineRecord> all;
        for (const Format& format : m_formats)
            all.push_back(format.record);
        return all;
    }

private:
    void report(double fraction, const Message& what) const
    {
        if (m_progress)
            m_progress(fraction, what);
    }

    Status measure(model::EngineLibrary& library, const std::string& dtype, double seconds)
    {
        const auto known = model::dtypeFromName(model::mainTypeName(dtype));
        if (!known || !model::rowOf(*known).offered) {
            return Error{ErrorCode::InvalidInput,
                         {"There is no number format '%1': choose one of those that --dtype rounds "
                          "to, or f32, bf16 or f16.",
                          dtype}};
        }
        const double matrix = static_cast<double>(model::bytesOf(*known, kWidth * kWidth));
        Format format;
        for (const bool memory : {true, false}) {
            model::MatmulRequest request;
            request.dtype = *known;
            request.width = kWidth;
            request.rows = memory ? 1 : kManyRows;
            request.matrices =
                memory ? static_cast<std::int64_t>(std::ceil(kBytesBeyondCaches / matrix)) : 1;
            request.threads = m_request.threads;
            request.seconds = seconds;
            request.cancel = m_cancel;
            const auto times = library.timeMatmuls(request);
            if (!times)
                return times.error();
            (memory ? format.record.bytes_per_second : format.record.flops_per_second) =
                rateOf(times->bursts, memory ? &MatmulBurst::bytes : &MatmulBurst::flops);
            format.record.threads = times->threads;
            format.bursts.insert(format.bursts.end(), times->bursts.begin(), times->bursts.end());
            format.stretches.push_back(
                {times->bursts.front().time.begin_ns, times->bursts.back().time.end_ns});
        }
        format.record.machine = m_key;
        format.record.device = "cpu";
        format.record.dtype = model::name(*known);
        format.record.measured_at_ms = wallClockMs();
        m_formats.push_back(std::move(format));
        return {};
    }

    const RooflineRequest& m_request;
    const CancelToken& m_cancel;
    const ProgressFn& m_progress;
    std::string m_key;
    TimeRange m_idle;
    std::vector<Format> m_formats;
};

Json constantJson(const std::optional<MeasuredConstant>& constant)
{
    return constant ? Json{{"value", constant->value}, {"sd", constant->sd}} : Json();
}

std::string withUnit(const std::optional<MeasuredConstant>& constant, double scale,
                     const char* unit)
{
    if (!constant)
        return kMissingText;
    return formatSignificant(constant->value * scale) + unit;
}

} // namespace

Result<RooflineReport> measureRoofline(const RooflineRequest& request, const Backend& backend,
                                       const CancelToken& cancel, const ProgressFn& progress)
{
    const auto library = backend.openEngineLibrary();
    if (!library)
        return library.error();
    RooflineReport report;
    PowerLog log;
    const std::unique_ptr<PowerFeed> feed = backend.makePowerFeed();
    const Status started =
        feed->start(request.power, request.interval_ms,
                    {.sample = [&](const PowerSample& sample) { log.add(sample); },
                     .problem = [&](const Message& problem) { log.fail(problem); }});
    if (!started && request.power.kind != "auto")
        return started.error();
    if (!started)
        report.energy_problem = started.error().message;
    Measurement measurement(request, cancel, progress);
    const Status measured = measurement.run(**library);
    const std::string source = feed->kind();
    if (started)
        feed->stop();
    if (!measured)
        return measured.error();
    const auto recorded = log.all();
    const bool modelled = std::ranges::any_of(recorded, &PowerSample::modelled);
    if (report.energy_problem.empty() && log.problem())
        report.energy_problem = *log.problem();
    else if (recorded.empty() && report.energy_problem.empty())
        report.energy_problem = "No power source measures here: only times are known.";
    else if (modelled)
        report.energy_problem = "A modelled source measures nothing: only times are known.";
    if (report.energy_problem.empty())
        measurement.price(recorded, source);
    report.limits = measurement.records();
    return report;
}

std::string rooflineToText(const RooflineReport& report)
{
    std::string text;
    for (const MachineRecord& record : report.limits) {
        const double ridge = record.flops_per_second.value / record.bytes_per_second.value;
        text += record.dtype + std::string(6 - std::min<std::size_t>(5, record.dtype.size()), ' ')
            + withUnit(record.flops_per_second, 1e-9, " GFLOP/s") + ", "
            + withUnit(record.bytes_per_second, 1e-9, " GB/s") + ", equal at "
            + formatSignificant(ridge) + " FLOPs per byte; "
            + withUnit(record.joules_per_flop, 1e12, " pJ/FLOP") + ", "
            + withUnit(record.joules_per_byte, 1e12, " pJ/byte") + ", "
            + withUnit(record.static_watts, 1.0, " W static") + " ("
            + std::to_string(record.threads) + " threads)\n";
    }
    return report.energy_problem.empty()
        ? text
        : text + "\nNote: " + report.energy_problem.english() + '\n';
}

std::string rooflineToJson(const RooflineReport& report)
{
    Json limits = Json::array();
    for (const MachineRecord& record : report.limits)
        limits.push_back({{"machine", record.machine},
                          {"device", record.device},
                          {"dtype", record.dtype},
                          {"threads", record.threads},
                          {"flops_per_second", constantJson(record.flops_per_second)},
                          {"bytes_per_second", constantJson(record.bytes_per_second)},
                          {"joules_per_flop", constantJson(record.joules_per_flop)},
                          {"joules_per_byte", constantJson(record.joules_per_byte)},
                          {"static_watts", constantJson(record.static_watts)},
                          {"power_source", record.source}});
    const Json json{{"format", "energy-profiler-roofline"},
                    {"version", 1},
                    {"limits", limits},
                    {"energy_problem", report.energy_problem}};
    return json::textOf(json, 2);
}

} // namespace ep::session
