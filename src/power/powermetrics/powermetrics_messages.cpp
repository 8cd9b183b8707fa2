// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/powermetrics_messages.h"

#include "ep/core/joined.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unistd.h>

namespace ep::power {

namespace {

constexpr std::string_view kUnknownSampler = "unrecognized sampler:";

// The first line of the tool's output that is not known noise, truncated.
std::string firstComplaint(std::string_view output)
{
    constexpr std::array<std::string_view, 2> kNoise = {"underflow occured", "proc_pid"};
    constexpr std::size_t kLongest = 200;
    while (!output.empty()) {
        const auto line = output.substr(0, output.find('\n'));
        output.remove_prefix(std::min(output.size(), line.size() + 1));
        const bool noise = std::ranges::any_of(
            kNoise, [line](std::string_view word) { return line.find(word) != line.npos; });
        if (!noise && line.find_first_not_of(" \t\r") != line.npos)
            return std::string(line.substr(0, kLongest));
    }
    return {};
}

// A text that identifies a failure, and the message for it. {rule} stands for the sudoers rule.
struct Known {
    std::string_view text;
    std::string_view sentence;
};
constexpr std::string_view kNeedsPassword =
    "sudo asks for a password before it runs powermetrics; run `sudo -v` in the same terminal "
    "first, or allow this one command with the sudoers rule `{rule}`.";
constexpr std::string_view kNotAllowed =
    "This account may not run powermetrics through sudo; an administrator can allow this one "
    "command with the sudoers rule `{rule}`.";
constexpr std::array<Known, 10> kKnown = {{
    {"must be invoked as the superuser",
     "powermetrics was not run as root; allow it with the sudoers rule `{rule}`, or choose "
     "another power source."},
    {"a password is required", kNeedsPassword},
    {"interactive authentication is required", kNeedsPassword},
    {"a terminal is required", kNeedsPassword},
    {"no tty present", kNeedsPassword},
    {"must have a tty", kNeedsPassword},
    {"is not in the sudoers file", kNotAllowed},
    {"is not allowed to execute", kNotAllowed},
    {"may not run sudo", kNotAllowed},
    {"Assertion failed",
     "powermetrics crashed, as is known from beta versions of the system; update macOS, or choose "
     "another power source."},
}};

std::string filled(std::string_view sentence, const std::string& rule)
{
    std::string text(sentence);
    constexpr std::string_view kRule = "{rule}";
    if (const auto at = text.find(kRule); at != std::string::npos)
        text.replace(at, kRule.size(), rule);
    return text;
}

std::string readings(int count)
{
    return std::to_string(count) + (count == 1 ? " reading" : " readings");
}

} // namespace

PowermetricsCommand powermetricsCommand()
{
    PowermetricsCommand command;
    command.elevate = geteuid() != 0;
    if (const char* path = std::getenv("EP_POWERMETRICS"); path != nullptr && *path != '\0')
        command.powermetrics = path;
    if (const char* path = std::getenv("EP_SUDO"); path != nullptr && *path != '\0') {
        command.sudo = path;
        command.elevate = true;
    }
    return command;
}

std::vector<std::string> defaultSamplers()
{
    return {"cpu_power", "gpu_power", "ane_power", "thermal"};
}

std::vector<std::string> powermetricsArguments(int intervalMs,
                                               const std::vector<std::string>& samplers)
{
    return {"-i", std::to_string(intervalMs), "-f", "plist", "-b", "0",
            "-s", joined(samplers, ",")};
}

std::string commandLine(const std::vector<std::string>& words)
{
    std::vector<std::string> quoted;
    for (const auto& word : words) {
        const bool plain = !word.empty() && word.find_first_of(" '\"\\$`()&;|<>*?") == word.npos;
        std::string inside;
        for (const char c : word)
            inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
        quoted.push_back(plain ? word : "'" + inside + "'");
    }
    return joined(quoted, " ");
}

std::string sudoersRule(std::string_view user, const PowermetricsCommand& command, int intervalMs,
                        const std::vector<std::string>& samplers)
{
    std::string rule(user);
    rule += " ALL=(root) NOPASSWD: " + command.powermetrics;
    for (const auto& argument : powermetricsArguments(intervalMs, samplers)) {
        rule += ' ';
        for (const char c : argument) {
            if (c == ',' || c == ':' || c == '=' || c == '\\')
                rule += '\\';
            rule += c;
        }
    }
    return rule;
}

std::optional<std::string> unknownSampler(std::string_view output)
{
    const auto at = output.find(kUnknownSampler);
    if (at == std::string_view::npos)
        return std::nullopt;
    const auto rest = output.substr(at + kUnknownSampler.size());
    const auto first = rest.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return std::nullopt;
    const auto name = rest.substr(first, rest.find_first_of(" \t\r\n", first) - first);
    return name.empty() ? std::nullopt : std::optional(std::string(name));
}

std::string explainExit(const PowermetricsExit& exit)
{
    if (!exit.started) {
        const auto& program = exit.command.elevate ? exit.command.sudo : exit.command.powermetrics;
        return "The program " + program
            + " could not be started; powermetrics is part of macOS, choose another power source "
              "on other systems.";
    }
    for (const auto& known : kKnown) {
        if (exit.output.find(known.text) != std::string::npos)
            return filled(known.sentence, exit.allow_rule);
    }
    if (const auto sampler = unknownSampler(exit.output))
        return "This system's powermetrics does not support the sampler " + *sampler
            + ", without which it gives no energy; choose another power source.";
    std::string ended = exit.crashed ? "by a signal" : "with status " + std::to_string(exit.status);
    if (const auto complaint = firstComplaint(exit.output); !complaint.empty())
        ended += " (" + complaint + ")";
    if (exit.documents > 0)
        return "powermetrics ended unexpectedly after " + readings(exit.documents) + ", " + ended
            + "; the run continues without power from this point.";
    return "powermetrics ended before its first reading, " + ended
        + "; try its command in a terminal, or choose another power source.";
}

} // namespace ep::power
