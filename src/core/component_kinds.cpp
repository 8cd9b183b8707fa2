// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/component_kinds.h"

#include "ep/core/own_part.h"

#include <array>
#include <cstddef>

namespace ep {

namespace {

struct Kinds {
    LayerBlock block;
    ComponentRole role;
};
constexpr std::array<Kinds, kComponentCount> kKinds{{
#define EP_COMPONENT(enumerator, word, title, shortTitle, block, role)                             \
    {LayerBlock::block, ComponentRole::role},
#include "ep/core/components.def"
#undef EP_COMPONENT
}};

} // namespace

LayerBlock blockOf(Component component)
{
    return isOwn(component) ? blockOfOwn(component)
                            : kKinds[static_cast<std::size_t>(component)].block;
}

ComponentRole roleOf(Component component)
{
    return isOwn(component) ? ComponentRole::Weights
                            : kKinds[static_cast<std::size_t>(component)].role;
}

} // namespace ep
