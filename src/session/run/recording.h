// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/clock_watch.h"
#include "record/recorder.h"
#include "run/prepare.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ep::session {

// A recorder with timestamps from the host's clock.
RecorderOptions plainOptions(const RunRequest& request, const ModelFacts& model);

// The run itself, from pre_inference to post_inference, and its records.
class Recording {
public:
    // All arguments must outlive this object. info gets the properties of the run as they become
    // known.
    Recording(const RunScope& scope, PreparedRun& prepared, RunInfo& info);

    Status infer(); // up to the last token
    Status conclude(); // post_inference; also for a run that ended early

    const TimeRange& time() const { return m_time; }
    const std::vector<TokenSpan>& tokens() const { return m_tokens; }
    const std::vector<Interruption>& interruptions() const { return m_clocks.interruptions(); }
    Nanoseconds covered() const
    {
        return m_covered;
    } // how long the program's window was covered during the run
    void appendTo(RunTrace& trace) const; // phases and all spans
    // Adds the cost of recording.
    void describe(ProfilingRecord& record) const;

private:
    RecorderOptions recorderOptions();
    void begin();
    Status startGeneration();
    Result<model::StepResult> step(TokenSpan& token);
    bool complete(const model::StepResult& step, TokenSpan token);
    bool takeTexts(const model::StepResult& step, TokenSpan& token);
    bool marksSections() const;
    void describeLevers();
    void enter(Phase phase, std::int32_t token, Nanoseconds at);

    const RunScope& m_scope;
    PreparedRun& m_prepared;
    RunInfo& m_info;
    Recorder m_recorder;
    std::unique_ptr<model::Generation> m_generation;
    TimeRange m_time;
    std::vector<TokenSpan> m_tokens;
    std::int32_t m_confirmed = 0; // tokens of the first sequence beyond one per step
    std::int64_t m_drafted = 0;
    std::int64_t m_accepted = 0;
    ClockWatch m_clocks;
    Nanoseconds m_coveredBefore = 0;
    Nanoseconds m_covered = 0;
};

} // namespace ep::session
