// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/run_power.h"

#include "power/machine_load.h"
#include "run/job_steps.h"

#include "ep/core/clock.h"
#include "ep/energy/attribute.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace ep::session {

namespace {

constexpr int kLongestHoldWindows = 3;

// Repeats the last window until `end`.
void holdLastPower(std::vector<PowerSample>& samples, Nanoseconds end)
{
    if (samples.empty() || samples.back().window.end_ns >= end)
        return;
    PowerSample held = samples.back();
    if (end - held.window.end_ns > kLongestHoldWindows * held.window.duration_ns())
        return;
    held.window = {held.window.end_ns, end};
    held.energy_mj = {};
    samples.push_back(held);
}

// A window that ended within this time, a tenth of the interval, is as good as one that ends now.
constexpr Nanoseconds kRecentShare = 100'000; // for each millisecond
// How long to wait for the window that covers the run's end.
constexpr int kLastSampleIntervals = 2;
// A counter may be late by up to two windows (energy/align.h), so at the end of a run it has not
// yet counted the last moments. Runs of at least kIntervalsToAlign windows wait for those.
constexpr int kLateIntervals = 2;
constexpr int kIntervalsToAlign = 4;

} // namespace

void estimateEnergy(TokenComplete& token, std::vector<PowerSample> samples,
                    const std::vector<Rail>& rails)
{
    holdLastPower(samples, token.token.time.end_ns);
    RunTrace trace;
    trace.time = token.token.time;
    trace.phases = {{.phase = token.token.phase, .time = trace.time, .energy = {}}};
    trace.tokens = {token.token};
    trace.layers = std::move(token.layers);
    trace.components = std::move(token.components);
    trace.samples = std::move(samples);
    energy::attributeByTime(trace, rails);
    token.token = std::move(trace.tokens.front());
    token.layers = std::move(trace.layers);
    token.components = std::move(trace.components);
}

void PhaseClock::enter(Phase phase, Nanoseconds at)
{
    const std::lock_guard lock(m_mutex);
    if (!m_phases.empty())
        m_phases.back().time.end_ns = at;
    m_phases.push_back({.phase = phase, .time = {at, at}, .energy = {}});
    m_goingOn = true;
}

void PhaseClock::end(Nanoseconds at)
{
    const std::lock_guard lock(m_mutex);
    if (!m_phases.empty())
        m_phases.back().time.end_ns = at;
    m_goingOn = false;
}

std::vector<PhaseSpan> PhaseClock::phases() const
{
    const std::lock_guard lock(m_mutex);
    return m_phases;
}

void PhaseClock::tag(PowerSample& sample) const
{
    std::vector<PhaseSpan> phases;
    {
        const std::lock_guard lock(m_mutex);
        phases = m_phases;
        if (m_goingOn)
            phases.back().time.end_ns = std::max(phases.back().time.end_ns, sample.window.end_ns);
    }
    std::vector<PowerSample> samples{sample};
    energy::tagPhases(samples, phases);
    sample = samples.front();
}

RunPower::RunPower(const RunRequest& request, const Backend& backend, Outbox& outbox,
                   StoreWriter* store, const CancelToken& cancel)
    : m_request(request)
    , m_backend(backend)
    , m_outbox(outbox)
    , m_store(store)
    , m_cancel(cancel)
{
}

Status RunPower::startFeed(const std::string& device)
{
    m_feed = m_backend.makePowerFeed();
    power::SourceChoice choice = m_request.power;
    choice.replay_endless = true;
    if (choice.kind == "auto")
        choice.argument = device;
    const Status status =
        m_feed->start(choice, m_request.interval_ms,
                      {.sample = [this](const PowerSample& sample) { heardSample(sample); },
                       .problem = [this](const Message& problem) { heardProblem(problem); }});
    if (!status)
        m_feed.reset();
    return status;
}

Status RunPower::startWhileLoading(const std::string& device)
{
    const bool chosenLater = m_request.power.kind == "auto" && device == "auto";
    if (m_feed || replays() || chosenLater)
        return {};
    m_loading = true;
    const Status status = startFeed(device);
    if (!status)
        m_loading = false;
    return status;
}

Status RunPower::start(const std::string& device)
{
    m_outbox.put(LoadProgress{1.0, "Starting the power source"});
    if (m_loading.exchange(false))
        beginWindow();
    else if (const Status status = startFeed(device); !status)
        return status;
    m_sides.start(m_backend, m_request.also, m_request.interval_ms);
    // A window must cover the run's first moments.
    if (delivers() && !replays())
        m_log.waitForFirst(kFirstSampleTimeout, m_cancel);
    return m_cancel.cancelled() ? Status(cancelledRun()) : Status();
}

void RunPower::beginWindow()
{
    const Nanoseconds recent = m_request.interval_ms * kRecentShare;
    std::optional<PowerSample> last;
    {
        const std::lock_guard lock(m_mutex);
        last = std::exchange(m_beforeStart, std::nullopt);
    }
    if (last && monotonicNow() - last->window.end_ns <= recent)
        heardSample(*last);
    else
        m_feed->readNow();
}

Status RunPower::restartReplay(const std::string& device)
{
    return replays() ? startFeed(device) : Status();
}

