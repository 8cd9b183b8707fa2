// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Jobs: requests that belong together, such as a session of an agent, and what they cost. Pure
// functions of summaries.
namespace ep::session {

// Tag of a run that belongs to a named job: "job:NAME". Set by the user (`runs edit`), or by the
// proxy if the client sends an id.
inline constexpr std::string_view kJobTag = "job:";

// Text of the prompts by role. Each role has the prefill's energy in proportion to its length.
enum class JobText : std::uint8_t { System, Tools, History, New };
inline constexpr std::size_t kJobTexts = 4;
std::string_view name(JobText text); // "history"

struct Job {
    std::string id; // the name, or the beginning of its first run's id
    bool named = false; // whether a tag names the job
    std::string title; // the question of its first request
    std::vector<std::string> runs; // ids, in order of time
    std::int64_t begin_ms = 0; // wall clock
    std::int64_t end_ms = 0;
    // Sum over the runs that state them, or whose servers do; absent if none does.
    std::optional<std::int64_t> input_tokens{};
    std::optional<std::int64_t> cached_tokens{}; // input tokens that were cached
    std::optional<std::int64_t> output_tokens{};
    Tally energy{}; // sum over its requests
    // The energy per token; absent if the energy or the tokens of a request are unknown.
    std::optional<double> joules_per_token{}; // output
    std::optional<double> joules_per_total_token{}; // input and output
    // Energy of the prefill by JobText; absent if unknown.
    std::vector<std::optional<double>> text_mj{};
    std::optional<double> cache_saved_mj{}; // cost of the cached tokens if they had been computed
    // Time between its requests, spent on tools or the user; absent if there is only one request.
    std::optional<std::int64_t> waiting_ms{};
    std::optional<double> waiting_mj{}; // at the idle power in its runs

    bool operator==(const Job&) const = default;
};

// Groups runs into jobs, newest first: by name, or otherwise by the growing common beginning of
// their conversations, with the same model, server and experiment. Runs in progress are left out.
std::vector<Job> jobsOf(std::span<const RunSummary* const> runs);
std::vector<Job> jobsOf(std::span<const RunSummary> runs);

// The user's check of each job, in the order of the jobs: true if the job was solved.
struct JobChecks {
    std::vector<bool> solved;
    std::int64_t count() const;
    // Energy of all jobs / solved ones; absent if a run lacks energy or none was solved.
    std::optional<double> millijoulesPerSolved(std::span<const Job> jobs) const;
};

std::string jobsJson(std::span<const Job> jobs, const std::optional<JobChecks>& checks);

} // namespace ep::session
