// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/powerlog/requests.h"

#include "formats.h"
#include "lines.h"
#include "log.h"
#include "table_layout.h"

#include "ep/core/possible_count.h"
#include "ep/core/user_file.h"
#include "ep/json/document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace ep::powerlog {
namespace {

// The values of one request by field name: "usage.prompt_tokens" for a JSON object, the header for
// a column. Values are texts as in the file.
using RequestFields = std::map<std::string, std::string>;

struct Field {
    std::string value;
    std::string unit; // unit in the name, such as "ms"
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
    for (std::string_view rest(names); !rest.empty();) {
        const std::string_view one = cutAt('|', rest);
        const std::size_t at = one.find('@');
        const auto found = fields.find(std::string(one.substr(0, at)));
        if (found != fields.end()
            && (at == std::string_view::npos
                || lowerCase(found->second.unit) == one.substr(at + 1)))
            return &found->second;
    }
    return nullptr;
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

std::string modelOf(const RequestFields& fields)
{
    for (const char* name : {"model", "model_id", "model_filename", "model_name"}) {
        const auto found = fields.find(name);
        if (found != fields.end())
            return found->second;
    }
    return {};
}

// The request described by the fields, in any of the usual spellings.
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

// A log of llama-server: lines with timings, each with its time in front.
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
        const std::string_view line = cutAt('\n', text);
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

using json::Json;

void flatten(const Json& value, const std::string& path, RequestFields& fields)
{
    constexpr std::size_t kMaxFields = 500;
    if (fields.size() > kMaxFields)
        return;
    if (value.is_object()) {
        for (const auto& [key, field] : value.items())
            flatten(field, path.empty() ? key : path + '.' + key, fields);
    } else if (value.is_string()) {
        fields[path] = value.get_ref<const std::string&>().substr(0, 200);
    } else if (value.is_number()) {
        fields[path] = json::textOf(value);
    }
}

bool isList(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_array();
}

std::optional<double> numberAt(const Json& object, const char* key, std::size_t i)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array() || i >= found->size()
        || !(*found)[i].is_number())
        return std::nullopt;
    return (*found)[i].get<double>();
}

// vLLM's `--save-result --save-detailed`: lists with one entry for each request.
Result<RequestLog> readVllm(const Json& object, LogClock& clock)
{
    RequestLog log{.format = "vllm-benchmark", .title = "vLLM benchmark result"};
    log.model = json::stringAt(object, "model_id");
    const char* times = nullptr;
    for (const char* key :
         {"request_timestamps", "start_times", "request_start_times", "timestamps"})
        times = times == nullptr && isList(object, key) ? key : times;
    if (times == nullptr)
        return Error{ErrorCode::InvalidInput,
                     "the result states no times of its requests; it needs request_timestamps or "
                     "start_times, which --save-detailed writes."};
    std::int64_t failed = 0;
    for (std::size_t i = 0; i < object.at("ttfts").size(); ++i) {
        const auto row = static_cast<std::int64_t>(i) + 1;
        const auto begin = numberAt(object, times, i);
        const auto wait = numberAt(object, "ttfts", i);
        const auto errors = object.find("errors");
        const bool error = errors != object.end() && errors->is_array() && i < errors->size()
            && (*errors)[i].is_string() && !(*errors)[i].get_ref<const std::string&>().empty();
        if (error) {
            ++failed;
            continue;
        }
        if (!begin || !wait || *wait < 0.0 || *wait > 1e6 || !(*begin < 9e9) || *begin < 0.0)
            return Error{ErrorCode::InvalidInput,
                         {"request %1 has no time or no first token.", row}};
        Request request{.row = row};
        const auto at = clock.at(Instant{.ns = std::llround(*begin * 1e9),
                                         .clock = *begin > 1.1e9 ? Clock::Epoch : Clock::Own});
        if (!at)
            return at.error();
        request.begin_ns = *at;
        request.first_token_ns = *at + std::llround(*wait * 1e9);
        const auto count = [&](const char* key) -> std::optional<std::int64_t> {
            const auto number = numberAt(object, key, i);
            return number && *number >= 0.0 && *number <= static_cast<double>(kMostTokens)
                ? std::optional(static_cast<std::int64_t>(*number))
                : std::nullopt;
        };
        request.prompt_tokens = count("input_lens");
        request.cached_tokens = count("cached_prompt_tokens");
        if (!request.cached_tokens)
            request.cached_tokens = count("cached_tokens");
        request.output_tokens = count("output_lens");
        double decode = 0.0;
        if (isList(object, "itls") && i < object.at("itls").size()) {
            const Json& gaps = object.at("itls")[i];
            if (gaps.is_number() && request.output_tokens) {
                decode = gaps.get<double>()
                    * static_cast<double>(std::max<std::int64_t>(0, *request.output_tokens - 1));
            } else if (gaps.is_array()) {
                for (const Json& gap : gaps)
                    decode += gap.is_number() ? gap.get<double>() : 0.0;
            }
        }
        if (!(decode >= 0.0 && decode < 1e6))
            return Error{ErrorCode::InvalidInput,
                         {"request %1 has impossible times of its tokens.", row}};
        request.end_ns = *request.first_token_ns + std::llround(decode * 1e9);
        log.requests.push_back(request);
    }
    if (failed > 0)
        log.findings.push_back(
            {Weight::Note, std::to_string(failed) + " requests failed and were left out."});
    return log;
}

