// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/calibrate.h"

#include "power/machine_load.h"
#include "power/power_log.h"
#include "record/recorder.h"
#include "record/span_work.h"
#include "run/model_cache.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/run.h"
#include "ep/core/uuid.h"
#include "ep/json/document.h"
#include "ep/model/config.h"
#include "ep/session/environment.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace ep::session {
namespace {

Result<RunTrace> recordTokens(model::Engine& engine, const std::vector<text::TokenId>& prompt,
                              int tokens, const CancelToken& cancel)
{
    RecorderOptions options;
    options.timer = engine.makeSpanTimer();
    if (!options.timer)
        options.ticks = TickClock::ofSystem();
    PublishedOperation unseen{0};
    Recorder recorder(std::move(options), unseen, {});
    const auto generation =
        engine.begin({.prompts = {prompt}, .max_new_tokens = tokens + 1}, &recorder, cancel);
    if (!generation)
        return generation.error();
    RunTrace trace;
    trace.time.begin_ns = monotonicNow();
    for (int i = 0; i <= tokens; ++i) {
        TokenSpan token;
        token.index = i;
        token.phase = i == 0 ? Phase::Prefill : Phase::Decode;
        token.time.begin_ns = monotonicNow();
        recorder.enter(token.phase, i);
        const auto step = i == 0 ? (*generation)->prefill() : (*generation)->decode();
        if (!step)
            return step.error();
        if (const Status stamped = recorder.endStep(); !stamped)
            return stamped.error();
        token.time.end_ns = monotonicNow();
        trace.tokens.push_back(std::move(token));
    }
    trace.time.end_ns = monotonicNow();
    recorder.appendTo(trace, static_cast<std::int32_t>(trace.tokens.size()));
    if (const Status finished = (*generation)->finish(); !finished)
        return finished.error();
    return trace;
}

// Mean FLOPs, bytes and time of each kind of component and section in a decoded token, over
// `tokens` tokens after the prompt, from the spans of a run. info: of such a run;
// config: of the engine's model.
Result<std::vector<CalibratedKind>> measureTokenWork(model::Engine& engine, const RunInfo& info,
                                                     const model::ModelConfig& config,
                                                     const std::vector<text::TokenId>& prompt,
                                                     int tokens, const CancelToken& cancel)
{
    auto trace = recordTokens(engine, prompt, tokens, cancel);
    if (!trace)
        return trace.error();
    analyticWork(*trace, info, config);
    std::map<std::string, CalibratedKind> kinds;
    const auto add = [&](std::string_view name, const TimeRange& time,
                         const std::optional<SpanWork>& work) {
        CalibratedKind& kind = kinds[std::string(name)];
        kind.kind = name;
        kind.seconds += toSeconds(time.duration_ns()) / tokens;
        kind.flops += static_cast<double>(work.value_or(SpanWork{}).flops) / tokens;
        kind.bytes += static_cast<double>(work.value_or(SpanWork{}).bytes) / tokens;
    };
    for (const Span& span : trace->components) {
        if (span.token > 0)
            add(name(span.component), span.time, span.work);
    }
    for (const Span& span : trace->sections) {
        if (span.token > 0 && span.section != Section::Layers)
            add(name(span.section), span.time, span.work);
    }
    std::vector<CalibratedKind> list;
    for (const auto& [word, kind] : kinds)
        list.push_back(kind);
    return list;
}

using energy::CalibrationBlock;
using energy::MeasuredBlock;
using What = CalibrationBlock::What;

constexpr int kTokens = 4; // number of tokens recorded after the prompt
constexpr std::chrono::seconds kFirstWindow{10};
constexpr std::chrono::seconds kLastSample{5};

// A real text, because the power of a kernel depends on the values that it computes with.
constexpr const char* kPassage =
    "The old lighthouse stood at the end of the pier, and every evening its keeper climbed the one "
    "hundred and twelve steps to light the lamp. He wrote down the weather, the ships that passed, "
    "and what they carried: grain from the east, timber from the north, and once a circus with two "
    "elephants. When electricity came, nobody had to climb any more, but he went up all the same, "
    "because the numbers in his book would otherwise have had a gap. On the last page he added "
    "everything up, and found that in forty years he had climbed higher than the moon is far away. "
    "His daughter, who was good with figures, checked the sum and said that";

// All kinds; those that a token never executes are removed later.
std::vector<CalibratedKind> kindsOf(const std::vector<model::ReplayPart>& parts,
                                    const std::vector<CalibratedKind>& work)
{
    std::vector<CalibratedKind> kinds;
    for (const model::ReplayPart& part : parts) {
        CalibratedKind kind{.kind = part.name};
        const auto found = std::ranges::find(work, part.name, &CalibratedKind::kind);
        if (found != work.end())
            kind = *found;
        kind.calls = part.calls;
        kind.footprint_bytes = part.bytes;
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

Result<TimeRange> idleFor(double seconds, const CancelToken& cancel)
{
    TimeRange time{monotonicNow(), 0};
    do {
        if (cancel.cancelled())
            return Error{ErrorCode::Cancelled, "The calibration was cancelled."};
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        time.end_ns = monotonicNow();
    } while (toSeconds(time.duration_ns()) < seconds);
    return time;
}

Result<MeasuredBlock> measuredBlock(const CalibrationBlock& block, model::Replay& replay,
                                    const energy::CalibrationSettings& settings,
                                    const CancelToken& cancel)
{
    MeasuredBlock result{.block = block, .time = {}};
    if (block.what == What::Idle) {
        const auto time = idleFor(settings.idle_seconds, cancel);
        if (!time)
            return time.error();
        result.time = *time;
        return result;
    }
    const auto duration = static_cast<Nanoseconds>(settings.block_seconds * 1e9);
    std::optional<model::ExtraPasses> extra;
    if (block.what == What::Multiplied) {
        const std::size_t part = energy::multipliedKind(block);
        extra = {.part = part, .times = block.passes[part]};
    }
    const auto times = block.what == What::Replay
        ? replay.repeatParts(block.passes, duration, cancel)
        : replay.repeatTokens(extra, duration, cancel);
    if (!times)
        return times.error();
    result.time = times->time;
    result.repetitions = times->repetitions;
    return result;
}

class CalibrationJob {
public:
    CalibrationJob(const CalibrateRequest& request, const Backend& backend,
                   const CancelToken& cancel, const ProgressFn& progress)
        : m_request(request)
        , m_settings(request.settings)
        , m_cancel(cancel)
        , m_progress(progress)
        , m_backend(backend)
        , m_models(backend)
        , m_feed(backend.makePowerFeed())
    {
        // The first and the last window of a block extend beyond it and do not count.
        const double windows = (m_settings.least_windows + 3) * 1.1e-3 * request.interval_ms;
        m_settings.block_seconds = std::max(m_settings.block_seconds, windows);
        m_settings.idle_seconds =
            std::max(m_settings.idle_seconds, 5e-3 * static_cast<double>(request.interval_ms));
    }

    Result<CalibrationReport> run()
    {
        if (const Status prepared = prepare(); !prepared)
            return prepared.error();
        if (const Status listening = startPower(); !listening)
            return listening.error();
        MachineLoad load(systemLoadClocks(m_backend));
        load.begin();
        const Nanoseconds begin = monotonicNow();
        const Status done = measureBlocks();
        load.end();
        if (done)
            m_log.waitUntilCovered(m_blocks.back().time.end_ns, kLastSample, m_cancel);
        m_feed->stop();
        if (!done)
            return done.error();
        if (const auto problem = m_log.problem())
            return Error{ErrorCode::Io, *problem};
        CalibrationReport report = judged(load);
        report.seconds = toSeconds(monotonicNow() - begin);
        return report;
    }

private:
    void tell(double fraction, const Message& what) const
    {
        if (m_progress)
            m_progress(fraction, what);
    }

    Status prepare()
    {
        auto opened = m_models.open(m_request.load);
        if (!opened)
            return opened.error();
        const auto loaded = m_models.acquire(
            *std::move(opened), {},
            [this](double fraction, const Message& what) { tell(0.05 * fraction, what); },
            m_cancel);
        if (!loaded)
            return loaded.error();
        LoadedModel& model = **loaded;
        m_info = describe(*model.engine);
        auto prompt =
            model.tokenizer->tryEncode(m_request.prompt.empty() ? kPassage : m_request.prompt);
        if (!prompt)
            return prompt.error();
        // A small context has room only for the beginning of the passage.
        const std::int64_t room = m_info.model.context_length - kTokens - 2;
        if (room > 0 && static_cast<std::int64_t>(prompt->size()) > room)
            prompt->resize(static_cast<std::size_t>(room));
        m_info.input_tokens = static_cast<int>(prompt->size());
        tell(0.05, "Recording tokens");
        const auto work =
            measureTokenWork(*model.engine, m_info, model.config, *prompt, kTokens, m_cancel);
        if (!work)
            return work.error();
        auto replay = model.engine->record({.prompt = *prompt, .tokens = kTokens}, m_cancel);
        if (!replay)
            return replay.error();
        m_replay = *std::move(replay);
        m_settings.cache_bytes = m_replay->cacheBytes();
        m_kinds = kindsOf(m_replay->parts(), *work);
        return {};
    }

    // Fills in the facts as for a run.
    RunInfo describe(const model::Engine& engine) const
    {
        RunInfo info;
        info.created_at_ms = wallClockMs();
        info.environment = readEnvironment();
        if (m_request.load.threads > 0)
            info.environment.threads = m_request.load.threads;
        info.model = engine.facts();
        info.device = engine.device();
        info.dtype = engine.dtype();
        info.execution.attention = engine.attentionImplementation(false);
        info.profiling.kernels = engine.kernelsUsed();
        return info;
    }

    Status startPower()
    {
        const Status started =
            m_feed->start(m_request.power, m_request.interval_ms,
                          {.sample = [this](const PowerSample& sample) { m_log.add(sample); },
                           .problem = [this](const Message& what) { m_log.fail(what); }});
        if (!started)
            return started;
        m_info.power.source = m_feed->kind();
        if (m_info.power.source == "none" || !m_log.waitForFirst(kFirstWindow, m_cancel)) {
            return Error{ErrorCode::Unsupported,
                         "No power source measures here, so that there is nothing to calibrate: "
                         "'energy-profiler doctor' says how to enable one."};
        }
        const MachineLoad now(systemLoadClocks(m_backend));
        const Message refusal = energy::refusalOf(conditionsOf(now), m_log.all(), m_settings);
        return refusal.empty() ? Status() : Error{ErrorCode::Unsupported, refusal};
    }

    energy::CalibrationConditions conditionsOf(const MachineLoad& load) const
    {
        PowerQuality quality;
        load.describe(quality);
        energy::CalibrationConditions conditions{.on_battery = quality.on_battery.value_or(false),
                                                 .low_power = quality.power_mode == PowerMode::Low,
                                                 .thermal = ThermalPressure::Unknown,
                                                 .other_cpu_share = quality.other_cpu_share,
                                                 .processors = quality.processors};
        for (const PowerSample& sample : m_log.all())
            conditions.thermal = std::max(conditions.thermal, sample.thermal);
        return conditions;
    }

    Status measureBlocks()
    {
        const auto plan = energy::planCalibration(m_kinds, m_settings);
        const double seconds = energy::secondsOf(plan, m_settings);
        for (std::size_t i = 0; i < plan.size(); ++i) {
            constexpr double kPrepared = 0.08;
            const double done = static_cast<double>(i) / static_cast<double>(plan.size());
            tell(kPrepared + (1.0 - kPrepared) * done,
                 "Block " + std::to_string(i + 1) + " of " + std::to_string(plan.size()) + ", "
                     + std::to_string(static_cast<int>((1.0 - done) * seconds) + 1) + " s left");
            auto block = measuredBlock(plan[i], *m_replay, m_settings, m_cancel);
            if (!block)
                return block.error();
            m_blocks.push_back(*std::move(block));
        }
        return {};
    }

    CalibrationReport judged(const MachineLoad& load)
    {
        energy::Calibration found = energy::estimateCalibration(m_kinds, m_blocks, m_log.all(),
                                                                conditionsOf(load), m_settings);
        CalibrationRecord& record = found.record;
        const CalibrationKey key = calibrationKeyOf(m_info);
        record.id = makeUuid();
        record.machine = key.machine;
        record.os = key.os;
        record.device = key.device;
        record.dtype = key.dtype;
        record.model = m_info.model.name;
        record.fingerprint = key.fingerprint;
        record.attention = key.attention;
        record.kernels = key.kernels;
        record.threads = key.threads;
        record.source = key.source;
        record.position = m_info.input_tokens;
        record.measured_at_ms = wallClockMs();
        return {.record = std::move(found.record), .refusal = std::move(found.refusal)};
    }

    const CalibrateRequest& m_request;
    energy::CalibrationSettings m_settings;
    const CancelToken& m_cancel;
    const ProgressFn& m_progress;
    const Backend& m_backend;
    ModelCache m_models;
    std::unique_ptr<model::Replay> m_replay; // refers to the model
    RunInfo m_info;
    std::vector<CalibratedKind> m_kinds;
    std::vector<MeasuredBlock> m_blocks;
    PowerLog m_log;
    std::unique_ptr<PowerFeed> m_feed; // last: its sink refers to the members above
};

using CalibrationJson = json::OrderedJson;

std::vector<CalibratedKind> largestFirst(const CalibrationRecord& record)
{
    std::vector<CalibratedKind> kinds = record.kinds;
    std::ranges::stable_sort(kinds, std::ranges::greater{}, &CalibratedKind::share);
    return kinds;
}

std::string inColumn(std::string text, std::size_t width)
{
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

std::string kindLine(const CalibratedKind& kind, double tokenJoules)
{
    std::string line = inColumn(kind.kind, 26) + inColumn(formatPercent(kind.share), 9)
        + inColumn("± " + formatPercent(kHalfInterval95 * kind.tau * kind.share), 12)
        + inColumn(formatEnergy(Millijoules{1e3 * kind.share * tokenJoules}) + " per token", 20);
    if (kind.bytes > 0.0 && kind.share > 0.0)
        line += inColumn(
            formatSignificant(1e12 * kind.share * tokenJoules / kind.bytes) + " pJ/byte", 16);
    if (kind.doubled_share)
        line += "more often in a token: " + formatPercent(*kind.doubled_share);
    if (!kind.problem.empty())
        line += "\n    not used: " + kind.problem.english();
    return line + '\n';
}

} // namespace

Result<CalibrationReport> calibrate(const CalibrateRequest& request, const Backend& backend,
                                    const CancelToken& cancel, const ProgressFn& progress)
{
    return CalibrationJob(request, backend, cancel, progress).run();
}

std::string calibrationToText(const CalibrationReport& report)
{
    const CalibrationRecord& record = report.record;
    std::string text = record.model + ", " + record.dtype + " on " + record.device + ", "
        + record.source + ": a token takes " + formatEnergy(Millijoules{1e3 * record.token_joules})
        + " beyond the idle machine's " + formatPower(Milliwatts{1e3 * record.idle_watts}) + "\n\n";
    for (const CalibratedKind& kind : largestFirst(record))
        text += kindLine(kind, record.token_joules);
    text += "\nTogether " + formatPercent(record.kappa) + " of a token ± "
        + formatPercent(kHalfInterval95 * record.kappa_sd) + "; drift "
        + formatPercent(record.drift) + "; " + formatSignificant(report.seconds) + " s\n";
    if (!report.usable())
        text += "\nNot used: " + report.refusal.english() + '\n';
    return text;
}

std::string calibrationToJson(const CalibrationReport& report)
{
    const CalibrationRecord& record = report.record;
    CalibrationJson kinds = CalibrationJson::array();
    for (const CalibratedKind& kind : record.kinds) {
        kinds.push_back({{"kind", kind.kind},
                         {"calls", kind.calls},
                         {"footprint_bytes", kind.footprint_bytes},
                         {"flops", kind.flops},
                         {"bytes", kind.bytes},
                         {"seconds", kind.seconds},
                         {"share", kind.share},
                         {"share_sd", kind.share_sd},
                         {"doubled_share", kind.doubled_share},
                         {"doubled_share_sd", kind.doubled_share_sd},
                         {"tau", kind.tau},
                         {"problem", kind.problem}});
    }
    const CalibrationJson json{{"format", "energy-profiler-calibration"},
                               {"version", 1},
                               {"id", record.id},
                               {"machine", record.machine},
                               {"os", record.os},
                               {"device", record.device},
                               {"dtype", record.dtype},
                               {"model", record.model},
                               {"fingerprint", record.fingerprint},
                               {"attention", record.attention},
                               {"kernels", record.kernels},
                               {"threads", record.threads},
                               {"source", record.source},
                               {"position", record.position},
                               {"measured_at_ms", record.measured_at_ms},
                               {"idle_watts", record.idle_watts},
                               {"token_joules", record.token_joules},
                               {"token_seconds", record.token_seconds},
                               {"drift", record.drift},
                               {"kappa", record.kappa},
                               {"kappa_sd", record.kappa_sd},
                               {"refusal", report.refusal},
                               {"kinds", kinds}};
    return json::textOf(json, 2);
}

} // namespace ep::session
