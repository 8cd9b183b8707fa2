// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/model/observer.h"
#include "ep/model/tokenizer.h"

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
    std::string dtype = "auto"; // auto (as stored where the device can), f32, bf16, f16
    int threads = 0; // 0: all cores
};

struct GenerationRequest {
    std::vector<TokenId> prompt{}; // at least one id
    int max_new_tokens = 1;
    SamplingSettings sampling{};
    std::vector<TokenId> eos{}; // empty: never stops before max_new_tokens
};

struct StepResult {
    TokenId token = 0;
    float probability = 0.0F; // of the chosen token, softmax of the raw logits
    bool finished = false; // an end-of-sequence id, or max_new_tokens reached
};

// One generation, step by step; the caller decides when to go on. Sections are announced to the
// observer by the engine: tensor_transfer, kv_cache_init (begin), embedding ... kv_cache_append
// (steps), tensor_transfer, memory_cleanup (end). The observer must outlive the generation.
class Generation {
public:
    virtual ~Generation() = default;
    virtual Result<StepResult> prefill() = 0; // first; Cancelled when the token is set
    virtual Result<StepResult> decode() = 0; // then, until finished
    virtual Status finish() = 0; // last; frees the cache
};

// Result of one plain forward pass over a sequence, for verify.
struct ForwardResult {
    int vocabulary = 0;
    std::vector<float> logits; // [positions, vocabulary], row-major
    // Statistics over [positions, hidden] of "embedding", "layer 0".. and "final_norm".
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
    virtual std::string attentionImplementation() const = 0; // which attention ran, in words
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
