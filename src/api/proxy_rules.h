// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"

#include "ep/attach/endpoint.h"
#include "ep/attach/http_answer.h"

#include <string>
#include <string_view>

// Edits the heads that the proxy forwards (RFC 9110, 7.6; RFC 9112): only fields that apply to one
// connection change. Everything else stays byte for byte, in order. Pure.
namespace ep::api {

// The head of a request as sent to the server. `head` is the parsed text, with its blank line.
std::string forwardedRequest(std::string_view head, const ParsedHead& parsed,
                             const attach::Endpoint& server);

struct ForwardedAnswer {
    std::string head;
    bool chunked = false; // the body is sent in chunks
    bool stays = false; // the connection stays open after the answer
};
// `mayStay`: there is no other reason to close the client's connection.
ForwardedAnswer forwardedAnswer(const attach::AnswerHead& answer,
                                const attach::BodyFraming& framing, const HttpRequest& request,
                                bool mayStay);
// The head of an interim answer (1xx).
std::string forwardedInterim(const attach::AnswerHead& answer);

} // namespace ep::api
