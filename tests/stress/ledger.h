// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ep::test {

// A run as shown by some program.
struct SeenRun {
    std::string id;
    std::string title{};
    std::set<std::string> tags{};
};

// What the database must contain: every change that a program reported as done. A change still in
// progress, or whose program was killed, may or may not have been made: until it is settled,
// nothing is expected of its run.
class Ledger {
public:
    struct Run {
        bool there = false;
        std::string title{};
        std::set<std::string> tags{};
        bool settled = false;
        int changes = 0;
    };

    // Called before a program changes the run; the new state counts once settle() is called. A run
    // that never settles is excluded from all comparisons.
    Run& change(const std::string& id);
    void settle(const std::string& id);

    const std::map<std::string, Run>& runs() const { return m_runs; }
    // Ids of all settled runs that exist.
    std::vector<std::string> settledIds() const;
    int acknowledged() const { return m_acknowledged; }

    // Differences between what was seen and what was settled in `before` and is unchanged since.
    std::vector<std::string> differences(const Ledger& before,
                                         const std::vector<SeenRun>& seen) const;

private:
    std::map<std::string, Run> m_runs;
    int m_acknowledged = 0;
};

} // namespace ep::test
