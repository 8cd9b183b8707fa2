// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/dtype.h"
#include "ep/model/dtype_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep::model {

// A tensor of a model, as far as formats depend on it.
struct ListedTensor {
    std::string name; // name by which the loader asks for the tensor
    std::string own; // llama.cpp's name, "blk.3.ffn_down.weight"
    std::int64_t rows = 0; // of all its matrices
    std::int64_t columns = 0;
    std::optional<DType> stored; // absent: a type that becomes f32
    std::int64_t bytes = 0; // as stored
    bool matrix = false; // whether the tensor may have a type of few bits

    bool operator==(const ListedTensor&) const = default;
};

// The tensors that a model computes with, and other properties that makers of formats consider.
struct TensorList {
    std::vector<ListedTensor>
        tensors; // by layer, tensors outside of layers first, then by llama.cpp's name
    int layers = 0; // includes layers that predict further tokens
    int values_beyond = 0; // value projections in layers that predict further tokens
    int experts = 0;
    int queries_per_key = 0; // query heads for each key head of the first layer; 0: no heads
    bool seventy_b = false; // whether llama.cpp counts the model among those of 70 B

    bool operator==(const TensorList&) const = default;
};

// The types of the tensors in a format, in their order; absent: as stored.
using TensorTypes = std::vector<std::optional<DType>>;
TensorTypes typesIn(const TensorList& list, const DTypePlan& plan);
// Fails if a rule of the plan fits no matrix; the error names it and what the model has.
Status checkRules(const TensorList& list, const DTypePlan& plan);

// The type in which the processor computes a tensor; absent: as stored. Vectors are f32.
DType computedType(const ListedTensor& tensor, std::optional<DType> type);

// The size of the tensor in memory in that type.
std::int64_t bytesIn(const ListedTensor& tensor, std::optional<DType> type);
std::int64_t bytesIn(const TensorList& list, const TensorTypes& types);

} // namespace ep::model
