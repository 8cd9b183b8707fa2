// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of llama-server. Each answer ends with its timings:
//   0.12.345.678 I slot print_timing: id  0 | task 7 | prompt eval time = 367.72 ms / 4129 tokens
//   ... 0.12.345.690 I        eval time =     379.62 ms /    31 tokens ...
#include "request_fields.h"

#include "ep/core/possible_count.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ep::powerlog {

namespace {

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
