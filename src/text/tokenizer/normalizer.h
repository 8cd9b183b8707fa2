// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pieces.h"

#include "ep/json/value.h"

#include <memory>
#include <optional>
#include <string>

namespace ep::text {

// Text being normalised. keepsFirst is true while its first character still derives from the first
// one of the original text, which determines the position of a prefix later.
struct NormalizedText {
    std::string text;
    bool keepsFirst = true;
    TextBudget* budget = nullptr; // never null while it is being normalised
};

// One normalizer of the document, or a sequence of them. Immutable.
class Normalizer {
public:
    virtual ~Normalizer() = default;
    virtual Status normalize(NormalizedText& value) const = 0;
    // Largest factor by which a text shrinks, apart from blanks; absent: the text may be dropped.
    virtual std::optional<int> mostShrinking() const { return std::nullopt; }
};

// Throws json::ReadError: InvalidInput or Unsupported, with the location.
std::unique_ptr<Normalizer> readNormalizer(const json::Value& json, int depth = 0);

} // namespace ep::text
