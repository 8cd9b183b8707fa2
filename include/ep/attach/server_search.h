// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/endpoint.h"
#include "ep/core/cancel.h"

#include <string>
#include <vector>

// Finds out which server listens at an address of this machine, and what it offers.
namespace ep::attach {

struct FoundServer {
    Endpoint endpoint;
    std::string engine; // name and version: "Ollama 0.12.3"
    std::string dialect; // the most detailed one: "ollama-chat"
    std::vector<std::string> models;

    bool operator==(const FoundServer&) const = default;
};

// Asks only for version and models; takes a few seconds at most. NotFound: nothing listens there.
Result<FoundServer> identify(const Endpoint& endpoint, const std::string& token,
                             const CancelToken& cancel);

// Servers at their usual ports: Ollama 11434, LM Studio 1234, llama.cpp and MLX 8080, vLLM and
// oMLX 8000, Apple's `fm serve` 1976, and 2276. Asks the loopback only. Blocks; any thread.
std::vector<FoundServer> findServers(const CancelToken& cancel);

} // namespace ep::attach
