// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config_defaults.h"
#include "families/family_shape.h"

#include "ep/model/config.h"

#include <string_view>
#include <vector>

namespace ep::json {
class Value;
}

namespace ep::model {

// All that the program knows about a family of models: one file in this folder and one row in
// families.def.
struct Family {
    // What HuggingFace assumes for keys that a config.json of this model_type leaves out.
    ConfigDefaults defaults{};
    // How its layers are put together, for a config that has been read.
    FamilyShape (*shape)(const ModelConfig& config) = nullptr;
    // Reads the keys that no other family has, after all others; may be null.
    void (*readKeys)(const json::Value& json, ModelConfig& config) = nullptr;
};

// The shape of config.architecture; Llama's for an architecture that is not supported.
FamilyShape familyShape(const ModelConfig& config);

// The family whose model_type it is; one with general defaults where it is not known.
const Family& familyOfType(std::string_view modelType);

// Values of "architectures" in config.json that are supported.
const std::vector<std::string_view>& supportedArchitectures();

} // namespace ep::model