// An entry of llama-bench: repetitions of a prompt or a generation, after a warm-up.
Status addLlamaBench(const Json& entry, std::int64_t row, LogClock& clock, RequestLog& log)
{
    const auto at = clock.at(json::stringAt(entry, "test_time"), row);
    if (!at)
        return at.error();
    const auto count = [&](const char* key) -> std::int64_t {
        const auto found = entry.find(key);
        const double number =
            found != entry.end() && found->is_number() ? found->get<double>() : 0.0;
        return number >= 0.0 && number <= static_cast<double>(kMostTokens)
            ? static_cast<std::int64_t>(number)
            : 0;
    };
    const std::int64_t prompt = count("n_prompt");
    const std::int64_t output = count("n_gen");
    std::vector<double> lengths;
    for (const Json& sample : entry.value("samples_ns", Json::array())) {
        if (sample.is_number() && sample.get<double>() >= 0.0 && sample.get<double>() < 1e16)
            lengths.push_back(sample.get<double>());
    }
    if (lengths.empty())
        return rowError(row, "the test states no times of its repetitions.");
    if (prompt > 0 && output > 0)
        log.findings.push_back({Weight::Note,
                                "llama-bench states prompt and generation of a test together; such "
                                "repetitions have no phases."});
    // The warm-up is one prompt, or one token.
    Nanoseconds begin = *at + (prompt > 0 ? std::llround(lengths.front()) : 0);
    for (const double length : lengths) {
        Request request{.begin_ns = begin, .end_ns = begin + std::llround(length), .row = row};
        request.prompt_tokens = prompt;
        request.cached_tokens = 0;
        request.output_tokens = output;
        if (output == 0)
            request.first_token_ns = request.end_ns;
        else if (prompt == 0)
            request.first_token_ns = request.begin_ns;
        log.requests.push_back(request);
        begin = request.end_ns;
    }
    return {};
}

Result<RequestLog> readObjects(std::string_view text, LogClock& clock, LogNumbers& numbers)
{
    ObjectSplitter splitter;
    ObjectSplitter::Objects objects;
    std::int64_t row = 0;
    while (!text.empty()) {
        const Status fed = splitter.feed(cutAt('\n', text), ++row, objects);
        if (!fed)
            return fed.error();
    }
    RequestLog log{.format = "usage", .title = "usage of requests"};
    for (const auto& [at, object] : objects) {
        const auto parsed = json::parseUniqueKeys(object);
        if (!parsed)
            return rowError(at,
                            Message("the object that begins here is %1.", parsed.error().message));
        if (parsed->contains("test_time") && parsed->contains("samples_ns")) {
            log.format = "llama-bench";
            log.title = "llama-bench";
            if (log.model.empty())
                log.model = json::stringAt(*parsed, "model_filename");
            if (const Status added = addLlamaBench(*parsed, at, clock, log); !added)
                return added.error();
            continue;
        }
        if (isList(*parsed, "ttfts") && objects.size() == 1)
            return readVllm(*parsed, clock);
        RequestFields fields;
        flatten(*parsed, {}, fields);
        const auto request = requestOf(fields, at, clock, numbers);
        if (!request)
            return request.error();
        if (log.model.empty())
            log.model = modelOf(fields);
        log.requests.push_back(*request);
    }
    if (log.format == "llama-bench")
        log.findings.push_back(
            {Weight::Doubtful,
             "llama-bench states when a test began, not when its repetitions did: they are placed "
             "after a warm-up of the length of one of them."});
    if (splitter.open())
        log.findings.push_back({Weight::Note,
                                "The last object, which begins at row "
                                    + std::to_string(splitter.row())
                                    + ", is cut off and was left out."});
    return log;
}

