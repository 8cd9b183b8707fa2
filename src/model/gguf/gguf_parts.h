// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gguf/gguf_keys.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace ep::model {

struct Family;

// Adds what config.json says about the parts that only some architectures have: multipliers,
// windows, experts, mixers with a state, latent attention, and what only Gemma 4 has. attends:
// whether each layer attends; empty if all do, or if other keys say so. Throws json::ReadError.
void addGgufParts(const GgufKeys& keys, const Family& family, int layers,
                  const std::vector<bool>& attends, nlohmann::json& config);

} // namespace ep::model
