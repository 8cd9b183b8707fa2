// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"

#include <cstdint>

namespace ep {

// The two blocks of a layer with their inner norms and the cache; the norms between the blocks and
// the residual additions belong to neither.
enum class LayerBlock : std::uint8_t { Attention, Mlp, Neither };

LayerBlock blockOf(Component component);

} // namespace ep
