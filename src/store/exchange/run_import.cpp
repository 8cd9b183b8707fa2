// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/energy_record_json.h"
#include "exchange/gzip_stream.h"
#include "exchange/json_reader.h"
#include "exchange/json_versions.h"
#include "exchange/profiling_json.h"
#include "tables/message_json.h"
#include "tables/span_fields.h"
#include "tables/stored_english.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/power_sample.h"
#include "ep/core/run.h"
#include "ep/core/trace_lookup.h"
#include "ep/core/utf8.h"
#include "ep/json/document.h"
#include "ep/store/run_json.h"

#include <algorithm>
#include <cstdint>
#include <istream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ep::store {
namespace {

// Builds a run from the parts of its JSON. Times are relative to the start of the run until
// finish(). Missing values are derived where possible (docs/run-format.md).
class RunBuilder {
public:
    explicit RunBuilder(JsonProblem& problem)
        : m_problem(problem)
    {
    }

    void addToken(const Json& value, const JsonPlace& place);
    void addUnfinishedStep(const Json& value, const JsonPlace& place);
    void addSample(const Json& value, const JsonPlace& place);

    // Reads the rest of `run`, without the long lists. version: of the document
    Run finish(const Json& value, const JsonPlace& place, int version);

private:
    void claimStep(std::int32_t index, const JsonPlace& place);
    void readSection(const Json& value, const JsonPlace& place, Span section, bool withPhase);
    void readStep(JsonObject& object, std::int32_t index, Phase phase);
    Span readPart(const Json& value, const JsonPlace& place, Span span);
    void readPhase(const Json& value, const JsonPlace& place);
    void readRun(const Json& value, const JsonPlace& place, Run& run);
    void readPower(const Json& value, const JsonPlace& place);
    void derive(Run& run);
    void takeMessages(Run& run) const;

    // Sets the range from its first to its last token.
    void derivePhase(Phase phase);
    void shift();

    JsonProblem& m_problem;
    RunTrace m_trace;
    std::set<std::int32_t> m_steps; // indices of the steps so far
    Nanoseconds m_clockStart = 0;
    Nanoseconds m_duration = 0;
    bool m_durationGiven = false;
    bool m_metricsGiven = false;
    Json m_record;
    std::map<std::string, Message> m_messages; // by their English texts
};

// Sorts imported samples by time. Reports samples that repeat the time of others: summaries, or
// windows that overlap the previous one by more than timestampTolerance(). `list` is the place of
// the samples, which are in the order of the document.
void checkSamples(std::vector<PowerSample>& samples, const JsonPlace& list, JsonProblem& problem)
{
    const Nanoseconds tolerance = timestampTolerance(samples);
    std::vector<std::size_t> order(samples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const TimeRange& one = samples[a].window;
        const TimeRange& other = samples[b].window;
        return one.begin_ns != other.begin_ns ? one.begin_ns < other.begin_ns
                                              : one.end_ns > other.end_ns;
    });
    std::vector<PowerSample> sorted;
    sorted.reserve(samples.size());
    for (const std::size_t index : order) {
        const TimeRange& window = samples[index].window;
        if (!sorted.empty() && !window.empty()) {
            const std::size_t before = order[sorted.size() - 1];
            const TimeRange& earlier = samples[before].window;
            const bool contains = earlier.contains(window)
                && earlier.duration_ns() - window.duration_ns() > tolerance;
            const Nanoseconds overlap = earlier.end_ns - window.begin_ns;
            if (contains)
                problem.report({&list, {}, before},
                               "holds the window of sample " + std::to_string(index)
                                   + " within its own, as a summary does; leave it out, or its "
                                     "energy would count twice");
            else if (overlap > tolerance)
                problem.report({&list, {}, index},
                               "begins " + formatDuration(overlap) + " before the end of sample "
                                   + std::to_string(before)
                                   + "; give every sample the window that it alone measured");
        }
        sorted.push_back(samples[index]);
    }
    samples = std::move(sorted);
}

