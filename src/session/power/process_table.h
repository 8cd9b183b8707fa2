// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// The processes of the machine as the system shows them to this user: /proc, or libproc on a Mac.
namespace ep::session {

struct ProcessFacts {
    int parent = 0;
    // Processor time of the process and of children it waited for (on a Mac: its own only).
    double seconds = 0.0;
    std::int64_t resident_bytes = 0; // 0: unknown
    std::uint64_t started = 0; // distinguishes the process from a later one with the same id
    std::string name{};
};
using Processes = std::map<int, ProcessFacts>;

Processes readProcesses();
std::optional<ProcessFacts> readProcess(int pid);
// Absent if the system does not list children.
std::optional<std::vector<int>> childrenOf(int pid);
// The process that listens at this port of this machine; 0: none visible.
int listenerAt(std::uint16_t port);

} // namespace ep::session
