// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/answer.h"

#include "ep/attach/http_answer.h"
#include "ep/core/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ep::attach {

namespace {

struct StreamType {
    std::string_view name;
    Framing framing;
};
constexpr StreamType kStreamTypes[] = {
    {"text/event-stream", Framing::Events},      {"application/x-ndjson", Framing::Lines},
    {"application/ndjson", Framing::Lines},      {"application/jsonl", Framing::Lines},
    {"application/x-jsonlines", Framing::Lines},
};

constexpr std::size_t kLongestComplaint = 300;

// Reasons why a server stops before the model has finished; the answer is then incomplete.
constexpr std::array<std::string_view, 8> kUnfinished{
    "abort", "aborted", "cancelled",      "canceled",
    "error", "failed",  "content_filter", "content-filter"};

// Shortens the text and puts it on one line.
std::string complaint(std::string text)
{
    for (char& c : text)
        c = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    return previewUtf8(text, kLongestComplaint);
}

std::size_t bytesOf(const Chunk& chunk)
{
    return sizeof(Chunk) + chunk.text.capacity();
}

// Private-use characters of the last plane, which no tokenizer uses.
constexpr unsigned kMarkedByte = 0x10FF00; // plus the byte
constexpr unsigned kMarkedSurrogate = 0x10F000; // plus the surrogate's low bits
constexpr unsigned kFirstSurrogate = 0xD800;
constexpr unsigned kFirstLow = 0xDC00;
constexpr unsigned kLastSurrogate = 0xDFFF;
constexpr std::size_t kMarkSize = 4; // bytes of a placeholder in UTF-8
constexpr std::string_view kUnknown = "\xEF\xBF\xBD"; // U+FFFD

// Size of the complete, valid character that begins here; 0: there is none.
std::size_t characterSize(std::string_view text)
{
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t size = first < 0x80 ? 1
        : first < 0xC2                    ? 0
        : first < 0xE0                    ? 2
        : first < 0xF0                    ? 3
        : first < 0xF5                    ? 4
                                          : 0;
    if (size == 0 || size > text.size())
        return 0;
    const std::string_view one = text.substr(0, size);
    return size == 1 || replaceInvalidUtf8(std::string(one)) == one ? size : 0;
}

// The surrogate escaped here: "\uD83D".
std::optional<unsigned> surrogateAt(std::string_view text)
{
    constexpr std::size_t kEscape = 6;
    constexpr int kHexadecimal = 16;
    if (text.size() < kEscape || text[0] != '\\' || text[1] != 'u')
        return std::nullopt;
    unsigned unit = 0;
    const char* end = text.data() + kEscape;
    const auto read = std::from_chars(text.data() + 2, end, unit, kHexadecimal);
    if (read.ptr != end || unit < kFirstSurrogate || unit > kLastSurrogate)
        return std::nullopt;
    return unit;
}

// The placeholder at the front of `text`.
std::optional<unsigned> markAt(std::string_view text)
{
    if (text.size() < kMarkSize || static_cast<unsigned char>(text[0]) != 0xF4
        || static_cast<unsigned char>(text[1]) != 0x8F)
        return std::nullopt;
    constexpr unsigned kBits = 0x3F;
    const unsigned code = 0x10F000U | ((static_cast<unsigned char>(text[2]) & kBits) << 6)
        | (static_cast<unsigned char>(text[3]) & kBits);
    const bool surrogate = code - kMarkedSurrogate <= kLastSurrogate - kFirstSurrogate;
    return surrogate || code >= kMarkedByte ? std::optional(code) : std::nullopt;
}

// The JSON text with each half replaced by a placeholder that JSON allows.
std::string withHalvesMarked(std::string_view json)
{
    std::string marked;
    for (std::size_t i = 0; i < json.size();) {
        const std::string_view rest = json.substr(i);
        if (const auto unit = surrogateAt(rest)) {
            const bool pair =
                *unit < kFirstLow && surrogateAt(rest.substr(6)).value_or(0) >= kFirstLow;
            if (pair)
                marked += rest.substr(0, 12);
            else
                appendUtf8(marked, kMarkedSurrogate + (*unit - kFirstSurrogate));
            i += pair ? 12 : 6;
            continue;
        }
        // "\\uD83D" is a backslash and five characters.
        const std::size_t size =
            rest.front() == '\\' && rest.size() > 1 && rest[1] == '\\' ? 2 : characterSize(rest);
        if (size == 0)
            appendUtf8(marked, kMarkedByte + static_cast<unsigned char>(rest.front()));
        else
            marked += rest.substr(0, size);
        i += size == 0 ? 1 : size;
    }
    return marked;
}

} // namespace

