// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/jobs.h"

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

// One request, and how it relates to earlier ones.
struct JobRequest {
    const RunSummary* run = nullptr;
    std::vector<std::string_view> messages; // of the first sequence, prefixed with their roles
    std::size_t question = 0; // index of the first user message
    std::string name; // empty: none
};

JobRequest requestOf(const RunSummary& run)
{
    JobRequest request{.run = &run, .messages = {}, .question = 0, .name = {}};
    for (const ChatMessage& message : run.info.conversation.messages)
        request.messages.emplace_back(message.json.empty() ? message.text : message.json);
    const auto& messages = run.info.conversation.messages;
    request.question = static_cast<std::size_t>(
        std::ranges::find(messages, "user", &ChatMessage::role) - messages.begin());
    if (request.messages.empty())
        request.messages.emplace_back(run.info.prompt);
    for (const std::string& tag : run.info.tags) {
        if (tag.starts_with(kJobTag) && tag.size() > kJobTag.size())
            request.name = tag.substr(kJobTag.size());
    }
    return request;
}

std::size_t commonMessages(const JobRequest& a, const JobRequest& b)
{
    const auto ends = std::ranges::mismatch(a.messages, b.messages);
    return static_cast<std::size_t>(ends.in1 - a.messages.begin());
}

// Whether both have the same client. A server's address stands for all clients of that server.
bool sameParty(const RunInfo& a, const RunInfo& b)
{
    const auto address = [](const RunInfo& info) {
        return info.profiling.server ? std::string_view(info.profiling.server->address)
                                     : std::string_view();
    };
    return a.model.name == b.model.name && a.experiment == b.experiment && address(a) == address(b);
}

// How well a request continues an earlier one; all zero: not at all.
struct Continuation {
    int kind = 0; // 2: contains the whole earlier request; 1: most of it
    bool answered = false; // contains the earlier request's answer
    std::size_t common = 0; // number of common messages

    auto operator<=>(const Continuation&) const = default;
};

Continuation continuationOf(const JobRequest& later, const JobRequest& earlier)
{
    // The cheapest check first, because most requests have nothing in common.
    const std::size_t common = commonMessages(later, earlier);
    if (common == 0 || !sameParty(later.run->info, earlier.run->info))
        return {};
    const std::size_t before = earlier.messages.size();
    const auto& messages = later.run->info.conversation.messages;
    if (common == before && later.messages.size() > before) {
        const std::string& answer = earlier.run->info.response;
        return {.kind = 2,
                .answered =
                    !answer.empty() && common < messages.size() && messages[common].text == answer,
                .common = common};
    }
    // The same request was sent again after a failure.
    if (common == before && later.messages.size() == before
        && earlier.run->info.status != RunStatus::Complete)
        return {.kind = 2, .answered = false, .common = common};
    // Clients shorten and edit the history, but hardly ever its beginning, so the question and the
    // first answer must be the same.
    constexpr double kMax = 0.5;
    if (common > later.question + 1
        && static_cast<double>(common) >= kMax * static_cast<double>(before))
        return {.kind = 1, .answered = false, .common = common};
    return {};
}

struct JobMembers {
    bool named = false;
    std::vector<JobRequest> requests;
};

// The job that the request continues; null: it begins a new one.
JobMembers* jobOf(const JobRequest& request, std::vector<JobMembers>& jobs)
{
    JobMembers* best = nullptr;
    // Ties go to the one that was active last.
    std::tuple<Continuation, std::int64_t> most{};
    for (JobMembers& job : jobs) {
        if (job.named)
            continue;
        for (const JobRequest& earlier : job.requests) {
            const Continuation found = continuationOf(request, earlier);
            const std::tuple<Continuation, std::int64_t> rank{
                found, job.requests.back().run->info.created_at_ms};
            if (found.kind > 0 && (best == nullptr || rank > most)) {
                best = &job;
                most = rank;
            }
        }
    }
    return best;
}

std::int64_t endOf(const RunSummary& run)
{
    constexpr Nanoseconds kNsPerMs = 1'000'000;
    return run.info.created_at_ms + run.metrics.duration_ns / kNsPerMs;
}

// Characters in the texts of a request; its first `before` messages were in an earlier request.
std::array<double, kJobTexts> lengthsOf(const JobRequest& request, std::size_t before)
{
    std::array<double, kJobTexts> lengths{};
    const auto add = [&](JobText text, std::size_t size) {
        lengths[static_cast<std::size_t>(text)] += static_cast<double>(size);
    };
    const Conversation& conversation = request.run->info.conversation;
    add(JobText::Tools, conversation.tools.size());
    if (conversation.empty())
        add(JobText::New, request.run->info.prompt.size());
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

void addTexts(Job& job, const JobRequest& request, std::size_t before)
{
    const auto prefill = prefillMillijoules(*request.run);
    const auto lengths = lengthsOf(request, before);
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
    const RunSummary& first = *members.requests.front().run;
    constexpr std::size_t kShort = 8;
    Job job{.id = members.named ? members.requests.front().name : first.info.id.substr(0, kShort),
            .named = members.named,
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
    for (const JobRequest& request : members.requests) {
        const RunSummary& run = *request.run;
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
        addTexts(job, request, before);
        before = request.messages.size();
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
    std::map<std::string, std::size_t> named; // index of the job by name
    for (const RunSummary* run : sorted) {
        JobRequest request = requestOf(*run);
        JobMembers* job = nullptr;
        if (!request.name.empty()) {
            const auto known = named.try_emplace(request.name, jobs.size());
            job = known.second ? nullptr : &jobs[known.first->second];
        } else {
            job = jobOf(request, jobs);
        }
        if (job == nullptr) {
            job = &jobs.emplace_back();
            job->named = !request.name.empty();
        }
        job->requests.push_back(std::move(request));
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
