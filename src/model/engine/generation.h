// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoder.h"
#include "drafter.h"
#include "prompt_cache.h"
#include "sampler.h"
#include "weight_files.h"

#include "ep/model/engine.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ep::model {

// A generation in progress. Refers to its engine's decoder, operations, files and cached prompts,
// so the engine must outlive it.
class TorchGeneration final : public Generation {
public:
    // drafter: null if there is none.
    TorchGeneration(const Decoder& decoder, Ops& ops, const WeightFiles& files, PromptCache& kept,
                    std::unique_ptr<Drafter> drafter, const GenerationRequest& request,
                    Observer* observer, CancelToken cancel);

    void start(); // runs the sections tensor_transfer and kv_cache_init

    Result<StepResult> prefill() override;
    Result<StepResult> decode() override;
    void stop(int sequence) override;
    Status finish() override;
    std::int64_t peakCacheBytes() const override { return m_peakCacheBytes; }
    std::int64_t cachedTokens() const override { return m_cachedTokens; }

private:
    struct Sequence {
        std::vector<text::TokenId> ids; // the prompt, followed by generated tokens
        int generated = 0;
        FinishReason finish = FinishReason::None;
        Sampler sampler;
        std::unique_ptr<KvCache> cache; // null after the sequence has left the batch
    };

    Result<StepResult> step();
    void takeKeptPrompt();
    bool draft(); // false: cancelled
    std::int64_t contextLength() const; // the model's limit, or a lower one that the request states
    std::int64_t mostDrafts(const Sequence& sequence) const;
    void collectRows(); // rows of the active sequences
    void keepRows(); // call after the pass: advances the caches
    void keepPrompt();
    Status sample(StepResult& result);
    Status choose(std::int64_t row, Sequence& sequence, int index);
    FinishReason finishAfter(const Sequence& sequence, text::TokenId token) const;
    bool finished() const;
    Status checkLogits(std::span<const float> logits, int generated) const;

    const Decoder& m_decoder;
    Ops& m_ops;
    const WeightFiles& m_files;
    PromptCache& m_kept;
    std::unique_ptr<Drafter> m_drafter; // null: none
    GenerationRequest m_request;
    Observer* m_observer;
    CancelToken m_cancel;
    Workspace m_workspace;
    std::vector<Sequence> m_sequences;
    bool m_started = false; // whether the prefill is done
    std::int64_t m_peakCacheBytes = 0;
    std::int64_t m_cachedTokens = 0;

    // State of the current pass.
    std::vector<text::TokenId> m_ids;
    std::vector<SequenceRows> m_rows;
    std::vector<int> m_active; // sequence index of each of m_rows
    std::vector<text::TokenId> m_proposed; // for this step, of a single sequence
    std::vector<SequenceStep> m_tokens; // tokens produced
    std::vector<ActivationStats> m_deferred;
};

} // namespace ep::model
