// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/message.h"
#include "ep/core/profiling_record.h"
#include "ep/core/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep {

// How the next token is chosen. temperature 0 means greedy; top_k 0, top_p 1, min_p 0 and
// repetition_penalty 1 turn the filters off.
struct SamplingSettings {
    double temperature = 0.0;
    int top_k = 0;
    double top_p = 1.0;
    double min_p = 0.0; // minimum probability of a token, relative to the largest one
    double repetition_penalty = 1.0; // divides the logits of tokens that already occur
    std::uint64_t seed = 0;
    std::vector<std::string> stop{}; // texts that end the generation

    bool operator==(const SamplingSettings&) const = default;
};

// Properties of the model of a run; sizes in elements unless stated otherwise.
struct ModelFacts {
    std::string name; // folder name
    std::string path;
    std::string architecture; // "LlamaForCausalLM"
    std::int64_t parameters = 0;
    std::int64_t active_parameters = 0; // parameters that one token uses
    std::int64_t embedding_parameters = 0;
    std::int64_t attention_parameters = 0; // projections, biases, and norms of queries and keys
    std::int64_t mlp_parameters = 0; // all experts, including shared ones, and routers
    int layers = 0;
    int hidden_size = 0;
    int intermediate_size = 0;
    int attention_heads = 0;
    int kv_heads = 0;
    int head_dim = 0;
    int vocabulary_size = 0;
    int context_length = 0;
    int experts = 0; // experts per layer; 0: dense
    int experts_per_token = 0;
    std::int64_t weight_bytes = 0; // as held in memory
    std::int64_t kv_bytes_per_token = 0; // size of the cache, over all layers
    std::string stored_dtype{}; // type of the weight files: "bf16"
    std::string
        quantization{}; // during computation: "int8 weights, one scale per row"; empty: none
    std::string fingerprint{}; // hash of the headers of the weight files and of config.json

    bool operator==(const ModelFacts&) const = default;
};

// Quality of the samples of a run.
struct PowerQuality {
    std::int64_t asked_interval_ms = 0;
    std::int64_t samples = 0;
    double median_interval_ms = 0.0;
    double p95_interval_ms = 0.0;
    double largest_gap_ms = 0.0; // uncovered time between adjacent windows
    double coverage = 0.0; // fraction of the run's time with a known total, 0..1
    double max_interval_ms = 0.0;
    std::int64_t gaps = 0; // uncovered stretches longer than timestampTolerance()
    std::int64_t dropped = 0; // readings received but not usable
    std::vector<Rail> stuck{}; // rails that stayed at zero while the machine was busy
    std::vector<Rail> batched{}; // rails whose counters stand still and then catch up
    std::vector<Rail> incomplete{}; // rails of the total that some samples miss
    ThermalPressure thermal = ThermalPressure::Unknown; // the highest during the run
    std::optional<bool> on_battery{};
    std::optional<PowerMode> power_mode{};
    std::int64_t processors = 0; // number that the shares refer to; 0: unknown
    std::optional<double> other_cpu_share{}; // fraction of all cores used by other processes; 0..1
    // Fraction of all cores used by threads of this program that do not work on the run: its
    // window, API or output.
    std::optional<double> own_cpu_share{};
    QualityVerdict verdict = QualityVerdict::Good;
    std::vector<Message> reasons{}; // one sentence each if the verdict is below Good

    bool operator==(const PowerQuality&) const = default;
};

// Source of a run whose power another program recorded.
inline constexpr const char* kImportedSource = "imported";

struct PowerInfo {
    std::string source; // "powermetrics", "replay", "modelled", "imported", "none"
    Message detail; // device, file or model parameters
    Message notice; // why this source was chosen, or what went wrong; may be empty
    std::optional<PowerQuality> quality; // absent for `none`
    std::optional<SampleKind> sample_kind{}; // absent if unknown, as in runs from earlier versions
    std::optional<BaselineRecord> baseline{}; // absent if none was measured
    std::optional<AttributionRecord> attribution{}; // absent for `none`
    std::optional<Milliwatts> rated_mw{}; // rating of the measured hardware (TDP)
    std::optional<Millijoules> battery_mj{}; // capacity of the full battery

    bool operator==(const PowerInfo&) const = default;
};

