// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoder.h"
#include "sampler.h"

#include "ep/model/engine.h"

#include <memory>
#include <vector>

namespace ep::model {

// One sequence being continued. Refers to the decoder and operations of its engine, which must
// outlive it.
class TorchGeneration final : public Generation {
public:
    TorchGeneration(const Decoder& decoder, Ops& ops, const GenerationRequest& request,
                    Observer* observer, CancelToken cancel);

    void start(); // sections tensor_transfer and kv_cache_init

    Result<StepResult> prefill() override;
    Result<StepResult> decode() override;
    Status finish() override;

private:
    Result<StepResult> step(std::span<const TokenId> ids);
    Status checkLogits(std::span<const float> logits) const;
    bool finishedBy(TokenId token) const;

    const Decoder& m_decoder;
    Ops& m_ops;
    GenerationRequest m_request;
    Observer* m_observer;
    CancelToken m_cancel;
    Sampler m_sampler;
    Workspace m_workspace;
    std::unique_ptr<KvCache> m_cache;
    std::vector<TokenId> m_ids; // prompt, then what was generated
    int m_generated = 0;
    bool m_finished = false;
};

} // namespace ep::model
