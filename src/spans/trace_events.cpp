// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_events.h"

#include "ep/core/number_text.h"
#include "ep/core/time_range.h"
#include "ep/core/utf8.h"
#include "ep/spans/span_record.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace ep::spans {
namespace {

constexpr std::size_t kMaxEvents = 5'000'000; // relevant events at most
constexpr std::string_view kModule = "nn.Module: ";
constexpr std::string_view kOperator = "aten::";

// Microseconds, without the error of a double ("5563422353456.123"). Absent if it is not a number,
// or further away than 285 years.
std::optional<Nanoseconds> nanosecondsIn(std::string_view microseconds)
{
    constexpr int kToNanoseconds = 3; // decimal places
    constexpr Nanoseconds kMost = 9'000'000'000'000'000'000;
    const auto read = readScaled(microseconds, kToNanoseconds);
    return read && *read <= kMost && *read >= -kMost ? read : std::nullopt;
}

struct Raw {
    std::string name{};
    std::string category{};
    char kind = '\0';
    std::optional<Nanoseconds> begin_ns{};
    std::optional<Nanoseconds> duration_ns{};
    std::string process{};
    std::string thread{};
    std::vector<std::vector<std::int64_t>> dims{};
};

// An event of the trace's own tree, without its time; kept from its beginning to its end.
struct Known {
    enum class List : std::uint8_t { None, Modules, Operators, Marks };
    List list = List::None; // None: not relevant
    std::uint32_t name = 0;
    std::uint32_t shape = 0;
    std::uint32_t positions = 0;
};

// Events that have begun in a thread.
struct Begun {
    struct One {
        Known known;
        std::optional<Nanoseconds> begin_ns;
    };
    std::vector<One> open{};
    std::int64_t beyond = 0; // number of events inside that were not kept
};

enum class EventKey : std::uint8_t {
    Other,
    Name,
    Category,
    Kind,
    Begin,
    Duration,
    Process,
    Thread,
    Args
};

struct KeyName {
    std::string_view name;
    EventKey key;
};
constexpr KeyName kEventKeys[] = {
    {"name", EventKey::Name},   {"cat", EventKey::Category}, {"ph", EventKey::Kind},
    {"ts", EventKey::Begin},    {"dur", EventKey::Duration}, {"tid", EventKey::Thread},
    {"pid", EventKey::Process}, {"args", EventKey::Args},
};

// Only relevant events are kept, since there are millions.
class EventHandler final : public json::StreamHandler {
public:
    TraceEvents take()
    {
        keepOneProcess();
        return std::move(m_events);
    }
    bool tooLong() const { return m_budget.exceeded(); }

    bool wantsText() const override
    {
        return inEvent() && m_key != EventKey::Other && m_key != EventKey::Args;
    }
    void number(std::string_view text) override
    {
        constexpr std::size_t kMaxDims = 8;
        if (m_depth == 1 && m_isBase)
            m_events.base_ns = readWhole(text).value_or(0);
        else if (inEvent())
            inEventNumber(text);
        else if (m_dims && m_depth == m_listDepth + 4 && !m_raw.dims.empty()
                 && m_raw.dims.back().size() < kMaxDims)
            m_raw.dims.back().push_back(readWhole(text).value_or(0));
    }
    void string(std::string_view text) override
    {
        if (m_key == EventKey::Name)
            m_raw.name = text;
        else if (m_key == EventKey::Category)
            m_raw.category = text;
        else if (m_key == EventKey::Kind)
            m_raw.kind = text.empty() ? '\0' : text.front();
        else
            inEventNumber(text); // times and threads may be given as strings
    }
    void begin(bool object) override
    {
        constexpr std::size_t kMaxOperands = 8;
        ++m_depth;
        if (object) {
            if (inEvent())
                m_raw = {};
            return;
        }
        if (m_listDepth == 0 && (m_depth == 1 || (m_depth == 2 && m_isList)))
            m_listDepth = m_depth;
        if (m_dims && m_depth == m_listDepth + 4 && m_raw.dims.size() < kMaxOperands)
            m_raw.dims.emplace_back();
    }
    void end(bool object) override
    {
        if (object && inEvent())
            keep();
        if (!object && m_dims && m_depth == m_listDepth + 3)
            m_dims = false;
        if (!object && m_depth == m_listDepth && m_depth > 1)
            m_listDepth = -1; // the list has ended; the rest of the file is ignored
        --m_depth;
    }
    void key(std::string_view text) override
    {
        if (m_depth == 1) {
            m_isList = text == "traceEvents";
            m_isBase = text == "baseTimeNanoseconds";
        } else if (inEvent()) {
            m_key = EventKey::Other;
            for (const KeyName& one : kEventKeys) {
                if (one.name == text)
                    m_key = one.key;
            }
        } else if (m_listDepth > 0 && m_depth == m_listDepth + 2) {
            m_dims = m_key == EventKey::Args && text == "Input Dims";
        }
    }

private:
    bool inEvent() const { return m_listDepth > 0 && m_depth == m_listDepth + 1; }

