// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"

#include <atomic>
#include <cstdint>

namespace ep::session {

// A CurrentOperation in one word, so that the inference thread publishes it with a single store.
// Tokens above 2^24 - 2 and layers above 2^16 - 2 read as "none"; both are beyond any model.
std::uint64_t pack(const CurrentOperation& operation);
CurrentOperation unpack(std::uint64_t word);

// Relaxed is enough on both sides: the word is all there is to know, nothing else is read because
// of it, and a reader is content with a value that is a little old.
using PublishedOperation = std::atomic<std::uint64_t>;

} // namespace ep::session
