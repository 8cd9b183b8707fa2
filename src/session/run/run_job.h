// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/clock_watch.h"
#include "run/cover_watch.h"
#include "record/current_operation.h"
#include "power/live_energy.h"
#include "power/machine_load.h"
#include "run/model_cache.h"
#include "record/outbox.h"
#include "power/power_log.h"
#include "record/recorder.h"
#include "power/side_feeds.h"
#include "record/store_writer.h"
#include "run/transcript.h"
#include "run/twin_run.h"

#include <mutex>
#include <optional>
#include <vector>

namespace ep::session {

// What a run shares with the Profiler that started it.
struct RunContext {
    const Backend& backend;
    ModelCache& models;
    Outbox& outbox;
    PublishedOperation& current;
    CancelToken cancel;
    const CoverWatch& cover;
};

// One run from loading the model to the stored result, on the inference thread. Puts exactly one
// RunFinished or RunFailed into the outbox, last.
class RunJob {
public:
    RunJob(const RunRequest& request, const RunContext& context);
    ~RunJob();

    void execute();

private:
    // Each stage answers with what went wrong; Cancelled is one of them.
    Status prepare(); // load, look at the prompt, describe the run
    Status settle(); // power source, idle baseline, warm-up
    Status infer(); // the run's own time: pre_inference to the last token
    Status conclude(); // post_inference, also of a run that broke off
    Status finish(); // power, energies, storage, the last event
    Status guarded(Status (RunJob::*stage)()); // exceptions become an outcome

    bool replays() const { return m_request.power.kind == "replay"; }
    Status startFeed();
    Status startPower();
    Status checkDatabase() const;
    void openStore();
    void emplaceStore();
    Status save(const Run& run);
    void measureEnergy(Run& run) const;
    Status waitIdle(double seconds);
    Status warmUp();
    Status rehearseRun(); // a clean run or an inexact one before it, where asked for
    bool wantsTwin() const;
    RecorderOptions recorderOptions();
    ProfilingRecord describeProfiling() const;
    model::GenerationRequest generationRequest(std::vector<std::vector<text::TokenId>> prompts,
                                               int maxNewTokens,
                                               std::vector<text::TokenId> eos) const;
    std::vector<text::TokenId> endTokens() const;
    Result<std::unique_ptr<model::Generation>>
    begin(std::vector<std::vector<text::TokenId>> prompts, int maxNewTokens,
          std::vector<text::TokenId> eos, model::Observer* observer);
    Status generate();
    bool complete(const model::StepResult& step, TokenSpan token);
    void enter(Phase phase, std::int32_t token, Nanoseconds at);

    void heardSample(PowerSample sample);
    void heardProblem(const std::string& problem);
    void announceStart();
    void stopPower();

    Run assemble();
    PowerInfo describePower() const;

    RunRequest m_request;
    RunContext m_context;
    std::unique_ptr<Activity> m_activity; // may be null
    RunInfo m_info;
    Status m_outcome; // of the stages before finish()
    LoadedModel* m_model = nullptr;
    Transcript m_transcript;

    std::optional<Recorder> m_recorder;
    std::optional<Rehearsal> m_clean; // without recording
    std::optional<Rehearsal> m_inexact; // recorded without waiting for the device
    std::unique_ptr<model::Generation> m_generation;
    TimeRange m_idle; // of the baseline before it
    TimeRange m_time; // of the run
    std::vector<TokenSpan> m_tokens;
    PhaseClock m_phases;
    ClockWatch m_clocks;
    Nanoseconds m_coveredBefore = 0; // of the window, when the run began
    Nanoseconds m_covered = 0; // of the window, during the run

    PowerLog m_power;
    std::optional<StoreWriter> m_store;
    std::vector<PowerSample> m_unstored; // samples from before the store was open
    MachineLoad m_machine;
    // Guards m_started, m_early, m_newest, m_unstored and the opening of m_store.
    std::mutex m_liveMutex;
    Nanoseconds m_newest = 0; // begin of the newest sample's window
    bool m_started = false; // RunStarted is in the outbox; samples may follow it
    std::vector<PowerSample> m_early; // samples from before
    SideFeeds m_sides;
    std::unique_ptr<PowerFeed> m_feed; // below all that its sink refers to
};

} // namespace ep::session
