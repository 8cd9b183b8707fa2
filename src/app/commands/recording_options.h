// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages_option.h"
#include "options.h"

#include "ep/session/events.h"

// Options that `run` and `attach` share: what is generated, how it is measured, how it is kept.
namespace ep::app {

struct RecordingOptions {
    session::RunRequest request{};
    PowerOptions power{};
    DatabaseOption database{};
    std::string prompt_file{};
    MessagesOption messages{};
    std::string json{}; // file; "-": standard output; empty: none
    bool as_json = false;
    bool full = false; // everything as JSON, not only an overview
    bool details = false;
    bool no_save = false;
    bool hashes_only = false;

    void addKeeping(CLI::App& command, const std::string& jsonHelp);
    void finish(); // call in the callback of the command

    // The request with the prompt of --prompt-file or the conversations of --messages, if given.
    Result<session::RunRequest> read() const;
};

} // namespace ep::app
