// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/component_kinds.h"

#include <cstddef>
#include <optional>
#include <string_view>

// Parts of other people's models that our vocabulary does not name. They keep their own names: a
// component is "layer.conv", "attention.conv" or "mlp.conv", depending on its place in the layer,
// and a section is "model.pooler". Any thread.
//
// Component and Section have spare values for them. A process numbers names in the order in which
// it meets them, so files contain names, never these numbers. Names beyond the spare values, a few
// dozen, share the last one: "layer.other", "model.other".
namespace ep {

inline constexpr std::size_t kComponentSlots = 128; // including the words of our vocabulary
inline constexpr std::size_t kSectionSlots = 32;

constexpr bool isOwn(Component component)
{
    return static_cast<std::size_t>(component) >= kComponentCount;
}
constexpr bool isOwn(Section section)
{
    return static_cast<std::size_t>(section) >= kSectionCount;
}

// path: the module's path within its block or model, such as "conv.norm". Characters other than
// letters, digits, '_', '-' and '.' become '_'; an empty path becomes "other".
Component ownComponent(LayerBlock block, std::string_view path);
Section ownSection(std::string_view path);

// Parses a name such as "mlp.conv"; absent for any other text.
std::optional<Component> ownComponentFromName(std::string_view name);
std::optional<Section> ownSectionFromName(std::string_view name);
std::string_view ownName(Component component); // requires isOwn(component); valid forever
std::string_view ownName(Section section);
LayerBlock blockOfOwn(Component component);

} // namespace ep
