// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The powermetrics command line and the meaning of its failures. Text only, no processes.
namespace ep::power {

// Programs, and how to call them.
struct PowermetricsCommand {
    std::string powermetrics = "/usr/bin/powermetrics";
    std::string sudo = "/usr/bin/sudo";
    bool elevate = true; // through `sudo -n`; false if the process is already root

    bool operator==(const PowermetricsCommand&) const = default;
};

// The system's programs; the environment variables EP_POWERMETRICS and EP_SUDO replace their paths
// for testing. Elevates unless this process is root; an explicit EP_SUDO is always used.
PowermetricsCommand powermetricsCommand();

// The samplers, in the order in which they are requested. Systems before macOS 13 do not know
// ane_power.
std::vector<std::string> defaultSamplers();

// The fixed argument vector: -i <ms> -f plist -b 0 -s <samplers>. Short options only: the long ones
// differ between systems. A sudoers rule that pins the vector depends on every byte of it.
std::vector<std::string> powermetricsArguments(int intervalMs,
                                               const std::vector<std::string>& samplers);

// Program and arguments as one shell-quoted line, for messages.
std::string commandLine(const std::vector<std::string>& words);

// The rule that lets `user` run exactly this vector without a password.
std::string sudoersRule(std::string_view user, const PowermetricsCommand& command, int intervalMs,
                        const std::vector<std::string>& samplers);

// Returns NAME from "unrecognized sampler: NAME" in the tool's output.
std::optional<std::string> unknownSampler(std::string_view output);

// Facts about how a powermetrics process ended unexpectedly.
struct PowermetricsExit {
    bool started = true; // false: the program could not be executed
    bool crashed = false; // ended by a signal
    int status = 0; // exit status
    int documents = 0; // readings delivered before the end
    std::string output; // text on stdout outside of documents, and stderr
    std::string allow_rule; // sudoersRule() of the call
    PowermetricsCommand command;
};

// One sentence for the user: what happened and what to do.
std::string explainExit(const PowermetricsExit& exit);

} // namespace ep::power
