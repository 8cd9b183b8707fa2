// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/power_limits.h"
#include "ep/core/run.h"
#include "ep/model/engine.h"
#include "ep/power/source.h"
#include "ep/session/command_control.h"
#include "ep/session/levers.h"

#include <QMetaType>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Values passed from the inference thread to the observers of a run.
namespace ep::session {

// Whether prompts use the model's chat template; IfThere: only if the model has one.
enum class ChatUse { Off, IfThere, Always };

// Idle power measured earlier, used by runs that do not measure their own.
struct KnownBaseline {
    BaselineRecord record;
    Nanoseconds end_ns = 0; // end of its last window, on the monotonic clock of this process
};

// A user's server that generates instead of our engine (docs/attach.md).
struct ServerTarget {
    std::string address; // "http://127.0.0.1:11434"; this machine only
    std::string model; // empty: the server's only one
    std::string dialect; // id in attach/dialect.h; empty: the most detailed one
    std::string token; // sent as a bearer token; never stored

    bool operator==(const ServerTarget&) const = default;
    std::string label() const; // "qwen3:0.6b at http://127.0.0.1:11434"
};

// A user's command that runs instead of our engine (docs/record.md).
struct RecordTarget {
    std::vector<std::string> arguments; // starting with the program, which is required
    // Puts the command in its own process group, which the keys of a terminal do not reach.
    bool own_group = true;
    std::optional<unsigned> umask{}; // absent: the umask of this program
    bool prints = true; // false: drops its output, but not its errors
    std::filesystem::path spans_file{}; // file of the command's spans; empty: our socket
    // Folder of energy_profiler_spans.py, for commands that run Python; empty for others.
    std::filesystem::path python{};
    bool automatic = false; // packages that Python imports send their spans without being changed
    Depth depth = Depth::Module; // depth of the spans
    bool twin = false; // first does the same work without hooks, to show what they cost
    std::shared_ptr<CommandControl> control = std::make_shared<CommandControl>();
};

// All settings of a run, fixed when it starts. Every front end fills in a RunRequest, a pair has
// one for each side and a study one for each cell, and the run's record is made from it. The table
// of its numbers, with names and ranges, is in run_settings.h.
struct RunRequest {
    // Unused with a server, like batch, depth, levers, twin and exact. In pairs and studies, the
    // folder may be the name of a known model until the run starts.
    model::LoadRequest load;
    std::optional<ServerTarget> server{};
    std::optional<RecordTarget> record{}; // if set, only power, tags and storage apply
    std::string prompt;
    std::vector<std::string> further_prompts; // further prompts of the batch
    // Replace prompts and require a chat template. Several form a batch, but a server gets only
    // the first.
    std::vector<Conversation> conversations{};
    std::string template_variables{}; // JSON object; overrides the variables of a conversation
    int batch_size = 1; // copies of each prompt in the batch
    int max_new_tokens = 64; // per sequence
    int context_length = 0; // tokens of a sequence with its prompt, at most; 0: the model's
    Levers levers{};
    Depth depth = Depth::Module;
    SamplingSettings sampling;
    bool ignore_eos = false;
    ChatUse chat = ChatUse::Off;
    std::string system; // the system message of the template; empty: none
    double sparsity_threshold = 0.01;
    int statistics_every = 0; // one in this many tokens has statistics; 0: as many as cost little
    // First executes a run without recording, to show what recording costs. Absent: only on
    // accelerators.
    std::optional<bool> twin{};
    bool exact = false; // waits for the device around each span
    power::SourceChoice power;
    std::vector<power::SourceChoice> also{}; // additional sources, for comparison
    // Absent: calibrated if a calibration in the database applies, otherwise by cost. Falls back
    // to what the data allow.
    std::optional<AttributionMethod> attribution{};
    BaselineMoment baseline_moment = BaselineMoment::AfterLoad;
    int interval_ms = kUsualIntervalMs;
    double baseline_seconds = 0.0; // duration of idle sampling before the run
    std::optional<KnownBaseline> known_baseline{}; // used if baseline_seconds is 0
    int warmup_tokens = 0; // tokens generated and discarded before the run
    // The warm-up ends early once the times of its last steps vary by less than this coefficient
    // of variation; 0: never.
    double warmup_settled = 0.0;
    int repeats = 1; // consecutive runs (RepeatLoop, StudyRunner)
    double cool_down_seconds = 0.0; // pause before every run except the first
    std::vector<std::string> tags;
    std::string experiment;
    std::filesystem::path database; // empty: not saved
    bool store_texts = true; // false: only hashes of prompts and answers are saved
    bool ignore_memory = false; // loads the model even if it seems too large
    std::string run_id{}; // an unused UUID; empty: one is created

    // Whether both make the same run; without the run's id, baseline and handles.
    bool operator==(const RunRequest& other) const;
};

// The model is loaded, and the run begins.
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

// The operation that the run executes now; the receiver polls it at most at 10 Hz.
struct CurrentOperation {
    Phase phase = Phase::Idle;
    Section section = Section::Tokenization;
    std::int32_t token = kNoToken;
    std::int32_t layer = kNoLayer;
    Component component = Component::InputLayernorm;
    bool has_component = false;
};

// The tokens of a step with its layers and components (empty at depth none). Energies are
// preliminary estimates from the samples so far; RunFinished has the final ones.
struct TokenComplete {
    TokenSpan token;
    std::vector<Span> layers;
    std::vector<Span> components;
    // Section of the answer so far (core/answer_sections.h); empty before the model has thought.
    std::string_view section{};
};

struct RunFinished {
    RunPtr run; // status complete, cancelled or failed; energies attributed
    bool saved = false;
    Message save_problem; // why the run was not stored
    Nanoseconds profiler_ns = 0; // time that recording took on the inference thread
};

} // namespace ep::session

Q_DECLARE_METATYPE(ep::session::RunRequest)
Q_DECLARE_METATYPE(ep::session::RunStarted)
Q_DECLARE_METATYPE(ep::session::SectionEvent)
Q_DECLARE_METATYPE(ep::session::TokenComplete)
Q_DECLARE_METATYPE(ep::session::RunFinished)
