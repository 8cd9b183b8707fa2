// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gguf/gguf_file.h"

#include "ep/json/value.h"

#include <string>

namespace ep::model {

// Adds config.json's keys about positions to `config`, from the keys below "<prefix>rope." and the
// tensors with factors; headDim is the size of a head. Throws json::ReadError, also for unknown
// keys.
void addGgufPositions(const GgufFile& file, const json::Value& keys, const std::string& prefix,
                      int headDim, nlohmann::json& config);

} // namespace ep::model
