// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// The most that the proxy keeps of requests and answers, whatever clients and servers send. The
// limits for an answer that is being read are in ep/attach/limits.h. Both are rows of the table in
// docs/reliability.md.
namespace ep::api {

inline constexpr std::size_t kKilobyte = 1024;
inline constexpr std::size_t kMegabyte = kKilobyte * kKilobyte;

// The head of a request; a longer one gets 431.
inline constexpr std::size_t kMaxProxiedHead = 48 * kKilobyte;
// Bytes that may wait for one side before reading from the other side is paused.
inline constexpr std::int64_t kMaxWaiting = 128 * kKilobyte;
// The end of an answer that waits for its energy; a longer one is passed on without it. A line of
// JSON that may be the last one can be longer.
inline constexpr std::size_t kMaxHeldEnd = 64 * kKilobyte;
inline constexpr std::size_t kMaxHeldLine = 256 * kKilobyte;
// The body of a request, decompressed, which is kept for its conversation; a longer one is read as
// it streams, up to the second limit.
inline constexpr std::size_t kMaxKeptBody = 2 * kMegabyte;
inline constexpr std::size_t kMaxReadBody = 64 * kMegabyte;
// Requests and answers of all connections together.
inline constexpr std::int64_t kMaxKeptTogether = 24 * kMegabyte;

} // namespace ep::api
