// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep {

// Overlapping requests to one server. Only their common energy is measured; it is divided among
// them if runs of single requests tell what a token costs (energy/share.h).
struct ServerGroup {
    std::string id; // id of the first of its runs
    std::int64_t requests = 0;
    Nanoseconds duration_ns = 0; // from the first request to the end of the last one
    std::optional<double> energy_mj{}; // total energy of these requests
    bool shared = false; // this run's energies are its share of energy_mj

    bool operator==(const ServerGroup&) const = default;
};

// One request to a server that the user runs, in the server's own figures. A figure that the
// server does not state is absent, not zero.
struct ServerRecord {
    std::string engine; // name and version: "llama.cpp b4689"
    std::string dialect; // "ollama-chat" (attach/dialect.h)
    std::string address; // "http://127.0.0.1:11434"
    std::string endpoint; // "/api/chat"
    std::string way; // "client": this program sent the request; "proxy": the request passed through
    std::string finish; // why the server stopped, in its words: "stop", "length"

    std::optional<std::int64_t> prompt_tokens{}; // the whole prompt
    std::optional<std::int64_t> cached_tokens{}; // part of the prompt from the server's cache
    std::optional<std::int64_t> uncached_tokens{}; // part of the prompt computed in this request
    std::optional<std::int64_t> output_tokens{}; // including reasoning
    std::optional<std::int64_t> reasoning_tokens{}; // part of the output
    std::optional<std::int64_t> draft_tokens{}; // proposed by speculative decoding
    std::optional<std::int64_t> draft_accepted_tokens{}; // proposed tokens that became output

    // Durations by the server's clock.
    std::optional<Nanoseconds> load_ns{};
    std::optional<Nanoseconds> prompt_ns{};
    std::optional<Nanoseconds> decode_ns{}; // from the first to the last token
    // Decode time by the client's clock, if the answer was streamed.
    std::optional<Nanoseconds> client_decode_ns{};

    std::int64_t chunks = 0; // parts with text that arrived, which is not the number of tokens
    std::optional<ServerGroup> group{}; // absent: there was no other request at the time
    std::vector<Message> refusals{}; // why figures are missing, one sentence each
    std::vector<Message> notes{}; // the basis of the figures, one sentence each

    bool operator==(const ServerRecord&) const = default;
};

} // namespace ep
