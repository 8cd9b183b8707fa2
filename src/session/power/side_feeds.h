// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/power_log.h"

#include "ep/core/energy_record.h"
#include "ep/session/backend.h"

#include <memory>
#include <vector>

namespace ep::session {

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
        std::string problem; // why it did not start
        std::unique_ptr<PowerLog> log = std::make_unique<PowerLog>();
        std::unique_ptr<PowerFeed> feed; // last: its sink refers to the log
    };
    std::vector<Side> m_sides;
};

} // namespace ep::session
