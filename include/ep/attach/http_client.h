// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/endpoint.h"
#include "ep/attach/http_answer.h"
#include "ep/core/cancel.h"
#include "ep/core/units.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

// Sends one HTTP request to a server on this machine. Blocks the calling thread, which needs no
// event loop; cancelling takes effect within 20 ms. Follows no redirects, keeps no cookies,
// uses no proxy. Reads only as fast as the handlers consume, so memory does not grow with the
// answer.
namespace ep::attach {

struct ClientLimits {
    int first_byte_ms = 600'000; // the server may load a model first
    int silence_ms = 120'000; // between two pieces of the answer
    int total_ms = 3'600'000;
    std::int64_t answer_bytes = kMaxAnswerBytes; // limit for the decompressed body
};

struct HttpAsk {
    Endpoint endpoint;
    std::string path;
    std::string body{}; // JSON; empty: GET
    std::string token{}; // sent as a bearer token; empty: none
    ClientLimits limits{};
};

struct AnswerHandlers {
    // Called for status 200; times are arrival times. An error ends the request.
    std::function<Status(const AnswerHead& head)> head;
    std::function<Status(std::string_view bytes, Nanoseconds atNs)> bytes; // decompressed
    std::function<void(Nanoseconds atNs)> sending{}; // called just before the request is sent
};

// OK once the whole answer has arrived; otherwise one sentence about what went wrong, with the
// server's own message. NotFound: nothing listens there, or the server has no such address.
Status perform(const HttpAsk& ask, const AnswerHandlers& handlers, const CancelToken& cancel);
// Returns the whole body of an answer with status 200.
Result<std::string> fetch(const HttpAsk& ask, const CancelToken& cancel);

} // namespace ep::attach