    void inEventNumber(std::string_view text)
    {
        constexpr std::size_t kLongest = 100;
        if (m_key == EventKey::Begin)
            m_raw.begin_ns = nanosecondsIn(text);
        else if (m_key == EventKey::Duration)
            m_raw.duration_ns = nanosecondsIn(text);
        else if (m_key == EventKey::Process)
            m_raw.process = text.substr(0, kLongest);
        else if (m_key == EventKey::Thread)
            m_raw.thread = text.substr(0, kLongest);
    }

    std::optional<std::uint32_t> threadIndex()
    {
        const auto index = indexOf(m_raw.process + '/' + m_raw.thread, m_threads);
        if (!index || *index < m_processOf.size())
            return index;
        const auto process = indexOf(m_raw.process, m_processes);
        m_processOf.push_back(process.value_or(0));
        return process ? index : std::nullopt;
    }

    // A trace of several ranks contains the same work once per rank; the run shows one rank.
    void keepOneProcess()
    {
        std::vector<std::size_t> operators(m_processes.size());
        for (const TraceEvent& event : m_events.operators)
            ++operators[m_processOf[event.thread]];
        const auto computing =
            std::ranges::count_if(operators, [](std::size_t count) { return count > 0; });
        if (computing < 2)
            return;
        const auto chosen =
            static_cast<std::size_t>(std::ranges::max_element(operators) - operators.begin());
        for (auto* list : {&m_events.modules, &m_events.operators, &m_events.marks}) {
            std::erase_if(*list, [&](const TraceEvent& event) {
                const std::size_t process = m_processOf[event.thread];
                return process != chosen && operators[process] > 0;
            });
        }
        m_events.processes = static_cast<std::size_t>(computing);
        for (const auto& [name, index] : m_processes) {
            if (index == chosen)
                m_events.process = replaceInvalidUtf8(name);
        }
    }

    // The number of a text that is kept once; absent if it does not fit.
    std::optional<std::uint32_t> indexOf(const std::string& text,
                                         std::unordered_map<std::string, std::uint32_t>& all)
    {
        constexpr std::size_t kPerEntry = 150; // bytes, besides its characters
        if (const auto known = all.find(text); known != all.end())
            return known->second;
        if (!m_budget.take(2 * text.size() + kPerEntry))
            return std::nullopt;
        return all.emplace(text, static_cast<std::uint32_t>(all.size())).first->second;
    }

    std::uint32_t shapeOf() // of the weight: second operand of a matmul, first of a lookup
    {
        const bool lookup = m_raw.name == "aten::embedding";
        const std::size_t which = lookup ? 0 : 1;
        if (m_raw.dims.size() <= which || m_raw.dims[which].size() != 2)
            return 0;
        const WeightShape shape{m_raw.dims[which][0], m_raw.dims[which][1]};
        constexpr std::size_t kMaxShapes = 4096;
        if (const auto known = m_shapes.find(shape); known != m_shapes.end())
            return known->second;
        if (m_events.shapes.size() >= kMaxShapes)
            return 0;
        m_events.shapes.push_back(shape);
        return m_shapes[shape] = static_cast<std::uint32_t>(m_events.shapes.size() - 1);
    }

    // The second operand is [.., positions] for a lookup, and [.., positions, width] for
    // attention.
    std::uint32_t positionsOf() const
    {
        constexpr std::int64_t kMax = 1 << 30;
        const std::size_t behind = m_raw.name == "aten::embedding" ? 1
            : m_raw.name == "aten::scaled_dot_product_attention"   ? 2
                                                                   : 0;
        if (behind == 0 || m_raw.dims.size() < 2 || m_raw.dims[1].size() < behind)
            return 0;
        const std::int64_t positions = m_raw.dims[1][m_raw.dims[1].size() - behind];
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(positions, 0, kMax));
    }

