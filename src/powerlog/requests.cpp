// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/powerlog/requests.h"

#include "lines.h"
#include "request_fields.h"
#include "table_layout.h"

#include "ep/core/possible_count.h"
#include "ep/core/text_file.h"
#include "ep/json/document.h"

#include <algorithm>
#include <cmath>

namespace ep::powerlog {

namespace {

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
        fields[path] = value.dump();
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
        const std::size_t end = text.find('\n');
        const Status fed = splitter.feed(text.substr(0, end), ++row, objects);
        if (!fed)
            return fed.error();
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
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
    std::int64_t row = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        const bool complete = end != std::string_view::npos;
        text.remove_prefix(complete ? end + 1 : text.size());
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
        if (cells.size() < headers.size() && !complete) {
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
