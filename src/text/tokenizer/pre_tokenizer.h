// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pieces.h"

#include "ep/json/value.h"

#include <memory>

namespace ep::text {

// Splits pieces of text into the words that the model processes one at a time, and may rewrite
// them. Immutable; added tokens among the pieces are not changed.
class PreTokenizer {
public:
    virtual ~PreTokenizer() = default;
    virtual Status apply(Pieces& pieces) const = 0;
};

// Throws json::ReadError: InvalidInput or Unsupported, with the location.
std::unique_ptr<PreTokenizer> readPreTokenizer(const json::Value& json, int depth = 0);

} // namespace ep::text
