// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/http_answer.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace ep::attach {

namespace {

constexpr std::size_t kStatusDigits = 3;

Error wrong(const ep::Message& what)
{
    return {ErrorCode::Io, what};
}

constexpr std::string_view kBlanks = " \t";

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isTokenCharacter(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
        || (c != '\0' && std::strchr("!#$%&'*+-.^_`|~", c) != nullptr);
}

bool isText(std::string_view text)
{
    return std::ranges::none_of(text, [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
    });
}

// HTTP/1.1 200 OK
Status readStatusLine(std::string_view line, AnswerHead& head)
{
    constexpr std::string_view kVersion = "HTTP/1.";
    constexpr std::size_t kStatusAt = kVersion.size() + 2;
    const bool version = line.size() >= kStatusAt && line.starts_with(kVersion)
        && (line[kVersion.size()] == '0' || line[kVersion.size()] == '1')
        && line[kVersion.size() + 1] == ' ';
    if (!version)
        return wrong("does not begin as one of HTTP/1.1");
    const std::string_view digits = line.substr(kStatusAt, kStatusDigits);
    const std::string_view rest = line.substr(std::min(line.size(), kStatusAt + kStatusDigits));
    if (digits.size() != kStatusDigits || !std::ranges::all_of(digits, isDigit)
        || digits.front() == '0' || (!rest.empty() && rest.front() != ' '))
        return wrong("has no status of three digits");
    if (!isText(rest))
        return wrong("has a control character in its first line");
    head.minor_version = line[kVersion.size()] - '0';
    std::from_chars(digits.data(), digits.data() + digits.size(), head.status);
    head.reason = rest.empty() ? rest : rest.substr(1);
    return {};
}

Status readField(std::string_view line, AnswerHead& head)
{
    if (line.front() == ' ' || line.front() == '\t') { // a folded line continues the value
        if (head.fields.empty())
            return wrong("has a malformed header line");
        if (!isText(line))
            return wrong("has a control character in a header line");
        head.fields.back().second.append(" ").append(trimmed(line, kBlanks));
        return {};
    }
    const std::size_t colon = line.find(':');
    // Blanks before the colon are removed (RFC 9112, 5.1).
    const std::string_view name =
        trimmed(line.substr(0, colon == std::string_view::npos ? 0 : colon), kBlanks);
    if (!isToken(name))
        return wrong("has a malformed header line");
    const std::string_view value = trimmed(line.substr(colon + 1), kBlanks);
    if (!isText(value))
        return wrong("has a control character in a header line");
    head.fields.emplace_back(name, value);
    return {};
}

Result<AnswerHead> readLines(std::string_view text)
{
    AnswerHead head;
    head.size = text.size() + 4;
    bool first = true;
    while (first || !text.empty()) {
        const std::size_t end = text.find("\r\n");
        const std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
        if (line.find_first_of("\r\n") != std::string_view::npos)
            return wrong("has lines that do not end with CR LF");
        const Status read = first ? readStatusLine(line, head) : readField(line, head);
        if (!read)
            return read.error();
        first = false;
    }
    return head;
}

} // namespace

bool isToken(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, isTokenCharacter);
}

bool sameFieldName(std::string_view a, std::string_view b)
{
    return lowerAscii(a) == lowerAscii(b);
}

std::vector<std::string_view> listIn(const std::vector<HttpField>& fields, std::string_view name)
{
    std::vector<std::string_view> elements;
    for (const auto& [key, value] : fields) {
        if (!sameFieldName(key, name))
            continue;
        std::string_view rest = value;
        for (bool more = true; more;) {
            const std::size_t comma = rest.find(',');
            elements.push_back(trimmed(rest.substr(0, comma), kBlanks));
            more = comma != std::string_view::npos;
            rest = more ? rest.substr(comma + 1) : std::string_view();
        }
    }
    return elements;
}

