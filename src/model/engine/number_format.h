// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "torch_compat.h"

#include "ep/model/dtype.h"
#include "ep/model/dtype_plan.h"

#include <string>

// Decides the type in which a model is computed, from the requested one and the model's files.
namespace ep::model {

struct NumberFormat {
    DType computed = DType::F32; // type of the projections
    DTypePlan plan; // projections with other types
    DType wide = DType::F32; // unrounded weights and, on accelerators, activations
    bool rounded = false; // projections are rounded to `computed` when loading
    bool kept = false; // matrices stay in the files, each with its own type
    // Plain weights that differ from most keep their types, such as a router in f32 in a bf16
    // model. False: the user asked for one plain type.
    bool own_types = false;
    std::string note; // what users should know; may be empty
    std::string
        note_if_dequantized; // the same if block-quantized weights are dequantized for each matmul
    // The quantization as text; empty if there is none. For blocks on accelerators it ends
    // with "; ", and the engine adds how they are multiplied.
    std::string quantization;
};

// word: a plan of types (dtype_plan.h), or a type that users may not choose. Throws LoadError.
NumberFormat chooseNumberFormat(const std::string& word, const Checkpoint& checkpoint,
                                at::Device device);

} // namespace ep::model
