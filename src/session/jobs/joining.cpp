// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/joining.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace ep::session {

namespace {

std::size_t mixed(std::size_t a, std::size_t b)
{
    constexpr std::size_t kOdd = 0x9E3779B97F4A7C15U;
    return (a ^ (b + kOdd + (a << 6U) + (a >> 2U))) * kOdd;
}

// A server's address stands for all clients of that server.
std::size_t partyOf(const RunInfo& info)
{
    const auto& server = info.profiling.server;
    const std::hash<std::string> hash;
    return mixed(mixed(hash(info.model.name), hash(info.experiment)),
                 hash(server ? server->address : std::string()));
}

// Keeps the newest of those that have the same key, so that the work does not grow with their
// number.
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

// Pieces of long answers, by which a summary is found in the request that goes on with it,
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
    std::uint64_t first = 1; // weight of the character that leaves
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

} // namespace

JobJoiner::Request JobJoiner::read(const RunSummary& run)
{
    Request request;
    request.party = partyOf(run.info);
    std::size_t chain = request.party;
    const auto end = [&](std::string& text, std::string& calls, bool answer) {
        const MessageKey key = keyOf(text, calls);
        text.clear();
        calls.clear();
        if (key.whole == 0) // nothing but what changes
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
        const bool more = answer && i + 1 < messages.size() && messages[i + 1].role == "assistant";
        if (!more) // some clients send the parts of an answer one by one
            end(text, calls, answer);
    }
    if (messages.empty()) {
        text = run.info.prompt;
        end(text, calls, false);
    }
    return request;
}

// How far a message of the assistant is this answer: 2: it is; 1: it is a part of it.
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

// Counts the answers and other messages that the request has in common with each job.
void JobJoiner::count(const Request& request, std::unordered_map<std::size_t, Evidence>& jobs) const
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
void JobJoiner::follow(const Request& request,
                       std::unordered_map<std::size_t, Evidence>& jobs) const
{
    for (std::size_t i = 0; i < request.chain.size(); ++i) {
        const std::size_t common = i + 1;
        if (const auto longer = m_beginnings.find(request.chain[i]); longer != m_beginnings.end()) {
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
            if (whole && earlier.complete) // the same request again is another session's
                continue;
            const bool replies = !whole && request.answers[common];
            const MessageKey& reply = replies ? request.messages[common] : MessageKey();
            const int answered = sameAnswer(reply, earlier.answer);
            const bool known = earlier.complete && earlier.answer.whole != 0;
            if (answered == 0 && (known ? replies : earlier.system != request.system))
                continue; // it goes on with another answer, or for another agent
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

std::optional<std::size_t> JobJoiner::summarised(const RunSummary& run, std::size_t party) const
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
        if (written.party == party && 2 * count >= written.pieces && (!newest || answer > *newest))
            newest = answer;
    }
    return newest ? std::optional(m_written[*newest].job) : std::nullopt;
}

std::optional<std::size_t> JobJoiner::jobOf(const RunSummary& run)
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

void JobJoiner::addResponse(const RunSummary& run, std::size_t party, std::size_t job)
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

void JobJoiner::add(const RunSummary& run, std::size_t job)
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
        // What was the end of an earlier request is continued now.
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

} // namespace ep::session
