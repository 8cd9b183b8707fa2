// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorded/recorded_spans.h"

#include "ep/core/possible_count.h"

#include <algorithm>
#include <cstdlib>

namespace ep::session {

namespace {

// Python imports this module at startup; the module then imports the sitecustomize that it hides.
constexpr const char* kSitecustomize = R"(import energy_profiler_spans
energy_profiler_spans.start_auto()
energy_profiler_spans.run_next_sitecustomize(__file__)
)";

// Returns the count that the command states, or 0 with a note if it cannot be true.
int countOf(CountKind kind, const char* what, const std::optional<std::int64_t>& stated,
            const Run& run, std::vector<Message>& notes)
{
    if (!stated)
        return 0;
    const Message why = whyImpossible(kind, *stated, run.trace.time.duration_ns());
    if (why.empty())
        return static_cast<int>(*stated);
    notes.emplace_back("The command states %1 %2, %3: that cannot be true, so its count is "
                       "missing.",
                       *stated, what, why);
    return 0;
}

// One sentence for each reason why spans are not in the run.
void noteCounts(const SpanCounts& counts, bool tooLong, std::vector<Message>& notes)
{
    const std::pair<std::int64_t, const char*> kinds[] = {
        {counts.malformed, "Malformed records of the command, not in the run: %1."},
        {counts.outside, "Spans outside of the run, not in it: %1."},
        {counts.late, "Spans after the token that they belong to, not in the run: %1."},
        {counts.overlapping, "Spans that overlap others or have no parent, not in the run: %1."},
        {counts.too_many, "Spans beyond the limit of a run, not in it: %1."},
        {counts.dropped, "Spans that the command dropped, as it did not wait: %1."},
    };
    for (const auto& kind : kinds) {
        if (kind.first > 0)
            notes.emplace_back(kind.second, kind.first);
    }
    if (tooLong)
        notes.emplace_back("The names and texts of the spans exceed 16 MB: what came after that is "
                           "not in the run.");
    if (counts.clock_shift_ns != 0)
        notes.emplace_back(
            "The command timestamps its spans with another clock: they were aligned at the arrival "
            "of its first record.");
}

void noteGenerations(const spans::Assembled& assembled, std::vector<Message>& notes)
{
    if (assembled.generations < 2)
        return;
    if (assembled.senders == 1)
        notes.push_back(Message("The command generated %1 times. Steps, layers and components are "
                                "those of number %2, which has the most tokens; the tokens and the "
                                "energy of the run are those of the whole command.",
                                assembled.generations, assembled.shown + 1));
    else
        notes.push_back(Message("The command generated %1 times, in %2 processes or threads. "
                                "Steps, layers and components are those of number %3, which has "
                                "the most tokens; the tokens and the energy of the run are those "
                                "of the whole command.",
                                assembled.generations, assembled.senders, assembled.shown + 1));
    if (assembled.overlapping) {
        notes.emplace_back(
            "Another generation ran at the same time as that one: it is not known which of them "
            "used "
            "the energy of a phase or a step, so only the energy per token of the whole command is "
            "stated.");
    }
}

void takeTwin(const spans::Assembled& assembled, Run& run)
{
    const std::deque<spans::Step>& steps = assembled.steps;
    const std::size_t count = std::min(assembled.clean_steps.size(), steps.size());
    if (count == 0)
        return;
    TwinRecord& twin = run.info.profiling.twin.emplace();
    twin.tokens = static_cast<std::int64_t>(count);
    const auto sinceBegin = [&](std::size_t first, std::size_t last) {
        if (first >= last)
            return TimeRange{};
        const Nanoseconds zero = run.trace.time.begin_ns;
        return TimeRange{assembled.clean_steps[first].begin_ns - zero,
                         assembled.clean_steps[last - 1].end_ns - zero};
    };
    twin.clean_prefill = sinceBegin(0, 1);
    twin.clean_decode = sinceBegin(1, count);
    // Hooks also cost time between the passes, when their records are packed.
    twin.clean_prefill_ns = twin.clean_prefill.duration_ns();
    twin.clean_decode_ns = twin.clean_decode.duration_ns();
    twin.prefill_ns = steps.front().token.time.duration_ns();
    twin.decode_ns =
        count > 1 ? steps[count - 1].token.time.end_ns - steps[1].token.time.begin_ns : 0;
    run.info.profiling.command->notes.emplace_back(
        "The same work first ran without hooks, in the time before the prefill; whether both "
        "produced the same tokens is not known.");
}

} // namespace

