// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a run: power, energies, storage and the last event.
#include "record/span_work.h"
#include "run/run_job.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/energy/attribute.h"
#include "ep/energy/baseline.h"
#include "ep/energy/quality.h"
#include "ep/power/late_readings.h"
#include "ep/session/privacy.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ep::session {

namespace {

// How long to wait for the window that covers the run's end.
constexpr int kLastSampleIntervals = 2;

// A capture that ends, or a source that dies, leaves time without samples.
void noteUncovered(PowerInfo& power)
{
    constexpr double kWhole = 0.9995; // shown as 100.0 %
    if (power.quality->coverage >= kWhole)
        return;
    if (!power.notice.empty())
        power.notice += ' ';
    power.notice += "The samples cover only " + formatPercent(power.quality->coverage)
        + " of the run; energies outside of them are missing.";
}

} // namespace

void RunJob::heardSample(PowerSample sample)
{
    m_phases.tag(sample);
    m_power.add(sample);
    const std::lock_guard lock(m_liveMutex);
    if (m_store)
        m_store->add(sample);
    else if (!m_request.database.empty())
        m_unstored.push_back(sample);
    // One that reaches back over others has its place only when all is over (foldLateReadings()).
    if (sample.window.begin_ns
        < std::exchange(m_newest, std::max(m_newest, sample.window.begin_ns)))
        return;
    if (m_started)
        m_context.outbox.put(sample);
    else
        m_early.push_back(sample);
}

void RunJob::heardProblem(const std::string& problem)
{
    // One lock over both: announceStart() tells of a problem that is there already.
    const std::lock_guard lock(m_liveMutex);
    m_power.fail(problem);
    if (m_started)
        m_context.outbox.put(PowerProblem{problem});
}

void RunJob::announceStart()
{
    m_info.power = describePower();
    const std::lock_guard lock(m_liveMutex);
    m_context.outbox.put(RunStarted{m_info, {m_time.begin_ns, m_time.begin_ns}});
    for (const PowerSample& sample : m_early)
        m_context.outbox.put(sample);
    m_early.clear();
    if (const auto problem = m_power.problem())
        m_context.outbox.put(PowerProblem{*problem});
    m_started = true;
}

PowerInfo RunJob::describePower() const
{
    PowerInfo info;
    info.source = m_feed ? m_feed->kind() : "none";
    if (!m_feed)
        return info;
    info.detail = m_feed->detail();
    info.notice = m_feed->reason();
    if (const auto problem = m_power.problem())
        info.notice = *problem;
    return info;
}

void RunJob::stopPower()
{
    if (!m_feed)
        return;
    // A replay tells what it has of its last window when it is stopped.
    if (!m_time.empty() && m_feed->kind() != "none" && !replays()) {
        // A source of counters that are published in batches is late by up to one batch.
        const std::chrono::milliseconds patience = m_power.lateness()
            + std::chrono::milliseconds{kLastSampleIntervals * m_request.interval_ms};
        m_power.waitUntilCovered(m_time.end_ns, patience, m_context.cancel);
    }
    m_feed->stop();
    m_sides.stop();
}

// Baseline, work of the spans, energies, figures and quality.
void RunJob::measureEnergy(Run& run) const
{
    PowerInfo& power = run.info.power;
    run.trace.secondary = m_sides.records();
    power.baseline = energy::measureBaseline(run.trace.samples, m_idle, m_time.begin_ns,
                                             m_request.baseline_moment);
    if (const auto& known = m_request.known_baseline; known && m_idle.empty()) {
        power.baseline = known->record;
        power.baseline->age_ns = m_time.begin_ns - known->end_ns;
    }
    if (const auto config = model::readModelConfig(m_request.load.folder))
        analyticWork(run.trace, run.info, *config);
    estimateWork(run.trace, run.info);
    energy::attribute(run, {.method = m_request.attribution, .align = true});
    if (power.source == "none")
        return;
    const power::SourceFacts facts = m_feed ? m_feed->facts() : power::SourceFacts{};
    power.rated_mw = facts.rated_mw;
    power.sample_kind = facts.sample_kind;
    power.battery_mj = MachineLoad::batteryCapacity();
    power.quality = energy::assessQuality(run.trace, m_request.interval_ms);
    power.quality->dropped = facts.dropped;
    m_machine.describe(*power.quality);
    energy::judgeQuality(*power.quality);
    noteUncovered(power);
}

Run RunJob::assemble()
{
    Run run;
    run.info = m_info;
    run.info.power = describePower();
    run.info.profiling = describeProfiling();
    run.trace.time = m_time;
    if (!m_idle.empty())
        run.trace.phases.push_back({.phase = Phase::Idle, .time = m_idle, .energy = {}});
    const std::vector<PhaseSpan> phases = m_phases.phases();
    run.trace.phases.insert(run.trace.phases.end(), phases.begin(), phases.end());
    run.trace.tokens = m_tokens;
    run.trace.samples = m_power.all();
    power::foldLateReadings(run.trace.samples);
    excludeSleep(run.trace.samples, m_clocks.interruptions());
    if (m_recorder)
        m_recorder->appendTo(run.trace, static_cast<std::int32_t>(m_tokens.size()));
    measureEnergy(run);
    noteInterruptions(run.info, m_clocks.interruptions(), m_time.begin_ns);
    if (m_activity && m_activity->mayNap())
        noteCovered(run.info, m_covered);
    return run;
}

Status RunJob::save(const Run& run)
{
    // A run that was cancelled while the model was loading has not been begun in the database.
    if (!m_store)
        emplaceStore();
    if (m_request.store_texts)
        return m_store->finish(run);
    Run hashed = run;
    hashTexts(hashed);
    return m_store->finish(hashed);
}

Status RunJob::finish()
{
    const Status& outcome = m_outcome;
    stopPower();
    const bool cancelled = !outcome && outcome.error().code == ErrorCode::Cancelled;
    if (!outcome && !cancelled && m_tokens.empty()) {
        if (m_store)
            m_store->discard();
        m_feed.reset();
        m_context.outbox.put(RunFailed{outcome.error()});
        return {};
    }
    m_info.status = outcome ? RunStatus::Complete
        : cancelled         ? RunStatus::Cancelled
                            : RunStatus::Failed;
    m_info.status_message = outcome
        ? m_transcript.contextNote(m_info.model, m_request.max_new_tokens)
        : outcome.error().message;

    RunFinished finished;
    auto run = std::make_shared<Run>(assemble());
    m_feed.reset();
    if (!m_request.database.empty()) {
        const Status saved = save(*run);
        finished.saved = saved.has_value();
        if (!saved)
            finished.save_problem = saved.error().message;
    }
    finished.profiler_ns = run->info.profiling.cost_ns;
    finished.run = std::move(run);
    m_context.outbox.put(std::move(finished));
    return {};
}

} // namespace ep::session
