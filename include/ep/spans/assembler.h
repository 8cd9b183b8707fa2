// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/command_record.h"
#include "ep/spans/span_record.h"
#include "ep/spans/vocabulary.h"

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ep::spans {

// How much is kept at the same time: of spans that wait for their forward pass, of generations in
// progress, and of the longest generation so far, which the run shows. Other generations are only
// counted.
struct AssemblerLimits {
    std::size_t most_spans =
        4'000'000; // of passes, up to 120 bytes each, and 350 once it is stored
    std::size_t most_sections = 200'000; // sections, 120 bytes each, and 1000 once stored
    std::size_t most_waiting = 400'000; // 72 bytes each; a sender takes half of the free ones
    std::size_t most_steps = 65'536; // forward passes, 384 bytes each
    std::size_t most_generations = 500'000; // generations, 40 bytes each
    std::size_t most_names = 10'000;
    std::size_t most_senders = 10'000;
    std::size_t most_bytes = 16'000'000; // names and texts, including those of the readers
};

// The sender of a record: a process, whose forward passes come one after the other.
struct Sender {
    Nanoseconds shift_ns = 0; // converts its times to our clock
    std::int64_t id = 0; // of the connection
};

// A forward pass with its sections, layers, components and operations.
struct Step : SpanLists {
    TokenSpan token{};

    std::size_t size() const; // number of spans, with its own
};

// The run that results from the spans.
struct Assembled {
    std::vector<PhaseSpan> phases{};
    std::deque<Step> steps{}; // in order of time
    std::vector<Span> sections{}; // outside of steps
    std::vector<TimeRange> clean_steps{}; // steps without hooks; empty: there were none
    // Generations of all senders in order of time. Senders may generate at the same time; the steps
    // belong to the longest one.
    std::size_t generations = 0;
    std::size_t shown = 0; // index of the generation that the run shows
    std::size_t senders = 0; // senders that generated
    bool overlapping = false; // another generation ran beside the shown one
    std::int64_t tokens = 0; // of all generations
    std::optional<std::int64_t> input_tokens{}; // of all generations; absent if one lacks them
    std::optional<std::int64_t> shown_input_tokens{};
    Depth depth = Depth::None;
    SpanCounts counts{};
};

// Builds the tree of a run from the records of all senders, whose passes do not mix. A sender
// writes a record once the part that it describes has ended, so the records of a forward pass
// arrive before its token. Parts are nested by time and have the names that the sender uses. Pure,
// one thread.
class Assembler {
public:
    explicit Assembler(Nanoseconds begin, AssemblerLimits limits = {});

    void add(const Record& record, const Sender& sender = {});
    // Returns the next `most` forward passes of generations in progress that were completed since
    // the last call, for display. If they have very many parts, only their tokens.
    std::vector<Step> takeNew(std::size_t most);
    // end: end of the run. Call once.
    Assembled finish(Nanoseconds end);

    SpanCounts& counts() { return m_counts; }
    ByteBudget& budget() { return m_budget; } // for all bytes kept from senders
    // The senders' statements about themselves; the first one counts.
    const std::string& engine() const { return m_facts.engine; }
    const std::string& model() const { return m_facts.model; }
    const std::string& device() const { return m_facts.device; }
    const std::string& dtype() const { return m_facts.dtype; }
    const std::string& clock() const { return m_facts.clock; }
    std::optional<std::int64_t> layers() const { return m_facts.layers; }

private:
    // A record, kept until its forward pass is complete.
    struct Kept {
        TimeRange time;
        std::uint32_t part = 0; // index into m_parts
        std::int32_t layer = kNoLayer;
        std::optional<SpanWork> work{};
        std::optional<ActivationStats> stats{};
    };
    struct NamedPart {
        Part part;
        OwnPath own{}; // its own path, where the tree has no place for it
        bool of_next = false; // the first half of the part that follows
    };
    struct Facts {
        std::string engine, model, device, dtype, clock;
        std::optional<std::int64_t> layers, input_tokens;
    };
    // The facts that are kept about every generation.
    struct Summary {
        TimeRange time;
        std::int64_t sender = 0;
        std::int64_t tokens = 0;
        std::optional<std::int64_t> input_tokens{};
    };
    struct Generation {
        Summary summary;
        bool clean = false;
        std::size_t spans = 0; // spans of steps, and sections between steps
        std::size_t step_sections = 0; // sections within steps
        std::deque<Step> steps{}; // the first one is a prefill
        std::vector<Span> sections{}; // between them
        std::vector<TimeRange> clean_steps{}; // of the pass without hooks before it
    };
    // The pending spans and the state of one sender.
    struct Stream {
        std::deque<Kept> pending{}; // since the last forward pass
        std::optional<Generation> current{};
        std::vector<TimeRange> clean_steps{}; // of its last pass without hooks
        std::optional<std::int64_t> input_tokens{}; // as last stated
        Nanoseconds last_end = 0; // end of the last forward pass
        std::size_t taken = 0; // number of steps of the generation that were handed out
    };

    void addFacts(const Record& record, Stream& stream);
    void addPhase(const Record& record, const TimeRange& time);
    void addLoad(const TimeRange& time);
    void addToken(const Record& record, const TimeRange& time, Stream& stream, std::int64_t sender);
    std::vector<Kept> takePending(Stream& stream, const TimeRange& time);
    void endGeneration(Stream& stream);
    void forget(const Generation& generation);
    std::uint32_t partIndex(const Record& record);
    std::optional<SpanWork> workOf(const Record& record);
    void assemble(Step& step, std::vector<Kept>& inside);
    void endAll();
    void choose(Assembled& result); // the generation that the run shows
    void placeSections(Assembled& result);

    const Nanoseconds m_begin;
    const AssemblerLimits m_limits;
    SpanCounts m_counts;
    ByteBudget m_budget;
    Facts m_facts;
    std::unordered_map<std::string, std::uint32_t> m_names;
    std::vector<NamedPart> m_parts;
    std::set<std::string> m_ownPaths;
    std::map<std::string, std::int64_t> m_unknown;
    std::map<std::int64_t, Stream> m_streams; // by sender
    std::deque<Summary> m_generations; // generations that have ended
    std::optional<Generation> m_longest; // the longest generation that has ended
    std::vector<PhaseSpan> m_phases;
    std::vector<Span> m_loads; // of models; they do not overlap
    std::size_t m_waiting = 0; // number of pending spans
    std::size_t m_spans = 0; // number of spans of kept generations
    std::size_t m_sections = 0; // number of sections of kept generations
    std::size_t m_steps = 0; // number of forward passes of kept generations, clean ones included
    std::size_t m_begun = 0; // number of generations
    SpanWork m_work; // work of all spans, which bounds every sum
    Nanoseconds m_forward = 0; // total time of forward passes with parts
    Nanoseconds m_mapped = 0; // how much of that is in sections and components
};

// Adds the assembled parts to a run's trace.
void appendTo(RunTrace& trace, Assembled&& assembled);

} // namespace ep::spans
