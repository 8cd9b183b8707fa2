// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/profiler.h"

#include <QElapsedTimer>
#include <QTimer>

#include <optional>
#include <span>
#include <vector>

namespace ep::session {

// Repeats a run until its energy per token is known: at least kMinUntil times, until
// the 95 % interval of its mean over the repeats (Student's t) is narrow enough. Checking after
// every repeat stops a little too early by chance; from five repeats on that matters little.
struct UntilKnown {
    double half_width = 0.02; // half of the interval, relative to the mean
    double most_seconds = 600.0; // no repeat begins after this many seconds
    double least_seconds = 0.0; // continues for this long even if the energy is known

    bool operator==(const UntilKnown&) const = default;
};
inline constexpr int kMinUntil = 5;
inline constexpr int kMostUntil = 50; // repeats, unless the request says otherwise

// The mean energy of the repeats so far.
struct EnergyKnown {
    int runs = 0;
    double joules_per_token = 0.0; // mean; 0 if there are no runs
    std::optional<double> half_width{}; // relative; requires 3 runs

    bool operator==(const EnergyKnown&) const = default;
};
// Absent if a run has no energy per token.
std::optional<EnergyKnown> energyKnown(std::span<const std::optional<double>> joulesPerToken);

// Repeats runs with a profiler: starts the next run when one has finished. Stops at the first run
// that failed, was cancelled or could not be stored and, with `until`, as soon as the energy is
// known or turns out to be missing. Lives on the profiler's thread, and the profiler must outlive
// it; observers of the runs connect to the profiler as usual.
class RepeatLoop : public QObject {
    Q_OBJECT
public:
    explicit RepeatLoop(Profiler& profiler, QObject* parent = nullptr);

    // Makes each request once, then each again. The first request states how often and with which
    // pauses (`repeats`, `cool_down_seconds`; with `until`, at most as often). Unlike PaysRunner,
    // does not compare the runs. Neither the loop nor the profiler may be running.
    void start(std::vector<RunRequest> requests, const std::optional<UntilKnown>& until = {});
    // Cancels the run in progress, or the pause. Ends with stopped().
    void cancel();

    bool running() const { return m_running; }
    int runs() const { return m_repeats * static_cast<int>(m_requests.size()); }
    int begun() const { return m_next; } // including the run in progress
    // The mean over the complete runs; absent if one of them has no energy per token.
    std::optional<EnergyKnown> known() const { return energyKnown(m_joulesPerToken); }

Q_SIGNALS:
    void runStarting(int number, int runs); // number: counted from 1
    void coolDownStarted(int milliseconds);
    void stopped(bool complete); // true: all runs of the plan were made

private:
    void startNext();
    void goOn();
    bool knowsEnough() const;
    void stop(bool complete);

    Profiler& m_profiler;
    std::vector<RunRequest> m_requests;
    int m_repeats = 0;
    std::optional<UntilKnown> m_until;
    std::vector<std::optional<double>> m_joulesPerToken; // one for each complete run
    QElapsedTimer m_elapsed;
    QTimer m_pause;
    int m_next = 0;
    bool m_running = false;
    bool m_cancelled = false;
};

} // namespace ep::session
