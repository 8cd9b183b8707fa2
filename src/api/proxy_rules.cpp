// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy_rules.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ep::api {

namespace {

using attach::BodyEnd;
using attach::HttpField;
using attach::sameFieldName;

// Fields that apply to one connection only. Each connection gets framing of its own.
constexpr std::array<std::string_view, 9> kConnectionFields{"connection",
                                                            "keep-alive",
                                                            "proxy-authenticate",
                                                            "proxy-authorization",
                                                            "proxy-connection",
                                                            "te",
                                                            "trailer",
                                                            "transfer-encoding",
                                                            "upgrade"};

// Whether a field ends at this proxy; `named` holds the options of the Connection field.
bool endsHere(std::string_view name, const std::vector<std::string_view>& named)
{
    const auto same = [&](std::string_view one) { return sameFieldName(name, one); };
    return std::ranges::any_of(kConnectionFields, same) || std::ranges::any_of(named, same);
}

std::string statusLine(const attach::AnswerHead& answer)
{
    return "HTTP/1.1 " + std::to_string(answer.status) + ' ' + answer.reason + "\r\n";
}

std::string lineOf(const HttpField& field)
{
    return field.first + ": " + field.second + "\r\n";
}

} // namespace

std::string forwardedRequest(std::string_view head, const ParsedHead& parsed,
                             const attach::Endpoint& server)
{
    constexpr std::size_t kScheme = std::string_view("http://").size();
    const HttpRequest& request = parsed.request;
    const auto named = attach::listIn(request.headers, "connection");
    std::string text = request.method + ' ' + request.target
        + " HTTP/1.1\r\nHost: " + server.origin().substr(kScheme) + "\r\n";
    head.remove_prefix(head.find("\r\n") + 2);
    for (const auto& [name, value] : request.headers) { // one name for each line
        const std::string_view line = head.substr(0, head.find("\r\n") + 2);
        head.remove_prefix(line.size());
        const bool rewritten = name == "host" || name == "expect" || name == "content-length";
        if (!rewritten && !endsHere(name, named))
            text += line;
    }
    if (parsed.chunked)
        text += "Transfer-Encoding: chunked\r\n";
    else if (request.header("content-length"))
        text += "Content-Length: " + std::to_string(parsed.body_size) + "\r\n";
    return text + "Connection: close\r\n\r\n";
}

ForwardedAnswer forwardedAnswer(const attach::AnswerHead& answer,
                                const attach::BodyFraming& framing, const HttpRequest& request,
                                bool mayStay)
{
    constexpr int kNoContent = 204;
    ForwardedAnswer forwarded;
    const bool streamed = framing.end == BodyEnd::Chunks || framing.end == BodyEnd::Close;
    forwarded.chunked = streamed && request.minor_version >= 1;
    forwarded.stays = mayStay && request.keepsAlive() && (!streamed || forwarded.chunked);
    // HEAD and 304 state a length without sending a body.
    bool statesLength = framing.end == BodyEnd::Length
        || (framing.end == BodyEnd::None && answer.status != kNoContent
            && !answer.field("transfer-encoding"));
    const auto named = attach::listIn(answer.fields, "connection");
    forwarded.head = statusLine(answer);
    for (const HttpField& field : answer.fields) {
        if (sameFieldName(field.first, "content-length")) {
            if (statesLength) {
                const auto length = attach::lengthIn(attach::listIn(answer.fields, field.first));
                forwarded.head += lineOf({field.first, std::to_string(length.value_or(0))});
            }
            statesLength = false; // only once
        } else if (!endsHere(field.first, named)) {
            forwarded.head += lineOf(field);
        }
    }
    if (forwarded.chunked)
        forwarded.head += "Transfer-Encoding: chunked\r\n";
    forwarded.head +=
        forwarded.stays ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    return forwarded;
}

std::string forwardedInterim(const attach::AnswerHead& answer)
{
    const auto named = attach::listIn(answer.fields, "connection");
    std::string text = statusLine(answer);
    for (const HttpField& field : answer.fields) {
        if (!sameFieldName(field.first, "content-length") && !endsHere(field.first, named))
            text += lineOf(field);
    }
    return text + "\r\n";
}

} // namespace ep::api
