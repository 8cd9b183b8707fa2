// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The powermetrics command line and what its failures mean. No processes here, only texts.
namespace ep::power {

// Programs and how to call them.
struct PowermetricsCommand {
    std::string powermetrics = "/usr/bin/powermetrics";
    std::string sudo = "/usr/bin/sudo";
    bool elevate = true; // through `sudo -n`; false where the process is root already

    bool operator==(const PowermetricsCommand&) const = default;
};

// The system's programs; the environment variables EP_POWERMETRICS and EP_SUDO replace their paths
// (for trying the program against a stand-in). Elevates unless this process is root; a given
// EP_SUDO is always used.
PowermetricsCommand powermetricsCommand();

// In the order in which they are asked for. Systems before macOS 13 do not know ane_power.
std::vector<std::string> defaultSamplers();

// The frozen argument vector: -i <ms> -f plist -b 0 -s <samplers>. Short spellings only: the long
// ones differ between systems. Whoever pins the vector in sudoers relies on every byte of it.
std::vector<std::string> powermetricsArguments(int intervalMs,
                                               const std::vector<std::string>& samplers);

// Program and arguments as one shell-quoted line, for messages.
std::string commandLine(const std::vector<std::string>& words);

// The one rule that lets `user` run exactly this vector without a password.
std::string sudoersRule(std::string_view user, const PowermetricsCommand& command, int intervalMs,
                        const std::vector<std::string>& samplers);

// NAME of "unrecognized sampler: NAME" in the tool's output.
std::optional<std::string> unknownSampler(std::string_view output);

// How a powermetrics process ended without being asked to.
struct PowermetricsExit {
    bool started = true; // false: the program could not be executed
    bool crashed = false; // ended by a signal
    int status = 0; // exit status
    int documents = 0; // readings delivered before
    std::string output; // text on stdout outside of documents, and stderr
    std::string allow_rule; // sudoersRule() of the call
    PowermetricsCommand command;
};

// One sentence for the user: what happened and what to do.
std::string explainExit(const PowermetricsExit& exit);

} // namespace ep::power
