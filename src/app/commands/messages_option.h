// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/result.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace ep::app {

// --messages and --template-var: conversations in OpenAI's form instead of a prompt.
struct MessagesOption {
    CLI::Option* addFile(CLI::App& command); // may be an option group
    CLI::Option* addVariables(CLI::App& command);

    // Throws a CLI::Error: only templates read variables, and messages have their own system
    // message.
    void check(bool chat, const std::string& system) const;
    bool given() const { return !file.empty(); }
    // Messages of the file, none if it was not given; several are a batch. Names on stderr what the
    // file has besides messages and is not used.
    Result<std::vector<Conversation>> read() const;
    Result<std::string> variables() const; // a JSON object; empty: none

    std::string file{};
    std::vector<std::string> assignments{};
};

} // namespace ep::app
