// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/jobs.h"

#include "jobs/comparable.h"

#include "ep/core/command_record.h"
#include "ep/core/metrics.h"
#include "ep/core/run_title.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/token_ledger.h"
#include "ep/core/units.h"
#include "ep/json/document.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ep::session {
namespace {

std::size_t mixed(std::size_t a, std::size_t b)
{
    constexpr std::size_t kOdd = 0x9E3779B97F4A7C15U;
    return (a ^ (b + kOdd + (a << 6U) + (a >> 2U))) * kOdd;
}

// The clients of a server are one party, identified by the server's address.
std::size_t partyOf(const RunInfo& info)
{
    const auto& server = info.profiling.server;
    const std::hash<std::string> hash;
    return mixed(mixed(hash(info.model.name), hash(info.experiment)),
                 hash(server ? server->address : std::string()));
}

// Keeps the newest values with the same key, so that the work does not grow with their number.
template <typename Value>
void keepNewest(std::vector<Value>& list, Value value)
{
    constexpr std::size_t kMost = 64;
    if (list.size() == kMost)
        list.erase(list.begin());
    list.push_back(std::move(value));
}

void note(std::unordered_map<std::size_t, std::vector<std::size_t>>& jobs, std::size_t key,
          std::size_t job)
{
    auto& list = jobs[key];
    if (std::ranges::find(list, job) == list.end())
        keepNewest(list, job);
}

// Pieces of long answers, by which a summary is found in the request that continues from it,
// although the client has put words around it and left parts out.
constexpr std::size_t kPiece = 48;
constexpr std::size_t kMostPieces = 16; // of one answer
constexpr std::size_t kMostSearched = 1024 * 1024; // characters of one request
constexpr std::uint64_t kBase = 1'099'511'628'211U;

std::uint64_t pieceHash(std::string_view piece)
{
    std::uint64_t hash = 0;
    for (const char c : piece)
        hash = hash * kBase + static_cast<unsigned char>(c);
    return hash;
}

// Calls `found` with the hash of each piece of the text.
template <typename Found>
void eachPiece(std::string_view text, Found found)
{
    if (text.size() < kPiece)
        return;
    std::uint64_t first = 1; // weight of the character that leaves the window
    for (std::size_t i = 1; i < kPiece; ++i)
        first *= kBase;
    std::uint64_t hash = pieceHash(text.substr(0, kPiece));
    for (std::size_t end = kPiece;; ++end) {
        found(static_cast<std::size_t>(hash));
        if (end == text.size())
            return;
        hash = (hash - first * static_cast<unsigned char>(text[end - kPiece])) * kBase
            + static_cast<unsigned char>(text[end]);
    }
}

bool isSystem(const ChatMessage& message)
{
    return message.role == "system" || message.role == "developer";
}

// Compares a message of the assistant with an answer: 2: the same; 1: a part of the answer.
int sameAnswer(const MessageKey& message, const MessageKey& answer)
{
    if (message.whole == 0 || answer.whole == 0)
        return 0;
    if (message.whole == answer.whole)
        return 2;
    const bool part = (message.text != 0 && message.text == answer.text)
        || (message.calls != 0 && (message.calls == answer.calls || message.calls == answer.whole));
    return part ? 1 : 0;
}

// Finds the job of a request that names none, by what it has in common with earlier requests:
// answers that were given there, the whole earlier request, or a summary that was written there.
// Text that only the client writes, such as a system text, a question or an example, is not
// evidence, since other sessions may begin with it too. Requests are added in order of time.
class JobJoiner {
public:
    // The job that the request continues; absent: it begins a new one.
    std::optional<std::size_t> jobOf(const RunSummary& run)
    {
        m_asked = read(run);
        std::unordered_map<std::size_t, Evidence> jobs;
        count(m_asked, jobs);
        follow(m_asked, jobs);
        std::optional<std::size_t> best;
        Evidence most;
        for (auto& [job, evidence] : jobs) {
            evidence.newest = m_newest[job];
            if (evidence.suffices() && (!best || evidence > most)) {
                best = job;
                most = evidence;
            }
        }
        return best ? best : summarised(run, m_asked.party);
    }

