// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gguf/gguf_keys.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace ep::model {

struct Family;

// Adds what config.json says about the parts that only some architectures have: multipliers,
// windows, experts, mixers with a state, latent attention, and what is Gemma 4's own.
// attends: of each layer, empty if all do or other keys say it. Throws json::ReadError.
void addGgufParts(const GgufKeys& keys, const Family& family, int layers,
                  const std::vector<bool>& attends, nlohmann::json& config);

} // namespace ep::model
