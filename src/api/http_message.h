// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The part of HTTP/1.1 (RFC 9112) that a server of small requests needs, without I/O.
namespace ep::api {

inline constexpr std::size_t kLongestTarget = 8 * 1024;
inline constexpr std::size_t kMaxHeaders = 64;

struct HttpRequest {
    std::string method{}; // "GET"
    std::string target{}; // as sent
    std::vector<std::string> path{}; // segments, decoded
    std::map<std::string, std::string> query{}; // decoded; the last of duplicate names
    std::vector<std::pair<std::string, std::string>> headers{}; // names in lower case
    std::string body{};
    int minor_version = 1; // HTTP/1.x

    std::optional<std::string> header(std::string_view name) const; // the first with this name
    bool keepsAlive() const; // whether the connection stays open after the reply
    bool asksUpgrade(std::string_view protocol = {}) const; // empty: to any protocol
};

// Why a request is refused; status 0: it is accepted.
struct HttpRefusal {
    int status = 0;
    std::string message{};
    std::string allow{}; // for 405: the allowed methods

    explicit operator bool() const { return status != 0; }
};

struct ParsedHead {
    HttpRequest request{};
    std::size_t size = 0; // bytes of the head, blank line included
    std::size_t body_size = 0;
    bool chunked = false; // the body is in chunks, its size unknown
    bool expects_continue = false;
    HttpRefusal refusal{};
};

// The purpose for which a head is parsed. Answer: splits the target, and refuses a chunked body.
// Pass (for a proxy): leaves path and query empty.
enum class HeadUse { Answer, Pass };

// Absent while the head is incomplete. Refuses a head beyond the limit as soon as possible.
// Strict: CR LF, no folded lines, one Host, one Content-Length or Transfer-Encoding.
std::optional<ParsedHead> parseHead(std::string_view text, std::size_t headLimit,
                                    std::size_t bodyLimit, HeadUse use = HeadUse::Answer);

class TemporaryFile;

struct HttpResponse {
    int status = 200;
    std::string type = "application/json";
    std::string body{};
    std::shared_ptr<TemporaryFile> file{}; // follows the body, for long replies
    std::vector<std::pair<std::string, std::string>> headers{};
};
// {"error": {"status": 404, "message": "..."}}
HttpResponse errorResponse(int status, std::string_view message);
std::string_view reasonOf(int status);
// The bytes to send, except those of the file; without the body for HEAD.
std::string serialise(const HttpResponse& response, bool keepAlive, bool withBody);

// Decodes %41 and, with plusIsBlank, also "+". Absent if an escape is invalid, or if the text is
// not valid UTF-8 or contains a NUL.
std::optional<std::string> percentDecoded(std::string_view text, bool plusIsBlank);

} // namespace ep::api
