// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/jobs.h"

#include "jobs/joining.h"

#include "ep/core/command_record.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/token_ledger.h"
#include "ep/core/units.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace ep::session {

namespace {

// Name of the run's job; empty: none.
std::string nameOf(const RunSummary& run)
{
    std::string name;
    for (const std::string& tag : run.info.tags) {
        if (tag.starts_with(kJobTag) && tag.size() > kJobTag.size())
            name = tag.substr(kJobTag.size());
    }
    return name;
}

struct JobMembers {
    std::string name; // empty: none
    std::vector<const RunSummary*> runs;
};

std::int64_t endOf(const RunSummary& run)
{
    constexpr Nanoseconds kNsPerMs = 1'000'000;
    return run.info.created_at_ms + run.metrics.duration_ns / kNsPerMs;
}

// Characters in the texts of a request; its first `before` messages were in an earlier request.
std::array<double, kJobTexts> lengthsOf(const RunSummary& run, std::size_t before)
{
    std::array<double, kJobTexts> lengths{};
    const auto add = [&](JobText text, std::size_t size) {
        lengths[static_cast<std::size_t>(text)] += static_cast<double>(size);
    };
    const Conversation& conversation = run.info.conversation;
    add(JobText::Tools, conversation.tools.size());
    if (conversation.empty())
        add(JobText::New, run.info.prompt.size());
    for (std::size_t i = 0; i < conversation.messages.size(); ++i) {
        const ChatMessage& message = conversation.messages[i];
        const bool system = message.role == "system" || message.role == "developer";
        add(system           ? JobText::System
                : i < before ? JobText::History
                             : JobText::New,
            message.text.size());
    }
    return lengths;
}

std::optional<double> prefillMillijoules(const RunSummary& run)
{
    const auto joules = run.metrics.joules_per_input_token;
    const std::int64_t tokens =
        run.info.profiling.server && run.info.profiling.server->uncached_tokens
        ? *run.info.profiling.server->uncached_tokens
        : run.info.input_tokens;
    if (!joules)
        return std::nullopt;
    return *joules * static_cast<double>(tokens) * kMillijoulesPerJoule;
}

// The energy of the cached tokens if they had been computed like the others. A server's run states
// its energy per computed input token; a run of our engine counts cached tokens as well.
std::optional<double> savedMillijoules(const RunSummary& run, std::int64_t cached)
{
    const auto joules = run.metrics.joules_per_input_token;
    const std::int64_t computed = run.info.input_tokens - cached;
    if (!joules || (!run.info.profiling.server && computed <= 0))
        return std::nullopt;
    const double counted = run.info.profiling.server
        ? 1.0
        : static_cast<double>(run.info.input_tokens) / static_cast<double>(computed);
    return *joules * counted * static_cast<double>(cached) * kMillijoulesPerJoule;
}

void addTexts(Job& job, const RunSummary& run, std::size_t before)
{
    const auto prefill = prefillMillijoules(run);
    const auto lengths = lengthsOf(run, before);
    double all = 0.0;
    for (const double length : lengths)
        all += length;
    if (!prefill || !(all > 0.0))
        return;
    for (std::size_t i = 0; i < kJobTexts; ++i) {
        if (lengths.at(i) > 0.0)
            job.text_mj[i] = job.text_mj[i].value_or(0.0) + *prefill * lengths.at(i) / all;
    }
}

std::optional<double> joulesPer(const std::optional<Millijoules>& energy, std::int64_t tokens)
{
    return energy && tokens > 0
        ? std::optional(energy->value / kMillijoulesPerJoule / static_cast<double>(tokens))
        : std::nullopt;
}

// The question, or a recorded command.
std::string titleOf(const RunInfo& info)
{
    if (!info.conversation.empty())
        return std::string(questionOf(info.conversation));
    const auto& command = info.profiling.command;
    return info.prompt.empty() && command ? commandText(command->arguments) : info.prompt;
}

Job summed(const JobMembers& members)
{
    const RunSummary& first = *members.runs.front();
    constexpr std::size_t kShort = 8;
    const bool named = !members.name.empty();
    Job job{.id = named ? members.name : first.info.id.substr(0, kShort),
            .named = named,
            .title = titleOf(first.info),
            .runs = {},
            .begin_ms = first.info.created_at_ms,
            .end_ms = first.info.created_at_ms};
    job.text_mj.resize(kJobTexts);
    struct {
        bool input = true;
        bool output = true;
    } stated; // by all requests
    double idle = 0.0; // mW of the idle machine
    int idles = 0;
    std::size_t before = 0;
    for (const RunSummary* member : members.runs) {
        const RunSummary& run = *member;
        job.runs.push_back(run.info.id);
        if (job.runs.size() > 1)
            job.waiting_ms = job.waiting_ms.value_or(0)
                + std::max<std::int64_t>(0, run.info.created_at_ms - job.end_ms);
        job.end_ms = std::max(job.end_ms, endOf(run));
        addStated(job.input_tokens, inputTokens(run.info));
        addStated(job.output_tokens, outputTokens(run.info));
        addStated(job.cached_tokens, cachedTokens(run.info));
        job.energy.add(run.metrics.duration_ns, run.metrics.energy.total_mj,
                       run.metrics.energy.provenance);
        stated.input = stated.input && inputTokens(run.info);
        stated.output = stated.output && outputTokens(run.info);
        if (const auto cached = cachedTokens(run.info); cached && *cached > 0) {
            if (const auto saved = savedMillijoules(run, *cached))
                job.cache_saved_mj = job.cache_saved_mj.value_or(0.0) + *saved;
        }
        addTexts(job, run, before);
        before = run.info.conversation.messages.size();
        if (run.info.power.baseline && run.info.power.baseline->total_mw) {
            idle += run.info.power.baseline->total_mw->value;
            ++idles;
        }
    }
    if (stated.output)
        job.joules_per_token = joulesPer(job.energy.complete(), *job.output_tokens);
    if (stated.output && stated.input)
        job.joules_per_total_token =
            joulesPer(job.energy.complete(), *job.input_tokens + *job.output_tokens);
    constexpr double kSeconds = 1e-3;
    if (idles > 0 && job.waiting_ms)
        job.waiting_mj = idle / idles * static_cast<double>(*job.waiting_ms) * kSeconds;
    return job;
}

} // namespace

