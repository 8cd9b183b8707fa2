// SPDX-License-Identifier: GPL-3.0-or-later
//
// A fake of Apple's powermetrics that prints the same stream, from a machine whose power is a
// square wave: cpu 0.5 W and 8 W, gpu 0.05 W and 20 W, half a second each.
//
// EP_FAKE_POWERMETRICS is a comma-separated list of faults:
//   superuser, superuser-stdout   not root: the message on stderr or stdout, status 1
//   old-samplers                  ane_power is unknown
//   jitter=MS                     windows longer by 0..MS at random
//   truncated                     half a document at the end
//   die=K  crash=K  hang=K        after K documents: status 1, an assertion, or silence
//   slow-stop=MS  ignore-term     reacts to SIGTERM late, or never
//   bytes                         one write for each byte
//   noise                         complaints on stderr that mean nothing
//   stuck                         energies 0 while the cores are busy
//   batch=MS                      counters that are only published every MS
//   summary                       a document since boot first
//   garbage=K                     every K-th document is not XML
//   macos12  intel  vm  unsupported   another system
#include "support/fake_powermetrics_document.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <signal.h>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/select.h>
#include <unistd.h>

namespace {

using ep::test::FakeSystem;
using ep::test::FakeWindow;

volatile sig_atomic_t g_stopRequested = 0;

std::int64_t now()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

class Scenario {
public:
    Scenario()
    {
        const char* text = std::getenv("EP_FAKE_POWERMETRICS");
        std::istringstream words(text == nullptr ? "" : text);
        for (std::string word; std::getline(words, word, ',');) {
            const auto equals = word.find('=');
            m_values[word.substr(0, equals)] =
                equals == std::string::npos ? 0 : std::stol(word.substr(equals + 1));
        }
    }
    bool has(const std::string& name) const { return m_values.count(name) > 0; }
    long value(const std::string& name) const { return has(name) ? m_values.at(name) : 0; }
    bool reached(const std::string& name, long count) const
    {
        return has(name) && count >= m_values.at(name);
    }
    FakeSystem system() const
    {
        return has("macos12")    ? FakeSystem::MacOs12
            : has("intel")       ? FakeSystem::Intel
            : has("vm")          ? FakeSystem::VirtualMachine
            : has("unsupported") ? FakeSystem::Unsupported
                                 : FakeSystem::AppleSilicon;
    }

private:
    std::map<std::string, long> m_values;
};

struct Arguments {
    long interval_ms = 5000;
    long count = 0; // 0 or less: endless
    bool plist = false;
    std::string samplers = "tasks,battery,network,disk,interrupts,cpu_power,gpu_power";
    std::string problem;
};

// The value of `-x V`, `-xV`, `--long V` or `--long=V` if argv[i] is that option.
bool takeOption(int argc, char** argv, int& i, char letter, std::string_view word,
                std::string& value)
{
    const std::string_view argument = argv[i];
    const auto longForm = "--" + std::string(word);
    if (argument == std::string("-") + letter || argument == longForm) {
        if (i + 1 >= argc)
            return false;
        value = argv[++i];
        return true;
    }
    if (argument.substr(0, longForm.size() + 1) == longForm + "=") {
        value = argument.substr(longForm.size() + 1);
        return true;
    }
    return false;
}

Arguments parseArguments(int argc, char** argv)
{
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        std::string value;
        if (takeOption(argc, argv, i, 'i', "sample-rate", value)
            || takeOption(argc, argv, i, 'i', "sample-interval", value))
            arguments.interval_ms = std::stol(value);
        else if (takeOption(argc, argv, i, 'n', "sample-count", value))
            arguments.count = std::stol(value);
        else if (takeOption(argc, argv, i, 'f', "format", value))
            arguments.plist = value == "plist";
        else if (takeOption(argc, argv, i, 's', "samplers", value))
            arguments.samplers = value;
        else if (!takeOption(argc, argv, i, 'b', "buffer-size", value))
            arguments.problem = "powermetrics: unrecognized option `" + std::string(argv[i]) + "'";
    }
    return arguments;
}

