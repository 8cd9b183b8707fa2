// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/power_log.h"
#include "record/outbox.h"
#include "record/store_writer.h"

#include "ep/core/energy_record.h"
#include "ep/session/backend.h"
#include "ep/session/events.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace ep::session {

// Preliminary energies during a run. A token ends long before the sample that covers it arrives;
// until then, power is assumed to be that of the last window.
//
// token: with its layers and components; samples: the latest ones, in order; rails: the rails of
// the run's samples so far. There is no estimate if the last sample ended more than three windows
// before the token.
void estimateEnergy(TokenComplete& token, std::vector<PowerSample> samples,
                    const std::vector<Rail>& rails = {});

// The run's phases so far, for tagging samples as they arrive. Any thread.
class PhaseClock {
public:
    void enter(Phase phase, Nanoseconds at); // ends the previous phase
    void end(Nanoseconds at);
    std::vector<PhaseSpan> phases() const;
    // Sets phase and confidence of a sample from the phases so far; the last one is still open.
    void tag(PowerSample& sample) const;

private:
    mutable std::mutex m_mutex; // guards the members below
    std::vector<PhaseSpan> m_phases;
    bool m_goingOn = false; // the last phase is still open
};

// The power sources recorded in addition to the primary one, for comparison. A source that fails
// never stops a run: its record contains the reason.
class SideFeeds {
public:
    void start(const Backend& backend, const std::vector<power::SourceChoice>& choices,
               int intervalMs);
    void stop();
    std::vector<SecondarySource> records() const;

private:
    struct Side {
        std::string kind;
        Message problem; // why it did not start
        std::unique_ptr<PowerLog> log = std::make_unique<PowerLog>();
        std::unique_ptr<PowerFeed> feed; // last: its sink refers to the log
    };
    std::vector<Side> m_sides;
};

// The power of one run: its primary and secondary sources, the samples so far, and their delivery.
// The members belong to the inference thread; samples arrive on the source's thread.
class RunPower {
public:
    // store may be null. All must outlive this object.
    RunPower(const RunRequest& request, const Backend& backend, Outbox& outbox, StoreWriter* store,
             const CancelToken& cancel);

    // Whether start() succeeded.
    bool started() const { return m_feed != nullptr && !m_loading; }
    // Starts the primary source, so that start() waits only for the end of the current window, or
    // not at all where a source can be read at any time.
    // Samples until start() are dropped, but for one that ends right before it. Does nothing if the
    // source is known only after loading.
    Status startWhileLoading(const std::string& device);
    // Starts the sources and waits for the first sample, so that the run begins with a window.
    // device: compute device, used by `auto`.
    Status start(const std::string& device);
    // Restarts a replay at the start of the run, since some of it was used up before. Other
    // sources are left alone.
    Status restartReplay(const std::string& device);
    // Waits while only the sources are running.
    Status measureIdle(double seconds);
    TimeRange idle() const { return m_idle; } // empty: not measured
    const PowerQuality& idleLoad() const { return m_idleLoad; } // who used processors meanwhile
    // Puts RunBegan into the outbox, then samples and problems, starting with the earlier ones.
    void announce(const RunInfo& info, Nanoseconds begin);
    // Waits for the sample that covers the end of the run, if it is not empty, and stops.
    void stop(const TimeRange& run);
    void release() { m_feed.reset(); } // no event of the source arrives afterwards

    PhaseClock& phases() { return m_phases; }
    const PhaseClock& phases() const { return m_phases; }
    void estimate(TokenComplete& token) const; // preliminary energies
    PowerInfo describe() const; // source, detail and notice
    power::SourceFacts facts() const; // after stop()
    std::vector<PowerSample> samples() const { return m_log.all(); }
    std::vector<SecondarySource> secondary() const { return m_sides.records(); }

private:
    // The time up to which the samples of the run should reach.
    Nanoseconds lastMoment(const TimeRange& run) const;
    bool replays() const { return m_request.power.kind == "replay"; }
    bool delivers() const { return m_feed->kind() != "none"; }
    Status startFeed(const std::string& device);
    void beginWindow(); // at the start of a source that has been running while the model was loaded
    void heardSample(PowerSample sample);
    void heardProblem(const Message& problem);

    const RunRequest& m_request;
    const Backend& m_backend;
    Outbox& m_outbox;
    StoreWriter* m_store;
    const CancelToken m_cancel;
    PhaseClock m_phases;
    PowerLog m_log;
    TimeRange m_idle;
    PowerQuality m_idleLoad;
    std::atomic<bool> m_loading = false;

    std::mutex m_mutex; // guards the members below, and the order of events
    Nanoseconds m_newest = 0; // start of the newest sample's window
    bool m_announced = false; // RunBegan is in the outbox; samples may follow it
    std::vector<PowerSample> m_early; // samples from before RunBegan
    std::optional<PowerSample> m_beforeStart; // the newest one from while the model was loaded

    SideFeeds m_sides;
    std::unique_ptr<PowerFeed> m_feed; // last: its sink refers to everything above
};

} // namespace ep::session
