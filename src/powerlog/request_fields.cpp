// SPDX-License-Identifier: GPL-3.0-or-later
#include "request_fields.h"

#include "formats.h"

#include "ep/core/possible_count.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace ep::powerlog {
namespace {

struct Field {
    std::string value;
    std::string unit; // in its name, such as "ms"
};

// Names in lower case without units; of "usage.prompt_tokens", only the last part counts.
constexpr const char* kStart =
    "start|start_time|started|started_at|request_start|request_start_time|"
    "begin|begin_time|arrival|arrival_time|request_timestamp|request_time|"
    "sent_at|t_start|timestamp_start|start_timestamp|start_ts";
constexpr const char* kWeakStart = "created|created_at|timestamp|time|ts|date";
constexpr const char* kFirst = "first_token|first_token_time|first_token_at|first_token_timestamp|"
                               "t_first|t_first_token|first|first token";
constexpr const char* kWait = "ttft|time_to_first_token|first_token_latency|first_token_delay";
constexpr const char* kEnd = "end|end_time|ended|ended_at|finish|finished|finished_at|finish_time|"
                             "completed_at|done|t_end|stop|stop_time|end_timestamp|end_ts";
constexpr const char* kLength = "latency|duration|elapsed|total_time|e2e_latency|e2el|"
                                "request_latency|response_time|total_duration|total";
constexpr const char* kPrefill = "prompt@ms|prompt_eval_duration|prefill|prefill_time|prompt_time";
constexpr const char* kDecode =
    "predicted@ms|eval_duration|decode|decode_time|generation_time|predicted_time";
constexpr const char* kPromptTokens =
    "tokens_in|input_tokens|prompt_tokens|in|tokens in|input_len|prompt_len|n_prompt_tokens|"
    "prompt_eval_count|input|input tokens|prompt tokens|num_input_tokens|num_prompt_tokens";
constexpr const char* kUncachedTokens = "prompt_n|uncached_tokens|new_input_tokens";
constexpr const char* kCachedTokens =
    "cached|cached_tokens|tokens_cached|cache_n|cache_read_input_tokens|prompt_cached_tokens|"
    "cached_prompt_tokens|cached tokens|tokens cached";
constexpr const char* kOutputTokens =
    "out|tokens_out|output_tokens|completion_tokens|tokens "
    "out|output_len|generated_tokens|predicted_n|"
    "eval_count|output|output tokens|num_output_tokens|num_generated_tokens";

const Field* find(const std::map<std::string, Field>& fields, const char* names)
{
    std::string_view rest(names);
    for (;;) {
        const std::size_t bar = rest.find('|');
        const std::string_view one = rest.substr(0, bar);
        const std::size_t at = one.find('@');
        const auto found = fields.find(std::string(one.substr(0, at)));
        if (found != fields.end()
            && (at == std::string_view::npos
                || lowerCase(found->second.unit) == one.substr(at + 1)))
            return &found->second;
        if (bar == std::string_view::npos)
            return nullptr;
        rest.remove_prefix(bar + 1);
    }
}

// Reads lengths and counts of one request; the first that cannot be read is the error.
class FieldReader {
public:
    FieldReader(LogNumbers& numbers, std::int64_t row)
        : m_numbers(numbers)
        , m_row(row)
    {
    }

    std::optional<double> seconds(const Field* field);
    std::optional<std::int64_t> count(const Field* field);
    const std::optional<Error>& error() const { return m_error; }

private:
    void refuse(const Field& field, const char* what)
    {
        if (!m_error)
            m_error = rowError(m_row, Message(what, quoteCell(field.value)));
    }