Framing framingOf(std::string_view contentType)
{
    std::string_view type = contentType.substr(0, contentType.find(';'));
    while (!type.empty() && (type.back() == ' ' || type.back() == '\t'))
        type.remove_suffix(1);
    for (const StreamType& known : kStreamTypes) {
        if (sameFieldName(type, known.name))
            return known.framing;
    }
    return Framing::Whole;
}

Result<std::vector<std::string>> MessageSplitter::feed(std::string_view bytes)
{
    std::vector<std::string> messages;
    if (m_framing == Framing::Whole) {
        m_rest += bytes;
    } else {
        while (!bytes.empty()) {
            if (std::exchange(m_afterReturn, false) && bytes.front() == '\n') {
                bytes.remove_prefix(1);
                continue;
            }
            const std::size_t end = bytes.find_first_of("\r\n");
            m_rest += bytes.substr(0, end);
            if (end == std::string_view::npos)
                break;
            m_afterReturn = bytes[end] == '\r';
            bytes.remove_prefix(end + 1);
            takeLine(std::exchange(m_rest, {}), messages);
        }
    }
    if (m_rest.size() + m_event.size() > kLongestMessage)
        return Error{
            ErrorCode::InvalidInput,
            {"The server sent a message of more than %1 MB.", kLongestMessage / (1024 * 1024)}};
    return messages;
}

void MessageSplitter::takeLine(std::string_view line, std::vector<std::string>& messages)
{
    if (m_framing == Framing::Lines) {
        if (!line.empty())
            messages.emplace_back(line);
        return;
    }
    if (line.empty())
        return endEvent(messages);
    const std::size_t colon = line.find(':');
    const std::string_view field = line.substr(0, colon);
    // Servers of 2025 send failures in a field "error", which the standard does not define.
    if (field != "data" && field != "error")
        return;
    std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' '))
        value.remove_prefix(1);
    if (m_hasData)
        m_event += '\n';
    m_event += value;
    m_hasData = true;
}

void MessageSplitter::endEvent(std::vector<std::string>& messages)
{
    if (std::exchange(m_hasData, false))
        messages.push_back(std::exchange(m_event, {}));
}

std::vector<std::string> MessageSplitter::finish()
{
    std::vector<std::string> messages;
    std::string rest = std::exchange(m_rest, {});
    if (m_framing == Framing::Whole) {
        if (!rest.empty())
            messages.push_back(std::move(rest));
        return messages;
    }
    if (!rest.empty())
        takeLine(rest, messages);
    endEvent(messages);
    return messages;
}

// Joins the halves across the parts of one text.
class HalfJoiner {
public:
    // The characters that this part completes; a half at its end waits for the next part.
    std::string join(std::string_view part);
    std::string finish(); // U+FFFD if a half is still waiting

private:
    std::string m_bytes; // bytes of the incomplete character
    unsigned m_high = 0; // surrogate; 0: none
};

AnswerReader::~AnswerReader() = default;

std::size_t heldBytes(const Answer& answer)
{
    std::size_t bytes = answer.text.capacity();
    for (const Chunk& chunk : answer.chunks)
        bytes += bytesOf(chunk);
    return bytes;
}

AnswerReader::AnswerReader(const Dialect& dialect, Framing framing, Nanoseconds askedNs)
    : m_dialect(dialect)
    , m_splitter(framing)
    , m_halves(std::make_unique<HalfJoiner>())
    , m_asideHalves(std::make_unique<HalfJoiner>())
{
    m_answer.asked_ns = askedNs;
    m_answer.ended_ns = askedNs;
    m_answer.streamed = framing != Framing::Whole;
}

Status AnswerReader::feed(std::string_view bytes, Nanoseconds atNs)
{
    if (!m_status)
        return m_status;
    m_answer.ended_ns = atNs;
    // In pieces, as short messages take ten times the memory of their bytes, and a busy machine
    // hands over megabytes at once.
    constexpr std::size_t kPiece = 64 * 1024;
    for (std::size_t i = 0; i < bytes.size() && m_status; i += kPiece) {
        const auto messages = m_splitter.feed(bytes.substr(i, kPiece));
        m_status = messages ? take(*messages, atNs) : messages.error();
    }
    return m_status;
}