Status RunPower::measureIdle(double seconds)
{
    if (!delivers()) // nothing would be measured
        return {};
    MachineLoad load(systemLoadClocks(m_backend));
    load.begin();
    m_idle.begin_ns = monotonicNow();
    m_idle.end_ns = m_idle.begin_ns;
    while (toSeconds(m_idle.duration_ns()) < seconds) {
        if (m_cancel.cancelled())
            return cancelledRun();
        m_outbox.put(
            LoadProgress{toSeconds(m_idle.duration_ns()) / seconds, "Measuring the idle machine"});
        std::this_thread::sleep_for(kCancelPoll);
        m_idle.end_ns = monotonicNow();
    }
    load.end();
    load.describe(m_idleLoad);
    return {};
}

void RunPower::heardSample(PowerSample sample)
{
    if (m_loading) {
        const std::lock_guard lock(m_mutex);
        m_beforeStart = std::move(sample);
        return;
    }
    m_phases.tag(sample);
    m_log.add(sample);
    if (m_store != nullptr)
        m_store->add(sample);
    const std::lock_guard lock(m_mutex);
    // A sample that covers the time of earlier ones is not shown live (see foldLateReadings()).
    if (sample.window.begin_ns
        < std::exchange(m_newest, std::max(m_newest, sample.window.begin_ns)))
        return;
    if (m_announced)
        m_outbox.put(sample);
    else
        m_early.push_back(sample);
}

void RunPower::heardProblem(const Message& problem)
{
    // One lock over both calls: announce() reports an existing problem.
    const std::lock_guard lock(m_mutex);
    m_log.fail(problem);
    if (m_announced)
        m_outbox.put(PowerProblem{problem});
}

void RunPower::announce(const RunInfo& info, Nanoseconds begin)
{
    const std::lock_guard lock(m_mutex);
    m_outbox.put(RunBegan{std::make_shared<const RunStarted>(RunStarted{info, {begin, begin}})});
    for (const PowerSample& sample : std::exchange(m_early, {}))
        m_outbox.put(sample);
    if (const auto problem = m_log.problem())
        m_outbox.put(PowerProblem{*problem});
    m_announced = true;
}

void RunPower::stop(const TimeRange& run)
{
    if (!m_feed)
        return;
    // A replay delivers its partial last window when it is stopped.
    if (!run.empty() && delivers() && !replays()) {
        // Waits even after a cancellation, since a stopped run would lose its energy otherwise.
        // Counters that are published in batches arrive late by up to one batch, and a busy machine
        // delays readings. A source with long intervals reads once more when it is stopped, so that
        // a cancelled run need not wait for its next one.
        constexpr std::chrono::milliseconds kBusy{1000};
        const std::chrono::milliseconds windows{(kLastSampleIntervals + kLateIntervals)
                                                * m_request.interval_ms};
        const bool heard = !m_log.rails().empty(); // otherwise no sample is expected
        const std::chrono::milliseconds patience = m_log.lateness()
            + (!heard                     ? windows
                   : m_cancel.cancelled() ? kBusy
                                          : std::max(kBusy, windows));
        const Nanoseconds last = lastMoment(run);
        if (last <= monotonicNow())
            m_feed->readNow();
        m_log.waitUntilCovered(last, patience, {});
    }
    m_feed->stop();
    m_sides.stop();
}

Nanoseconds RunPower::lastMoment(const TimeRange& run) const
{
    const Nanoseconds interval = m_request.interval_ms * Nanoseconds{1'000'000};
    const bool late = facts().sample_kind == SampleKind::Counter
        && run.duration_ns() >= kIntervalsToAlign * interval;
    return run.end_ns + (late ? kLateIntervals * interval : 0);
}

void RunPower::estimate(TokenComplete& token) const
{
    estimateEnergy(token, m_log.recent(token.token.time.begin_ns), m_log.rails());
}

PowerInfo RunPower::describe() const
{
    PowerInfo info;
    info.source = m_feed ? m_feed->kind() : "none";
    if (!m_feed)
        return info;
    info.detail = m_feed->detail();
    info.notice = m_log.problem().value_or(m_feed->reason());
    return info;
}

power::SourceFacts RunPower::facts() const
{
    return m_feed ? m_feed->facts() : power::SourceFacts{};
}

void SideFeeds::start(const Backend& backend, const std::vector<power::SourceChoice>& choices,
                      int intervalMs)
{
    for (const power::SourceChoice& choice : choices) {
        Side side;
        side.kind = choice.kind;
        side.feed = backend.makePowerFeed();
        PowerLog* log = side.log.get();
        const Status started =
            side.feed->start(choice, intervalMs,
                             {.sample = [log](const PowerSample& sample) { log->add(sample); },
                              .problem = [log](const Message& problem) { log->fail(problem); }});
        if (started) {
            side.kind = side.feed->kind();
        } else {
            side.problem = started.error().message;
            side.feed.reset();
        }
        m_sides.push_back(std::move(side));
    }
}

void SideFeeds::stop()
{
    for (Side& side : m_sides) {
        if (side.feed)
            side.feed->stop();
    }
}

std::vector<SecondarySource> SideFeeds::records() const
{
    std::vector<SecondarySource> records;
    for (const Side& side : m_sides) {
        SecondarySource record;
        record.source = side.kind;
        record.detail = side.feed ? side.feed->detail() : Message();
        record.notice = side.log->problem().value_or(side.problem);
        record.samples = side.log->all();
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace ep::session
