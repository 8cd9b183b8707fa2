// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/command_tree.h"

#include <algorithm>

namespace ep::session {

CommandTree::CommandTree(int root)
    : m_root(root)
{
    add(root);
}

void CommandTree::add(int pid)
{
    if (const auto known = m_members.find(pid); known != m_members.end() && !known->second.gone)
        return;
    if (auto facts = readProcess(pid))
        m_members[pid] = {*std::move(facts), false};
}

void CommandTree::addBelow(int pid)
{
    const auto children = childrenOf(pid);
    if (!children)
        return;
    for (const int child : *children) {
        add(child);
        addBelow(child);
    }
}

// For systems that do not list the children of a process. Passes repeat until they find nothing
// new, so that parents are seen before their children.
void CommandTree::addFromTable()
{
    const Processes all = readProcesses();
    for (bool found = true; found;) {
        found = false;
        for (const auto& [pid, facts] : all) {
            const auto parent = m_members.find(facts.parent);
            if (parent == m_members.end() || parent->second.gone || m_members.contains(pid))
                continue;
            m_members[pid] = {facts, false};
            found = true;
        }
    }
}

void CommandTree::look()
{
    for (auto& [pid, member] : m_members) {
        if (member.gone)
            continue;
        const auto now = readProcess(pid);
        // A process whose parent ended gets another one; only the first parent can wait for it.
        member.gone = !now || now->started != member.last.started;
        if (!member.gone)
            member.last = *now;
    }
    if (childrenOf(m_root)) {
        for (const int pid : running())
            addBelow(pid);
    } else {
        addFromTable();
    }
    std::int64_t bytes = 0;
    for (const auto& [pid, member] : m_members)
        bytes += member.gone ? 0 : member.last.resident_bytes;
    m_peakBytes = std::max(m_peakBytes, bytes);
}

bool CommandTree::countedByParent([[maybe_unused]] const Member& member) const
{
#ifdef __APPLE__
    return false; // libproc reports only a process's own time
#else
    return member.gone && m_members.contains(member.last.parent);
#endif
}

std::optional<double> CommandTree::cpuSeconds() const
{
    double seconds = 0.0;
    for (const auto& [pid, member] : m_members)
        seconds += countedByParent(member) ? 0.0 : member.last.seconds;
    return m_members.empty() ? std::nullopt : std::optional(seconds);
}

double CommandTree::secondsBeside() const
{
    double seconds = 0.0;
    for (const auto& [pid, member] : m_members) {
        if (pid == m_root || countedByParent(member))
            continue;
#ifdef __APPLE__
        // A figure includes the children that were waited for, as all ended ones were.
        if (member.gone && m_members.contains(member.last.parent))
            continue;
#endif
        seconds += member.last.seconds;
    }
    return seconds;
}

std::int64_t CommandTree::leftRunning() const
{
    return std::ranges::count_if(
        m_members, [&](const auto& one) { return one.first != m_root && !one.second.gone; });
}

std::vector<int> CommandTree::running() const
{
    std::vector<int> pids;
    for (const auto& [pid, member] : m_members) {
        if (!member.gone)
            pids.insert(pid == m_root ? pids.begin() : pids.end(), pid);
    }
    return pids;
}

} // namespace ep::session
