// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/powerlog/read.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Requests that a server answered while another program recorded its power.
namespace ep::powerlog {

struct Request {
    Nanoseconds begin_ns = 0;
    std::optional<Nanoseconds> first_token_ns{}; // when the prefill ended
    Nanoseconds end_ns = 0;
    std::optional<std::int64_t> prompt_tokens{}; // including cached ones
    std::optional<std::int64_t> cached_tokens{};
    std::optional<std::int64_t> output_tokens{};
    std::int64_t row = 0; // row in the file, or number in a list

    std::optional<std::int64_t> uncachedTokens() const;
    bool operator==(const Request&) const = default;
};

struct RequestLog {
    std::string format; // "vllm-benchmark", "usage", "llama-bench", "llama-server", "csv"
    std::string title;
    std::string model{}; // empty: not stated
    Clock clock = Clock::Epoch;
    std::vector<Request> requests{}; // sorted by start
    std::vector<Finding> findings{};
};

// Reads vLLM's benchmark results, usage in JSON lines, llama-bench (JSON, JSON lines, CSV), logs
// of llama-server with timestamps, or a CSV with start, first token, end and tokens. The error is
// one sentence.
Result<RequestLog> readRequests(std::string_view text, const std::string& name,
                                const ReadOptions& options);
Result<RequestLog> readRequests(const std::filesystem::path& file, const ReadOptions& options);

} // namespace ep::powerlog