// Reads the fields of spans and samples (tables/span_fields.h) from their JSON. Times are relative
// to the start of the run, as in the JSON.

enum class MayBeCut { No, Yes }; // interrupted: its times are null

// About 30 years: sums of three such times cannot overflow.
constexpr Nanoseconds kLongest = 1'000'000'000'000'000'000;

// Refuses extreme times, so that sums of times cannot overflow.
void checkTime(Nanoseconds time, const JsonPlace& place, JsonProblem& problem)
{
    if (time > kLongest || time < -kLongest)
        problem.report(place, "has a time that is out of range");
}

// False: the span was interrupted.
bool readTime(JsonObject& object, TimeRange& time, MayBeCut mayBeCut)
{
    JsonProblem& problem = object.problem();
    std::optional<Nanoseconds> start;
    std::optional<Nanoseconds> duration;
    object.require("start_ns", start);
    object.require("duration_ns", duration);
    object.ignore("start_ms");
    object.ignore("duration_ms");
    if (!start || !duration) {
        if (mayBeCut == MayBeCut::No || start || duration)
            problem.report(object.place(), "must have integers as start_ns and duration_ns");
        return false;
    }
    checkTime(*start, object.place(), problem);
    checkTime(*duration, object.place(), problem);
    if (*duration < 0)
        problem.report(object.place(), "has a negative duration_ns");
    if (!problem.found())
        time = {*start, *start + *duration};
    return true;
}

// For fields that are more than one member's value.
void readGroup(JsonObject& object, const char*, std::optional<SpanWork>& work)
{
    std::optional<std::int64_t> flops;
    std::optional<std::int64_t> bytes;
    object.read("flops", flops);
    object.read("bytes", bytes);
    for (const auto& count : {flops, bytes}) {
        if (count && *count < 0)
            object.problem().report(object.place(), "has negative flops or bytes");
    }
    if (flops || bytes)
        work = SpanWork{flops.value_or(0), bytes.value_or(0)};
}

void readGroup(JsonObject& object, const char*, EnergyNotes<Span> notes)
{
    notes.visitBoth([&](const char* member, auto& value) { object.read(member, value); });
}

void readGroup(JsonObject& object, const char* member, std::optional<ActivationStats>& stats)
{
    const Json* value = object.find(member);
    if (!value || value->is_null())
        return;
    const JsonPlace place{&object.place(), member};
    JsonObject parts(*value, place, object.problem());
    stats.emplace();
    parts.require("mean_abs", stats->mean_abs);
    parts.require("std", stats->std);
    parts.require("max_abs", stats->max_abs);
    parts.require("sparsity", stats->sparsity);
}

void readGroup(JsonObject& object, const char* member, SharedExtras& extras)
{
    if (const Json* value = object.find(member))
        extras = SharedExtras(readExtras(*value));
}

void readGroup(JsonObject& object, const char* member, Instant<Nanoseconds> instant)
{
    object.read(member, instant.ns);
}

template <typename Quantity>
void readGroup(JsonObject& object, const char* member, PerRail<Quantity>& rails)
{
    if (const Json* value = object.find(member))
        readRails(*value, {&object.place(), member}, object.problem(), rails);
}

template <typename Value>
void readSpanMember(JsonObject& object, const SpanField& field, Value& value)
{
    if constexpr (requires { readGroup(object, field.member, value); })
        readGroup(object, field.member, value);
    else if (field.required)
        object.require(field.member, value);
    else
        object.read(field.member, value);
}

// False: the span was interrupted.
template <typename Span>
bool readSpan(JsonObject& object, Span& span, MayBeCut mayBeCut = MayBeCut::No)
{
    bool whole = true;
    visitSpanFields(span, [&](const SpanField& field, auto&& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if (*field.member == '\0')
            return;
        if constexpr (std::is_same_v<Value, TimeRange>)
            whole = readTime(object, value, mayBeCut);
        else
            readSpanMember(object, field, value);
    });
    return whole;
}

constexpr std::int64_t kLatestMs = 8'640'000'000'000'000; // JavaScript's last, in the year 275760

