// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/token_work.h"

#include "record/recorder.h"
#include "record/span_work.h"

#include "ep/core/clock.h"
#include "ep/model/config.h"

#include <algorithm>
#include <map>
#include <optional>

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

} // namespace

Result<std::vector<CalibratedKind>> measureTokenWork(model::Engine& engine, const RunInfo& info,
                                                     const model::ModelConfig& config,
                                                     const std::vector<text::TokenId>& prompt,
                                                     int tokens, const CancelToken& cancel)
{
    auto trace = recordTokens(engine, prompt, tokens, cancel);
    if (!trace)
        return trace.error();
    analyticWork(*trace, info, config);
    estimateWork(*trace, info);
    std::map<std::string, CalibratedKind> kinds;
    const auto add = [&](std::string_view name, const TimeRange& time,
                         const std::optional<SpanWork>& work) {
        CalibratedKind& kind = kinds[std::string(name)];
        kind.kind = name;
        kind.seconds += toSeconds(time.duration_ns()) / tokens;
        kind.flops += static_cast<double>(work.value_or(SpanWork{}).flops) / tokens;
        kind.bytes += static_cast<double>(work.value_or(SpanWork{}).bytes) / tokens;
    };
    for (const ComponentSpan& span : trace->components) {
        if (span.token > 0)
            add(name(span.component), span.time, span.work);
    }
    for (const SectionSpan& span : trace->sections) {
        if (span.token > 0 && span.section != Section::Layers)
            add(name(span.section), span.time, span.work);
    }
    std::vector<CalibratedKind> list;
    for (const auto& [word, kind] : kinds)
        list.push_back(kind);
    return list;
}

} // namespace ep::session
