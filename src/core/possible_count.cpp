// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/possible_count.h"

#include "ep/core/format.h"

#include <algorithm>

namespace ep {

namespace {

struct Bounds {
    std::int64_t least;
    std::int64_t most;
    const char* too_few;
    const char* too_many;
    Nanoseconds shortest; // time for one; 0: takes no time
};

// A token takes at least 10 us: 100,000 tokens per second, ten times as fast as a model of a few
// kilobytes. Tokens of a prompt are computed in parallel, and cached ones take no time.
constexpr Bounds kBounds[] = {
    {1, kMostTokens, "fewer than any prompt has", "more than any model's context holds", 0},
    {0, kMostTokens, "fewer than none", "more than any model's context holds", 100},
    {0, kMostTokens, "fewer than none", "more than any model's context holds", 10'000},
    {1, kMostLayers, "fewer than any model has", "more than any model has", 0},
};

} // namespace

Message whyImpossible(CountKind kind, std::int64_t count, Nanoseconds duration)
{
    const Bounds& bounds = kBounds[static_cast<std::size_t>(kind)];
    if (count < bounds.least)
        return bounds.too_few;
    if (bounds.shortest > 0 && count > std::max<Nanoseconds>(0, duration) / bounds.shortest + 1)
        return {"more than can be computed in %1", formatDuration(duration)};
    return count > bounds.most ? bounds.too_many : "";
}

} // namespace ep