template <typename Span>
void sortByBegin(std::vector<Span>& spans)
{
    std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.time.begin_ns < b.time.begin_ns;
    });
}

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

Run RunBuilder::finish(const Json& value, const JsonPlace& place, int version)
{
    Run run;
    readRun(value, place, run);
    const JsonPlace power{&place, "power"};
    checkSamples(m_trace.samples, {&power, "samples"}, m_problem);
    if (m_problem.found())
        return run;
    // Spans with the same start keep the order of a step's parts.
    std::stable_sort(m_trace.sections.begin(), m_trace.sections.end(),
                     [](const Span& a, const Span& b) { return a.section < b.section; });
    sortByBegin(m_trace.sections);
    derive(run);
    sortByBegin(m_trace.phases);
    shift();
    run.trace = std::move(m_trace);
    readEnergyRecord(m_record, run);
    if (version > kLastJsonInEnglish)
        takeMessages(run);
    else
        findMessages(run.info, run.trace.secondary);
    return run;
}

// Gives the texts their patterns and arguments.
void RunBuilder::takeMessages(Run& run) const
{
    const auto take = [&](Message& message) {
        if (const auto found = m_messages.find(message.pattern()); found != m_messages.end())
            message = found->second;
    };
    visitMessages(run.info, take);
    visitSourceMessages(run.trace.secondary, take);
}

void RunBuilder::claimStep(std::int32_t index, const JsonPlace& place)
{
    if (index < 0 || !m_steps.insert(index).second)
        m_problem.report(place, "has an index that is negative or occurs twice");
}

void RunBuilder::readSection(const Json& value, const JsonPlace& place, Span section,
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
    const Span section = Span::ofSection(phase, {}, index);
    for (const char* list : {"sections", "enclosing_sections"}) {
        object.readList(list, [&](const Json& value, const JsonPlace& place) {
            readSection(value, place, section, false);
        });
    }
    std::set<std::int32_t> layers;
    object.readList("layers", [&](const Json& value, const JsonPlace& place) {
        const std::int32_t layer = readPart(value, place, Span::ofLayer(index, 0)).layer;
        if (layer < 0 || !layers.insert(layer).second)
            m_problem.report(place, "has a layer that is negative or occurs twice");
    });
}

// Reads a layer, component or operation with its parts.
Span RunBuilder::readPart(const Json& value, const JsonPlace& place, Span span)
{
    JsonObject object(value, place, m_problem);
    if (span.level == SpanLevel::Operation) {
        readSpan(object, span);
        m_trace.operations.push_back(span);
        return span;
    }
    const bool ofLayer = span.level == SpanLevel::Layer;
    const bool whole = readSpan(object, span, MayBeCut::Yes);
    object.readList(ofLayer ? "components" : "operations",
                    [&](const Json& one, const JsonPlace& where) {
                        readPart(one, where,
                                 {.level = ofLayer ? SpanLevel::Component : SpanLevel::Operation,
                                  .component = span.component,
                                  .token = span.token,
                                  .layer = span.layer});
                    });
    object.ignore("remainder");
    if (whole)
        m_trace.spans(span.level).push_back(span);
    return span;
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
    const Span section; // of no step
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
    object.readList("messages", [&](const Json& one, const JsonPlace& where) {
        Message message;
        if (readMessage(one, message))
            m_messages.emplace(message.english(), message);
        else
            m_problem.report(where, "must have a pattern and arguments");
    });
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
    moveAll(m_trace.tokens);
    for (const SpanLevel level : kSpanLevels)
        moveAll(m_trace.spans(level));
    for (PowerSample& sample : m_trace.samples) {
        move(sample.window);
        sample.arrival_ns += m_clockStart;
    }
}

