// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"

#include <cstdint>

namespace ep {

// The two blocks of a layer, including their inner norms and the cache; norms between the blocks
// and residual additions belong to neither.
enum class LayerBlock : std::uint8_t { Attention, Mlp, Neither };

// The kind of work that a component does, which decides what it reads from memory.
enum class ComponentRole : std::uint8_t {
    Weights, // multiplies by weights
    Experts, // multiplies by the weights of the experts that the router chose
    Norm,
    Cache, // copies keys and values; grows with the context
    Attention, // reads keys and values; grows with the context
    State, // reads a state, whose size does not depend on the context
    Elementwise,
};

// Components of other people's models (own_part.h) belong to the block that their name begins
// with, and are taken to have weights.
LayerBlock blockOf(Component component);
ComponentRole roleOf(Component component);

} // namespace ep