bool asksFor(const Arguments& arguments, const std::string& sampler)
{
    return ("," + arguments.samplers + ",").find("," + sampler + ",") != std::string::npos;
}

// The first sampler unknown to the system, or nothing.
std::string unknownSampler(const Arguments& arguments, const Scenario& scenario)
{
    constexpr std::array<std::string_view, 11> kKnown = {
        "tasks",   "battery",   "network",   "disk", "interrupts", "cpu_power",
        "thermal", "gpu_power", "ane_power", "sfi",  "all"};
    std::istringstream names(arguments.samplers);
    for (std::string name; std::getline(names, name, ',');) {
        const bool known = std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
        if (!known || (name == "ane_power" && scenario.has("old-samplers")))
            return name;
    }
    return {};
}

class Machine {
public:
    Machine(const Scenario& scenario)
        : m_scenario(scenario)
        , m_start(now())
        , m_last(m_start)
    {
        m_published = counters(m_start);
    }

    FakeWindow window()
    {
        const auto time = now();
        const auto readings = m_scenario.has("stuck") ? m_published : counters(published(time));
        FakeWindow window;
        window.elapsed_ns = time - m_last;
        window.cpu_mj = readings.cpu - m_published.cpu;
        window.gpu_mj = readings.gpu - m_published.gpu;
        window.ane_mj = 0;
        window.dram_mj = (window.cpu_mj + window.gpu_mj) / 8;
        window.package_mj = window.cpu_mj + window.gpu_mj + window.dram_mj;
        window.busy = m_scenario.has("stuck") ? 0.9 : 0.5;
        window.time_s = std::time(nullptr);
        m_last = time;
        m_published = readings;
        return window;
    }

private:
    struct Counters {
        std::int64_t cpu = 0; // in mJ since the start
        std::int64_t gpu = 0;
    };

    std::int64_t published(std::int64_t time) const
    {
        const auto batch = m_scenario.value("batch") * 1'000'000;
        return batch > 0 ? m_start + (time - m_start) / batch * batch : time;
    }

