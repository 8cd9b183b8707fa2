// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/spans/trace_file.h"

#include "trace_mapping.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <zlib.h>

namespace ep::spans {

namespace {

TimeRange rangeOf(const TraceEvents& events)
{
    TimeRange all{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
    for (const auto* list : {&events.modules, &events.operators, &events.marks}) {
        for (const TraceEvent& event : *list) {
            all.begin_ns = std::min(all.begin_ns, event.begin_ns);
            all.end_ns = std::max(all.end_ns, event.end_ns);
        }
    }
    return all;
}

// Times covered by named parts, as ranges that do not touch.
std::vector<TimeRange> namedTimes(const Mapping& mapping)
{
    std::vector<TimeRange> ranges;
    for (const MappedEvent& part : mapping.parts) {
        const PartKind kind = partOf(part.name).kind;
        if (part.kind == RecordKind::Component
            && (kind == PartKind::Section || kind == PartKind::Component
                || kind == PartKind::Container))
            ranges.push_back({part.begin_ns, part.end_ns});
        else if (part.kind == RecordKind::Layer) // time between its parts is residual additions
            ranges.push_back({part.begin_ns, part.end_ns});
    }
    std::ranges::sort(ranges, {}, &TimeRange::begin_ns);
    std::vector<TimeRange> joined;
    for (const TimeRange& one : ranges) {
        if (!joined.empty() && one.begin_ns <= joined.back().end_ns)
            joined.back().end_ns = std::max(joined.back().end_ns, one.end_ns);
        else
            joined.push_back(one);
    }
    return joined;
}

// Outermost operators of each thread, and how much of their time has a name.
void shareOut(const TraceEvents& events, const std::vector<TimeRange>& named, TraceImport& result)
{
    std::vector<TraceEvent> operators = events.operators;
    std::ranges::stable_sort(operators, [](const TraceEvent& a, const TraceEvent& b) {
        return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    std::map<std::uint32_t, Nanoseconds> until;
    std::size_t at = 0;
    for (const TraceEvent& one : operators) {
        const auto known = until.find(one.thread);
        if (known != until.end() && one.begin_ns < known->second)
            continue; // within another one
        until[one.thread] = one.end_ns;
        ++result.operators;
        const TimeRange time{one.begin_ns, one.end_ns};
        result.operator_ns += time.duration_ns();
        while (at < named.size() && named[at].end_ns <= time.begin_ns)
            ++at;
        for (std::size_t i = at; i < named.size() && named[i].begin_ns < time.end_ns; ++i)
            result.mapped_ns += intersection(time, named[i]).duration_ns();
    }
}

Mapping mapped(const TraceEvents& events, TraceImport& result)
{
    Mapping mapping = mapModules(events);
    if (!mapping.parts.empty()) {
        result.way = "module stack";
        return mapping;
    }
    mapping = mapOrder(events);
    if (!mapping.parts.empty())
        result.way = "shapes and order";
    return mapping;
}

TraceImport importOf(const TraceEvents& events)
{
    TraceImport result;
    result.events = events.events;
    result.kernels = events.kernels;
    const TimeRange all = rangeOf(events);
    if (all.end_ns <= all.begin_ns)
        return result;
    result.duration_ns = wrappingDifference(all.end_ns, all.begin_ns);
    result.epoch_ns = events.base_ns > 0 ? wrappingSum(events.base_ns, all.begin_ns) : 0;
    Mapping mapping = mapped(events, result);
    addSampling(events, mapping);
    result.model = mapping.model;
    Assembler assembler(0);
    for (const MappedEvent& part : mapping.parts) {
        Record record;
        record.kind = part.kind;
        record.name = part.name;
        record.token = part.token;
        record.start_ns = wrappingDifference(part.begin_ns, all.begin_ns);
        record.duration_ns = wrappingDifference(part.end_ns, part.begin_ns);
        assembler.add(record);
    }
    shareOut(events, namedTimes(mapping), result);
    result.parts = assembler.finish(result.duration_ns);
    return result;
}

void note(const TraceEvents& events, TraceImport& result)
{
    if (events.cut)
        result.notes.emplace_back(
            "The file ends in the middle of an event: the trace is read as far as it goes.");
    if (events.too_many)
        result.notes.emplace_back("The trace has more events than are read.");
    if (events.kernels > 0)
        result.notes.push_back(std::to_string(events.kernels)
                               + " kernels of an accelerator run later than the operators that "
                                 "start them: times are those of the operators.");
    if (result.way.empty())
        result.notes.emplace_back("Nothing in the trace could be mapped to the parts of a model: "
                                  "record it with with_stack=True or record_shapes=True.");
    if (result.parts.generations > 1)
        result.notes.push_back("The trace has " + std::to_string(result.parts.generations)
                               + " generations; the run shows the one with the most tokens.");
}

} // namespace

Result<TraceImport> readTrace(const std::filesystem::path& file, const CancelToken& cancel)
{
    // zlib also reads uncompressed files.
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> source(::gzopen(file.c_str(), "rb"),
                                                            ::gzclose);
    std::error_code ignored;
    if (source == nullptr || !std::filesystem::is_regular_file(file, ignored))
        return Error{
            ErrorCode::NotFound,
            {"The trace %1 cannot be read: there is no such file, or it may not be opened.",
             file.string()}};
    constexpr unsigned kWindow = 1U << 18;
    ::gzbuffer(source.get(), kWindow);
    const auto bytes = [&](std::span<char> buffer) -> std::size_t {
        const int got = ::gzread(source.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        return got > 0 ? static_cast<std::size_t>(got) : 0;
    };
    const auto events = readTraceEvents(bytes, file.filename().string(), cancel);
    if (!events)
        return events.error();
    TraceImport result = importOf(*events);
    note(*events, result);
    return result;
}

Result<TraceImport> readTraceText(std::string_view json, const std::string& name)
{
    std::size_t at = 0;
    const auto bytes = [&](std::span<char> buffer) {
        const std::size_t size = std::min(buffer.size(), json.size() - at);
        std::memcpy(buffer.data(), json.data() + at, size);
        at += size;
        return size;
    };
    const auto events = readTraceEvents(bytes, name, {});
    if (!events)
        return events.error();
    TraceImport result = importOf(*events);
    note(*events, result);
    return result;
}

} // namespace ep::spans
