// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"
#include "ep/model/config.h"

#include <filesystem>
#include <string>

namespace ep::model {

// What "quantization_config" of a config.json (or one of the files that took its place in older
// folders) says of the way in which the weights are packed. `unsupported` receives the name of a
// method, or of a variant, that the program does not read. Throws json::ReadError.
PackedSettings readPacked(const json::Value& config, const std::filesystem::path& folder,
                          std::string& unsupported);

} // namespace ep::model
