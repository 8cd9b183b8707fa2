// SPDX-License-Identifier: GPL-3.0-or-later
// Time from the start of the program to its painted window, whether LibTorch was touched on the
// way, and what the idle window costs. Linux with the offscreen platform: no display is timed.
#include "support/process_use.h"
#include "support/temp_folder.h"

#include "ep/core/clock.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace {

using namespace std::chrono_literals;

constexpr auto kSettle = 2s; // for the search for models and sensors
constexpr auto kWatch = 3s;

void useFolder(const ep::test::TempFolder& folder)
{
    const std::string path = folder.path().string();
    for (const char* name : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
        setenv(name, path.c_str(), 1);
    setenv("EP_DB", (path + "/runs.db").c_str(), 1);
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
}

pid_t start(std::vector<std::string> words)
{
    words.insert(words.begin(), EP_PROGRAM);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawn(&child, EP_PROGRAM, nullptr, nullptr, arguments.data(), environ) != 0)
        return 0;
    return child;
}

bool mapsTorch(pid_t child)
{
    std::ifstream maps("/proc/" + std::to_string(child) + "/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find("libtorch") != std::string::npos)
            return true;
    }
    return false;
}

void startToWindow(benchmark::State& state)
{
    const ep::test::TempFolder folder;
    useFolder(folder);
    for (auto _ : state) {
        const ep::Nanoseconds begin = ep::monotonicNow();
        const pid_t child = start({"gui", "--separate", "--exit-when-shown"});
        int status = 1;
        if (child == 0 || waitpid(child, &status, 0) != child || status != 0) {
            state.SkipWithError("the program did not show its window");
            return;
        }
        state.SetIterationTime(ep::toSeconds(ep::monotonicNow() - begin));
    }
}
BENCHMARK(startToWindow)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(2.0);

void idleWindow(benchmark::State& state)
{
    const ep::test::TempFolder folder;
    useFolder(folder);
    double share = 0.0;
    bool torch = false;
    for (auto _ : state) {
        const pid_t child = start({"gui", "--separate"});
        if (child == 0) {
            state.SkipWithError("the program did not start");
            return;
        }
        std::this_thread::sleep_for(kSettle);
        const double before = ep::test::processorSeconds(child);
        std::this_thread::sleep_for(kWatch);
        share = (ep::test::processorSeconds(child) - before)
            / std::chrono::duration<double>(kWatch).count();
        torch = mapsTorch(child);
        kill(child, SIGTERM);
        waitpid(child, nullptr, 0);
        state.SetIterationTime(std::chrono::duration<double>(kWatch).count());
    }
    state.counters["cpu_percent"] = 100.0 * share;
    state.counters["libtorch"] = torch ? 1.0 : 0.0;
}
BENCHMARK(idleWindow)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace
