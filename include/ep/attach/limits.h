// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// The most that the client and the proxy keep of a server's answer, whatever the server sends. All
// are rows of the table in docs/reliability.md.
namespace ep::attach {

// The head of an answer, and interim answers (1xx) before the final one; more are an error.
inline constexpr std::size_t kLongestAnswerHead = 48 * 1024;
inline constexpr int kMaxInterimAnswers = 32;
// A line of the chunked coding, and all trailers together.
inline constexpr std::size_t kLongestChunkLine = 8 * 1024;
inline constexpr std::size_t kMaxTrailers = 64 * 1024;
// Size limit of the decompressed body. Beyond kFreeExpansion, a body may also be at most
// kMaxExpansion times as long as its compressed form, since even zeros take the time of a long
// body.
inline constexpr std::int64_t kMaxAnswerBytes = std::int64_t{64} * 1024 * 1024;
inline constexpr std::size_t kMaxExpansion = 200;
inline constexpr std::size_t kFreeExpansion = 4 * 1024 * 1024;
// One message: no model comes near this size, and parsed JSON takes up to sixteen times as much
// memory.
inline constexpr std::size_t kLongestMessage = 2 * 1024 * 1024;
// The text and the parts of an answer: more than a model generates in hours.
inline constexpr std::size_t kMaxAnswerText = 4 * 1024 * 1024;
inline constexpr std::size_t kMaxAnswerParts = 131'072;

// Bytes kept of a request that is too long to be kept whole: of one member, and of all of them.
inline constexpr std::size_t kLongestScanned = 64 * 1024;
inline constexpr std::size_t kMaxScanned = 512 * 1024;

} // namespace ep::attach
