// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/spans/trace_file.h"

#include "trace_mapping.h"

#include "ep/core/user_file.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <unistd.h>
#include <unordered_map>
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

// How much of a range is covered by ranges that do not touch.
class Coverage {
public:
    explicit Coverage(const std::vector<TimeRange>& ranges)
        : m_ranges(ranges)
    {
        for (const TimeRange& one : ranges)
            m_until.push_back(m_until.back() + one.duration_ns());
    }
    Nanoseconds within(const TimeRange& time) const
    {
        return time.empty() ? 0 : before(time.end_ns) - before(time.begin_ns);
    }

private:
    Nanoseconds before(Nanoseconds at) const
    {
        const auto next = std::ranges::upper_bound(m_ranges, at, {}, &TimeRange::begin_ns);
        const auto count = static_cast<std::size_t>(next - m_ranges.begin());
        const Nanoseconds behind =
            count > 0 ? std::max<Nanoseconds>(0, m_ranges[count - 1].end_ns - at) : 0;
        return m_until[count] - behind;
    }

    const std::vector<TimeRange>& m_ranges; // in order of time
    std::vector<Nanoseconds> m_until{0}; // total length of the ranges before each
};

// Outermost operators of each thread, and how much of their time has a name.
void shareOut(std::vector<TraceEvent>& operators, const std::vector<TimeRange>& named,
              TraceImport& result)
{
    std::ranges::sort(operators, [](const TraceEvent& a, const TraceEvent& b) {
        return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    const Coverage coverage(named);
    std::unordered_map<std::uint32_t, Nanoseconds> until;
    for (const TraceEvent& one : operators) {
        const auto known = until.find(one.thread);
        if (known != until.end() && one.begin_ns < known->second)
            continue; // within another operator
        until[one.thread] = one.end_ns;
        ++result.operators;
        const TimeRange time{one.begin_ns, one.end_ns};
        result.operator_ns = wrappingSum(result.operator_ns, time.duration_ns());
        result.mapped_ns = wrappingSum(result.mapped_ns, coverage.within(time));
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

// Takes the events apart, since there may be millions.
TraceImport importOf(TraceEvents& events)
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
    shareOut(events.operators, namedTimes(mapping), result);
    for (auto* list : {&events.modules, &events.operators, &events.marks})
        std::vector<TraceEvent>().swap(*list);
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
    result.parts = assembler.finish(result.duration_ns);
    return result;
}

void note(const TraceEvents& events, TraceImport& result)
{
    if (events.cut)
        result.notes.emplace_back(
            "The file ends in the middle of an event: the trace is read as far as it goes.");
    if (events.wrong_at >= 0)
        result.notes.emplace_back(
            Message("What begins at byte %1 of the trace is no JSON: it is read as far as that.",
                    events.wrong_at));
    if (events.impossible == 1)
        result.notes.emplace_back("An event was left out because its time is no number, is out of "
                                  "range, or ends before it begins.");
    else if (events.impossible > 1)
        result.notes.emplace_back(
            Message("%1 events were left out because their times are no numbers, are out of "
                    "range, or end before they begin.",
                    events.impossible));
    if (events.too_long)
        result.notes.emplace_back("The names and open events of the trace exceed 32 MB: what came "
                                  "after that is missing.");
    if (events.too_many)
        result.notes.emplace_back("The trace has more events than are read.");
    if (events.processes > 1)
        result.notes.emplace_back("The trace has %1 processes or ranks; the run shows the one with "
                                  "the most operators, %2.",
                                  events.processes, events.process);
    if (events.kernels > 0)
        result.notes.emplace_back("%1 kernels of an accelerator run later than the operators that "
                                  "start them: times are those of the operators.",
                                  events.kernels);
    if (result.way.empty())
        result.notes.emplace_back("Nothing in the trace could be mapped to the parts of a model: "
                                  "record it with with_stack=True or record_shapes=True.");
    if (result.parts.generations > 1)
        result.notes.emplace_back("The trace has %1 generations; the run shows the one with the "
                                  "most tokens.",
                                  result.parts.generations);
}

// Reads a file, plain or gzip.
class TraceBytes {
public:
    static Result<std::unique_ptr<TraceBytes>> open(const std::filesystem::path& file)
    {
        auto opened = UserFile::open(file);
        if (!opened)
            return opened.error();
        std::unique_ptr<TraceBytes> bytes(new TraceBytes);
        const int descriptor = opened->takeDescriptor();
        bytes->m_file.reset(::gzdopen(descriptor, "rb")); // also for files that are not compressed
        if (!bytes->m_file) {
            ::close(descriptor);
            return Error{ErrorCode::NoMemory,
                         {"There is not enough memory for %1: use a smaller file, or close other "
                          "programs.",
                          file.string()}};
        }
        constexpr unsigned kWindow = 1U << 18;
        ::gzbuffer(bytes->m_file.get(), kWindow);
        return bytes;
    }

    std::size_t read(std::span<char> buffer)
    {
        const int got = ::gzread(m_file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        int problem = Z_OK;
        ::gzerror(m_file.get(), &problem);
        m_damaged = m_damaged || (problem != Z_OK && problem != Z_BUF_ERROR);
        if (got <= 0)
            return 0;
        m_read += got;
        m_bomb = m_read > kMostExpansion * ::gzoffset(m_file.get()) + kAlwaysExpanded;
        return m_bomb ? 0 : static_cast<std::size_t>(got);
    }
    bool damaged() const { return m_damaged; } // a checksum is wrong, or the data is no longer gzip
    bool bomb() const { return m_bomb; }

private:
    // Traces shrink to a tenth or a thirtieth; nothing but repetitions shrinks more than this.
    static constexpr std::int64_t kMostExpansion = 200;
    static constexpr std::int64_t kAlwaysExpanded = 64'000'000;
    struct Close {
        void operator()(gzFile_s* file) const { ::gzclose(file); }
    };

    TraceBytes() = default;
    std::unique_ptr<gzFile_s, Close> m_file;
    std::int64_t m_read = 0;
    bool m_damaged = false;
    bool m_bomb = false;
};

} // namespace

Result<TraceImport> readTrace(const std::filesystem::path& file, const CancelToken& cancel)
{
    const auto source = TraceBytes::open(file);
    if (!source)
        return source.error();
    auto events = readTraceEvents([&](std::span<char> buffer) { return (*source)->read(buffer); },
                                  file.filename().string(), cancel);
    if ((*source)->bomb())
        return Error{ErrorCode::InvalidInput,
                     {"The trace %1 expands to more than 200 times its size: that is no trace, or "
                      "give it without compression.",
                      file.string()}};
    if (!events)
        return events.error();
    const bool damaged = (*source)->damaged();
    if (damaged)
        events->cut = false; // the file is damaged, not truncated
    TraceImport result = importOf(*events);
    if (damaged)
        result.notes.emplace_back(
            "The compressed data of the file is damaged: the trace is read as far as it goes.");
    note(*events, result);
    return result;
}

Result<std::string> beginningOf(const std::filesystem::path& file, std::size_t size)
{
    const auto source = TraceBytes::open(file);
    if (!source)
        return source.error();
    std::string bytes(size, '\0');
    bytes.resize((*source)->read({bytes.data(), bytes.size()}));
    return bytes;
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
    auto events = readTraceEvents(bytes, name, {});
    if (!events)
        return events.error();
    TraceImport result = importOf(*events);
    note(*events, result);
    return result;
}

} // namespace ep::spans