struct Environment {
    std::string app_version;
    std::string os;
    std::string machine;
    std::string cpu;
    int threads = 0;
    std::string torch_version;
    std::string blas;

    bool operator==(const Environment&) const = default;
};

// How the program executed a run.
struct ExecutionRecord {
    std::string attention{}; // attention implementation, as text
    std::string cache{}; // kind of the key-value cache: "growing", "static"
    std::optional<std::int64_t> peak_cache_bytes{}; // sum over all sequences
    std::vector<Message> notes{}; // notes about the loaded model, one sentence each
    std::optional<Nanoseconds>
        model_ready_ns{}; // time to load the model; short if it was still in memory

    bool operator==(const ExecutionRecord&) const = default;
};

// One sequence of a batch.
struct BatchSequence {
    std::string prompt;
    std::string response;
    int input_tokens = 0;
    int output_tokens = 0;
    Conversation conversation{}; // as in RunInfo

    bool operator==(const BatchSequence&) const = default;
};

// A user's note about a part of a run's time, on the clock of the trace.
struct Annotation {
    Nanoseconds begin_ns = 0;
    Nanoseconds end_ns = 0;
    std::string text;

    TimeRange time() const { return {begin_ns, end_ns}; }
    bool operator==(const Annotation&) const = default;
};

// Everything about a run that a list or a header shows; RunTrace has the details.
struct RunInfo {
    std::string id; // UUID without braces
    std::string title; // set by the user; if it is empty, lists show the prompt
    Message notes; // the user's words, or what an import found
    RunStatus status = RunStatus::Running;
    Message status_message; // why it failed or ended early, such as a full context
    std::int64_t created_at_ms = 0; // wall clock, UTC
    // Prompt of the first sequence; for a conversation, its question, which is also in
    // `conversation`.
    std::string prompt;
    std::string response; // response of the first sequence
    int input_tokens = 0; // sum over all sequences
    int output_tokens = 0; // sum over all sequences
    int max_new_tokens = 0; // limit for each sequence
    std::vector<BatchSequence> batch; // empty if there is only one sequence
    bool chat_template = false; // whether the prompt went through the model's chat template
    // The conversation that the template or the server received for the first sequence. Empty if
    // that was only the prompt, as a single message or without a template.
    Conversation conversation{};
    Depth depth = Depth::Module;
    std::string device; // "cpu", "mps", "cuda:0"
    std::string dtype; // "f32", "bf16", "f16", "int8"
    double sparsity_threshold = 0.01;
    SamplingSettings sampling;
    std::vector<std::string> tags;
    std::vector<Annotation> annotations{}; // set by the user, in any order
    std::string experiment;
    ModelFacts model;
    PowerInfo power;
    Environment environment;
    ExecutionRecord execution{};
    ProfilingRecord profiling{};

    bool operator==(const RunInfo&) const = default;
};

// Figures of a whole run. Energy figures are absent if there was no power source.
struct RunMetrics {
    Nanoseconds duration_ns = 0;
    EnergyValue energy; // during the run's own time, without idle time
    std::optional<double> tokens_per_second; // decode phase only; absent below two tokens
    std::optional<Nanoseconds> time_to_first_token_ns;
    std::optional<double> prefill_tokens_per_second; // input tokens / duration of the prefill
    std::optional<Nanoseconds> inter_token_p95_ns; // absent below 20 decoded tokens
    std::optional<double> joules_per_token; // run energy / output tokens
    std::optional<double> joules_per_input_token; // prefill energy / input tokens
    std::optional<double> joules_per_output_token; // decode energy / tokens of the decode
    std::optional<double> joules_per_typical_token; // median of undisturbed decoded tokens
    std::optional<double> tokens_per_joule;
    std::optional<Milliwatts> mean_power_mw;
    std::optional<Milliwatts> peak_power_mw;
    std::optional<double> edp_joule_seconds; // energy x duration

    bool operator==(const RunMetrics&) const = default;
};

struct RunSummary {
    RunInfo info;
    RunMetrics metrics;

    bool operator==(const RunSummary&) const = default;
};

struct Run {
    RunInfo info;
    RunMetrics metrics;
    RunTrace trace;

    bool operator==(const Run&) const = default;
};

// How large results are passed between threads.
using RunPtr = std::shared_ptr<const Run>;

} // namespace ep
