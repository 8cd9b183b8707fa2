// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gguf/gguf_file.h"

#include "ep/json/value.h"

#include <string>

namespace ep::model {

// Adds what config.json says about positions to `config`, from the keys below "<prefix>rope." and
// the tensors of factors; headDim is the length of a head.
// Throws json::ReadError, also for a key that is not understood.
void addGgufPositions(const GgufFile& file, const json::Value& keys, const std::string& prefix,
                      int headDim, nlohmann::json& config);

} // namespace ep::model
