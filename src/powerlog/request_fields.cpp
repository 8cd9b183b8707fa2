// SPDX-License-Identifier: GPL-3.0-or-later
#include "request_fields.h"

#include "formats.h"

#include "ep/core/possible_count.h"

#include <algorithm>
#include <array>
#include <cmath>
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

} // namespace ep::powerlog
