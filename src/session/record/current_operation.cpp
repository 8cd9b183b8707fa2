// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/current_operation.h"

namespace ep::session {

namespace {

// From the lowest bit: component 8 bits, section 8, phase 8, layer 16, token 24.
constexpr std::uint64_t kNoComponent = 0xFF;
constexpr std::uint64_t kLayerMask = 0xFFFF;
constexpr std::uint64_t kTokenMask = 0xFFFFFF;

std::uint64_t packIndex(std::int32_t index, std::uint64_t mask)
{
    const auto word = static_cast<std::uint64_t>(index);
    return index < 0 || word >= mask ? mask : word;
}

std::int32_t unpackIndex(std::uint64_t word, std::uint64_t mask, std::int32_t none)
{
    return (word & mask) == mask ? none : static_cast<std::int32_t>(word & mask);
}

} // namespace

std::uint64_t pack(const CurrentOperation& operation)
{
    const std::uint64_t component =
        operation.has_component ? static_cast<std::uint64_t>(operation.component) : kNoComponent;
    return component | static_cast<std::uint64_t>(operation.section) << 8
        | static_cast<std::uint64_t>(operation.phase) << 16
        | packIndex(operation.layer, kLayerMask) << 24
        | packIndex(operation.token, kTokenMask) << 40;
}

CurrentOperation unpack(std::uint64_t word)
{
    CurrentOperation operation;
    operation.has_component = (word & 0xFF) != kNoComponent;
    if (operation.has_component)
        operation.component = static_cast<Component>(word & 0xFF);
    operation.section = static_cast<Section>(word >> 8 & 0xFF);
    operation.phase = static_cast<Phase>(word >> 16 & 0xFF);
    operation.layer = unpackIndex(word >> 24, kLayerMask, kNoLayer);
    operation.token = unpackIndex(word >> 40, kTokenMask, kNoToken);
    return operation;
}

} // namespace ep::session
