// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/process_table.h"
#include "power/processor_use.h"

#include <map>
#include <optional>
#include <vector>

namespace ep::session {

// A command and all of its descendants, including those that detached from it (a process once seen
// stays a member when it gets another parent). One thread.
class CommandTree final : public ProcessorUse {
public:
    explicit CommandTree(int root);

    void look(); // finds new members and reads the use of all
    std::optional<double> cpuSeconds() const override;
    // Processor time without the command itself and the children that it waited for: the system
    // states their exact use once the command has ended.
    double secondsBeside() const;
    std::int64_t peakBytes() const { return m_peakBytes; }
    std::int64_t seen() const { return static_cast<std::int64_t>(m_members.size()); }
    std::int64_t leftRunning() const; // members that still run, without the command
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