    // Adds the request to the job; call it after jobOf() for the same run.
    void add(const RunSummary& run, std::size_t job)
    {
        const Request& request = m_asked;
        const MessageKey answer = keyOfAnswer(run.info.response);
        if (job >= m_first.size()) {
            m_first.resize(job + 1, request.chain.size());
            m_newest.resize(job + 1);
        }
        m_newest[job] = ++m_count;
        if (answer.whole != 0)
            note(m_answers, mixed(request.party, answer.whole), job);
        for (const std::size_t part : {answer.text, answer.calls}) {
            if (part != 0)
                note(m_parts, mixed(request.party, part), job);
        }
        for (std::size_t i = 0; i < request.messages.size(); ++i) {
            if (!request.answers[i])
                note(m_others, mixed(request.party, request.messages[i].whole), job);
            if (i >= m_first[job])
                note(m_beginnings, request.chain[i], job);
            // The end of an earlier request is continued now.
            if (const auto found = m_requests.find(request.chain[i]); found != m_requests.end()) {
                for (Earlier& earlier : found->second)
                    earlier.continued = earlier.continued || earlier.job == job;
            }
        }
        if (!request.chain.empty())
            keepNewest(m_requests[request.chain.back()],
                       Earlier{.job = job,
                               .system = request.system,
                               .answer = answer,
                               .complete = run.info.status == RunStatus::Complete,
                               .continued = false});
        addResponse(run, request.party, job);
    }

private:
    struct Request {
        std::size_t party = 0; // client and model
        std::size_t system = 0; // hash of the system texts
        std::vector<MessageKey> messages; // without the system texts
        std::vector<bool> answers; // whether the message is the assistant's
        std::vector<std::size_t> chain; // hash of the messages up to each
    };
    struct Earlier { // a request whose messages are the beginning of others
        std::size_t job = 0;
        std::size_t system = 0;
        MessageKey answer;
        bool complete = false;
        bool continued = false;
    };
    // Reasons for assigning a request to a job, the strongest first.
    struct Evidence {
        int answers = 0; // answers of the job in the request: 2 for each whole one, 1 for a part
        bool continues = false; // the request contains a whole request of the job
        int answered = 0; // 2: its reply equals the job's answer, 1: a part of the answer
        int others = 0; // common messages of the user and of tools
        std::size_t common = 0; // length of the common beginning
        bool first = false; // nothing has continued that request yet
        std::size_t newest = 0; // number of the job's latest request

        auto operator<=>(const Evidence&) const = default;
        bool suffices() const { return answers > 0 || continues; }
    };
    using Jobs = std::unordered_map<std::size_t, std::vector<std::size_t>>;

    static Request read(const RunSummary& run)
    {
        Request request;
        request.party = partyOf(run.info);
        std::size_t chain = request.party;
        const auto end = [&](std::string& text, std::string& calls, bool answer) {
            const MessageKey key = keyOf(text, calls);
            text.clear();
            calls.clear();
            if (key.whole == 0) // all of the text changes with every request
                return;
            chain = mixed(mixed(chain, key.whole), answer ? 1 : 0);
            request.messages.push_back(key);
            request.answers.push_back(answer);
            request.chain.push_back(chain);
        };
        std::string text;
        std::string calls;
        const auto& messages = run.info.conversation.messages;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const bool answer = messages[i].role == "assistant";
            if (isSystem(messages[i])) {
                request.system = mixed(request.system, keyOf(messages[i].text, {}).whole);
                continue;
            }
            text += messages[i].text;
            calls += callsIn(messages[i]);
            const bool more =
                answer && i + 1 < messages.size() && messages[i + 1].role == "assistant";
            if (!more) // some clients send the parts of an answer one by one
                end(text, calls, answer);
        }
        if (messages.empty()) {
            text = run.info.prompt;
            end(text, calls, false);
        }
        return request;
    }

    // Counts the answers and other messages that the request has in common with each job.
    void count(const Request& request, std::unordered_map<std::size_t, Evidence>& jobs) const
    {
        const auto in = [](const Jobs& map, std::size_t key) {
            const auto found = map.find(key);
            return found == map.end() ? std::vector<std::size_t>() : found->second;
        };
        for (std::size_t i = 0; i < request.messages.size(); ++i) {
            const MessageKey& key = request.messages[i];
            if (!request.answers[i]) {
                for (const std::size_t job : in(m_others, mixed(request.party, key.whole)))
                    ++jobs[job].others;
                continue;
            }
            if (!key.specific)
                continue;
            std::map<std::size_t, int> holders;
            for (const std::size_t part : {key.text, key.calls}) {
                for (const std::size_t job : in(m_parts, mixed(request.party, part)))
                    holders[job] = part == 0 ? 0 : 1;
            }
            for (const std::size_t job : in(m_answers, mixed(request.party, key.whole)))
                holders[job] = 2;
            for (const auto& [job, strength] : holders)
                jobs[job].answers += strength;
        }
    }

    // Finds the earlier requests that are the beginning of this one.
    void follow(const Request& request, std::unordered_map<std::size_t, Evidence>& jobs) const
    {
        for (std::size_t i = 0; i < request.chain.size(); ++i) {
            const std::size_t common = i + 1;
            if (const auto longer = m_beginnings.find(request.chain[i]);
                longer != m_beginnings.end()) {
                for (const std::size_t job : longer->second) {
                    jobs[job].continues = true;
                    jobs[job].common = std::max(jobs[job].common, common);
                }
            }
            const auto found = m_requests.find(request.chain[i]);
            if (found == m_requests.end())
                continue;
            const bool whole = common == request.messages.size();
            for (const Earlier& earlier : found->second) {
                if (whole && earlier.complete) // an identical request is from another session
                    continue;
                const bool replies = !whole && request.answers[common];
                const MessageKey& reply = replies ? request.messages[common] : MessageKey();
                const int answered = sameAnswer(reply, earlier.answer);
                const bool known = earlier.complete && earlier.answer.whole != 0;
                if (answered == 0 && (known ? replies : earlier.system != request.system))
                    continue; // the request continues another answer, or is for another agent
                Evidence& evidence = jobs[earlier.job];
                evidence.continues = true;
                if (common < evidence.common)
                    continue;
                evidence.first = common > evidence.common ? !earlier.continued
                                                          : evidence.first || !earlier.continued;
                evidence.answered =
                    common == evidence.common ? std::max(answered, evidence.answered) : answered;
                evidence.common = common;
            }
        }
    }

