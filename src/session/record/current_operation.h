// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"

#include <atomic>
#include <cstdint>

namespace ep::session {

// A CurrentOperation in one word, so that the inference thread publishes it with a single store.
// Tokens above 2^24 - 2 and layers above 2^16 - 2 are read as "none"; no model has that many.
std::uint64_t pack(const CurrentOperation& operation);
CurrentOperation unpack(std::uint64_t word);

// Relaxed ordering is enough on both sides: the word is self-contained, and readers accept a
// slightly outdated value.
using PublishedOperation = std::atomic<std::uint64_t>;

} // namespace ep::session
