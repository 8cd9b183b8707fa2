// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "torch_compat.h"

#include "ep/model/dtype.h"
#include "ep/model/dtype_plan.h"

#include <string>

// In which type a model is computed, from what was asked for and what its files hold.
namespace ep::model {

struct NumberFormat {
    DType computed = DType::F32; // the projections
    DTypePlan plan; // those with another type
    DType wide = DType::F32; // weights that are not rounded and, on accelerators, the activations
    bool rounded = false; // the projections are rounded to it on loading
    bool kept = false; // matrices stay in the files, each in its own type
    std::string note; // what a person should know; may be empty
    std::string
        note_if_dequantized; // likewise, where weights in blocks are dequantized for each product
    // In words; empty: none. Of blocks on accelerators it ends with "; " and lacks how they are
    // multiplied.
    std::string quantization;
};

// word: a plan of types (dtype_plan.h), or one that nobody may ask for. Throws LoadError.
NumberFormat chooseNumberFormat(const std::string& word, const Checkpoint& checkpoint,
                                at::Device device);

} // namespace ep::model
