// SPDX-License-Identifier: GPL-3.0-or-later
// The input is a config.json, a NUL, and a generation_config.json. What is accepted must be within
// the limits that the rest of the program relies on.
#include "model_facts.h"
#include "scratch_folder.h"

#include "ep/core/utf8.h"
#include "ep/model/config.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

void requireSentence(const ep::Error& error)
{
    require(!error.message.empty() && ep::isValidUtf8(error.message.english()));
}

void checkAccepted(const ep::model::ModelConfig& config, const std::filesystem::path& folder)
{
    require(config.hidden_size > 0 && config.head_dim > 0 && config.vocab_size > 0);
    require(config.num_attention_heads > 0 && config.num_key_value_heads > 0);
    require(config.num_attention_heads % config.num_key_value_heads == 0);
    require(config.rotaryDim() >= 0 && config.rotaryDim() <= config.head_dim);
    for (int layer = 0; layer < config.num_hidden_layers; ++layer)
        require(config.windowOf(layer).value_or(1) > 0);
    const ep::ModelFacts facts = ep::model::factsOf(config, folder);
    require(facts.parameters > 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const ep::fuzz::ScratchFolder folder;
    const auto input = ep::fuzz::asText(data, size);
    const auto end = std::find(input.begin(), input.end(), '\0');
    folder.write("config.json", {input.begin(), end});
    folder.write("generation_config.json", {end == input.end() ? end : end + 1, input.end()});

    const auto config = ep::model::readModelConfig(folder.path());
    if (!config) {
        requireSentence(config.error());
        return 0;
    }
    if (const auto supported = ep::model::checkSupported(*config); !supported) {
        requireSentence(supported.error());
        return 0;
    }
    checkAccepted(*config, folder.path());
    return 0;
}
