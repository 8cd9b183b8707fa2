// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "weight_loader.h"

#include <string>
#include <vector>

// Tensors of a checkpoint that were not loaded.
namespace ep::model {

// Throws LoadError if the family does not read a tensor of a layer in a GGUF file: the program that
// wrote the file does use it, and without it the numbers would differ.
void refuseUnread(const Checkpoint& checkpoint, const ModelConfig& config,
                  const WeightLoader& weights);
// Adds a sentence for each part that text does not need, "The vision part, 0.4 B parameters, is not
// loaded.", and one for unknown tensors.
void noteUnread(const Checkpoint& checkpoint, const ModelConfig& config,
                const WeightLoader& weights, std::vector<std::string>& notes);

} // namespace ep::model
