// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gguf/gguf_file.h"

#include "ep/core/result.h"

#include <nlohmann/json.hpp>

namespace ep::model {

// What config.json of the same model says, from the metadata and the names and shapes of the
// tensors: sizes, constants, positions. Unsupported for an architecture that is not known.
Result<nlohmann::json> ggufConfig(const GgufFile& file);

} // namespace ep::model