    std::optional<std::size_t> summarised(const RunSummary& run, std::size_t party) const
    {
        if (m_pieces.empty())
            return std::nullopt;
        std::unordered_map<std::size_t, int> hits; // by the number of the answer
        std::size_t searched = 0;
        for (const ChatMessage& message : run.info.conversation.messages) {
            if (searched > kMostSearched)
                break;
            searched += message.text.size();
            eachPiece(comparableText(message.text), [&](std::size_t piece) {
                if (const auto found = m_pieces.find(piece); found != m_pieces.end()) {
                    for (const std::size_t answer : found->second)
                        ++hits[answer];
                }
            });
        }
        std::optional<std::size_t> newest;
        for (const auto& [answer, count] : hits) {
            const Written& written = m_written[answer];
            if (written.party == party && 2 * count >= written.pieces
                && (!newest || answer > *newest))
                newest = answer;
        }
        return newest ? std::optional(m_written[*newest].job) : std::nullopt;
    }

    void addResponse(const RunSummary& run, std::size_t party, std::size_t job)
    {
        const std::string text = comparableText(run.info.response);
        Written written{.job = job, .party = party};
        const std::size_t between = std::max(kPiece, text.size() / kMostPieces);
        for (std::size_t at = 0; at + kPiece <= text.size(); at += between) {
            note(m_pieces,
                 static_cast<std::size_t>(pieceHash(std::string_view(text).substr(at, kPiece))),
                 m_written.size());
            ++written.pieces;
        }
        if (written.pieces > 0)
            m_written.push_back(written);
    }

    Request m_asked; // of the latest jobOf()
    Jobs m_answers; // by key
    Jobs m_parts; // by the texts of answers, and by their tool calls
    Jobs m_others; // messages of users and tools, by key
    Jobs m_beginnings; // beginnings of conversations beyond a job's first request
    std::unordered_map<std::size_t, std::vector<Earlier>> m_requests; // by their last chain
    struct Written { // a long answer
        std::size_t job = 0;
        std::size_t party = 0;
        int pieces = 0;
    };
    std::vector<Written> m_written;
    Jobs m_pieces; // numbers of the long answers that hold a piece of text, by its hash
    std::vector<std::size_t> m_first; // size of each job's first request
    std::vector<std::size_t> m_newest; // number of each job's latest request
    std::size_t m_count = 0;
};

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
    const bool named = !members.name.empty();
    Job job{.id = named ? members.name : shortId(first.info.id),
            .named = named,
            .title = titleOf(first.info),
            .runs = {},
            .begin_ms = first.info.created_at_ms,
            .end_ms = first.info.created_at_ms};
    job.text_mj.resize(kJobTexts);
    struct {
        bool input = true;
        bool output = true;
    } stated; // whether all requests stated their tokens
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

using OrderedJson = json::OrderedJson;

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

std::string jobsJson(std::span<const Job> jobs, const std::optional<JobChecks>& checks)
{
    OrderedJson json{{"format", "energy-profiler-jobs"},
                     {"version", 1},
                     {"solved", checks ? OrderedJson(checks->count()) : OrderedJson()},
                     {"energy_per_solved_mj",
                      checks ? OrderedJson(checks->millijoulesPerSolved(jobs)) : OrderedJson()},
                     {"jobs", OrderedJson::array()}};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const Job& job = jobs[i];
        OrderedJson texts = OrderedJson::object();
        for (std::size_t text = 0; text < kJobTexts; ++text)
            texts[std::string(name(static_cast<JobText>(text)))] = job.text_mj[text];
        const auto energy = job.energy.energy_mj;
        json["jobs"].push_back(
            {{"id", job.id},
             {"named", job.named},
             {"title", job.title},
             {"runs", job.runs},
             {"begin_ms", job.begin_ms},
             {"end_ms", job.end_ms},
             {"input_tokens", job.input_tokens},
             {"cached_tokens", job.cached_tokens},
             {"output_tokens", job.output_tokens},
             {"energy_mj", energy ? OrderedJson(energy->value) : OrderedJson()},
             {"energy_complete", job.energy.complete().has_value()},
             {"joules_per_token", job.joules_per_token},
             {"joules_per_total_token", job.joules_per_total_token},
             {"provenance", ep::name(job.energy.provenance)},
             {"prefill_by_text_mj", std::move(texts)},
             {"cache_saved_mj", job.cache_saved_mj},
             {"waiting_ms", job.waiting_ms},
             {"waiting_mj", job.waiting_mj},
             {"solved", checks ? OrderedJson(checks->solved.at(i)) : OrderedJson()}});
    }
    return json::textOf(json, 2) + '\n';
}

} // namespace ep::session
