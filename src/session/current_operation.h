// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"

#include <atomic>
#include <cstdint>

namespace ep::session {

// A CurrentOperation in one word, so that the inference thread publishes it with a single store.
// From the low end: component 8 bits, section 8, phase 8, layer 16, token 24. Tokens above 2^24 - 2
// and layers above 2^16 - 2 read as "none"; both are beyond any model.
namespace packed {
inline constexpr std::uint64_t kNoComponent = 0xFF;
inline constexpr std::uint64_t kLayerMask = 0xFFFF;
inline constexpr std::uint64_t kTokenMask = 0xFFFFFF;

inline std::uint64_t index(std::int32_t value, std::uint64_t mask)
{
    const auto word = static_cast<std::uint64_t>(value);
    return value < 0 || word >= mask ? mask : word;
}
} // namespace packed

inline std::uint64_t pack(const CurrentOperation& operation)
{
    const std::uint64_t component = operation.has_component
        ? static_cast<std::uint64_t>(operation.component)
        : packed::kNoComponent;
    return component | static_cast<std::uint64_t>(operation.section) << 8
        | static_cast<std::uint64_t>(operation.phase) << 16
        | packed::index(operation.layer, packed::kLayerMask) << 24
        | packed::index(operation.token, packed::kTokenMask) << 40;
}

CurrentOperation unpack(std::uint64_t word);

using PublishedOperation = std::atomic<std::uint64_t>;

} // namespace ep::session