// Passes each element of the long lists to the builder once it is complete, then drops it, so that
// memory grows with the run but not with its text.
class RunParser {
public:
    Result<Run> parse(std::istream& text)
    {
        auto rest = json::parse(text, [this](int depth, Json::parse_event_t event, Json& parsed) {
            return keep(depth, event, parsed);
        });
        if (!rest)
            return wrong(Message("is %1", rest.error().message));
        if (!m_problem.found())
            checkHead(*rest);
        if (m_problem.found())
            return notARun();
        Run run = m_builder.finish((*rest)["run"], m_run, (*rest)["version"].get<int>());
        if (m_problem.found())
            return notARun();
        return run;
    }

private:
    static Error wrong(const Message& what)
    {
        return {ErrorCode::InvalidInput,
                {"The text %1; see docs/run-format.md for what is expected.", what}};
    }
    Error notARun() const
    {
        return wrong({"is not a run: %1", replaceInvalidUtf8(m_problem.text())});
    }

    static constexpr int kListDepth = 3; // depth of the elements of run.tokens

    bool keep(int depth, Json::parse_event_t event, Json& parsed)
    {
        if (event == Json::parse_event_t::key && depth >= 1 && depth <= kListDepth) {
            m_keys[depth] = parsed.get<std::string>();
        } else if (event == Json::parse_event_t::value && depth == 1 && m_keys[1] == "version") {
            checkVersion(parsed);
        } else if (event == Json::parse_event_t::object_end && !m_problem.found()
                   && m_keys[1] == "run") {
            if (depth == kListDepth && m_keys[2] == "tokens")
                return take(parsed, m_tokens, &RunBuilder::addToken);
            if (depth == kListDepth && m_keys[2] == "unfinished_steps")
                return take(parsed, m_steps, &RunBuilder::addUnfinishedStep);
            if (depth == kListDepth + 1 && m_keys[2] == "power" && m_keys[3] == "samples")
                return take(parsed, m_samples, &RunBuilder::addSample);
        }
        return true;
    }

    bool take(const Json& element, std::size_t& count,
              void (RunBuilder::*add)(const Json&, const JsonPlace&))
    {
        const JsonPlace* list = add == &RunBuilder::addToken ? &m_tokensPlace
            : add == &RunBuilder::addSample                  ? &m_samplesPlace
                                                             : &m_stepsPlace;
        (m_builder.*add)(element, {list, {}, count++});
        return false;
    }

    void checkVersion(const Json& version)
    {
        if (version.is_number_integer() && version >= kOldestJson && version <= kNewestJson)
            return;
        m_problem.report({nullptr, "version"},
                         "must be " + std::to_string(kOldestJson) + " to "
                             + std::to_string(kNewestJson)
                             + ", the versions known to this program");
    }

    void checkHead(const Json& root)
    {
        if (!root.is_object()) {
            m_problem.report({nullptr, "the text"}, "must be an object");
            return;
        }
        const JsonPlace place{};
        JsonObject object(root, place, m_problem);
        std::string format;
        object.require("format", format);
        if (!m_problem.found() && format != "energy-profiler-run")
            m_problem.report({nullptr, "format"}, "must be \"energy-profiler-run\"");
        if (const Json* version = object.find("version"))
            checkVersion(*version);
        else
            m_problem.report({nullptr, "version"}, "is missing");
        if (!object.find("run"))
            m_problem.report(m_run, "is missing");
    }

    JsonProblem m_problem;
    RunBuilder m_builder{m_problem};
    std::string m_keys[kListDepth + 1]; // keys of the enclosing objects, by depth
    const JsonPlace m_run{nullptr, "run"};
    const JsonPlace m_power{&m_run, "power"};
    const JsonPlace m_tokensPlace{&m_run, "tokens"};
    const JsonPlace m_stepsPlace{&m_run, "unfinished_steps"};
    const JsonPlace m_samplesPlace{&m_power, "samples"};
    std::size_t m_tokens = 0;
    std::size_t m_steps = 0;
    std::size_t m_samples = 0;
};

} // namespace

Result<Run> runFromJson(std::istream& text)
{
    if (!isGzip(text))
        return RunParser().parse(text);
    GzipSource unpacked(text);
    std::istream inner(&unpacked);
    return RunParser().parse(inner);
}

} // namespace ep::store
