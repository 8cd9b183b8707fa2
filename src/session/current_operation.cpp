// SPDX-License-Identifier: GPL-3.0-or-later
#include "current_operation.h"

namespace ep::session {

namespace {

std::int32_t unpackIndex(std::uint64_t word, std::uint64_t mask, std::int32_t none)
{
    return (word & mask) == mask ? none : static_cast<std::int32_t>(word & mask);
}

} // namespace

CurrentOperation unpack(std::uint64_t word)
{
    CurrentOperation operation;
    operation.has_component = (word & 0xFF) != packed::kNoComponent;
    if (operation.has_component)
        operation.component = static_cast<Component>(word & 0xFF);
    operation.section = static_cast<Section>(word >> 8 & 0xFF);
    operation.phase = static_cast<Phase>(word >> 16 & 0xFF);
    operation.layer = unpackIndex(word >> 24, packed::kLayerMask, kNoLayer);
    operation.token = unpackIndex(word >> 40, packed::kTokenMask, kNoToken);
    return operation;
}

} // namespace ep::session
