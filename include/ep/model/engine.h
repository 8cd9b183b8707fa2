// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/units.h"
#include "ep/model/observer.h"
#include "ep/model/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The inference engine as the rest of the program sees it: no LibTorch type, so that only the
// engine library links LibTorch. It is opened at run time (engine_library.h), when a model is first
// needed. All objects here belong to one thread, the inference worker; only CancelToken crosses
// threads.
namespace ep::model {

struct LoadRequest {
    std::filesystem::path folder{};
    std::string device = "auto"; // auto, cpu, mps, cuda, cuda:N
    // auto (as stored where the device can), f32, bf16, f16, or int8: weights of projections in
    // 8 bits with a scale for each row, the others as stored
    std::string dtype = "auto";
    int threads = 0; // 0: all cores
};

// Memory for keys and values: as much as is needed, or all that a generation can need at its start.
enum class CacheKind : std::uint8_t { Growing, Static };

struct GenerationRequest {
    std::vector<std::vector<TokenId>> prompts{}; // one for each sequence, each at least one id
    int max_new_tokens = 1; // of each sequence
    SamplingSettings sampling{}; // sequence i draws with seed + i
    std::vector<TokenId> eos{}; // any of them ends a sequence; empty: none does
    CacheKind cache = CacheKind::Growing;
    // Computes attention, norms and activations as single operations, each under a tap of its own,
    // instead of by the fastest way. The text is the same.
    bool decomposed = false;
    // Goes on past the context where positions turn, as checks against references need it.
    bool past_context = false;
};

// Why a sequence got no further token.
enum class FinishReason : std::uint8_t { None, EndToken, MaxTokens, Context, Stopped };

// The marks of a device that computes behind the program's back: written when it comes to them, not
// when they are given to it. Belongs to the inference thread.
class SpanTimer {
public:
    virtual ~SpanTimer() = default;
    // Puts a mark behind the work given to the device so far, without waiting; its number since the
    // last read().
    virtual std::uint32_t mark() = 0;
    // Waits until the device has passed all marks since the last call, and gives their times on the
    // host's monotonic clock.
    virtual Status read(std::vector<Nanoseconds>& times) = 0;
};

// What one sequence got in a step.
struct SequenceStep {
    int sequence = 0; // index of its prompt
    TokenId token = 0;
    float probability = 0.0F; // of the chosen token, softmax of the raw logits
    FinishReason finish = FinishReason::None; // this token is its last one

    bool finished() const { return finish != FinishReason::None; }
};

struct StepResult {
    // Those that were still going, in order; valid until the generation's next call.
    std::span<const SequenceStep> sequences{};
    bool finished = false; // none goes on
};

// One generation, step by step; the caller decides when to go on. A step gives every sequence of
// the batch that is still going one token; the others are no longer computed. Prompts of different
// lengths need no padding: rows of all sequences share the matrix products, and attention runs for
// each sequence over its own positions. Sections are announced to the observer by the engine:
// tensor_transfer, kv_cache_init (begin), embedding ... kv_cache_append (steps), tensor_transfer,
// memory_cleanup (end). The observer must outlive the generation.
class Generation {
public:
    virtual ~Generation() = default;
    virtual Result<StepResult> prefill() = 0; // first; Cancelled when the token is set
    virtual Result<StepResult> decode() = 0; // then, until finished
    virtual void stop(int sequence) = 0; // it takes no part in further steps
    virtual Status finish() = 0; // last; frees the caches
    // Largest size that keys and values of all sequences had together; 0 where it is not known.
    virtual std::int64_t peakCacheBytes() const { return 0; }
};

// Result of one plain forward pass over a sequence, for verify; past the context where positions
// turn.
struct ForwardResult {
    int vocabulary = 0;
    std::vector<float> logits; // [positions, vocabulary], row-major
    // [layer][head] entropy of the attention weights of the last position, in nats.
    std::vector<std::vector<double>> attention_entropy_last;
    // Statistics over [positions, hidden] of "embedding", "layer 0".. and "final_norm"; before them
    // of "token_embedding" where the embedding is scaled or positions are added to it.
    struct Hidden {
        std::string name;
        double mean = 0.0;
        double std = 0.0; // population
        double abs_mean = 0.0;
        double max = 0.0;
    };
    std::vector<Hidden> hidden;
};

// A loaded model.
class Engine {
public:
    virtual ~Engine() = default;
    virtual const ModelFacts& facts() const = 0;
    virtual const std::vector<TokenId>& eosTokenIds() const = 0;
    virtual std::string device() const = 0; // "cpu", "mps", "cuda:0"
    virtual std::string dtype() const = 0; // of the computation: "f32", ...
    // Which attention runs, in words; at depth deep the decomposed one.
    virtual std::string attentionImplementation(bool decomposed) const = 0;
    // How matrix products are computed and why so, in words.
    virtual std::string computation() const { return {}; }
    // Null: the device has no such marks, or needs none as it computes while the program waits.
    virtual std::unique_ptr<SpanTimer> makeSpanTimer() { return nullptr; }
    virtual void synchronize() { } // waits until the device has done all work given to it
    // What a person should know about the model that was loaded, a sentence each.
    virtual std::vector<std::string> notes() const { return {}; }
    virtual Result<std::unique_ptr<Generation>> begin(const GenerationRequest& request,
                                                      Observer* observer, CancelToken cancel) = 0;
    virtual Result<ForwardResult> forward(std::span<const TokenId> ids) = 0;
};

struct EngineVersions {
    std::string torch; // "1.13.1"
    std::string blas; // "OpenBLAS 0.3.21 ..." or a warning that it is slow
    std::vector<std::string> devices; // usable here: "cpu", "cuda:0", ...
};

} // namespace ep::model
