// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text_budget.h"

#include "ep/json/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text {

// SentencePiece's compiled normalisation rules: a double-array trie whose values are offsets into
// a block of NUL-terminated replacements.
class Charsmap {
public:
    explicit Charsmap(const json::Value& base64); // null or empty: changes nothing

    // Absent if the text would be longer than the budget allows.
    std::optional<std::string> apply(std::string_view text, const TextBudget& budget) const;

private:
    std::optional<std::string_view> replacementOf(std::string_view chunk) const;

    std::vector<std::uint32_t> m_trie;
    std::string m_replacements;
};

} // namespace ep::text
