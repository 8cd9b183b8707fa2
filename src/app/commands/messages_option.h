// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/result.h"
#include "ep/session/run_settings.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace ep::app {

// --messages and --template-var: conversations in OpenAI's form instead of a prompt.
struct MessagesOption {
    CLI::Option* addFile(CLI::App& command); // may be an option group
    CLI::Option* addVariables(CLI::App& command);

    // Throws a CLI::Error if these two cannot be used with the other parts of the prompt.
    void check(session::PromptParts parts) const;
    bool given() const { return !file.empty(); }
    // Returns the messages in the file, or none if no file was given; several conversations are a
    // batch. Lists on stderr what else the file contains, because it is not used.
    Result<std::vector<Conversation>> read() const;
    Result<std::string> variables() const; // a JSON object; empty: not given

    std::string file{};
    std::vector<std::string> assignments{};
};

} // namespace ep::app