Result<RequestLog> readCsv(std::string_view text, LogClock& clock, LogNumbers& numbers)
{
    RequestLog log{.format = "csv", .title = "table of requests"};
    std::vector<std::string_view> cells;
    std::vector<std::string> headers;
    char delimiter = ',';
    const bool complete = text.ends_with('\n');
    std::int64_t row = 0;
    while (!text.empty()) {
        std::string_view line = cutAt('\n', text);
        ++row;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (trimBlanks(line).empty() || line.front() == '#')
            continue;
        if (headers.empty()) {
            const auto count = [&](char c) { return std::ranges::count(line, c); };
            delimiter = count('\t') > 0 ? '\t' : count(';') > count(',') ? ';' : ',';
            splitLine(line, delimiter, cells);
            for (const std::string_view cell : cells)
                headers.push_back(lowerCase(asUtf8(cell)));
            continue;
        }
        splitLine(line, delimiter, cells);
        if (cells.size() < headers.size() && text.empty() && !complete) {
            log.findings.push_back({Weight::Note, "The last row of the requests is cut off."});
            continue;
        }
        if (cells.size() != headers.size())
            return rowError(
                row, Message("it has %1 columns instead of %2.", cells.size(), headers.size()));
        RequestFields fields;
        for (std::size_t i = 0; i < headers.size(); ++i)
            fields[headers[i]] = asUtf8(cells[i]);
        const auto request = requestOf(fields, row, clock, numbers);
        if (!request)
            return request.error();
        if (log.model.empty())
            log.model = modelOf(fields);
        log.requests.push_back(*request);
    }
    return log;
}

} // namespace

std::optional<std::int64_t> Request::uncachedTokens() const
{
    if (!prompt_tokens)
        return std::nullopt;
    return cached_tokens ? std::max<std::int64_t>(0, *prompt_tokens - *cached_tokens)
                         : std::optional<std::int64_t>();
}

Result<RequestLog> readRequests(std::string_view text, const std::string& name,
                                const ReadOptions& options)
{
    const auto fail = [&](const Error& error) { return inFile(name, error); };
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::string_view start = trimBlanks(text);
    if (start.empty())
        return fail({ErrorCode::InvalidInput, "The file is empty."});
    const bool server = isLlamaServerLog(text);
    const bool objects = start.front() == '{' || start.front() == '[';
    LogNumbers numbers(options.decimal);
    for (;;) {
        LogClock clock(options, numbers);
        auto log = server ? readLlamaServerLog(text)
            : objects     ? readObjects(text, clock, numbers)
                          : readCsv(text, clock, numbers);
        const auto again = numbers.again();
        if (again && *again)
            continue;
        if (!log || !again)
            return fail(log ? again.error() : log.error());
        if (const auto doubt = numbers.doubt())
            log->findings.push_back({Weight::Doubtful, *doubt});
        if (log->requests.empty())
            return fail({ErrorCode::InvalidInput, "It has no request that could be read."});
        if (!server)
            log->clock = clock.clock();
        std::ranges::stable_sort(log->requests, {}, &Request::begin_ns);
        return log;
    }
}

Result<RequestLog> readRequests(const std::filesystem::path& file, const ReadOptions& options)
{
    const auto text = readTextFile(file);
    if (!text)
        return text.error();
    return readRequests(*text, file.filename().string(), options);
}

} // namespace ep::powerlog
