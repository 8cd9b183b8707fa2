// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace ep {

// Half-open range of token indices. Empty when last <= first.
struct TokenRange {
    std::int32_t first = 0;
    std::int32_t last = 0;

    constexpr bool operator==(const TokenRange&) const = default;
    constexpr bool empty() const { return last <= first; }
    constexpr std::int32_t size() const { return empty() ? 0 : last - first; }
    constexpr bool contains(std::int32_t token) const { return first <= token && token < last; }
};

} // namespace ep
