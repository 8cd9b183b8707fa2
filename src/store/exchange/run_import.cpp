// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/gzip_stream.h"
#include "exchange/json_reader.h"
#include "exchange/record_json.h"
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

// Sorts imported samples by time. Reports samples that repeat the time of others: summaries, or
// windows that overlap the previous one by more than timestampTolerance().
void checkSamples(std::vector<PowerSample>& samples)
{
    const auto refuse = [](std::size_t sample, const std::string& problem) {
        throw json::ReadError(ErrorCode::InvalidInput,
                              "run.power.samples[" + std::to_string(sample) + "]", problem);
    };
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
                refuse(before,
                       "holds the window of sample " + std::to_string(index)
                           + " within its own, as a summary does; leave it out, or its "
                             "energy would count twice");
            else if (overlap > tolerance)
                refuse(index,
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
void checkTime(Nanoseconds time, const JsonValue& value)
{
    if (time > kLongest || time < -kLongest)
        value.fail("has a time that is out of range");
}

// False: the span was interrupted.
bool readTime(JsonObject& object, TimeRange& time, MayBeCut mayBeCut)
{
    std::optional<Nanoseconds> start;
    std::optional<Nanoseconds> duration;
    object.require("start_ns", start);
    object.require("duration_ns", duration);
    object.ignore("start_ms");
    object.ignore("duration_ms");
    if (!start || !duration) {
        if (mayBeCut == MayBeCut::No || start || duration)
            object.value().fail("must have integers as start_ns and duration_ns");
        return false;
    }
    checkTime(*start, object.value());
    checkTime(*duration, object.value());
    if (*duration < 0)
        object.value().fail("has a negative duration_ns");
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
            object.value().fail("has negative flops or bytes");
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
    const auto value = object.find(member);
    if (!value)
        return;
    JsonObject parts(*value);
    stats.emplace();
    parts.require("mean_abs", stats->mean_abs);
    parts.require("std", stats->std);
    parts.require("max_abs", stats->max_abs);
    parts.require("sparsity", stats->sparsity);
    parts.finish();
}

void readGroup(JsonObject& object, const char* member, SharedExtras& extras)
{
    if (const auto value = object.findOrNull(member))
        extras = SharedExtras(readExtras(value->json()));
}

void readGroup(JsonObject& object, const char* member, Instant<Nanoseconds> instant)
{
    object.read(member, instant.ns);
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

// Builds a run from the parts of its JSON. Times are relative to the start of the run until
// finish(). Missing values are derived where possible (docs/run-format.md).
class RunBuilder {
public:
    void addToken(const JsonValue& value)
    {
        JsonObject object(value);
        TokenSpan token;
        token.index = static_cast<std::int32_t>(m_trace.tokens.size());
        readSpan(object, token);
        claimStep(token.index, value);
        if (!value.contains("phase"))
            token.phase = token.index == 0 ? Phase::Prefill : Phase::Decode;
        readStep(object, token.index, token.phase);
        object.ignore("remainder");
        object.finish();
        m_trace.tokens.push_back(std::move(token));
    }

    void addUnfinishedStep(const JsonValue& value)
    {
        JsonObject object(value);
        std::int32_t index = 0;
        object.require("index", index);
        claimStep(index, value);
        readStep(object, index, index == 0 ? Phase::Prefill : Phase::Decode);
        object.finish();
    }

    void addSample(const JsonValue& value)
    {
        JsonObject object(value);
        PowerSample sample;
        readSpan(object, sample);
        object.finish();
        if (!value.contains("arrival_ns"))
            sample.arrival_ns = sample.window.end_ns;
        checkTime(sample.arrival_ns, value);
        if (!value.contains("total_mw"))
            sample.total_mw = totalOf(sample.power_mw);
        m_trace.samples.push_back(sample);
    }

    // Reads the rest of `run`, without the long lists. version: of the document
    Run finish(const JsonValue& value, int version)
    {
        Run run;
        readRun(value, run);
        checkSamples(m_trace.samples);
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

private:
    void claimStep(std::int32_t index, const JsonValue& value)
    {
        if (index < 0 || !m_steps.insert(index).second)
            value.fail("has an index that is negative or occurs twice");
    }

    void readSection(const JsonValue& value, Span section, bool withPhase)
    {
        JsonObject object(value);
        if (withPhase)
            object.require("phase", section.phase);
        readSpan(object, section);
        object.finish();
        m_trace.sections.push_back(section);
    }

    void readStep(JsonObject& object, std::int32_t index, Phase phase)
    {
        const Span section = Span::ofSection(phase, {}, index);
        for (const char* list : {"sections", "enclosing_sections"}) {
            object.readList(list,
                            [&](const JsonValue& value) { readSection(value, section, false); });
        }
        std::set<std::int32_t> layers;
        object.readList("layers", [&](const JsonValue& value) {
            const std::int32_t layer = readPart(value, Span::ofLayer(index, 0)).layer;
            if (layer < 0 || !layers.insert(layer).second)
                value.fail("has a layer that is negative or occurs twice");
        });
    }

    // Reads a layer, component or operation with its parts.
    Span readPart(const JsonValue& value, Span span)
    {
        JsonObject object(value);
        if (span.level == SpanLevel::Operation) {
            readSpan(object, span);
            object.finish();
            m_trace.operations.push_back(span);
            return span;
        }
        const bool ofLayer = span.level == SpanLevel::Layer;
        const bool whole = readSpan(object, span, MayBeCut::Yes);
        object.readList(ofLayer ? "components" : "operations", [&](const JsonValue& one) {
            readPart(one,
                     {.level = ofLayer ? SpanLevel::Component : SpanLevel::Operation,
                      .component = span.component,
                      .token = span.token,
                      .layer = span.layer});
        });
        object.ignore("remainder");
        object.finish();
        if (whole)
            m_trace.spans(span.level).push_back(span);
        return span;
    }

    void readPhase(const JsonValue& value)
    {
        JsonObject object(value);
        PhaseSpan phase;
        readSpan(object, phase);
        for (const char* derived :
             {"known_energy_mj", "energy_uncovered_ns", "sections", "remainder"})
            object.ignore(derived);
        object.finish();
        m_trace.phases.push_back(phase);
    }

    void readRun(const JsonValue& value, Run& run)
    {
        JsonObject object(value);
        run.info.status = RunStatus::Complete;
        run.info.output_tokens = -1;
        run.info.created_at_ms = wallClockMs();
        object.require("info", run.info);
        m_metricsGiven = object.read("metrics", run.metrics);
        object.ignore("derived");
        for (const char* list : {"phases", "idle"}) {
            object.readList(list, [&](const JsonValue& one) { readPhase(one); });
        }
        const Span section; // of no step
        object.readList("sections", [&](const JsonValue& one) { readSection(one, section, true); });
        for (const char* taken : {"tokens", "unfinished_steps"}) {
            object.readList(taken,
                            [&](const JsonValue& element) { element.fail("must be an object"); });
        }
        if (const auto power = object.findOrNull("power"))
            readPower(*power);
        if (const auto profiling = object.findOrNull("profiling"))
            readProfiling(profiling->json(), run.info.profiling);
        object.readList("messages", [&](const JsonValue& one) {
            Message message;
            if (!json::readMessage(one.json(), message))
                one.fail("must have a pattern and arguments");
            m_messages.emplace(message.english(), message);
        });
        object.read("clock_start_ns", m_clockStart);
        m_durationGiven = object.read("duration_ns", m_duration);
        checkTime(m_clockStart, value);
        checkTime(m_duration, value);
        if (run.info.created_at_ms > kLatestMs || run.info.created_at_ms < -kLatestMs)
            value.fail("has an info.created_at_ms that is out of range");
        for (const char* derived :
             {"duration_ms", "energy", "known_energy_mj", "energy_uncovered_ns", "remainder"})
            object.ignore(derived);
        object.ignore("answer_sections");
        object.finish();
        if (run.info.id.empty())
            value.fail("needs an id: a UUID as info.id");
    }

    void readPower(const JsonValue& value)
    {
        JsonObject object(value);
        object.ignore("source"); // equal to those in info.power
        object.ignore("quality");
        if (const auto record = object.findOrNull("record"))
            m_record = record->json();
        object.readList("samples",
                        [](const JsonValue& element) { element.fail("must be an object"); });
        object.finish();
    }

    void derive(Run& run)
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

    // Gives the texts their patterns and arguments.
    void takeMessages(Run& run) const
    {
        const auto take = [&](Message& message) {
            if (const auto found = m_messages.find(message.pattern()); found != m_messages.end())
                message = found->second;
        };
        visitMessages(run.info, take);
        visitSourceMessages(run.trace.secondary, take);
    }

    // Sets the range from its first to its last token.
    void derivePhase(Phase phase)
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

    void shift()
    {
        m_trace.time = {m_clockStart, m_clockStart + m_duration};
        const auto move = [this](TimeRange& time) {
            time.begin_ns += m_clockStart;
            time.end_ns += m_clockStart;
        };
        visitTimes(m_trace, move);
        for (PowerSample& sample : m_trace.samples) {
            move(sample.window);
            sample.arrival_ns += m_clockStart;
        }
    }

    RunTrace m_trace;
    std::set<std::int32_t> m_steps; // indices of the steps so far
    Nanoseconds m_clockStart = 0;
    Nanoseconds m_duration = 0;
    bool m_durationGiven = false;
    bool m_metricsGiven = false;
    Json m_record;
    std::map<std::string, Message> m_messages; // by their English texts
};

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
        Run run;
        attempt([&] {
            const JsonValue head = checkedHead(JsonValue(*rest));
            run = m_builder.finish(head, (*rest)["version"].get<int>());
        });
        if (m_problem)
            return wrong({"is not a run: %1", replaceInvalidUtf8(m_problem->message().english())});
        return run;
    }

private:
    static Error wrong(const Message& what)
    {
        return {ErrorCode::InvalidInput,
                {"The text %1; see docs/run-format.md for what is expected.", what}};
    }
    // Keeps the first problem; text after it is only checked to be JSON.
    template <typename Read>
    void attempt(const Read& read)
    {
        try {
            if (!m_problem)
                read();
        } catch (const json::ReadError& problem) {
            m_problem = problem;
        }
    }

    static constexpr int kListDepth = 3; // depth of the elements of run.tokens

    bool keep(int depth, Json::parse_event_t event, Json& parsed)
    {
        if (event == Json::parse_event_t::key && depth >= 1 && depth <= kListDepth) {
            m_keys[depth] = parsed.get<std::string>();
        } else if (event == Json::parse_event_t::value && depth == 1 && m_keys[1] == "version") {
            attempt([&] { checkVersion(parsed); });
        } else if (event == Json::parse_event_t::object_end && m_keys[1] == "run") {
            if (depth == kListDepth && m_keys[2] == "tokens")
                return take(parsed, "run.tokens", m_tokens, &RunBuilder::addToken);
            if (depth == kListDepth && m_keys[2] == "unfinished_steps")
                return take(parsed, "run.unfinished_steps", m_steps,
                            &RunBuilder::addUnfinishedStep);
            if (depth == kListDepth + 1 && m_keys[2] == "power" && m_keys[3] == "samples")
                return take(parsed, "run.power.samples", m_samples, &RunBuilder::addSample);
        }
        return true;
    }

    bool take(const Json& element, const char* list, std::size_t& count,
              void (RunBuilder::*add)(const JsonValue&))
    {
        attempt([&] {
            try {
                (m_builder.*add)(JsonValue(element));
            } catch (const json::ReadError& problem) {
                throw problem.within(list + ("[" + std::to_string(count)) + "]");
            }
        });
        ++count;
        return false;
    }

    static void checkVersion(const Json& version)
    {
        const std::string versions =
            std::to_string(kOldestJson) + " to " + std::to_string(kNewestJson);
        if (!version.is_number_integer() || version < kOldestJson || version > kNewestJson)
            throw json::ReadError(
                ErrorCode::InvalidInput, "version",
                Message("must be %1, the versions known to this program", versions));
    }

    // The member `run`.
    static JsonValue checkedHead(const JsonValue& root)
    {
        if (!root.isObject())
            throw json::ReadError(
                ErrorCode::InvalidInput, "the text",
                Message("must be an object, not %1", json::described(root.json())));
        JsonObject object(root);
        std::string format;
        object.require("format", format);
        if (format != "energy-profiler-run")
            root.fail("format", "must be \"energy-profiler-run\"");
        checkVersion(object.at("version").json());
        object.ignore("run");
        object.finish();
        return root.at("run");
    }

    std::optional<json::ReadError> m_problem;
    RunBuilder m_builder;
    std::string m_keys[kListDepth + 1]; // keys of the enclosing objects, by depth
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
