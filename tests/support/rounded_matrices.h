// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "block_quantization.h"
#include "tensor_list.h"

#include "ep/model/dtype.h"

#include <map>
#include <string>

namespace ep::test {

// All matrices of layers whose rows fit, in one type, for WeightLoader::roundMatrices().
inline std::map<std::string, model::DType> allRounded(const model::Checkpoint& checkpoint,
                                                      const model::ModelConfig& config,
                                                      model::DType dtype)
{
    std::map<std::string, model::DType> types;
    for (const model::ListedTensor& tensor : model::listTensors(checkpoint, config).tensors) {
        if (tensor.matrix && tensor.own != "token_embd.weight"
            && model::fitsBlocks(dtype, tensor.columns))
            types.emplace(tensor.name, dtype);
    }
    return types;
}

} // namespace ep::test
