// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/server_process.h"

#include "power/process_table.h"

namespace ep::session {

namespace {

// A server that runs as another user, like Ollama's service.
int processOf(std::string_view engine)
{
    const char* name = engine.starts_with("Ollama") ? "ollama"
        : engine.starts_with("llama.cpp")           ? "llama-server"
                                                    : nullptr;
    if (name == nullptr)
        return 0;
    for (const auto& [pid, facts] : readProcesses()) { // the oldest one is the root of the tree
        if (facts.name == name)
            return pid;
    }
    return 0;
}

} // namespace

ServerProcess::ServerProcess(std::uint16_t port, std::string_view engine)
    : m_pid(listenerAt(port))
{
    if (m_pid == 0)
        m_pid = processOf(engine);
}

std::optional<double> ServerProcess::cpuSeconds() const
{
    const Processes processes = readProcesses();
    if (m_pid == 0 || !processes.contains(m_pid))
        return std::nullopt;
    double seconds = 0.0;
    for (const auto& [pid, facts] : processes) {
        // Walks up to the root of the tree; bounded, because ids may be reused meanwhile.
        int above = pid;
        for (int depth = 0; above != m_pid && above > 1 && depth < 64; ++depth) {
            const auto parent = processes.find(above);
            above = parent == processes.end() ? 0 : parent->second.parent;
        }
        if (above == m_pid)
            seconds += facts.seconds;
    }
    return seconds;
}

} // namespace ep::session
