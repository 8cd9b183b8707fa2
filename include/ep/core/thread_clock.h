// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ep {

// The processor time of one thread, readable from any thread. Copies refer to the same thread.
class ThreadClock {
public:
    static ThreadClock ofThisThread();

    // Time since the thread began; absent once it has ended, or if the system does not report it.
    std::optional<Nanoseconds> used() const;

    bool operator==(const ThreadClock& other) const { return m_thread == other.m_thread; }

private:
    std::int64_t m_thread = 0; // Linux: a clock id; macOS: a Mach port
    std::shared_ptr<void> m_right; // macOS: keeps the port alive
};

} // namespace ep
