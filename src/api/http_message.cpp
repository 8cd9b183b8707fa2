// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_message.h"

#include "temporary_file.h"

#include "ep/attach/http_answer.h"
#include "ep/core/utf8.h"
#include "ep/json/document.h"

#include <algorithm>
#include <charconv>

namespace ep::api {

namespace {

constexpr std::string_view kSpaceOrTab = " \t";

// Whether a list such as "keep-alive, Upgrade" contains the given word.
bool listHolds(std::string_view list, std::string_view word)
{
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        if (lowerAscii(trimmed(list.substr(0, comma), kSpaceOrTab)) == word)
            return true;
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    return false;
}

HttpRefusal checkTarget(std::string_view target)
{
    if (target.size() > kLongestTarget)
        return {414, "The address is too long."};
    if (target.empty() || target.front() != '/')
        return {400, "The address must be a path that begins with a slash."};
    for (const char c : target) {
        if (c <= ' ' || c == 0x7F || c == '#')
            return {400, "The address contains a character that must be escaped."};
    }
    return {};
}

HttpRefusal decodeTarget(std::string_view target, HttpRequest& request)
{
    const std::size_t mark = target.find('?');
    std::string_view path = target.substr(1, mark == std::string_view::npos ? mark : mark - 1);
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        auto segment = percentDecoded(path.substr(0, slash), false);
        if (!segment)
            return {400, "The address is not escaped correctly."};
        request.path.push_back(std::move(*segment));
        path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    }
    std::string_view query =
        mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
    while (!query.empty()) {
        const std::size_t end = query.find('&');
        const std::string_view pair = query.substr(0, end);
        const std::size_t equals = pair.find('=');
        auto key = percentDecoded(pair.substr(0, equals), true);
        auto value = equals == std::string_view::npos
            ? std::optional<std::string>(std::in_place)
            : percentDecoded(pair.substr(equals + 1), true);
        if (!key || !value)
            return {400, "The query is not escaped correctly."};
        if (!pair.empty())
            request.query[*key] = std::move(*value);
        query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
    }
    return {};
}

HttpRefusal readRequestLine(std::string_view line, HeadUse use, HttpRequest& request)
{
    const std::size_t first = line.find(' ');
    const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
    if (second == std::string_view::npos || line.find(' ', second + 1) != std::string_view::npos)
        return {400, "The first line is not an HTTP request."};
    const std::string_view method = line.substr(0, first);
    const std::string_view version = line.substr(second + 1);
    if (!attach::isToken(method))
        return {400, "The first line is not an HTTP request."};
    if (version != "HTTP/1.1" && version != "HTTP/1.0") {
        return version.starts_with("HTTP/")
            ? HttpRefusal{505, "Only HTTP/1.1 is supported."}
            : HttpRefusal{400, "The first line is not an HTTP request."};
    }
    request.minor_version = version.back() - '0';
    request.method = method;
    request.target = line.substr(first + 1, second - first - 1);
    const HttpRefusal refusal = checkTarget(request.target);
    return refusal || use == HeadUse::Pass ? refusal : decodeTarget(request.target, request);
}

HttpRefusal readHeader(std::string_view line, HttpRequest& request)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !attach::isToken(line.substr(0, colon)))
        return {400, "A header line is malformed."};
    const std::string_view value = trimmed(line.substr(colon + 1), kSpaceOrTab);
    for (const char c : value) {
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F)
            return {400, "A header line is malformed."};
    }
    if (request.headers.size() == kMaxHeaders)
        return {431, "There are too many headers."};
    request.headers.emplace_back(lowerAscii(line.substr(0, colon)), value);
    return {};
}

// Looks in all Connection headers.
bool connectionHolds(const HttpRequest& request, std::string_view word)
{
    return std::any_of(request.headers.begin(), request.headers.end(), [&](const auto& header) {
        return header.first == "connection" && listHolds(header.second, word);
    });
}

std::size_t countOf(const HttpRequest& request, std::string_view name)
{
    return static_cast<std::size_t>(
        std::count_if(request.headers.begin(), request.headers.end(),
                      [&](const auto& header) { return header.first == name; }));
}

// RFC 9112, 6.1 and 6.3: a Content-Length beside a Transfer-Encoding, or a coding other than
// chunked, makes the end of a request ambiguous.
HttpRefusal readTransferCoding(const HttpRequest& request, HeadUse use, ParsedHead& parsed)
{
    if (use == HeadUse::Answer)
        return {411, "Send the body with a Content-Length, not in chunks."};
    if (request.header("content-length"))
        return {400, "There are a Content-Length and a Transfer-Encoding."};
    if (request.minor_version == 0)
        return {400, "HTTP/1.0 has no Transfer-Encoding."};
    if (countOf(request, "transfer-encoding") > 1
        || lowerAscii(*request.header("transfer-encoding")) != "chunked")
        return {501, "The only Transfer-Encoding that is supported is chunked."};
    parsed.chunked = true;
    return {};
}

