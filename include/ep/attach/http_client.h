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

// One HTTP request to a server on this machine. Blocks the calling thread, which needs no event
// loop; cancelling takes effect within 20 ms. Follows no redirect, keeps no cookie, uses no proxy.
// Reads from the server only as fast as the handlers take it, so memory does not grow with what is
// sent.
namespace ep::attach {

struct ClientLimits {
    int first_byte_ms = 600'000; // the server may load a model first
    int silence_ms = 120'000; // between two portions of the answer
    int total_ms = 3'600'000;
    std::int64_t answer_bytes = std::int64_t{64} * 1024 * 1024; // decompressed
};

struct HttpAsk {
    Endpoint endpoint;
    std::string path;
    std::string body{}; // JSON; empty: GET
    std::string token{}; // sent as a bearer token; empty: none
    ClientLimits limits{};
};

struct AnswerHandlers {
    // The status is 200; the times are those of arrival. An error ends the request.
    std::function<Status(const AnswerHead& head)> head;
    std::function<Status(std::string_view bytes, Nanoseconds atNs)> bytes; // decompressed
    std::function<void(Nanoseconds atNs)> sending{}; // just before the request is sent
};

// OK when the whole answer has arrived; otherwise one sentence on what went wrong, with what the
// server says about it. NotFound: nothing listens there, or the server has no such address.
Status perform(const HttpAsk& ask, const AnswerHandlers& handlers, const CancelToken& cancel);
// The whole body of an answer with status 200.
Result<std::string> fetch(const HttpAsk& ask, const CancelToken& cancel);

} // namespace ep::attach
