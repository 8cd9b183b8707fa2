// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/run_builder.h"

#include "exchange/energy_record_json.h"
#include "exchange/profiling_json.h"
#include "exchange/sample_check.h"
#include "exchange/span_reader.h"

#include "ep/core/clock.h"
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <utility>

namespace ep::store {

namespace {

constexpr std::int64_t kLatestMs = 8'640'000'000'000'000; // JavaScript's last, in the year 275760

template <typename Span>
void sortByBegin(std::vector<Span>& spans)
{
    std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.time.begin_ns < b.time.begin_ns;
    });
}

} // namespace

void RunBuilder::addToken(const Json& value, const JsonPlace& place)
{
    JsonObject object(value, place, m_problem);
    TokenSpan token;
    token.index = static_cast<std::int32_t>(m_trace.tokens.size());
    readSpan(object, token);
    claimStep(token.index, place);
    if (!value.contains("phase"))
        token.phase = token.index == 0 ? Phase::Prefill : Phase::Decode;
    readStep(object, token.index, token.phase);
    object.ignore("remainder");
    m_trace.tokens.push_back(std::move(token));
}

void RunBuilder::addUnfinishedStep(const Json& value, const JsonPlace& place)
{
    JsonObject object(value, place, m_problem);
    std::int32_t index = 0;
    object.require("index", index);
    claimStep(index, place);
    readStep(object, index, index == 0 ? Phase::Prefill : Phase::Decode);
}

void RunBuilder::addSample(const Json& value, const JsonPlace& place)
{
    JsonObject object(value, place, m_problem);
    PowerSample sample;
    readSpan(object, sample);
    if (!value.contains("arrival_ns"))
        sample.arrival_ns = sample.window.end_ns;
    checkTime(sample.arrival_ns, place, m_problem);
    if (!value.contains("total_mw"))
        sample.total_mw = totalOf(sample.power_mw);
    m_trace.samples.push_back(sample);
}

Run RunBuilder::finish(const Json& value, const JsonPlace& place)
{
    Run run;
    readRun(value, place, run);
    const JsonPlace power{&place, "power"};
    checkSamples(m_trace.samples, {&power, "samples"}, m_problem);
    if (m_problem.found())
        return run;
    // Spans with the same start keep the order of a step's parts.
    std::stable_sort(
        m_trace.sections.begin(), m_trace.sections.end(),
        [](const SectionSpan& a, const SectionSpan& b) { return a.section < b.section; });
    sortByBegin(m_trace.sections);
    derive(run);
    sortByBegin(m_trace.phases);
    shift();
    run.trace = std::move(m_trace);
    readEnergyRecord(m_record, run);
    return run;
}

void RunBuilder::claimStep(std::int32_t index, const JsonPlace& place)
{
    if (index < 0 || !m_steps.insert(index).second)
        m_problem.report(place, "has an index that is negative or occurs twice");
}

void RunBuilder::readSection(const Json& value, const JsonPlace& place, SectionSpan section,
                             bool withPhase)
{
    JsonObject object(value, place, m_problem);
    if (withPhase)
        object.require("phase", section.phase);
    readSpan(object, section);
    m_trace.sections.push_back(section);
}

void RunBuilder::readStep(JsonObject& object, std::int32_t index, Phase phase)
{
    SectionSpan section;
    section.token = index;
    section.phase = phase;
    for (const char* list : {"sections", "enclosing_sections"}) {
        object.readList(list, [&](const Json& value, const JsonPlace& place) {
            readSection(value, place, section, false);
        });
    }
    std::set<std::int32_t> layers;
    object.readList("layers", [&](const Json& value, const JsonPlace& place) {
        const std::int32_t layer = readLayer(value, place, index);
        if (layer < 0 || !layers.insert(layer).second)
            m_problem.report(place, "has a layer that is negative or occurs twice");
    });
}

std::int32_t RunBuilder::readLayer(const Json& value, const JsonPlace& place, std::int32_t token)
{
    JsonObject object(value, place, m_problem);
    LayerSpan layer;
    layer.token = token;
    const bool whole = readSpan(object, layer, MayBeCut::Yes);
    object.readList("components", [&](const Json& one, const JsonPlace& where) {
        readComponent(one, where, layer);
    });
    object.ignore("remainder");
    if (whole)
        m_trace.layers.push_back(layer);
    return layer.layer;
}

void RunBuilder::readComponent(const Json& value, const JsonPlace& place, const LayerSpan& layer)
{
    JsonObject object(value, place, m_problem);
    ComponentSpan component;
    component.token = layer.token;
    component.layer = layer.layer;
    const bool whole = readSpan(object, component, MayBeCut::Yes);
    object.readList("operations", [&](const Json& one, const JsonPlace& where) {
        readOperation(one, where, component);
    });
    object.ignore("remainder");
    if (whole)
        m_trace.components.push_back(component);
}

