// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/endpoint.h"
#include "ep/core/cancel.h"

#include <string>
#include <vector>

// Which server listens at an address of this machine, and what it offers.
namespace ep::attach {

struct FoundServer {
    Endpoint endpoint;
    std::string engine; // name and version: "Ollama 0.12.3"
    std::string dialect; // the one that states most: "ollama-chat"
    std::vector<std::string> models;

    bool operator==(const FoundServer&) const = default;
};

// Asks for its version and models only; at most a few seconds. NotFound: nothing listens there.
Result<FoundServer> identify(const Endpoint& endpoint, const std::string& token,
                             const CancelToken& cancel);

// The servers at their usual ports: Ollama 11434, LM Studio 1234, llama.cpp and MLX 8080, vLLM and
// oMLX 8000, Apple's `fm serve` 1976, and 2276. Only the loopback is asked. Blocks; any thread.
std::vector<FoundServer> findServers(const CancelToken& cancel);

} // namespace ep::attach
