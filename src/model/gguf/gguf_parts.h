// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gguf/gguf_keys.h"

#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace ep::model {

// Adds config.json's keys for parts of some architectures: multipliers, windows, experts, mixers
// with a state, latent attention, and Gemma 4's special parts. type: its model_type; attends: by
// layer, empty if all do or other keys say it. Throws json::ReadError.
void addGgufParts(const GgufKeys& keys, std::string_view type, int layers,
                  const std::vector<bool>& attends, nlohmann::json& config);

} // namespace ep::model
