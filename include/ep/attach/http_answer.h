// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/limits.h"
#include "ep/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Parses the answer of an HTTP/1.1 server: its head, and where its body ends (RFC 9112). Pure.
// Anything that makes the end of a body ambiguous is an error.
namespace ep::attach {

// A header field: name as sent, value without surrounding blanks.
using HttpField = std::pair<std::string, std::string>;

bool isToken(std::string_view text); // the name of a field, for instance
bool sameFieldName(std::string_view a, std::string_view b);
// The elements of a comma-separated list in all fields of this name, without blanks, in order.
std::vector<std::string_view> listIn(const std::vector<HttpField>& fields, std::string_view name);

struct AnswerHead {
    int status = 0;
    int minor_version = 1; // HTTP/1.x
    std::string reason{};
    std::vector<HttpField> fields{}; // in order, including repeated ones
    std::size_t size = 0; // bytes of the head, including the blank line

    bool interim() const { return status < 200; }
    std::optional<std::string> field(std::string_view name) const; // the first field of this name
};

// Absent while the head is incomplete. The message of an error continues "The server's answer".
std::optional<Result<AnswerHead>> readAnswerHead(std::string_view bytes);

enum class BodyEnd { None, Length, Chunks, Close };

struct BodyFraming {
    BodyEnd end = BodyEnd::None;
    std::uint64_t length = 0; // with BodyEnd::Length

    bool operator==(const BodyFraming&) const = default;
};

// RFC 9112, 6.3. Errors: more than one length or transfer coding, or an unknown coding.
Result<BodyFraming> bodyFramingOf(const AnswerHead& head, bool answersHead);
// Returns the length that all values of Content-Length state; absent if there is none, if they
// differ, or if one is invalid.
std::optional<std::uint64_t> lengthIn(const std::vector<std::string_view>& lengths);

// Removes the framing of a body, at the caller's pace. Trailers are dropped.
class BodyReader {
public:
    explicit BodyReader(BodyFraming framing);

    // Appends the body's part of `bytes` to `body`; returns how many bytes were used. Bytes after
    // the end of the body are not used.
    Result<std::size_t> read(std::string_view bytes, std::string& body);
    bool complete() const { return m_state == State::End; }
    // Call when the connection has ended; false: the body is incomplete.
    bool endWithConnection();

private:
    enum class State { Data, ChunkSize, ChunkData, ChunkEnd, Trailer, End };

    Status takeLine(std::string_view line);
    // The length of a line including CR LF; 0: it is incomplete.
    Result<std::size_t> lineAt(std::string_view bytes) const;

    BodyEnd m_end;
    State m_state;
    std::uint64_t m_left = 0; // bytes left of the body or chunk
    std::size_t m_trailers = 0; // length of the trailers in bytes
};

// Head of a chunk, for a body that is sent in chunks.
std::string chunkHead(std::size_t size); // "1a\r\n"; the data is followed by "\r\n"
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

} // namespace ep::attach
