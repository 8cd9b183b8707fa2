// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/power_sample.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ep::session {

// The samples of one run as they come in. The power feed's thread adds, the inference thread reads
// and waits.
class PowerLog {
public:
    void add(const PowerSample& sample);
    void fail(const std::string& problem); // the first problem is kept

    std::optional<std::string> problem() const;
    std::vector<PowerSample> all() const;
    // The samples whose window ends after `since`, and at least the last one.
    std::vector<PowerSample> recent(Nanoseconds since) const;
    // Of the total, that any sample so far had.
    std::vector<Rail> rails() const;

    // By how much the latest of the newest samples came after the end of its window.
    std::chrono::milliseconds lateness() const;

    // Until a sample arrived; false on timeout, cancel or a dead source.
    bool waitForFirst(std::chrono::milliseconds timeout, const CancelToken& cancel) const;
    // Until a window reaches `end`; false likewise.
    bool waitUntilCovered(Nanoseconds end, std::chrono::milliseconds timeout,
                          const CancelToken& cancel) const;

private:
    bool waitFor(const std::function<bool()>& reached, std::chrono::milliseconds timeout,
                 const CancelToken& cancel) const;

    mutable std::mutex m_mutex; // guards m_samples, m_rails and m_problem
    mutable std::condition_variable m_changed;
    std::vector<PowerSample> m_samples;
    std::vector<Rail> m_rails;
    std::optional<std::string> m_problem;
};

} // namespace ep::session
