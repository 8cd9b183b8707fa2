// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/side_feeds.h"

#include "ep/power/late_readings.h"

#include <utility>

namespace ep::session {

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
        record.detail = side.feed ? side.feed->detail() : std::string();
        record.notice = side.log->problem().value_or(side.problem);
        record.samples = side.log->all();
        power::foldLateReadings(record.samples);
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace ep::session
