// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoder.h"
#include "device_events.h"
#include "drafter.h"
#include "number_format.h"
#include "prompt_cache.h"
#include "thread_pool.h"
#include "weight_files.h"
#include "weight_loader.h"

#include "ep/model/engine.h"

#include <memory>
#include <optional>
#include <string>

namespace ep::model {

// A loaded model: its weights, the operations of its device, and its facts.
class TorchEngine final : public Engine {
public:
    // Throws LoadError.
    TorchEngine(const LoadRequest& request, const ProgressFn& progress, const CancelToken& cancel);

    const ModelFacts& facts() const override { return m_facts; }
    const std::vector<text::TokenId>& eosTokenIds() const override;
    std::string device() const override;
    std::string dtype() const override;
    std::string attentionImplementation(bool decomposed) const override;
    std::string computation() const override { return m_computation; }
    std::string kernelsUsed() const override { return m_kernels; }
    std::unique_ptr<SpanTimer> makeSpanTimer() override;
    Message clockNote() const override { return m_timer ? Message(m_timer->note) : Message(); }
    void synchronize() override;
    std::vector<Message> notes() const override { return m_notes; }
    Result<std::unique_ptr<Generation>> begin(const GenerationRequest& request, Observer* observer,
                                              CancelToken cancel) override;
    Status weightsUnchanged() const override { return m_files.unchanged(); }
    Result<ForwardResult> forward(std::span<const text::TokenId> ids,
                                  const CancelToken& cancel) override
    {
        return forwardWith(CacheKind::Growing, ids, cancel);
    }
    Result<ForwardResult> forwardWith(CacheKind cache, std::span<const text::TokenId> ids,
                                      const CancelToken& cancel) override;
    Message whyNoDrafts() const override;
    Message whyNoPromptCache() const override;
    Message whyNotCached(CacheKind kind) const override;
    Result<std::unique_ptr<Replay>> record(const ReplayRequest& request,
                                           const CancelToken& cancel) override;

private:
    void useDevice(const NumberFormat& format, const WeightLoader& weights);
    Status checkIds(std::span<const text::TokenId> ids, const Message& what,
                    bool pastContext) const;
    Status checkRequest(const GenerationRequest& request) const;
    Status checkLevers(const GenerationRequest& request) const;
    std::unique_ptr<Drafter> makeDrafter(const GenerationRequest& request,
                                         const CancelToken& cancel) const;

    at::Device m_device = at::kCPU;
    DType m_dtype = DType::F32;
    std::string m_dtypeInWords; // the name of the format, or a plan
    WeightFiles m_files;
    Decoder m_decoder;
    std::unique_ptr<Ops> m_ops;
    PromptCache m_kept;
    ModelFacts m_facts;
    std::vector<Message> m_notes;
    std::string m_computation;
    std::string m_kernels;
    std::string m_multiplied; // on accelerators: how weights in blocks are multiplied, in words
    std::optional<ChosenTimer> m_timer; // unknown before the first use
};

} // namespace ep::model
