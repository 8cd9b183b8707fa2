// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config_defaults.h"
#include "families/family_shape.h"

#include "ep/model/config.h"

#include <string>
#include <string_view>
#include <vector>

namespace ep::json {
class Value;
}

namespace ep::model {

struct GgufKeys;

// How llama.cpp writes a family into GGUF files. Keys that several families share are read by
// gguf_config.cpp and its neighbours.
struct GgufForm {
    std::vector<std::string_view>
        architectures{}; // general.architecture; empty: there are no files
    // Whether a file belongs to this family, since several families may share an architecture.
    // Null: all files do that no other family claims.
    bool (*matches)(const GgufKeys& keys) = nullptr;
    // Whether queries and keys rotate adjacent pairs of a head, where HuggingFace's files rotate
    // the two halves of a head.
    bool turned_heads = false;
    bool window_by_key = false; // a file without the key of a window has none
    // The weights of chosen experts add up to 1 only where a key says so. That is how llama.cpp
    // computes, whatever HuggingFace assumes for the family.
    bool experts_sum_by_key = false;
    // Number of layers of the model that scales its scores by hidden size / heads instead of the
    // head's size, which its file does not state. 0: there is no such model.
    int layers_scaled_by_width = 0;
};

namespace families { // for GgufForm::matches
bool hasExperts(const GgufKeys& keys);
bool hasWindow(const GgufKeys& keys);
bool choosesBySigmoids(const GgufKeys& keys);
} // namespace families

// All that the program knows about a family of models: one file in this folder and one row in
// families.def.
struct Family {
    // Values that HuggingFace assumes for keys missing from a config.json of this model_type.
    ConfigDefaults defaults{};
    // How its layers are assembled, for a config that has been read.
    FamilyShape (*shape)(const ModelConfig& config) = nullptr;
    // Reads keys that no other family has, after all others; may be null.
    void (*readKeys)(const json::Value& json, ModelConfig& config) = nullptr;
    GgufForm gguf{};
};

struct FamilyRow {
    std::string_view architecture; // in config.json
    Family family;
};

// The shape of config.architecture; Llama's for an architecture that is not supported.
FamilyShape familyShape(const ModelConfig& config);

// The family for this model_type, or one with general defaults if it is unknown.
const Family& familyOfType(std::string_view modelType);

// The row that a GGUF file with these keys belongs to; null: its architecture is not supported.
const FamilyRow* familyOfGguf(const GgufKeys& keys);

// Values of general.architecture in GGUF files that are supported, "llama, mistral3".
std::string supportedInGguf();

// Values of "architectures" in config.json that are supported.
const std::vector<std::string_view>& supportedArchitectures();

} // namespace ep::model