Status AnswerReader::finish(Nanoseconds atNs)
{
    if (!m_status)
        return m_status;
    m_answer.ended_ns = atNs;
    m_status = take(m_splitter.finish(), atNs);
    if (m_status && !m_answer.stopped_ns)
        m_status = Error{ErrorCode::Io,
                         {"The server ended its answer without a final message after %1 parts; "
                          "look for the reason in the server's log.",
                          m_answer.chunks.size()}};
    const std::string& finish = m_answer.figures.finish;
    if (m_status && std::ranges::count(kUnfinished, finish) > 0)
        m_status = Error{ErrorCode::Io,
                         {"The server stopped its answer before the end (%1); look for the reason "
                          "in the server's log.",
                          finish}};
    m_answer.text += m_halves->finish();
    m_answer.figures.complete();
    return m_status;
}

Status AnswerReader::take(const std::vector<std::string>& messages, Nanoseconds atNs)
{
    for (const std::string& one : messages) {
        if (one.find_first_not_of(" \t\r\n") == std::string::npos || one == "[DONE]")
            continue; // an event without content
        auto message = m_dialect.read(withHalvesMarked(one));
        if (!message)
            return message.error();
        if (!message->error.empty())
            return Error{ErrorCode::Io, {"The server says: %1", complaint(message->error)}};
        m_answer.figures.add(message->figures);
        const bool generated =
            message->generated || !message->text.empty() || !message->aside.empty();
        const std::string text = m_halves->join(message->text);
        std::string shown = m_asideHalves->join(message->aside) + text;
        m_answer.text += text;
        if (generated) {
            m_answer.chunks.push_back(
                {atNs, std::move(shown), message->thought && message->text.empty()});
            m_held += text.size() + bytesOf(m_answer.chunks.back());
        }
        if (m_answer.chunks.size() > kMaxAnswerParts
            || m_held > 2 * kMaxAnswerText + m_answer.chunks.size() * sizeof(Chunk))
            return Error{ErrorCode::Unsupported,
                         {"The server's answer has more than %1 MB of text, or %2 parts; ask for "
                          "fewer tokens.",
                          kMaxAnswerText / (1024 * 1024), kMaxAnswerParts}};
        if (message->last) // with several sequences, the last one counts
            m_answer.stopped_ns = atNs;
    }
    return {};
}

std::string HalfJoiner::finish()
{
    const bool waits = !std::exchange(m_bytes, {}).empty() || std::exchange(m_high, 0) != 0;
    return waits ? std::string(kUnknown) : std::string();
}

std::string HalfJoiner::join(std::string_view part)
{
    std::string joined;
    const auto drop = [&] { joined += finish(); }; // the other half did not arrive
    while (!part.empty()) {
        const auto mark = markAt(part);
        if (!mark) {
            const std::size_t next = part.find('\xF4', 1);
            drop();
            joined += part.substr(0, next);
            part.remove_prefix(std::min(next, part.size()));
            continue;
        }
        part.remove_prefix(kMarkSize);
        if (*mark >= kMarkedByte) {
            const char byte = static_cast<char>(*mark - kMarkedByte);
            const bool begins = static_cast<unsigned char>(byte) >= 0xC0;
            if (begins || m_high != 0)
                drop();
            m_bytes += byte;
            if (characterSize(m_bytes) == m_bytes.size())
                joined += std::exchange(m_bytes, {});
            else if (m_bytes.size() >= kMarkSize || static_cast<unsigned char>(m_bytes[0]) < 0xC0)
                drop();
            continue;
        }
        const unsigned unit = *mark - kMarkedSurrogate + kFirstSurrogate;
        if (unit >= kFirstLow && m_high != 0) {
            appendUtf8(joined, 0x10000 + ((m_high - kFirstSurrogate) << 10) + (unit - kFirstLow));
            m_high = 0;
            continue;
        }
        drop();
        if (unit < kFirstLow)
            m_high = unit;
        else
            joined += kUnknown;
    }
    return joined;
}

} // namespace ep::attach
