// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_events.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace ep::spans {

namespace {

constexpr std::size_t kMaxEvents = 20'000'000; // relevant events at most
constexpr std::size_t kPortion = 1 << 20;
constexpr std::string_view kModule = "nn.Module: ";
constexpr std::string_view kOperator = "aten::";

// Feeds the characters of the file to the parser.
class CharacterSource {
public:
    CharacterSource(const ReadTraceBytes& bytes, const CancelToken& cancel)
        : m_bytes(bytes)
        , m_cancel(cancel)
        , m_buffer(kPortion)
    {
        fill();
    }
    bool atEnd() const { return m_at == m_size; }
    char now() const { return m_buffer[m_at]; }
    void next()
    {
        if (++m_at == m_size)
            fill();
    }

private:
    void fill()
    {
        m_at = 0;
        m_size = m_cancel.cancelled() ? 0 : m_bytes(m_buffer);
    }

    const ReadTraceBytes& m_bytes;
    const CancelToken& m_cancel;
    std::vector<char> m_buffer;
    std::size_t m_at = 0;
    std::size_t m_size = 0;
};

class CharacterIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    explicit CharacterIterator(CharacterSource* source = nullptr)
        : m_source(source)
    {
    }
    char operator*() const { return m_source->now(); }
    CharacterIterator& operator++()
    {
        m_source->next();
        return *this;
    }
    CharacterIterator operator++(int)
    {
        CharacterIterator before = *this;
        m_source->next();
        return before;
    }
    // Iterators are only ever compared with the end.
    bool operator==(const CharacterIterator&) const
    {
        return m_source == nullptr || m_source->atEnd();
    }
    bool operator!=(const CharacterIterator& other) const { return !(*this == other); }

private:
    CharacterSource* m_source;
};

// Microseconds with a fraction, without the error of a double: "5563422353456.123".
Nanoseconds nanosecondsIn(std::string_view text)
{
    std::int64_t whole = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, whole);
    constexpr std::int64_t kMax = 9'000'000'000'000'000; // leaves room for nanoseconds
    if (read.ec != std::errc() || whole > kMax || whole < -kMax)
        return 0;
    Nanoseconds nanoseconds = whole * 1000;
    if (read.ptr == end || *read.ptr != '.')
        return nanoseconds;
    Nanoseconds digit = 100;
    for (const char* at = read.ptr + 1; at != end && digit > 0 && *at >= '0' && *at <= '9'; ++at) {
        nanoseconds += (text.front() == '-' ? -1 : 1) * digit * (*at - '0');
        digit /= 10;
    }
    return nanoseconds;
}

struct Raw {
    std::string name{};
    std::string category{};
    char kind = '\0';
    Nanoseconds begin_ns = 0;
    std::optional<Nanoseconds> duration_ns{};
    std::string thread{}; // process and thread
    std::vector<std::vector<std::int64_t>> dims{};
};

enum class EventKey : std::uint8_t { Other, Name, Category, Kind, Begin, Duration, Thread, Args };

struct KeyName {
    std::string_view name;
    EventKey key;
};
constexpr KeyName kEventKeys[] = {
    {"name", EventKey::Name},  {"cat", EventKey::Category}, {"ph", EventKey::Kind},
    {"ts", EventKey::Begin},   {"dur", EventKey::Duration}, {"tid", EventKey::Thread},
    {"pid", EventKey::Thread}, {"args", EventKey::Args},
};

// Receives the parser's events. Only relevant ones are kept, since there are millions.
class EventHandler {
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    TraceEvents take() { return std::move(m_events); }
    bool anyList() const { return m_listDepth > 0; }

    bool null() { return true; }
    bool boolean(bool) { return true; }
    bool binary(binary_t&) { return true; }
    bool number_integer(number_integer_t value)
    {
        number(static_cast<std::int64_t>(value), std::to_string(value));
        return true;
    }
    bool number_unsigned(number_unsigned_t value)
    {
        number(static_cast<std::int64_t>(value), std::to_string(value));
        return true;
    }
    bool number_float(number_float_t, const string_t& text)
    {
        number(0, text);
        return true;
    }
    bool string(string_t& text)
    {
        if (inEvent() && m_key == EventKey::Name)
            m_raw.name = std::move(text);
        else if (inEvent() && m_key == EventKey::Category)
            m_raw.category = std::move(text);
        else if (inEvent() && m_key == EventKey::Kind)
            m_raw.kind = text.empty() ? '\0' : text.front();
        else if (inEvent())
            number(0, text); // times and threads may be given as strings
        return true;
    }
    bool start_object(std::size_t)
    {
        ++m_depth;
        if (m_listDepth > 0 && m_depth == m_listDepth + 1)
            m_raw = {};
        return true;
    }
    bool end_object()
    {
        if (m_listDepth > 0 && m_depth == m_listDepth + 1)
            keep();
        --m_depth;
        return true;
    }
    bool start_array(std::size_t)
    {
        ++m_depth;
        if (m_listDepth == 0 && (m_depth == 1 || (m_depth == 2 && m_isList)))
            m_listDepth = m_depth;
        if (m_dims && m_depth == m_listDepth + 4)
            m_raw.dims.emplace_back();
        return true;
    }
    bool end_array()
    {
        if (m_dims && m_depth == m_listDepth + 3)
            m_dims = false;
        if (m_depth == m_listDepth && m_depth > 1)
            m_listDepth = -1; // the list has ended; the rest of the file is ignored
        --m_depth;
        return true;
    }
    bool key(string_t& text)
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
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&)
    {
        m_events.cut = true;
        return false;
    }