    // Fields of the current event besides its times; with List::None if it is not relevant.
    Known known()
    {
        const bool isModule = m_raw.name.starts_with(kModule);
        const bool isOperator = !isModule && m_raw.name.starts_with(kOperator);
        const bool isMark =
            !isModule && !isOperator && m_raw.category.find("annotation") != std::string::npos;
        if (!isModule && !isOperator && !isMark)
            return {};
        const std::string name =
            replaceInvalidUtf8(isModule ? m_raw.name.substr(kModule.size()) : m_raw.name);
        const std::size_t before = m_names.size();
        const auto number = indexOf(name, m_names);
        if (!number)
            return {};
        if (m_names.size() > before)
            m_events.names.push_back(name);
        return {.list = isModule ? Known::List::Modules
                    : isOperator ? Known::List::Operators
                                 : Known::List::Marks,
                .name = *number,
                .shape = isOperator ? shapeOf() : 0,
                .positions = isOperator ? positionsOf() : 0};
    }

    void keep()
    {
        ++m_events.events;
        if (m_raw.category == "kernel" || m_raw.category == "gpu_memcpy")
            ++m_events.kernels;
        if (m_raw.kind == 'X') {
            std::optional<Nanoseconds> end;
            if (m_raw.begin_ns && m_raw.duration_ns && *m_raw.duration_ns >= 0)
                end = wrappingSum(*m_raw.begin_ns, *m_raw.duration_ns);
            if (const Known event = known(); event.list != Known::List::None)
                add(event, m_raw.begin_ns, end);
            return;
        }
        if (m_raw.kind != 'B' && m_raw.kind != 'E')
            return;
        const auto thread = threadIndex();
        if (!thread)
            return;
        m_begun.resize(std::max<std::size_t>(m_begun.size(), *thread + 1));
        Begun& begun = m_begun[*thread];
        if (m_raw.kind == 'B') {
            if (begun.beyond > 0 || !m_budget.take(2 * sizeof(Begun::One)))
                ++begun.beyond;
            else
                begun.open.push_back({known(), m_raw.begin_ns});
        } else if (begun.beyond > 0) {
            --begun.beyond;
        } else if (!begun.open.empty()) {
            const Begun::One one = begun.open.back();
            begun.open.pop_back();
            m_budget.giveBack(2 * sizeof(Begun::One));
            if (one.known.list != Known::List::None)
                add(one.known, one.begin_ns, m_raw.begin_ns);
        }
    }

    void add(const Known& event, const std::optional<Nanoseconds>& begin,
             const std::optional<Nanoseconds>& end)
    {
        const auto thread = threadIndex();
        if (!thread)
            return;
        if (!begin || !end || *end < *begin) {
            ++m_events.impossible;
            return;
        }
        if (m_kept++ >= kMaxEvents) {
            m_events.too_many = true;
            return;
        }
        std::vector<TraceEvent>& list = event.list == Known::List::Modules ? m_events.modules
            : event.list == Known::List::Operators                         ? m_events.operators
                                                                           : m_events.marks;
        list.push_back({.begin_ns = *begin,
                        .end_ns = *end,
                        .name = event.name,
                        .shape = event.shape,
                        .thread = *thread,
                        .positions = event.positions});
    }

    TraceEvents m_events;
    ByteBudget m_budget{kMostTraceBytes};
    std::unordered_map<std::string, std::uint32_t> m_names;
    std::unordered_map<std::string, std::uint32_t> m_threads;
    std::unordered_map<std::string, std::uint32_t> m_processes;
    std::vector<std::uint32_t> m_processOf; // by thread
    std::map<WeightShape, std::uint32_t> m_shapes;
    std::vector<Begun> m_begun; // by thread
    std::size_t m_kept = 0;
    int m_depth = 0;
    int m_listDepth = 0; // nesting depth of the event list; 0: not reached yet, -1: over
    bool m_isList = false;
    bool m_isBase = false;
    bool m_dims = false;
    EventKey m_key = EventKey::Other;
    Raw m_raw;
};

} // namespace

Result<TraceEvents> readTraceEvents(const json::ReadBytes& bytes, const std::string& name,
                                    const CancelToken& cancel)
{
    EventHandler handler;
    constexpr std::size_t kLongestText = 4096; // no name is that long
    json::Stream stream(handler, json::Stream::Rules::Lenient, kLongestText);
    stream.read(bytes, cancel);
    if (cancel.cancelled())
        return Error{ErrorCode::Cancelled, "The import was cancelled."};
    const bool tooLong = handler.tooLong();
    TraceEvents events = handler.take();
    events.too_long = tooLong;
    events.cut = stream.cut();
    events.wrong_at = stream.wrongAt();
    if (events.events == 0)
        return Error{ErrorCode::InvalidInput,
                     {"%1 is no trace of events: it must be JSON with a list traceEvents, as "
                      "torch.profiler, Chrome and Perfetto write it.",
                      name}};
    return events;
}

} // namespace ep::spans
