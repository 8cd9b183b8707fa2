// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/units.h"
#include "ep/model/model_files.h"
#include "ep/model/observer.h"
#include "ep/model/replay.h"
#include "ep/text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The interface of the inference engine, without LibTorch types, so that only the engine library
// links LibTorch. That library is loaded at run time (engine_library.h), when a model is first
// needed. All objects here belong to one thread, the inference worker; only CancelToken is shared
// between threads.
namespace ep::model {

struct LoadRequest {
    std::filesystem::path folder{};
    std::string device = "auto"; // auto, cpu, mps, cuda, cuda:N
    // auto (as stored, if the device supports it), a format by its name (format.h), or a plan of
    // types (dtype_plan.h)
    std::string dtype = "auto";
    int threads = 0; // 0: all cores
    // On the processor: auto, measure, or kernels by name (see KernelWish).
    std::string kernels = "auto";
    // File that stores which kernels were measured to be fastest, and the processor they were
    // measured on. Without a file, only "measure" measures.
    struct KernelMemory {
        std::filesystem::path file{};
        std::string processor{};
    };
    KernelMemory kernel_memory{};
    std::shared_ptr<const ModelFiles> files{}; // files of the folder; null: loading opens them
};

// Memory for keys and values: grown on demand, or allocated completely at the start. Q8: grown, in
// ggml's q8_0 blocks (32 numbers of 8 bits with a scale); on the processor only.
enum class CacheKind : std::uint8_t { Growing, Static, Q8 };
const char* name(CacheKind kind); // "growing", "static", "q8_0"
std::optional<CacheKind> cacheKindFromName(std::string_view name);

// Whether a prompt starts from the engine's cached earlier prompts, and is cached itself.
enum class PromptCacheUse : std::uint8_t { Off, Read, ReadAndKeep };

class Engine;

struct GenerationRequest {
    std::vector<std::vector<text::TokenId>>
        prompts{}; // one per sequence, each with at least one id
    int max_new_tokens = 1; // per sequence
    std::int64_t context_length = 0; // tokens of a sequence with its prompt; 0: the model's
    SamplingSettings sampling{}; // sequence i uses seed + i
    std::vector<text::TokenId> eos{}; // ids that end a sequence
    CacheKind cache = CacheKind::Growing;
    PromptCacheUse prompt_cache = PromptCacheUse::Off; // one prompt only
    // Maximum number of tokens proposed per step. The step computes them all and keeps those that
    // it would have chosen itself, so the text is the same. 0: none. One prompt only.
    int draft_tokens = 0;
    // The model that proposes tokens. It must have the same vocabulary, come from the same engine
    // library and outlive the generation. Null: proposes the tokens that followed when the last
    // words occurred earlier in the text.
    Engine* draft_model = nullptr;
    // Computes attention, norms and activations as separate operations, each with its own tap,
    // instead of in the fastest way. The text is the same.
    bool decomposed = false;
    // Continues beyond the context if positions are rotary; checks against references need this.
    bool past_context = false;
};

// Why a sequence has ended.
enum class FinishReason : std::uint8_t { None, EndToken, MaxTokens, Context, Stopped };

// Time marks of a device that computes asynchronously: recorded when the device reaches them, not
// when they are submitted. Belongs to the inference thread.
class SpanTimer {
public:
    virtual ~SpanTimer() = default;
    // Enqueues a mark after the work submitted so far, without waiting; returns its number since
    // the last read().
    virtual std::uint32_t mark() = 0;
    // Waits until the device has passed all marks since the last call, and returns their times on
    // the host's monotonic clock. An unreadable mark gets the time of the previous one.
    virtual Status read(std::vector<Nanoseconds>& times) = 0;
    virtual std::int64_t lost() const { return 0; } // unreadable marks so far
};

// The result of a step for one sequence.
struct SequenceStep {
    int sequence = 0; // index of its prompt
    text::TokenId token = 0;
    float probability = 0.0F; // probability of the chosen token, softmax of the raw logits
    FinishReason finish = FinishReason::None; // anything other than None: this is the last token
    bool drafted = false; // whether the token was proposed and confirmed

