// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gguf/gguf_file.h"

#include "ep/core/result.h"

#include <nlohmann/json.hpp>

namespace ep::model {

// Builds the config.json of the same model from the metadata and the names and shapes of the
// tensors: sizes, constants, positions. Unsupported if the architecture is unknown.
Result<nlohmann::json> ggufConfig(const GgufFile& file);

} // namespace ep::model
