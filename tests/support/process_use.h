// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/types.h>
#include <unistd.h>

// What another process has used so far, from /proc (Linux).
namespace ep::test {

// Processor time of all threads in seconds, in steps of a hundredth.
inline double processorSeconds(pid_t process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string field;
    double ticks = 0.0;
    for (int number = 3; fields >> field && number <= 15; ++number) {
        if (number >= 14) // fields utime and stime
            ticks += std::stod(field);
    }
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// How often its threads fell asleep, and so were woken up: this keeps processors from resting.
inline long wakeUps(pid_t process)
{
    long sum = 0;
    std::error_code gone;
    const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
        std::ifstream file(task.path() / "status");
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with("voluntary_ctxt_switches:"))
                sum += std::stol(line.substr(line.find(':') + 1));
        }
    }
    return sum;
}

} // namespace ep::test