    bool finished() const { return finish != FinishReason::None; }
};

struct StepResult {
    // The active sequences in order; with drafts, one entry per token. Valid until the next call
    // of the generation.
    std::span<const SequenceStep> sequences{};
    bool finished = false; // all sequences have ended
    int drafted = 0; // number of tokens proposed for this step
};

// One generation, step by step; the caller decides when to continue. A step produces one token for
// every active sequence of the batch; ended ones are no longer computed. Prompts of different
// lengths need no padding: the rows of all sequences share the matmuls, and attention runs for
// each sequence over its own positions. The engine announces these sections to the observer:
// tensor_transfer, kv_cache_init (begin), embedding ... kv_cache_append (steps), tensor_transfer,
// memory_cleanup (end). The observer must outlive the generation.
class Generation {
public:
    virtual ~Generation() = default;
    virtual Result<StepResult> prefill() = 0; // call first; Cancelled if the token is set
    virtual Result<StepResult> decode() = 0; // call next, until finished
    virtual void stop(int sequence) = 0; // ends one sequence
    virtual Status finish() = 0; // call last; frees the caches
    // Peak size of the keys and values of all sequences; 0 if unknown.
    virtual std::int64_t peakCacheBytes() const { return 0; }
    // Number of prompt tokens whose keys and values came from the prompt cache.
    virtual std::int64_t cachedTokens() const { return 0; }
};

// Result of one plain forward pass over a sequence, for verify. It may exceed the context if
// positions are rotary.
struct ForwardResult {
    int vocabulary = 0;
    std::vector<float> logits; // [positions, vocabulary], row-major
    // [layer][head] entropy of the last position's attention weights in nats; [] if no attention.
    std::vector<std::vector<double>> attention_entropy_last;
    // Statistics over [positions, hidden] of "embedding", "layer 0".. and "final_norm"; preceded by
    // "token_embedding" if the embedding is scaled or positions are added to it.
    struct Hidden {
        std::string name;
        double mean = 0.0;
        double std = 0.0; // population standard deviation
        double abs_mean = 0.0;
        double max = 0.0;
    };
    std::vector<Hidden> hidden;
    // For a layer with experts: its router's choices for each position, and the inputs of the
    // experts' activations.
    struct Experts {
        struct Gate {
            double negative_fraction = 0.0; // share below zero
            std::int64_t count = 0; // 0: no position chose this expert
        };
        std::vector<std::vector<float>> logits; // [position][expert] values that the router uses
        std::vector<std::vector<int>> chosen; // [position], largest weight first
        std::vector<Gate> gates; // one per expert
        Gate shared; // the expert that all positions use; count 0: there is none
    };
    std::vector<Experts> experts; // one per layer, empty for layers without experts
};

// A loaded model.
class Engine {
public:
    virtual ~Engine() = default;
    virtual const ModelFacts& facts() const = 0;
    virtual const std::vector<text::TokenId>& eosTokenIds() const = 0;
    virtual std::string device() const = 0; // "cpu", "mps", "cuda:0"
    virtual std::string dtype() const = 0; // compute type: "f32", ...
    // Description of the attention implementation; at depth deep, the decomposed one.
    virtual std::string attentionImplementation(bool decomposed) const = 0;
    // Description of how matmuls are computed, and why.
    virtual std::string computation() const { return {}; }
    // The kernels that computation() names, without details that differ from load to load; empty:
    // none of our own.
    virtual std::string kernelsUsed() const { return {}; }
    // Null: the device has no such marks, or needs none since it computes while the program waits,
    // or its marks failed the test at first use.
    virtual std::unique_ptr<SpanTimer> makeSpanTimer() { return nullptr; }
    // Call after makeSpanTimer(): why an accelerator has no timer, or how accurate its times are.
    virtual Message clockNote() const { return {}; }
    virtual void synchronize() { } // waits until the device has completed all its work
    // Notes for users about the loaded model, one sentence each.
    virtual std::vector<Message> notes() const { return {}; }
    virtual Result<std::unique_ptr<Generation>> begin(const GenerationRequest& request,
                                                      Observer* observer, CancelToken cancel) = 0;
    // An error if the weight files have changed since they were loaded, so that the model must be
    // loaded again. The same error ends a generation if that happens meanwhile.
    virtual Status weightsUnchanged() const { return {}; }
    virtual Result<ForwardResult> forward(std::span<const text::TokenId> ids,
                                          const CancelToken& cancel = {}) = 0;
    // Like forward(), with another kind of key-value cache.
    virtual Result<ForwardResult> forwardWith(CacheKind cache, std::span<const text::TokenId> ids,
                                              const CancelToken& cancel = {});
    // Why drafts, a prompt cache or this kind of cache are impossible with this model; empty: they
    // are possible.
    virtual Message whyNoDrafts() const { return {}; }
    virtual Message whyNoPromptCache() const { return {}; }
    virtual Message whyNotCached(CacheKind /*kind*/) const { return {}; }
    // Generates, and records what it did so that parts can be repeated.
    virtual Result<std::unique_ptr<Replay>> record(const ReplayRequest& request,
                                                   const CancelToken& cancel);
};

struct EngineVersions {
    std::string
        torch; // version of the opened library, "1.13.1", and that of the build if it differs
    std::string blas; // "OpenBLAS 0.3.21 ..." or a warning that it is slow
};

} // namespace ep::model
