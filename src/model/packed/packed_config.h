// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"
#include "ep/model/config.h"

#include <filesystem>
#include <string>

namespace ep::model {

// Reads "quantization_config" of a config.json (or a file that replaced it in older folders),
// which says how the weights are packed. `unsupported` receives the name of a method or variant
// that the program does not support. Throws json::ReadError.
PackedSettings readPacked(const json::Value& config, const std::filesystem::path& folder,
                          std::string& unsupported);

} // namespace ep::model
