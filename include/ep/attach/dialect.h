// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/result.h"
#include "ep/core/units.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// How to ask servers for text and how to read their answers: one row per address of their APIs.
// Pure.
namespace ep::attach {

// The text that a client asks a server to generate.
struct Ask {
    std::string model; // empty: the server's only model
    std::string prompt;
    std::string system; // for chats; empty: none
    Conversation conversation{}; // for chats, replaces prompt and system unless empty
    int max_tokens = 64;
    double temperature = 0.0;
    int top_k = 0; // 0: the server's default, as in the next two fields
    double top_p = 1.0;
    double repetition_penalty = 1.0;
    std::uint64_t seed = 0;
    bool ignore_end = false; // continue after the model's end token, if the server can

    bool operator==(const Ask&) const = default;
};

// The server's own figures, as far as it reports them.
struct Figures {
    std::optional<std::int64_t> prompt_tokens{}; // whole prompt
    std::optional<std::int64_t> cached_tokens{};
    std::optional<std::int64_t> uncached_tokens{};
    std::optional<std::int64_t> output_tokens{};
    std::optional<std::int64_t> reasoning_tokens{};
    std::optional<std::int64_t> draft_tokens{};
    std::optional<std::int64_t> draft_accepted_tokens{};
    std::optional<Nanoseconds> load_ns{};
    std::optional<Nanoseconds> prompt_ns{};
    std::optional<Nanoseconds> decode_ns{};
    std::string finish{}; // why generation stopped
    std::string model{}; // the model's name in the answer
    std::string engine{}; // name and version, if only answers state them: "MLX 0.32.2"
    std::string id{}; // of the answer, by which a later request can continue it

    bool operator==(const Figures&) const = default;
    // Newer figures take precedence, but no zero replaces a count or a time.
    void add(const Figures& newer);
    // Any two of the prompt, cached and uncached tokens give the third.
    void complete();
};

// One message of an answer.
struct Message {
    std::string text{}; // part of the answer
    std::string aside{}; // generated besides the text: reasoning, tool calls
    bool thought = false; // `aside` is reasoning
    bool generated = false; // something was generated, even if both texts are empty
    bool last = false; // nothing is generated after this message
    std::string error{}; // error reported by the server; empty: none
    Figures figures{};

    bool operator==(const Message&) const = default;
};

// An address at which servers generate: how to ask there, and how to read the answers. The client
// uses these addresses, and the proxy measures requests to them; other requests only pass.
struct Dialect {
    const char* id; // "ollama-chat"
    const char* title; // "Ollama, chat"
    const char* path; // "/api/chat"
    const char* other_path; // alternative address; empty: none
    bool chat; // whether a chat template is applied
    std::string (*body)(const Ask&); // JSON of a request whose answer is streamed
    Result<Message> (*read)(std::string_view message);

    bool takesMessages() const { return std::string_view(id).ends_with("chat"); }
};

std::span<const Dialect> dialects();
const Dialect* dialectFromId(std::string_view id); // null: unknown
const Dialect* dialectOfPath(std::string_view path); // path without a query; null: not measured

// The text that the body of a request asks a server to generate, as far as it is recognised.
struct AskedFor {
    std::string model{};
    std::string prompt{}; // for a conversation, its question
    Conversation conversation{}; // empty: only a prompt
    std::optional<int> max_tokens{}; // for each sequence
    int sequences = 1; // number of answers requested at once
    std::string follows{}; // id of the answer that the request continues; empty: none

    bool operator==(const AskedFor&) const = default;
};
AskedFor readRequest(std::string_view body);

} // namespace ep::attach
