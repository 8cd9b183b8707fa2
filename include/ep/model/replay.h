// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/time_range.h"
#include "ep/text/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Repeats parts of a token's work that were recorded in a real generation: the same operations on
// the same inputs and weights, of all layers in turn.
namespace ep::model {

// All operations of one kind of component, or of one section, in a token.
struct ReplayPart {
    std::string name; // of the Component or Section
    std::int64_t calls = 0; // operations
    std::int64_t bytes = 0; // of the weights, keys and values that they read
};

struct ReplayRequest {
    std::vector<text::TokenId> prompt{}; // at least one id
    int tokens = 4; // decoded after it, and recorded
};

// A part that whole tokens execute more often than they need to.
struct ExtraPasses {
    std::size_t part = 0;
    int times = 1; // after each of its components
};

struct ReplayTimes {
    TimeRange time;
    std::int64_t repetitions = 0; // complete ones, of which the time consists
};

// Belongs to the thread of its engine, which must outlive it.
class Replay {
public:
    virtual ~Replay() = default;
    virtual const std::vector<ReplayPart>& parts() const = 0;
    virtual std::int64_t cacheBytes() const = 0; // last cache of the processor; 0: none, or unknown
    // Repeats each part's operations `passes` times, in a token's order, for at least `duration`.
    virtual Result<ReplayTimes> repeatParts(std::span<const int> passes, Nanoseconds duration,
                                            const CancelToken& cancel) = 0;
    // For at least `duration`, whole tokens, at the positions at which they were recorded. Extra
    // passes have the inputs and weights of other layers, as far from each other as possible.
    virtual Result<ReplayTimes> repeatTokens(std::optional<ExtraPasses> extra, Nanoseconds duration,
                                             const CancelToken& cancel) = 0;
};

} // namespace ep::model
