// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// HTTP/1.1 as far as a server of small requests needs it (RFC 9112), without any input or output.
namespace ep::api {

struct HttpRequest {
    std::string method{}; // "GET"
    std::string target{}; // as sent
    std::vector<std::string> path{}; // segments, decoded
    std::map<std::string, std::string> query{}; // decoded; of a name given twice the last
    std::vector<std::pair<std::string, std::string>> headers{}; // names in lower case
    std::string body{};
    int minor_version = 1; // HTTP/1.x

    std::optional<std::string> header(std::string_view name) const; // the first of that name
    bool keepsAlive() const; // whether the connection stays open after the answer
    bool asksUpgrade() const;
};

// Why a request is refused; status 0: it is not.
struct HttpRefusal {
    int status = 0;
    std::string message{};
    std::string allow{}; // of 405: the methods that work

    explicit operator bool() const { return status != 0; }
};

struct ParsedHead {
    HttpRequest request{};
    std::size_t size = 0; // bytes of the head, blank line included
    std::size_t body_size = 0;
    bool expects_continue = false;
    HttpRefusal refusal{};
};

// Nothing while the head is not complete. A head that is longer than the limit is refused as soon
// as that shows. Strict: line ends are CR LF, no folded lines, one Host, one Content-Length, no
// Transfer-Encoding.
std::optional<ParsedHead> parseHead(std::string_view text, std::size_t headLimit,
                                    std::size_t bodyLimit);

struct HttpResponse {
    int status = 200;
    std::string type = "application/json";
    std::string body{};
    std::vector<std::pair<std::string, std::string>> headers{};
};
// {"error": {"status": 404, "message": "..."}}
HttpResponse errorResponse(int status, std::string_view message);
std::string_view reasonOf(int status);
// The bytes that go out; without the body for HEAD.
std::string serialise(const HttpResponse& response, bool keepAlive, bool withBody);

// Decodes %41; with plusIsBlank also "+". Nothing where an escape is broken, where the text is no
// UTF-8 or holds a NUL.
std::optional<std::string> percentDecoded(std::string_view text, bool plusIsBlank);

} // namespace ep::api