void RunBuilder::readOperation(const Json& value, const JsonPlace& place,
                               const ComponentSpan& component)
{
    JsonObject object(value, place, m_problem);
    OperationSpan operation;
    operation.token = component.token;
    operation.layer = component.layer;
    operation.component = component.component;
    readSpan(object, operation);
    m_trace.operations.push_back(std::move(operation));
}

void RunBuilder::readPhase(const Json& value, const JsonPlace& place)
{
    JsonObject object(value, place, m_problem);
    PhaseSpan phase;
    readSpan(object, phase);
    for (const char* derived : {"known_energy_mj", "energy_uncovered_ns", "sections", "remainder"})
        object.ignore(derived);
    m_trace.phases.push_back(phase);
}

void RunBuilder::readRun(const Json& value, const JsonPlace& place, Run& run)
{
    JsonObject object(value, place, m_problem);
    run.info.status = RunStatus::Complete;
    run.info.output_tokens = -1;
    run.info.created_at_ms = wallClockMs();
    object.require("info", run.info);
    m_metricsGiven = object.read("metrics", run.metrics);
    object.ignore("derived");
    for (const char* list : {"phases", "idle"}) {
        object.readList(list,
                        [&](const Json& one, const JsonPlace& where) { readPhase(one, where); });
    }
    SectionSpan section;
    object.readList("sections", [&](const Json& one, const JsonPlace& where) {
        readSection(one, where, section, true);
    });
    for (const char* taken : {"tokens", "unfinished_steps"}) {
        object.readList(taken, [&](const Json&, const JsonPlace& where) {
            m_problem.report(where, "must be an object");
        });
    }
    if (const Json* power = object.find("power"))
        readPower(*power, {&place, "power"});
    if (const Json* profiling = object.find("profiling"))
        readProfiling(*profiling, run.info.profiling);
    object.read("clock_start_ns", m_clockStart);
    m_durationGiven = object.read("duration_ns", m_duration);
    checkTime(m_clockStart, place, m_problem);
    checkTime(m_duration, place, m_problem);
    if (run.info.created_at_ms > kLatestMs || run.info.created_at_ms < -kLatestMs)
        m_problem.report(place, "has an info.created_at_ms that is out of range");
    for (const char* derived :
         {"duration_ms", "energy", "known_energy_mj", "energy_uncovered_ns", "remainder"})
        object.ignore(derived);
    object.ignore("answer_sections");
    if (run.info.id.empty())
        m_problem.report(place, "needs an id: a UUID as info.id");
}

void RunBuilder::readPower(const Json& value, const JsonPlace& place)
{
    JsonObject object(value, place, m_problem);
    object.ignore("source"); // equal to those in info.power
    object.ignore("quality");
    if (const Json* record = object.find("record"))
        m_record = *record;
    object.readList("samples", [&](const Json&, const JsonPlace& where) {
        m_problem.report(where, "must be an object");
    });
}

void RunBuilder::derive(Run& run)
{
    if (m_trace.phases.empty()) {
        for (const Phase phase : {Phase::Prefill, Phase::Decode})
            derivePhase(phase);
    }
    if (!m_durationGiven) {
        const auto reach = [&](const auto& spans) {
            for (const auto& span : spans)
                m_duration = std::max(m_duration, span.time.end_ns);
        };
        reach(m_trace.phases);
        reach(m_trace.tokens);
        reach(m_trace.sections);
    }
    RunInfo& info = run.info;
    if (info.status == RunStatus::Running) { // no process here is recording it
        info.status = RunStatus::Interrupted;
        info.status_message = "The run was in progress when it was exported.";
    }
    if (info.output_tokens < 0) {
        info.output_tokens = static_cast<int>(outputTokens(m_trace.tokens));
        if (info.response.empty()) {
            for (const TokenSpan& token : m_trace.tokens)
                info.response += token.text;
        }
    }
    if (!m_metricsGiven)
        run.metrics.duration_ns = m_duration;
}

void RunBuilder::derivePhase(Phase phase)
{
    std::optional<TimeRange> time;
    for (const TokenSpan& token : m_trace.tokens) {
        if (token.phase != phase)
            continue;
        if (!time)
            time = token.time;
        time->begin_ns = std::min(time->begin_ns, token.time.begin_ns);
        time->end_ns = std::max(time->end_ns, token.time.end_ns);
    }
    if (time)
        m_trace.phases.push_back({phase, *time, {}});
}

void RunBuilder::shift()
{
    m_trace.time = {m_clockStart, m_clockStart + m_duration};
    const auto move = [this](TimeRange& time) {
        time.begin_ns += m_clockStart;
        time.end_ns += m_clockStart;
    };
    const auto moveAll = [&](auto& spans) {
        for (auto& span : spans)
            move(span.time);
    };
    moveAll(m_trace.phases);
    moveAll(m_trace.sections);
    moveAll(m_trace.tokens);
    moveAll(m_trace.layers);
    moveAll(m_trace.components);
    moveAll(m_trace.operations);
    for (PowerSample& sample : m_trace.samples) {
        move(sample.window);
        sample.arrival_ns += m_clockStart;
    }
}

} // namespace ep::store
