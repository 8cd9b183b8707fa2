// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlx/mlx_witness.h"

#include "ep/model/config.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace ep::model {
namespace {

void splitGates(const Checkpoint& checkpoint, ModelConfig& config)
{
    config.split_gate_up = checkpoint.find("model.layers.0.mlp.gate_proj.weight") != nullptr;
}

// mlx-lm multiplies embedding, head, projections of queries and keys, and the weights of all
// branches' other projections by their factors. It omits the factor of the values and loses that of
// the keys, which are applied here as in HuggingFace.
void dropFactorsInWeights(const Checkpoint& checkpoint, ModelConfig& config)
{
    const auto* const taps = checkpoint.find(kFirstFalconTaps);
    if (!taps || !isTurned(taps->tensor)) // such folders also have transposed convolutions
        return;
    config.state.factors = {};
    const double ofValues = config.branches.attention_in;
    config.branches = {.attention_out = ofValues};
    config.logit_factor =
        config.tie_word_embeddings ? config.logit_factor / config.embedding_factor : 1.0;
    config.embedding_factor = 1.0;
}

struct Witness {
    std::string_view architecture;
    void (*follow)(const Checkpoint& checkpoint, ModelConfig& config);
};
constexpr std::array<Witness, 2> kWitnesses{
    {{"GraniteMoeHybridForCausalLM", splitGates}, {"FalconH1ForCausalLM", dropFactorsInWeights}}};

} // namespace

bool isTurned(const StoredTensor& convolution)
{
    const auto& shape = convolution.shape;
    return shape.size() == 3 && shape[2] == 1 && shape[1] > 1;
}

void followMlxTensors(const std::filesystem::path& folder, ModelConfig& config)
{
    const auto* const row =
        std::find_if(kWitnesses.begin(), kWitnesses.end(), [&](const Witness& witness) {
            return witness.architecture == config.architecture;
        });
    if (row == kWitnesses.end())
        return;
    if (const auto checkpoint = Checkpoint::open(folder))
        row->follow(*checkpoint, config);
}

} // namespace ep::model
