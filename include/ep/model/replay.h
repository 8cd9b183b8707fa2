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
// the same inputs and weights, taking the layers in turn.
namespace ep::model {

// All operations of one kind of component, or of one section, within a token.
struct ReplayPart {
    std::string name; // name of the Component or Section
    std::int64_t calls = 0; // number of operations
    std::int64_t bytes = 0; // bytes of weights, keys and values that the operations read
};

struct ReplayRequest {
    std::vector<text::TokenId> prompt{}; // at least one id
    int tokens = 4; // number of tokens decoded after the prompt and recorded
};

// A part that whole tokens execute more often than necessary.
struct ExtraPasses {
    std::size_t part = 0;
    int times = 1; // additional executions after each of its components
};

struct ReplayTimes {
    TimeRange time;
    std::int64_t repetitions = 0; // complete repetitions during that time
};

// Belongs to the thread of its engine, which must outlive it.
class Replay {
public:
    virtual ~Replay() = default;
    virtual const std::vector<ReplayPart>& parts() const = 0;
    virtual std::int64_t cacheBytes() const = 0; // of the last cache; 0: none, or unknown
    // Repeats each part's operations `passes` times, in a token's order, for at least `duration`.
    virtual Result<ReplayTimes> repeatParts(std::span<const int> passes, Nanoseconds duration,
                                            const CancelToken& cancel) = 0;
    // Repeats whole tokens, at the positions at which they were recorded, for at least `duration`.
    // Extra passes use the inputs and weights of other layers, as far apart as possible.
    virtual Result<ReplayTimes> repeatTokens(std::optional<ExtraPasses> extra, Nanoseconds duration,
                                             const CancelToken& cancel) = 0;
};

} // namespace ep::model
