// SPDX-License-Identifier: GPL-3.0-or-later
#include "stress/ledger.h"

namespace ep::test {

Ledger::Run& Ledger::change(const std::string& id)
{
    Run& run = m_runs[id];
    run.settled = false;
    ++run.changes;
    return run;
}

void Ledger::settle(const std::string& id)
{
    m_runs[id].settled = true;
    ++m_acknowledged;
}

std::vector<std::string> Ledger::settledIds() const
{
    std::vector<std::string> ids;
    for (const auto& [id, run] : m_runs) {
        if (run.settled && run.there)
            ids.push_back(id);
    }
    return ids;
}

std::vector<std::string> Ledger::differences(const Ledger& before,
                                             const std::vector<SeenRun>& seen) const
{
    std::map<std::string, const SeenRun*> byId;
    for (const SeenRun& run : seen)
        byId[run.id] = &run;
    std::vector<std::string> found;
    for (const auto& [id, expected] : before.m_runs) {
        if (!expected.settled || m_runs.at(id).changes != expected.changes)
            continue;
        const auto shown = byId.find(id);
        const bool there = shown != byId.end();
        if (there != expected.there) {
            found.push_back(id + (there ? " came back after it was deleted" : " is lost"));
            continue;
        }
        if (there && shown->second->title != expected.title) {
            found.push_back(id + " has the title '" + shown->second->title + "' instead of '"
                            + expected.title + "'");
        }
        if (there && shown->second->tags != expected.tags)
            found.push_back(id + " has other tags than were set");
    }
    return found;
}

} // namespace ep::test