Status prepareSpans(const RecordTarget& target, const CancelToken& cancel, SpanListener& spans)
{
    if (!target.spans_file.empty()) {
        if (const Status usable = spans.useFile(target.spans_file, cancel); !usable)
            return usable;
    } else if (const Status listening = spans.listen(); !listening) {
        return listening;
    }
    if (target.python.empty() || !target.automatic)
        return {};
    return spans.addFile("sitecustomize.py", kSitecustomize);
}

std::vector<std::pair<std::string, std::string>> spanEnvironment(const RecordTarget& target,
                                                                 const SpanListener& spans)
{
    std::vector<std::pair<std::string, std::string>> variables{{"EP_SPANS", spans.address()}};
    if (target.python.empty())
        return variables;
    std::string path = target.python.string();
    if (target.automatic)
        path = spans.folder().string() + ':' + path;
    if (const char* before = std::getenv("PYTHONPATH"); before != nullptr && *before != '\0')
        path += ':' + std::string(before);
    variables.emplace_back("PYTHONPATH", path);
    variables.emplace_back("EP_SPANS_DEPTH", std::string(name(target.depth)));
    variables.emplace_back("EP_SPANS_TWIN", target.twin ? "1" : "0");
    return variables;
}

bool takeSpans(SpanListener& spans, Run& run)
{
    RunInfo& info = run.info;
    CommandRecord& record = *info.profiling.command;
    info.depth = Depth::None;
    if (const Message trouble = spans.trouble(); !trouble.empty())
        record.notes.push_back(trouble);
    if (!spans.heard())
        return false;
    spans::Assembler& assembler = spans.assembler();
    spans::Assembled assembled = assembler.finish(run.trace.time.end_ns);
    const SpanCounts& counts = assembled.counts;
    record.spans = counts;
    noteCounts(counts, assembler.budget().exceeded(), record.notes);
    if (!assembler.engine().empty())
        record.engine += ": " + assembler.engine();
    if (!assembler.model().empty())
        info.model.name = assembler.model();
    if (!assembler.device().empty())
        info.device = assembler.device();
    info.dtype = assembler.dtype();
    info.depth = assembled.depth;
    info.profiling.spans = counts.kept;
    if (assembler.clock() == "device")
        info.profiling.clock = assembler.clock();
    info.profiling.clock_note = "times are the command's own";
    info.input_tokens = countOf(CountKind::ComputedTokens, "input tokens", assembled.input_tokens,
                                run, record.notes);
    info.output_tokens = static_cast<int>(assembled.tokens);
    record.generations = static_cast<std::int64_t>(assembled.generations);
    if (assembled.generations > 1)
        record.shown_input_tokens = countOf(CountKind::ComputedTokens, "input tokens",
                                            assembled.shown_input_tokens, run, record.notes);
    record.overlapping = assembled.overlapping;
    info.model.layers = countOf(CountKind::Layers, "layers", assembler.layers(), run, record.notes);
    for (const spans::Step& step : assembled.steps) {
        info.response += step.token.text;
        info.model.layers = std::max(info.model.layers, static_cast<int>(step.layers.size()));
    }
    noteGenerations(assembled, record.notes);
    takeTwin(assembled, run);
    const bool any = !assembled.steps.empty() || !assembled.phases.empty();
    spans::appendTo(run.trace, std::move(assembled));
    return any;
}

} // namespace ep::session
