// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages_option.h"
#include "options.h"

#include "ep/session/events.h"

// Options that `run` and `attach` share: what is generated, how it is measured, how it is kept.
namespace ep::app {

struct RecordingOptions {
    PowerOptions power;
    DatabaseOption database;
    std::string prompt_file{};
    MessagesOption messages{};
    std::string system{};
    int max_new_tokens = 64;
    SamplingSettings sampling{};
    int warmup = 0;
    double baseline_seconds = 0.0;
    int repeat = 1;
    double cool_down_seconds = 0.0;
    std::vector<std::string> tags{};
    std::string experiment{};
    std::string json{}; // file; "-": standard output; empty: none
    bool as_json = false;
    bool full = false; // everything as JSON, not only an overview
    bool details = false;
    bool no_save = false;
    bool hashes_only = false;
    power::SourceChoice source{}; // parsed from `power` when the command runs

    void addLength(CLI::App& command); // --max-new-tokens, --temperature
    void addSeed(CLI::App& command);
    void addMeasuring(CLI::App& command, const std::string& warmupHelp);
    CLI::Option* addRepeat(CLI::App& command);
    void addCoolDown(CLI::App& command);
    void addKeeping(CLI::App& command, const std::string& jsonHelp);
    void readJson(); // call in the callback of the command

    // Everything above except the prompt and the messages.
    void applyTo(session::RunRequest& request) const;
    // Reads the prompt of --prompt-file or the conversations of --messages, if given.
    Status readFiles(session::RunRequest& request) const;
    int coolDownMs() const { return static_cast<int>(cool_down_seconds * 1000.0); }
};

} // namespace ep::app
