// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/events.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ep::session {

struct LoadProgress {
    double fraction = 0.0;
    Message what;
};
// Held by pointer: a run's description is large, and every event has the size of the largest type.
struct RunBegan {
    std::shared_ptr<const RunStarted> started;
};
struct SectionBegan {
    SectionEvent event;
};
struct SectionEnded {
    SectionEvent event;
};
struct PowerProblem {
    Message message;
};
struct RunFailed {
    Error error;
};

using Event = std::variant<LoadProgress, RunBegan, SectionBegan, SectionEnded, PowerSample,
                           PowerProblem, TokenComplete, RunFinished, RunFailed>;

// Events for the owner's thread, in order. The inference thread never waits for the receiver and
// wakes it only for a run's first token: the owner polls the outbox on a timer. One mutex guards
// everything, so whatever happened before put() happens before the takeAll() that returns the
// event: an event may refer to data of its sender (RunFinished does).
class Outbox {
public:
    // Called on the inference thread when a first token has been put.
    void onFirstToken(std::function<void()> wake) { m_wake = std::move(wake); }

    void put(Event event)
    {
        const auto* const token = std::get_if<TokenComplete>(&event);
        const bool first = token && token->token.index == 0;
        add(std::move(event));
        if (first && m_wake)
            m_wake();
    }

    std::vector<Event> takeAll()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_events, {});
    }

private:
    void add(Event event)
    {
        const std::lock_guard lock(m_mutex);
        // Only the newest progress is kept.
        const bool progress = std::holds_alternative<LoadProgress>(event);
        if (progress && !m_events.empty() && std::holds_alternative<LoadProgress>(m_events.back()))
            m_events.back() = std::move(event);
        else
            m_events.push_back(std::move(event));
    }

    std::function<void()> m_wake; // set before the first event
    std::mutex m_mutex; // guards m_events
    std::vector<Event> m_events;
};

} // namespace ep::session
