// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/rms_family.h"

namespace ep::model {

// Llama with a sliding window, which the attention reads from the config.
Decoder makeMistral(const ModelConfig& config, WeightLoader& weights)
{
    return makeRmsDecoder(config, weights, {});
}

} // namespace ep::model
