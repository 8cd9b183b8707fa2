// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/json_parts.h"
#include "tables/trace_columns.h"

#include "ep/core/run_title.h"
#include "ep/store/run_json.h"

#include <algorithm>
#include <limits>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

// The format: Chrome's "Trace Event Format", which Perfetto supports. Times are in microseconds
// since the earliest event, since negative ones are not allowed. Events are sorted by time,
// parents before their children, although the run is read a few steps at a time: an event waits
// until no earlier one can follow.
namespace ep::store {

namespace {

// Tracks, in the order in which the viewer shows them.
enum class Track { Phases = 1, Tokens, Sections, Layers, Components, Operations };

class TraceEvents {
public:
    TraceEvents(const RunSource& source, std::ostream& sink)
        : m_source(source)
        , m_run(source.head())
        , m_trace(m_run.trace)
        , m_sink(sink)
    {
        m_zero = m_trace.time.begin_ns;
        for (const PowerSample& sample : m_trace.samples)
            m_zero = std::min(m_zero, sample.window.begin_ns);
        for (const PhaseSpan& phase : m_trace.phases)
            m_zero = std::min(m_zero, phase.time.begin_ns);
    }

    Status write()
    {
        m_json.beginObject();
        m_json.member("run", m_run.info.id);
        m_json.member("model", m_run.info.model.name);
        m_json.member("power_source", m_run.info.power.source);
        m_json.member("clock_start_ns", std::to_string(m_zero));
        m_json.endObject();
        m_sink << R"({"displayTimeUnit":"ms","otherData":)" << m_json.take()
               << R"(,"traceEvents":[)";
        names();
        counters();
        for (const PhaseSpan& phase : m_trace.phases) {
            slice(Track::Phases, name(phase.phase), "phase", phase.time,
                  [&] { energy(phase.energy); });
        }
        const Status read =
            m_source.read(RunSource::Parts::All, [&](const RunTrace& piece) -> Status {
                passOn(beginOf(piece));
                slices(piece);
                return {};
            });
        if (!read)
            return read;
        passOn(std::numeric_limits<Nanoseconds>::max());
        m_sink << "]}\n";
        return {};
    }

private:
    struct Event {
        Nanoseconds time = 0;
        Nanoseconds duration = 0;
        int track = 0;
        std::string text;
    };

    // Steps are in order, so everything that begins before them can be written.
    static Nanoseconds beginOf(const RunTrace& piece)
    {
        Nanoseconds begin = std::numeric_limits<Nanoseconds>::max();
        const auto look = [&](const auto& spans) {
            for (const auto& span : spans)
                begin = std::min(begin, span.time.begin_ns);
        };
        look(piece.tokens);
        for (const SpanLevel level : kSpanLevels)
            look(piece.spans(level));
        return begin;
    }

    // Writes the events before this time.
    void passOn(Nanoseconds until)
    {
        std::ranges::stable_sort(m_waiting, [](const Event& a, const Event& b) {
            return std::tuple(a.time, -a.duration, a.track)
                < std::tuple(b.time, -b.duration, b.track);
        });
        auto event = m_waiting.begin();
        for (; event != m_waiting.end() && (event->time < until || isLast(until)); ++event)
            write(event->text);
        m_waiting.erase(m_waiting.begin(), event);
    }

    static bool isLast(Nanoseconds until)
    {
        return until == std::numeric_limits<Nanoseconds>::max();
    }

    void write(std::string_view event)
    {
        m_sink << (m_first ? "" : ",") << event;
        m_first = false;
    }

    void end(Nanoseconds time, Nanoseconds duration, int track)
    {
        m_json.endObject();
        m_waiting.push_back({time, duration, track, m_json.take()});
    }

    static double microseconds(Nanoseconds time) { return static_cast<double>(time) / 1e3; }

    void metadata(const char* what, int track, const std::string& text)
    {
        begin("M", what);
        m_json.member("pid", 1);
        if (track > 0)
            m_json.member("tid", track);
        m_json.key("args");
        m_json.beginObject();
        m_json.member("name", text);
        m_json.endObject();
        endMetadata();
    }

    void names()
    {
        metadata("process_name", 0, "Run " + shortId(m_run.info.id));
        const char* titles[] = {"Phases", "Tokens",     "Sections",
                                "Layers", "Components", "Operations"};
        for (int track = 1; track <= static_cast<int>(Track::Operations); ++track) {
            metadata("thread_name", track, titles[track - 1]);
            begin("M", "thread_sort_index");
            m_json.member("pid", 1);
            m_json.member("tid", track);
            m_json.key("args");
            m_json.beginObject();
            m_json.member("sort_index", track);
            m_json.endObject();
            endMetadata();
        }
    }

