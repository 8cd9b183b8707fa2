// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoder.h"

#include "ep/core/cancel.h"
#include "ep/text/tokenizer.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ep::model {

// Proposes tokens that a model may choose next (speculative decoding: Leviathan, Kalman & Matias
// 2023; by looking up n-grams: Saxena 2023).
class Drafter {
public:
    virtual ~Drafter() = default;
    // Called once before the first proposal. Returns false if cancelled.
    virtual bool begin(std::span<const text::TokenId> prompt) = 0;
    // Appends at most `most` proposed tokens to out; ids: the prompt and the answer so far.
    // Returns false if cancelled.
    virtual bool propose(std::span<const text::TokenId> ids, std::int64_t most,
                         std::vector<text::TokenId>& out) = 0;
    virtual std::int64_t cacheBytes() const { return 0; }
};

// Proposes the tokens that followed when the last words occurred earlier: looks up the last four to
// two tokens, the longest sequence that occurs earlier, at its last occurrence.
std::unique_ptr<Drafter> makeNgramDrafter();
// Proposes the most likely tokens according to another model. All arguments must outlive the
// drafter. vocabulary: the main model's; other tokens are never proposed.
std::unique_ptr<Drafter> makeModelDrafter(const Decoder& decoder, Ops& ops, std::int64_t vocabulary,
                                          CancelToken cancel);

} // namespace ep::model
