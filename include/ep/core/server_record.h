// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep {

// Requests to one server that overlapped in time. What they drew is known only together; it is
// shared where runs of single requests say what a token costs (energy/share.h).
struct ServerGroup {
    std::string id; // of the first of its runs
    std::int64_t requests = 0;
    Nanoseconds duration_ns = 0; // from the first request to the end of the last one
    std::optional<double> energy_mj{}; // of all of them together
    bool shared = false; // the energies of the run are its share

    bool operator==(const ServerGroup&) const = default;
};

// One request to a server that the user runs, in the server's own figures. A figure that the server
// does not state is absent, which is not zero.
struct ServerRecord {
    std::string engine; // name and version: "llama.cpp b4689"
    std::string dialect; // "ollama-chat" (attach/dialect.h)
    std::string address; // "http://127.0.0.1:11434"
    std::string endpoint; // "/api/chat"
    std::string way; // "client": this program sent the request; "proxy": it passed through
    std::string finish; // why the server stopped, in its words: "stop", "length"

    std::optional<std::int64_t> prompt_tokens{}; // the whole prompt
    std::optional<std::int64_t> cached_tokens{}; // of the prompt, taken from the server's cache
    std::optional<std::int64_t> uncached_tokens{}; // of the prompt, computed in this request
    std::optional<std::int64_t> output_tokens{}; // with those of reasoning
    std::optional<std::int64_t> reasoning_tokens{}; // of the output
    std::optional<std::int64_t> draft_tokens{}; // proposed by speculative decoding
    std::optional<std::int64_t> draft_accepted_tokens{}; // of these, part of the output

    // By the server's clock.
    std::optional<Nanoseconds> load_ns{};
    std::optional<Nanoseconds> prompt_ns{};
    std::optional<Nanoseconds> decode_ns{}; // from the first to the last token
    // Decode time by our own clock, where the answer was streamed.
    std::optional<Nanoseconds> client_decode_ns{};

    std::int64_t chunks = 0; // parts with text that arrived; not a number of tokens
    std::optional<ServerGroup> group{}; // absent: no other request at the time
    std::vector<std::string> refusals{}; // why figures are missing, one sentence each
    std::vector<std::string> notes{}; // what the figures rest on, one sentence each

    bool operator==(const ServerRecord&) const = default;
};

// The tokens of a request with their titles, in the order of display: {"Output tokens", "60"}, and
// the denominators of the energies per token. What the server does not state says so.
using ServerRow = std::pair<const char*, std::string>;
std::vector<ServerRow> tokenRows(const ServerRecord& server);

} // namespace ep