std::optional<std::string> AnswerHead::field(std::string_view name) const
{
    const auto found = std::ranges::find_if(
        fields, [&](const HttpField& one) { return sameFieldName(one.first, name); });
    return found == fields.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Result<AnswerHead>> readAnswerHead(std::string_view bytes)
{
    const std::string_view start = bytes.substr(0, kLongestAnswerHead);
    const std::size_t end = start.find("\r\n\r\n");
    if (end != std::string_view::npos)
        return readLines(start.substr(0, end));
    if (start.find("\n\n") != std::string_view::npos) // otherwise the head would never be complete
        return Result<AnswerHead>(wrong("has lines that do not end with CR LF"));
    // Data that is not an HTTP answer at all is refused at once as well.
    constexpr std::string_view kVersion = "HTTP/1.";
    if (!start.starts_with(kVersion.substr(0, std::min(kVersion.size(), start.size()))))
        return Result<AnswerHead>(wrong("does not begin as one of HTTP/1.1"));
    if (bytes.size() < kLongestAnswerHead)
        return std::nullopt;
    return Result<AnswerHead>(
        wrong(ep::Message("has a header of more than %1 KB", kLongestAnswerHead / 1024)));
}

std::optional<std::uint64_t> lengthIn(const std::vector<std::string_view>& lengths)
{
    // One terabyte; anything longer is not a valid length.
    constexpr std::uint64_t kMax = std::uint64_t{1} << 40;
    std::optional<std::uint64_t> length;
    for (const std::string_view one : lengths) {
        std::uint64_t value = 0;
        const auto read = std::from_chars(one.data(), one.data() + one.size(), value);
        if (one.empty() || !std::ranges::all_of(one, isDigit) || read.ec != std::errc()
            || value > kMax || (length && *length != value))
            return std::nullopt;
        length = value;
    }
    return length;
}

Result<BodyFraming> bodyFramingOf(const AnswerHead& head, bool answersHead)
{
    constexpr int kNoContent = 204;
    constexpr int kNotModified = 304;
    const auto codings = listIn(head.fields, "transfer-encoding");
    const auto lengths = listIn(head.fields, "content-length");
    if (!codings.empty() && (codings.size() != 1 || !sameFieldName(codings.front(), "chunked")))
        return wrong("has a transfer coding other than chunked");
    if (!codings.empty() && head.minor_version == 0)
        return wrong("is in chunks, which HTTP/1.0 does not know");
    const auto length = lengthIn(lengths);
    if (!lengths.empty() && !length)
        return wrong("has more than one Content-Length, or one that is not a number");
    if (answersHead || head.interim() || head.status == kNoContent || head.status == kNotModified)
        return BodyFraming{};
    if (!codings.empty()) // a Content-Length, if any, is ignored
        return BodyFraming{BodyEnd::Chunks, 0};
    return length ? BodyFraming{BodyEnd::Length, *length} : BodyFraming{BodyEnd::Close, 0};
}

BodyReader::BodyReader(BodyFraming framing)
    : m_end(framing.end)
    , m_state(framing.end == BodyEnd::None
                      || (framing.end == BodyEnd::Length && framing.length == 0)
                  ? State::End
                  : framing.end == BodyEnd::Chunks ? State::ChunkSize
                                                   : State::Data)
    , m_left(framing.length)
{
}

Result<std::size_t> BodyReader::read(std::string_view bytes, std::string& body)
{
    std::size_t used = 0;
    while (m_state != State::End && used < bytes.size()) {
        const std::string_view rest = bytes.substr(used);
        if (m_state == State::Data || m_state == State::ChunkData) {
            const std::size_t count = m_end == BodyEnd::Close
                ? rest.size()
                : static_cast<std::size_t>(std::min<std::uint64_t>(m_left, rest.size()));
            body += rest.substr(0, count);
            used += count;
            m_left -= m_end == BodyEnd::Close ? 0 : count;
            if (m_end != BodyEnd::Close && m_left == 0)
                m_state = m_state == State::Data ? State::End : State::ChunkEnd;
            continue;
        }
        const auto size = lineAt(rest);
        if (!size)
            return size.error();
        if (*size == 0)
            break;
        if (const Status taken = takeLine(rest.substr(0, *size - 2)); !taken)
            return taken.error();
        used += *size;
    }
    return used;
}

Result<std::size_t> BodyReader::lineAt(std::string_view bytes) const
{
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos)
        return bytes.size() > kLongestChunkLine
            ? Result<std::size_t>(wrong("has a line of a chunk that is too long"))
            : Result<std::size_t>(std::size_t{0});
    if (end > kLongestChunkLine || end == 0 || bytes.find('\r') != end - 1)
        return wrong("has a chunk whose lines do not end with CR LF");
    return end + 1;
}

Status BodyReader::takeLine(std::string_view line)
{
    constexpr int kHexadecimal = 16;
    constexpr std::size_t kMaxDigits = 16; // hexadecimal digits of 64 bits
    switch (m_state) {
    case State::ChunkEnd:
        if (!line.empty())
            return wrong("has a chunk that is longer than it says");
        m_state = State::ChunkSize;
        return {};
    case State::Trailer:
        m_trailers += line.size();
        if (m_trailers > kMaxTrailers)
            return wrong("has too many trailers");
        if (line.empty())
            m_state = State::End;
        return {};
    default: {
        const std::string_view digits =
            trimmed(line.substr(0, line.find(';')), kBlanks); // no extensions
        const auto read =
            std::from_chars(digits.data(), digits.data() + digits.size(), m_left, kHexadecimal);
        if (digits.empty() || digits.size() > kMaxDigits || line.front() != digits.front()
            || read.ec != std::errc() || read.ptr != digits.data() + digits.size())
            return wrong("has a chunk without a size");
        m_state = m_left == 0 ? State::Trailer : State::ChunkData;
        return {};
    }
    }
}

bool BodyReader::endWithConnection()
{
    if (m_state == State::Data && m_end == BodyEnd::Close)
        m_state = State::End;
    return complete();
}

std::string chunkHead(std::size_t size)
{
    constexpr int kHexadecimal = 16;
    std::array<char, 20> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), size, kHexadecimal);
    return std::string(digits.data(), end.ptr) + "\r\n";
}

} // namespace ep::attach