    LogNumbers& m_numbers;
    std::int64_t m_row;
    std::optional<Error> m_error;
};

std::optional<double> FieldReader::seconds(const Field* field)
{
    if (field == nullptr)
        return std::nullopt;
    const auto number = m_numbers.read(field->value, LogNumbers::kValues, m_row);
    const auto own = number ? unitFrom(number->rest) : std::nullopt;
    if (!number || number->value < 0.0 || (!number->rest.empty() && !own)) {
        refuse(*field, "%1 is not a length of time.");
        return std::nullopt;
    }
    const auto unit = own ? own : unitFrom(field->unit);
    // Ollama's durations are in nanoseconds, which their names do not state.
    constexpr double kNanoseconds = 1e6;
    if (!unit && number->value >= kNanoseconds)
        return number->value * 1e-9;
    return number->value * (unit && unit->of == Unit::Of::Time ? unit->factor : 1.0);
}

// Numbers of tokens have no decimals, so both signs separate thousands.
std::optional<std::int64_t> FieldReader::count(const Field* field)
{
    if (field == nullptr)
        return std::nullopt;
    auto number = readNumberText(field->value, DecimalSign::Point);
    if (number && (number->signs & number::kPointEither) != 0)
        number = readNumberText(field->value, DecimalSign::Comma);
    if (!number || number->value < 0.0 || number->value > static_cast<double>(kMostTokens)
        || number->value != std::floor(number->value) || !number->rest.empty()) {
        refuse(*field, "%1 is not a number of tokens.");
        return std::nullopt;
    }
    return static_cast<std::int64_t>(number->value);
}

Nanoseconds later(Nanoseconds at, double seconds)
{
    return at + std::llround(std::min(seconds, 1e9) * 1e9);
}

struct Timing {
    double seconds = 0.0;
    std::int64_t tokens = 0;
};

// "... = 367.72 ms / 4129 tokens"
std::optional<Timing> timingAfter(std::string_view line, std::string_view word)
{
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::size_t equals = line.find('=', at);
    const std::size_t slash = equals == std::string_view::npos ? equals : line.find('/', equals);
    if (slash == std::string_view::npos)
        return std::nullopt;
    const auto length = readNumberText(line.substr(equals + 1, slash - equals - 1));
    const auto count = readNumberText(line.substr(slash + 1));
    if (!length || !count || length->value < 0.0 || length->value > 1e12 || count->value < 0.0
        || count->value > static_cast<double>(kMostTokens))
        return std::nullopt;
    return Timing{length->value * 1e-3, static_cast<std::int64_t>(count->value)};
}

// The time at the start of a line: llama.cpp's own "minutes.seconds.ms.us", or a date that a tool
// put there.
std::optional<Instant> timestampOf(std::string_view line)
{
    line = trimBlanks(line);
    const std::size_t blank = line.find(' ');
    const std::string_view word = line.substr(0, blank);
    if (std::ranges::count(word, '.') == 3
        && word.find_first_not_of("0123456789.") == std::string_view::npos) {
        std::array<std::int64_t, 4> parts{};
        std::size_t part = 0;
        for (const char c : word) {
            if (c == '.')
                ++part;
            else if (parts[part] < 10'000'000)
                parts[part] = parts[part] * 10 + (c - '0');
        }
        const Nanoseconds us = ((parts[0] * 60 + parts[1]) * 1000 + parts[2]) * 1000 + parts[3];
        return Instant{.ns = us * 1000, .clock = Clock::Own};
    }
    // One or two words: "2026-11-25T07:35:41.123Z", "2026-11-25 07:35:41,123".
    if (const auto one = readInstant(word, DateOrder::Unknown); one && one->clock != Clock::Own)
        return one;
    const std::size_t second = blank == std::string_view::npos ? blank : line.find(' ', blank + 1);
    const auto two = readInstant(line.substr(0, second), DateOrder::Unknown);
    return two && two->clock != Clock::Own ? two : std::nullopt;
}

// Number of cached tokens: "... n_past = 3968", which may be in an earlier line.
std::optional<std::int64_t> cachedIn(std::string_view line)
{
    for (const std::string_view word : {"n_past = ", "cache_n = ", "cached n_tokens = "}) {
        const std::size_t at = line.find(word);
        if (at == std::string_view::npos)
            continue;
        if (const auto number = readNumberText(line.substr(at + word.size()));
            number && number->value >= 0.0 && number->value <= static_cast<double>(kMostTokens))
            return static_cast<std::int64_t>(number->value);
    }
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> Request::uncachedTokens() const
{
    if (!prompt_tokens)
        return std::nullopt;
    return cached_tokens ? std::max<std::int64_t>(0, *prompt_tokens - *cached_tokens)
                         : std::optional<std::int64_t>();
}

std::string modelOf(const RequestFields& fields)
{
    for (const char* name : {"model", "model_id", "model_filename", "model_name"}) {
        const auto found = fields.find(name);
        if (found != fields.end())
            return found->second;
    }
    return {};
}

Result<Request> requestOf(const RequestFields& stated, std::int64_t row, LogClock& clock,
                          LogNumbers& numbers)
{
    FieldReader reader(numbers, row);
    std::map<std::string, Field> fields;
    for (const auto& [path, value] : stated) {
        const std::size_t dot = path.rfind('.');
        const Header header = readHeader(dot == std::string::npos ? path : path.substr(dot + 1));
        std::string name = header.name;
        std::ranges::replace(name, '-', '_');
        if (!isUnavailable(value))
            fields.try_emplace(name, Field{value, header.unit});
    }
    Request request{.row = row};
    const auto timeAt = [&](const char* names, std::optional<Nanoseconds>& at) -> Status {
        const Field* field = find(fields, names);
        if (field == nullptr)
            return {};
        const auto unit = unitFrom(field->unit);
        const auto read = clock.at(field->value, row, unit ? unit->factor : 0.0);
        if (!read)
            return read.error();
        at = *read;
        return {};
    };
    std::optional<Nanoseconds> begin;
    std::optional<Nanoseconds> first;
    std::optional<Nanoseconds> end;
    for (const auto& [names, at] :
         {std::pair(kStart, &begin), std::pair(kFirst, &first), std::pair(kEnd, &end)}) {
        if (const Status read = timeAt(names, *at); !read)
            return read.error();
    }
    const auto length = reader.seconds(find(fields, kLength));
    const auto prefill = reader.seconds(find(fields, kPrefill));
    const auto decode = reader.seconds(find(fields, kDecode));
    const auto wait = reader.seconds(find(fields, kWait));
    if (!begin && end && length)
        begin = later(*end, -*length);
    if (!begin) {
        if (const Status read = timeAt(kWeakStart, begin); !read)
            return read.error();
    }
    if (!begin)
        return rowError(row, "the request states no time at which it began.");
    request.begin_ns = *begin;
    if (!first && wait)
        first = later(*begin, *wait);
    if (!first && prefill)
        first = later(*begin, *prefill);
    if (!end && length)
        end = later(*begin, *length);
    if (!end && first && decode)
        end = later(*first, *decode);
    if (!first && end && decode)
        first = later(*end, -*decode);
    if (!end)
        return rowError(row, "the request states no time at which it ended.");
    if (*end < *begin || (first && (*first < *begin || *first > *end)))
        return rowError(row, "the times of the request are not in order.");
    request.end_ns = *end;
    request.first_token_ns = first;
    request.prompt_tokens = reader.count(find(fields, kPromptTokens));
    request.cached_tokens = reader.count(find(fields, kCachedTokens));
    request.output_tokens = reader.count(find(fields, kOutputTokens));
    if (const auto uncached = reader.count(find(fields, kUncachedTokens))) {
        if (!request.prompt_tokens)
            request.prompt_tokens = *uncached + request.cached_tokens.value_or(0);
        if (!request.cached_tokens)
            request.cached_tokens = std::max<std::int64_t>(0, *request.prompt_tokens - *uncached);
    }
    if (reader.error())
        return *reader.error();
    return request;
}

// Logs of llama-server. Each answer ends with its timings:
//   0.12.345.678 I slot print_timing: id  0 | task 7 | prompt eval time = 367.72 ms / 4129 tokens
//   ... 0.12.345.690 I        eval time =     379.62 ms /    31 tokens ...

bool isLlamaServerLog(std::string_view text)
{
    return text.find("prompt eval time =") != std::string_view::npos
        && text.find(" eval time =") != std::string_view::npos;
}

Result<RequestLog> readLlamaServerLog(std::string_view text)
{
    RequestLog log{.format = "llama-server", .title = "log of llama-server"};
    log.clock = Clock::Own;
    std::optional<Timing> prompt;
    std::optional<std::int64_t> cached;
    std::optional<Instant> timestamp;
    std::int64_t row = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++row;
        if (const auto own = timestampOf(line))
            timestamp = own;
        if (line.find("launch_slot_") != std::string_view::npos
            || line.find("processing task") != std::string_view::npos)
            cached.reset();
        if (line.find("kv cache rm") != std::string_view::npos
            || line.find("memory_seq_rm") != std::string_view::npos
            || line.find("cache_n") != std::string_view::npos
            || line.find("cached n_tokens") != std::string_view::npos) {
            if (const auto count = cachedIn(line))
                cached = count;
        }
        if (const auto timing = timingAfter(line, "prompt eval time")) {
            prompt = timing;
            continue;
        }
        const auto decode = timingAfter(line, "eval time");
        if (!decode || !prompt)
            continue;
        if (!timestamp)
            return rowError(row,
                            "the log of llama-server has no times; start it with "
                            "--log-timestamps.");
        log.clock = timestamp->clock;
        const auto back = [](double seconds) { return std::llround(seconds * 1e9); };
        Request request{.end_ns = timestamp->ns, .row = row};
        request.first_token_ns = timestamp->ns - back(decode->seconds);
        request.begin_ns = *request.first_token_ns - back(prompt->seconds);
        request.cached_tokens = cached;
        request.prompt_tokens = prompt->tokens + cached.value_or(0);
        request.output_tokens = decode->tokens;
        log.requests.push_back(request);
        prompt.reset();
    }
    log.findings.push_back(
        {Weight::Note,
         "llama-server states when an answer was complete; its phases lie before "
         "that, one after the other."});
    return log;
}

} // namespace ep::powerlog
