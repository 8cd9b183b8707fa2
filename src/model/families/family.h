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

// Everything that the program knows about a family of models: a file in this folder and a row in
// families.def.
struct Family {
    // Values that HuggingFace assumes for keys missing from a config.json of this model_type.
    ConfigDefaults defaults{};
    // How its layers are assembled, for a config that has been read.
    FamilyShape (*shape)(const ModelConfig& config) = nullptr;
    // Reads keys that no other family has, after all others; may be null.
    void (*readKeys)(const json::Value& json, ModelConfig& config) = nullptr;
};

// The shape of config.architecture; Llama's for an architecture that is not supported.
FamilyShape familyShape(const ModelConfig& config);

// The family for this model_type, or one with general defaults if it is unknown.
const Family& familyOfType(std::string_view modelType);

// Supported values of "architectures" in config.json.
const std::vector<std::string_view>& supportedArchitectures();

} // namespace ep::model