    void endMetadata()
    {
        m_json.endObject();
        write(m_json.take());
    }

    void begin(const char* kind, std::string_view name)
    {
        m_json.beginObject(JsonWriter::Layout::Inline);
        m_json.member("ph", kind);
        m_json.member("name", name);
    }

    template <typename WriteArguments>
    void slice(Track track, std::string_view name, std::string_view category, const TimeRange& time,
               const WriteArguments& writeArguments)
    {
        begin("X", name);
        m_json.member("cat", category);
        m_json.member("pid", 1);
        m_json.member("tid", static_cast<int>(track));
        m_json.member("ts", microseconds(wrappingDifference(time.begin_ns, m_zero)));
        m_json.member(
            "dur",
            microseconds(std::max<Nanoseconds>(0, wrappingDifference(time.end_ns, time.begin_ns))));
        m_json.key("args");
        m_json.beginObject();
        writeArguments();
        m_json.endObject();
        end(time.begin_ns, std::max<Nanoseconds>(0, wrappingDifference(time.end_ns, time.begin_ns)),
            static_cast<int>(track));
    }

    void joules(const std::optional<Millijoules>& energy)
    {
        if (energy)
            m_json.member("joules", energy->value / 1e3);
    }

    void energy(const EnergyValue& value)
    {
        joules(value.total_mj);
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            if (const auto& part = value.rails_mj.values[rail])
                m_json.member(std::string(name(static_cast<Rail>(rail))) + "_joules",
                              part->value / 1e3);
        }
        m_json.member("provenance", value.provenance);
    }

    void work(const std::optional<SpanWork>& value)
    {
        if (value)
            writeWork(m_json, value);
    }

    void slices(const RunTrace& piece)
    {
        for (const TokenSpan& token : piece.tokens) {
            slice(Track::Tokens, "token " + std::to_string(token.index), "token", token.time, [&] {
                m_json.member("text", token.text);
                m_json.member("position", token.position);
                if (token.probability)
                    m_json.member("probability", *token.probability);
                energy(token.energy);
            });
        }
        for (const SpanLevel level : kSpanLevels) {
            const auto track =
                static_cast<Track>(static_cast<int>(Track::Sections) + static_cast<int>(level));
            for (const Span& span : piece.spans(level)) {
                slice(track, titleOf(span), name(level), span.time, [&] {
                    if (level == SpanLevel::Section) {
                        energy(span.energy());
                    } else {
                        m_json.member("token", span.token);
                        m_json.member("layer", span.layer);
                        joules(span.energy_mj);
                    }
                    work(span.work);
                });
            }
        }
    }

    static std::string titleOf(const Span& span)
    {
        switch (span.level) {
        case SpanLevel::Section:
            return std::string(name(span.section));
        case SpanLevel::Layer:
            break;
        case SpanLevel::Component:
            return std::string(name(span.component));
        case SpanLevel::Operation:
            return std::string(name(span.operation));
        }
        return "layer " + std::to_string(span.layer);
    }

    // A counter keeps its value until the next event.
    void counters()
    {
        for (const PowerSample& sample : m_trace.samples) {
            for (std::size_t rail = 0; rail < kRailCount; ++rail) {
                if (const auto& power = sample.power_mw.values[rail])
                    counter(std::string(name(static_cast<Rail>(rail))) + " power (W)",
                            sample.window.begin_ns, power->value / 1e3);
            }
            if (sample.total_mw)
                counter("total power (W)", sample.window.begin_ns, sample.total_mw->value / 1e3);
        }
    }

    void counter(const std::string& name, Nanoseconds time, double watts)
    {
        begin("C", name);
        m_json.member("pid", 1);
        m_json.member("ts", microseconds(wrappingDifference(time, m_zero)));
        m_json.key("args");
        m_json.beginObject();
        m_json.member("watts", watts);
        m_json.endObject();
        end(time, 0, 0);
    }

    const RunSource& m_source;
    const Run& m_run; // head of the run
    const RunTrace& m_trace;
    JsonWriter m_json{-1}; // the current event
    std::ostream& m_sink;
    bool m_first = true; // no event has been written yet
    std::vector<Event> m_waiting;
    Nanoseconds m_zero = 0;
};

} // namespace

Status writeTrace(const RunSource& run, std::ostream& sink)
{
    return TraceEvents(run, sink).write();
}

} // namespace ep::store
