// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/comparable.h"

#include "ep/core/run.h"

#include <compare>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ep::session {

// Finds the job of a request that names none, by what it has in common with earlier requests:
// answers that were given there, the whole earlier request, or a summary that was written there.
// What only the client writes, such as a system text, a question or an example, is no evidence,
// since other sessions may begin with it too. Requests are added in order of time.
class JobJoiner {
public:
    // The job that the request continues; absent: it begins a new one.
    std::optional<std::size_t> jobOf(const RunSummary& run);
    // Adds the request to the job; call it after jobOf() for the same run.
    void add(const RunSummary& run, std::size_t job);

private:
    struct Request {
        std::size_t party = 0; // client and model
        std::size_t system = 0; // of the system texts
        std::vector<MessageKey> messages; // without them
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
    // What speaks for a job, the strongest first.
    struct Evidence {
        int answers = 0; // of the job that the request holds: two for each, one for a part of one
        bool continues = false; // it contains a whole request of the job
        int answered = 0; // with its answer: two, with a part of it: one
        int others = 0; // common messages of the user and of tools
        std::size_t common = 0; // length of the common beginning
        bool first = false; // nothing has continued that request yet
        std::size_t newest = 0; // number of the job's latest request

        auto operator<=>(const Evidence&) const = default;
        bool suffices() const { return answers > 0 || continues; }
    };
    using Jobs = std::unordered_map<std::size_t, std::vector<std::size_t>>;

    static Request read(const RunSummary& run);
    void count(const Request& request, std::unordered_map<std::size_t, Evidence>& jobs) const;
    void follow(const Request& request, std::unordered_map<std::size_t, Evidence>& jobs) const;
    std::optional<std::size_t> summarised(const RunSummary& run, std::size_t party) const;
    void addResponse(const RunSummary& run, std::size_t party, std::size_t job);

    Request m_asked; // of the latest jobOf()
    Jobs m_answers; // by key
    Jobs m_parts; // of answers: their texts, and their tool calls
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

} // namespace ep::session
