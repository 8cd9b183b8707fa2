// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"

#include <cstdint>

namespace ep {

// The two blocks of a layer, including their inner norms and the cache; norms between the blocks
// and residual additions belong to neither.
enum class LayerBlock : std::uint8_t { Attention, Mlp, Neither };

LayerBlock blockOf(Component component);

} // namespace ep
