// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/model/engine.h"
#include "ep/power/source.h"

#include <QMetaType>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Values that cross from the inference worker to whoever watches a run.
namespace ep::session {

// Whether prompts go through the model's chat template; IfThere: when the model has one.
enum class ChatUse { Off, IfThere, Always };

// Idle power that was measured a while ago, for runs that do not measure their own.
struct KnownBaseline {
    BaselineRecord record;
    Nanoseconds end_ns = 0; // of its last window, on the monotonic clock of this process
};

// Everything a run needs, fixed when it starts.
struct RunRequest {
    model::LoadRequest load;
    std::string prompt;
    std::vector<std::string> further_prompts; // of one batch with the first
    int batch_size = 1; // copies of each prompt in the batch
    int max_new_tokens = 64; // of each sequence
    model::CacheKind cache = model::CacheKind::Growing;
    Depth depth = Depth::Module;
    SamplingSettings sampling;
    bool ignore_eos = false;
    ChatUse chat = ChatUse::Off;
    std::string system; // the system message of the template; empty: none
    double sparsity_threshold = 0.01;
    int statistics_every = 1; // of so many tokens one has statistics
    // First the same without recording: it gives the joules. Not said: on accelerators.
    std::optional<bool> twin{};
    bool exact = false; // waits for the device around each span
    power::SourceChoice power;
    std::vector<power::SourceChoice> also{}; // recorded beside it, for comparison
    AttributionMethod attribution = AttributionMethod::Cost; // where the data can tell costs
    BaselineMoment baseline_moment = BaselineMoment::AfterLoad;
    int interval_ms = 100;
    double baseline_seconds = 0.0; // idle sampling before the run
    std::optional<KnownBaseline> known_baseline{}; // used where baseline_seconds is 0
    int warmup_tokens = 0; // tokens generated and thrown away before the run
    // The warm-up ends sooner, once the times of its last steps vary by less than this coefficient
    // of variation; 0: it never does.
    double warmup_settled = 0.0;
    std::vector<std::string> tags;
    std::string experiment;
    std::filesystem::path database; // empty: not saved
    bool store_texts = true; // else only hashes of prompts and answers are saved
    bool ignore_memory = false; // load the model even if it seems too large
    std::string run_id{}; // a UUID that is not used yet; empty: one is made
};

// The model is there, the run begins now.
struct RunStarted {
    RunInfo info;
    TimeRange time; // begin_ns is the zero of the run's clock
};

struct SectionEvent { // section_start (time.end_ns == time.begin_ns) and section_end
    Phase phase = Phase::Idle;
    Section section = Section::Tokenization;
    std::int32_t token = kNoToken;
    TimeRange time;
};

// Where the run is now; sampled by the receiver, at most 10 Hz.
struct CurrentOperation {
    Phase phase = Phase::Idle;
    Section section = Section::Tokenization;
    std::int32_t token = kNoToken;
    std::int32_t layer = kNoLayer;
    Component component = Component::InputLayernorm;
    bool has_component = false;
};

// The tokens of a step with its layers and components (empty at depth none). Energies are a first
// estimate from the samples that had arrived by then; the final ones come with RunFinished.
struct TokenComplete {
    TokenSpan token;
    std::vector<LayerSpan> layers;
    std::vector<ComponentSpan> components;
};

struct RunFinished {
    RunPtr run; // status complete, cancelled or failed; energies attributed
    bool saved = false;
    std::string save_problem; // why not, if it should have been
    Nanoseconds profiler_ns = 0; // time the recording itself took on the inference thread
};

} // namespace ep::session

Q_DECLARE_METATYPE(ep::session::RunRequest)
Q_DECLARE_METATYPE(ep::session::RunStarted)
Q_DECLARE_METATYPE(ep::session::SectionEvent)
Q_DECLARE_METATYPE(ep::session::TokenComplete)
Q_DECLARE_METATYPE(ep::session::RunFinished)
