// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/processor_use.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ep::session {

// The process that listens at a port of this machine, with all its descendants, because servers
// compute in child processes. Tells the server's load from that of other programs. Any thread.
class ServerProcess final : public ProcessorUse {
public:
    // engine: "Ollama 0.12.3"; finds another user's server by its usual name if the system does not
    // say who listens.
    ServerProcess(std::uint16_t port, std::string_view engine);

    bool known() const { return m_pid > 0; }
    int pid() const { return m_pid; }
    // Processor time of the process tree since its start; absent if the time is unknown or the
    // process is gone.
    std::optional<double> cpuSeconds() const override;

private:
    int m_pid = 0;
};

} // namespace ep::session