private:
    bool inEvent() const { return m_listDepth > 0 && m_depth == m_listDepth + 1; }

    void number(std::int64_t value, const std::string& text)
    {
        constexpr std::size_t kMaxDims = 8;
        if (m_depth == 1 && m_isBase)
            m_events.base_ns = value;
        else if (inEvent() && m_key == EventKey::Begin)
            m_raw.begin_ns = nanosecondsIn(text);
        else if (inEvent() && m_key == EventKey::Duration)
            m_raw.duration_ns = nanosecondsIn(text);
        else if (inEvent() && m_key == EventKey::Thread)
            m_raw.thread += text + '/';
        else if (m_dims && m_depth == m_listDepth + 4 && !m_raw.dims.empty()
                 && m_raw.dims.back().size() < kMaxDims)
            m_raw.dims.back().push_back(value);
    }

    std::uint32_t indexOf(const std::string& text,
                          std::unordered_map<std::string, std::uint32_t>& all)
    {
        return all.emplace(text, static_cast<std::uint32_t>(all.size())).first->second;
    }

    std::uint32_t shapeOf() // of the weight: second operand of a matmul, first of a lookup
    {
        const bool lookup = m_raw.name == "aten::embedding";
        const std::size_t which = lookup ? 0 : 1;
        if (m_raw.dims.size() <= which || m_raw.dims[which].size() != 2)
            return 0;
        const WeightShape shape{m_raw.dims[which][0], m_raw.dims[which][1]};
        const auto known = std::find(m_events.shapes.begin() + 1, m_events.shapes.end(), shape);
        constexpr std::size_t kMaxShapes = 4096;
        if (known == m_events.shapes.end() && m_events.shapes.size() >= kMaxShapes)
            return 0;
        const auto index = static_cast<std::uint32_t>(known - m_events.shapes.begin());
        if (known == m_events.shapes.end())
            m_events.shapes.push_back(shape);
        return index;
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

    void keep()
    {
        ++m_events.events;
        if (m_raw.category == "kernel" || m_raw.category == "gpu_memcpy")
            ++m_events.kernels;
        if (m_raw.kind == 'B') {
            m_begun[m_raw.thread].push_back(m_raw);
            return;
        }
        if (m_raw.kind == 'E') {
            auto& open = m_begun[m_raw.thread];
            if (open.empty())
                return;
            const Nanoseconds end = m_raw.begin_ns;
            m_raw = std::move(open.back());
            open.pop_back();
            m_raw.duration_ns = end - m_raw.begin_ns;
        } else if (m_raw.kind != 'X') {
            return;
        }
        const bool isModule = m_raw.name.starts_with(kModule);
        const bool isOperator = !isModule && m_raw.name.starts_with(kOperator);
        const bool isMark =
            !isModule && !isOperator && (m_raw.category.find("annotation") != std::string::npos);
        if (!isModule && !isOperator && !isMark)
            return;
        if (!m_raw.duration_ns || *m_raw.duration_ns < 0)
            return;
        auto& list = isModule ? m_events.modules : isOperator ? m_events.operators : m_events.marks;
        if (m_kept++ >= kMaxEvents) {
            m_events.too_many = true;
            return;
        }
        const std::uint32_t before = static_cast<std::uint32_t>(m_names.size());
        const std::string name = isModule ? m_raw.name.substr(kModule.size()) : m_raw.name;
        const std::uint32_t number = indexOf(name, m_names);
        if (number == before)
            m_events.names.push_back(name);
        list.push_back({.begin_ns = m_raw.begin_ns,
                        .end_ns = wrappingSum(m_raw.begin_ns, *m_raw.duration_ns),
                        .name = number,
                        .shape = isOperator ? shapeOf() : 0,
                        .thread = indexOf(m_raw.thread, m_threads),
                        .positions = isOperator ? positionsOf() : 0});
    }

    TraceEvents m_events;
    std::unordered_map<std::string, std::uint32_t> m_names;
    std::unordered_map<std::string, std::uint32_t> m_threads;
    std::unordered_map<std::string, std::vector<Raw>> m_begun;
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

Result<TraceEvents> readTraceEvents(const ReadTraceBytes& bytes, const std::string& name,
                                    const CancelToken& cancel)
{
    CharacterSource source(bytes, cancel);
    EventHandler handler;
    nlohmann::json::sax_parse(CharacterIterator(&source), CharacterIterator(), &handler,
                              nlohmann::detail::input_format_t::json, false);
    if (cancel.cancelled())
        return Error{ErrorCode::Cancelled, "The import was cancelled."};
    TraceEvents events = handler.take();
    if (events.events == 0)
        return Error{ErrorCode::InvalidInput,
                     {"%1 is no trace of events: it must be JSON with a list traceEvents, as "
                      "torch.profiler, Chrome and Perfetto write it.",
                      name}};
    return events;
}

} // namespace ep::spans