std::string_view name(JobText text)
{
    constexpr std::array<std::string_view, kJobTexts> kNames{"system", "tools", "history", "new"};
    return kNames.at(static_cast<std::size_t>(text));
}

std::vector<Job> jobsOf(std::span<const RunSummary> runs)
{
    std::vector<const RunSummary*> all;
    for (const RunSummary& run : runs)
        all.push_back(&run);
    return jobsOf(all);
}

std::vector<Job> jobsOf(std::span<const RunSummary* const> runs)
{
    std::vector<const RunSummary*> sorted;
    for (const RunSummary* run : runs) {
        if (run->info.status != RunStatus::Running)
            sorted.push_back(run);
    }
    std::ranges::sort(sorted, {}, [](const RunSummary* run) {
        return std::tie(run->info.created_at_ms, run->info.id);
    });
    std::vector<JobMembers> jobs;
    std::map<std::string, std::size_t> known; // jobs by name, and by the ids of their runs
    JobJoiner joiner;
    for (const RunSummary* run : sorted) {
        const std::string name = nameOf(*run);
        std::optional<std::size_t> job = joiner.jobOf(*run);
        if (!name.empty()) {
            const auto found = known.find(name);
            job = found != known.end() ? std::optional(found->second) : std::nullopt;
        } else if (job && !jobs[*job].name.empty()) {
            job.reset(); // the client names the requests of that session
        }
        if (!job) {
            job = jobs.size();
            jobs.push_back({.name = name, .runs = {}});
        }
        if (!name.empty())
            known.try_emplace(name, *job);
        known.try_emplace(run->info.id, *job);
        joiner.add(*run, *job);
        jobs[*job].runs.push_back(run);
    }
    std::vector<Job> found;
    for (const JobMembers& job : jobs)
        found.push_back(summed(job));
    std::ranges::stable_sort(found, std::greater(), &Job::end_ms);
    return found;
}

std::int64_t JobChecks::count() const
{
    return std::ranges::count(solved, true);
}

std::optional<double> JobChecks::millijoulesPerSolved(std::span<const Job> jobs) const
{
    double all = 0.0;
    for (const Job& job : jobs) {
        const auto energy = job.energy.complete();
        if (!energy)
            return std::nullopt;
        all += energy->value;
    }
    return count() > 0 ? std::optional(all / static_cast<double>(count())) : std::nullopt;
}

} // namespace ep::session