HttpRefusal readBodySize(const HttpRequest& request, std::size_t limit, std::size_t& size)
{
    const auto length = request.header("content-length");
    if (!length)
        return {};
    if (countOf(request, "content-length") > 1)
        return {400, "There is more than one Content-Length."};
    if (length->empty() || length->find_first_not_of("0123456789") != std::string::npos)
        return {400, "The Content-Length is not a number."};
    std::uint64_t value = 0;
    const auto read = std::from_chars(length->data(), length->data() + length->size(), value);
    if (read.ec != std::errc() || value > limit) {
        return {413, "The body is too large: " + std::to_string(limit) + " bytes are allowed."};
    }
    size = static_cast<std::size_t>(value);
    return {};
}

HttpRefusal readHead(std::string_view head, std::size_t bodyLimit, HeadUse use, ParsedHead& parsed)
{
    HttpRequest& request = parsed.request;
    bool first = true;
    while (!head.empty()) {
        const std::size_t end = head.find("\r\n");
        const std::string_view line = head.substr(0, end);
        head = end == std::string_view::npos ? std::string_view() : head.substr(end + 2);
        if (line.find_first_of("\r\n") != std::string_view::npos)
            return {400, "Lines must end with CR LF."};
        const HttpRefusal refusal =
            first ? readRequestLine(line, use, request) : readHeader(line, request);
        if (refusal)
            return refusal;
        first = false;
    }
    if (countOf(request, "host") != 1)
        return {400, "There must be exactly one Host header."};
    if (const auto expect = request.header("expect")) {
        if (lowerAscii(*expect) != "100-continue")
            return {417, "This expectation is not supported."};
        parsed.expects_continue = true;
    }
    if (request.header("transfer-encoding"))
        return readTransferCoding(request, use, parsed);
    return readBodySize(request, bodyLimit, parsed.body_size);
}

} // namespace

std::optional<std::string> HttpRequest::header(std::string_view name) const
{
    for (const auto& [key, value] : headers) {
        if (key == name)
            return value;
    }
    return std::nullopt;
}

bool HttpRequest::keepsAlive() const
{
    if (connectionHolds(*this, "close"))
        return false;
    return minor_version >= 1 || connectionHolds(*this, "keep-alive");
}

bool HttpRequest::asksUpgrade(std::string_view protocol) const
{
    const auto to = header("upgrade");
    return to && connectionHolds(*this, "upgrade")
        && (protocol.empty() || listHolds(*to, protocol));
}

std::optional<ParsedHead> parseHead(std::string_view text, std::size_t headLimit,
                                    std::size_t bodyLimit, HeadUse use)
{
    ParsedHead parsed;
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string_view::npos || end + 4 > headLimit) {
        // A client with other line endings would wait forever.
        const bool wrongEnds = end == std::string_view::npos
            && (text.find("\n\n") != std::string_view::npos
                || text.find('\0') != std::string_view::npos);
        if (text.size() < headLimit && !wrongEnds)
            return std::nullopt;
        parsed.size = text.size();
        parsed.refusal = wrongEnds ? HttpRefusal{400, "Lines must end with CR LF."}
                                   : HttpRefusal{431, "The head of the request is too large."};
        return parsed;
    }
    parsed.size = end + 4;
    parsed.refusal = readHead(text.substr(0, end), bodyLimit, use, parsed);
    return parsed;
}

HttpResponse errorResponse(int status, std::string_view message)
{
    const json::OrderedJson json{
        {"error", {{"status", status}, {"message", std::string(message)}}}};
    HttpResponse response;
    response.status = status;
    response.body = json::textOf(json);
    return response;
}

std::string_view reasonOf(int status)
{
    static constexpr std::pair<int, std::string_view> kReasons[] = {
        {200, "OK"},
        {202, "Accepted"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {408, "Request Timeout"},
        {409, "Conflict"},
        {411, "Length Required"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {415, "Unsupported Media Type"},
        {417, "Expectation Failed"},
        {422, "Unprocessable Content"},
        {426, "Upgrade Required"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
    };
    const auto* const found =
        std::ranges::find(kReasons, status, &std::pair<int, std::string_view>::first);
    return found == std::end(kReasons) ? "Error" : found->second;
}

std::string serialise(const HttpResponse& response, bool keepAlive, bool withBody)
{
    const std::int64_t length = static_cast<std::int64_t>(response.body.size())
        + (response.file ? response.file->size() : 0);
    std::string text = "HTTP/1.1 " + std::to_string(response.status) + ' '
        + std::string(reasonOf(response.status)) + "\r\nContent-Type: " + response.type
        + "\r\nContent-Length: " + std::to_string(length)
        + "\r\nConnection: " + (keepAlive ? "keep-alive" : "close")
        + "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
    for (const auto& [key, value] : response.headers)
        text += key + ": " + value + "\r\n";
    text += "\r\n";
    if (withBody)
        text += response.body;
    return text;
}

std::optional<std::string> percentDecoded(std::string_view text, bool plusIsBlank)
{
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const std::string_view digits = text.substr(i + 1, 2);
            const char* const end = digits.data() + digits.size();
            unsigned value = 0;
            if (digits.size() < 2 || std::from_chars(digits.data(), end, value, 16).ptr != end)
                return std::nullopt;
            c = static_cast<char>(value);
            i += 2;
        } else if (c == '+' && plusIsBlank) {
            c = ' ';
        }
        if (c == '\0')
            return std::nullopt;
        decoded += c;
    }
    if (replaceInvalidUtf8(decoded) != decoded)
        return std::nullopt;
    return decoded;
}

} // namespace ep::api
