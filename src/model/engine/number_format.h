// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "torch_compat.h"

#include "ep/model/dtype.h"
#include "ep/model/model_files.h"

#include <map>
#include <string>
#include <vector>

// Decides the type in which a model is computed, from the requested one and the model's files.
namespace ep::model {

struct NumberFormat {
    DType computed = DType::F32; // type of most matrices
    std::string name; // "q4_k_m", or the plan of types as text
    std::map<std::string, DType> rounded; // matrices that are rounded when loading, by name
    DType wide = DType::F32; // unrounded weights and, on accelerators, activations
    bool kept = false; // other matrices stay in the files, each with its own type
    // Plain weights that differ from most keep their types, such as a router in f32 in a bf16
    // model. False: the user asked for one plain type.
    bool own_types = false;
    std::vector<Message> notes; // facts for the user
    // One more if block-quantized weights are dequantized for each matmul.
    Message note_if_dequantized;
    // The quantization as text; empty if there is none. For blocks on accelerators it ends
    // with "; ", and the engine adds how they are multiplied.
    std::string quantization;
};

// text: a plan of types (dtype_plan.h), or the name of the stored format. Throws LoadError.
NumberFormat chooseNumberFormat(const std::string& text, const ModelFiles& files,
                                at::Device device);

} // namespace ep::model
