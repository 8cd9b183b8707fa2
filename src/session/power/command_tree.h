// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/process_table.h"
#include "power/processor_use.h"

#include <map>
#include <optional>
#include <vector>

namespace ep::session {

// A command and all of its descendants, those included that went away from it (a process once seen
// stays a member when another one becomes its parent). One thread.
class CommandTree final : public ProcessorUse {
public:
    explicit CommandTree(int root);

    void look(); // for new members, and what all of them use
    std::optional<double> cpuSeconds() const override;
    // The same without the command itself and what it has waited for, which the system states
    // exactly when the command has ended.
    double secondsBeside() const;
    std::int64_t peakBytes() const { return m_peakBytes; }
    std::int64_t seen() const { return static_cast<std::int64_t>(m_members.size()); }
    std::int64_t leftRunning() const; // other than the command itself
    std::vector<int> running() const; // the command first

private:
    struct Member {
        ProcessFacts last;
        bool gone = false;
    };
    void add(int pid);
    void addBelow(int pid);
    void addFromTable();
    bool countedByParent(const Member& member) const;

    const int m_root;
    std::map<int, Member> m_members;
    std::int64_t m_peakBytes = 0;
};

} // namespace ep::session