    Counters counters(std::int64_t time) const
    {
        const auto seconds = static_cast<double>(time - m_start) * 1e-9;
        const auto whole = std::floor(seconds);
        const auto high = 0.5 * whole + std::min(0.5, seconds - whole);
        const auto low = seconds - high;
        return {static_cast<std::int64_t>(500.0 * low + 8'000.0 * high),
                static_cast<std::int64_t>(50.0 * low + 20'000.0 * high)};
    }

    const Scenario& m_scenario;
    std::int64_t m_start;
    std::int64_t m_last;
    Counters m_published;
};

void write(const std::string& bytes, const Scenario& scenario)
{
    const std::size_t chunk = scenario.has("bytes") ? 1 : bytes.size();
    for (std::size_t at = 0; at < bytes.size();) {
        const auto count =
            ::write(STDOUT_FILENO, bytes.data() + at, std::min(chunk, bytes.size() - at));
        if (count < 0 && errno != EINTR)
            std::exit(1);
        at += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
}

// Sleeps until the deadline or until a stop signal that ends it. Signals are blocked except in
// pselect, so none is lost between the check and the sleep.
bool sleepUntil(std::int64_t deadline, const sigset_t& open, bool stoppable)
{
    while (!(stoppable && g_stopRequested != 0)) {
        const auto left = deadline - now();
        if (left <= 0)
            return true;
        const timespec wait{static_cast<time_t>(left / 1'000'000'000),
                            static_cast<long>(left % 1'000'000'000)};
        pselect(0, nullptr, nullptr, nullptr, &wait, &open);
    }
    return false;
}

std::string textForm(const FakeWindow& window)
{
    return "\n*** Sampled system activity (" + std::to_string(window.elapsed_ns / 1'000'000)
        + "ms elapsed) ***\n\nCPU Power: "
        + std::to_string(window.cpu_mj * 1'000'000'000 / window.elapsed_ns) + " mW\n";
}

[[noreturn]] void crash()
{
    std::fputs(
        "Assertion failed: (num_resids == (uint32_t)IOReportStateGetCount(sample)), function "
        "read_cluster_power_stats_sample, file cpu_power_arm.c, line 245.\n",
        stderr);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGABRT, SIG_DFL);
    std::abort();
}

int sampleForEver(const Arguments& arguments, const Scenario& scenario, const sigset_t& open)
{
    constexpr std::int64_t kMillisecond = 1'000'000;
    constexpr std::int64_t kLongestHang = 30'000 * kMillisecond; // limit in case a test abandons it
    constexpr std::int64_t kCostPerSample = 8 * kMillisecond;
    const ep::test::FakeSections sections{asksFor(arguments, "cpu_power"),
                                          asksFor(arguments, "gpu_power"),
                                          asksFor(arguments, "thermal")};
    std::mt19937 random(1);
    Machine machine(scenario);
    std::string separator;
    if (scenario.has("summary")) {
        FakeWindow sinceBoot{.elapsed_ns = 10'000 * 1000 * kMillisecond, .cpu_mj = 9'000'000};
        sinceBoot.is_delta = false;
        write(fakeDocument(sinceBoot, scenario.system(), sections), scenario);
        separator.assign(1, '\0');
    }
    for (long i = 0; arguments.count <= 0 || i < arguments.count; ++i) {
        if (scenario.reached("die", i))
            return 1;
        if (scenario.reached("crash", i))
            crash();
        if (scenario.reached("hang", i))
            sleepUntil(now() + kLongestHang, open, !scenario.has("ignore-term"));
        const auto jitter = scenario.value("jitter") > 0
            ? static_cast<std::int64_t>(random() % static_cast<unsigned>(scenario.value("jitter")))
            : 0;
        const auto length = (arguments.interval_ms + jitter) * kMillisecond + kCostPerSample;
        if (!sleepUntil(now() + length, open, !scenario.has("ignore-term")))
            break;
        if (scenario.has("noise"))
            std::fputs("Second underflow occured.\nproc_pid 4711\n", stderr);
        const auto window = machine.window();
        std::string document =
            arguments.plist ? fakeDocument(window, scenario.system(), sections) : textForm(window);
        const auto garbage = scenario.value("garbage");
        if (garbage > 0 && i % garbage == garbage - 1)
            document.replace(document.find("<dict>"), 6, "<dict><");
        write(separator + document, scenario);
        separator.assign(arguments.plist ? 1 : 0, '\0');
    }
    if (g_stopRequested != 0)
        sleepUntil(now() + scenario.value("slow-stop") * kMillisecond, open, false);
    if (scenario.has("truncated")) {
        const auto document = fakeDocument(machine.window(), scenario.system(), sections);
        write(separator + document.substr(0, document.size() / 2), scenario);
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const Scenario scenario;
    const auto arguments = parseArguments(argc, argv);
    if (!arguments.problem.empty()) {
        std::fprintf(stderr, "%s\n", arguments.problem.c_str());
        return 64;
    }
    // Checks names before permissions, as the real program does.
    if (const auto unknown = unknownSampler(arguments, scenario); !unknown.empty()) {
        std::fprintf(stderr, "powermetrics: unrecognized sampler: %s\n", unknown.c_str());
        return 64;
    }
    const bool root = geteuid() == 0 || std::getenv("EP_FAKE_ROOT") != nullptr;
    if (!root || scenario.has("superuser") || scenario.has("superuser-stdout")) {
        std::fputs("powermetrics must be invoked as the superuser\n",
                   scenario.has("superuser-stdout") ? stdout : stderr);
        return 1;
    }

    sigset_t stops;
    sigset_t open;
    sigemptyset(&stops);
    struct sigaction action { };
    action.sa_handler = [](int) { g_stopRequested = 1; };
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
        sigaddset(&stops, number);
        sigaction(number, &action, nullptr);
    }
    sigprocmask(SIG_BLOCK, &stops, &open);
    for (const int number : {SIGTERM, SIGINT, SIGHUP})
        sigdelset(&open, number);
    return sampleForEver(arguments, scenario, open);
}
