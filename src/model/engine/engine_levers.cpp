// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine can do to save work in a generation, or why it cannot.
#include "torch_engine.h"

#include "ep/model/dtype.h"
#include "ep/model/sequences.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ep::model {
namespace {

bool keepsStates(const ModelConfig& config)
{
    const std::vector<LayerCacheShape> layers = cacheShape(config);
    return std::ranges::any_of(layers, [](const LayerCacheShape& layer) {
        return layer.inputValues() > 0 || layer.stateValues() > 0;
    });
}

} // namespace

Status TorchEngine::checkLevers(const GenerationRequest& request) const
{
    const bool drafts = request.draft_tokens > 0;
    const bool kept = request.prompt_cache != PromptCacheUse::Off;
    const auto* const proposer = dynamic_cast<const TorchEngine*>(request.draft_model);
    for (const std::string& why :
         {whyNotCached(request.cache), drafts ? whyNoDrafts() : std::string(),
          drafts && proposer ? proposer->whyNoDrafts() : std::string(),
          kept ? whyNoPromptCache() : std::string()}) {
        if (!why.empty())
            return Error{ErrorCode::Unsupported, why};
    }
    return checkSequences(request.prompts.size(), drafts || kept);
}

std::string TorchEngine::whyNoDrafts() const
{
    return keepsStates(m_decoder.config) ? "The layers of " + m_facts.name
            + " have states that cannot go back behind rejected tokens: leave out the draft."
                                         : std::string();
}

std::string TorchEngine::whyNoPromptCache() const
{
    return keepsStates(m_decoder.config) ? "The layers of " + m_facts.name
            + " have states that exist only at the end of a prompt: leave out the prompt cache."
                                         : std::string();
}

std::string TorchEngine::whyNotCached(CacheKind kind) const
{
    if (kind != CacheKind::Q8)
        return {};
    if (!m_device.is_cpu())
        return "Keys and values in q8_0 are computed on the processor only: choose the device cpu.";
    const std::int64_t block = rowOf(DType::Q8_0).block;
    bool any = false;
    for (const LayerCacheShape& layer : cacheShape(m_decoder.config)) {
        any = any || layer.keysAndValues() > 0;
        for (const std::int64_t dimension : {layer.head_dim, layer.v_head_dim}) {
            if (dimension % block != 0) {
                return "A head of " + m_facts.name + " has " + std::to_string(dimension)
                    + " numbers, which q8_0 cannot divide into blocks of 32: use another cache.";
            }
        }
    }
    return any ? std::string()
               : "The layers of " + m_facts.name
            + " keep no keys and values, so there is nothing to put into q8_0: use another cache.";
}

std::unique_ptr<Drafter> TorchEngine::makeDrafter(const GenerationRequest& request,
                                                  const CancelToken& cancel) const
{
    if (request.draft_tokens <= 0)
        return nullptr;
    const auto* const proposer = dynamic_cast<const TorchEngine*>(request.draft_model);
    return proposer ? makeModelDrafter(proposer->m_decoder, *proposer->m_ops,
                                       m_decoder.config.vocab_size, cancel)
                    : makeNgramDrafter();
}

} // namespace ep::model
