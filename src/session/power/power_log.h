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

// Time for a source to start (sudo, the first window); without any sample by then, what is measured
// begins anyway.
inline constexpr std::chrono::milliseconds kFirstSampleTimeout{3000};

// The samples of one run as they arrive. The power feed's thread adds them; the inference thread
// reads and waits.
class PowerLog {
public:
    void add(const PowerSample& sample);
    void fail(const Message& problem); // only the first problem is kept

    std::optional<Message> problem() const;
    std::vector<PowerSample> all() const; // with late readings distributed
    // The samples whose window ends after `since`, and at least the last one.
    std::vector<PowerSample> recent(Nanoseconds since) const;
    // Rails that were part of any sample's total so far.
    std::vector<Rail> rails() const;

    // Largest delay between the end of a window and its arrival, among the newest samples.
    std::chrono::milliseconds lateness() const;

    // Waits for a sample; false on timeout, cancellation or failure of the source.
    bool waitForFirst(std::chrono::milliseconds timeout, const CancelToken& cancel) const;
    // Waits for a window that reaches `end`; false as above.
    bool waitUntilCovered(Nanoseconds end, std::chrono::milliseconds timeout,
                          const CancelToken& cancel) const;

private:
    bool waitFor(const std::function<bool()>& reached, std::chrono::milliseconds timeout,
                 const CancelToken& cancel) const;

    mutable std::mutex m_mutex; // guards m_samples, m_rails and m_problem
    mutable std::condition_variable m_changed;
    std::vector<PowerSample> m_samples;
    std::vector<Rail> m_rails;
    std::optional<Message> m_problem;
};

} // namespace ep::session
