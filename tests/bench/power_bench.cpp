// SPDX-License-Identifier: GPL-3.0-or-later
// How fast powermetrics' stream is read, and whether memory stays constant meanwhile.
#include "support/fake_powermetrics_document.h"

#include "ep/power/plist_splitter.h"
#include "ep/power/powermetrics_document.h"
#include "ep/power/window_tracker.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace ep;

// Current resident memory in MiB; 0 if the system does not report it.
double residentMib()
{
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr)
        return 0.0;
    long size = 0;
    long resident = 0;
    const int found = std::fscanf(file, "%ld %ld", &size, &resident);
    std::fclose(file);
    return found == 2
        ? static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576.0
        : 0.0;
}

double processorSeconds()
{
    rusage use{};
    ::getrusage(RUSAGE_SELF, &use);
    return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec)
        + static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

// A document of about the size that a 16-core machine prints (40 kB), with its NUL.
std::string document()
{
    std::string xml = ep::test::fakeDocument({});
    const auto at = xml.rfind("</dict>");
    std::string filler;
    for (int i = 0; filler.size() + xml.size() < 39'500; ++i)
        filler += "<key>filler_" + std::to_string(i) + "</key><dict><key>used_ns</key><integer>"
            + std::to_string(1000 * i)
            + "</integer><key>used_ratio</key><real>0.0123456</real></dict>\n";
    xml.insert(at, filler);
    return xml;
}

// Feeds the document `documents` times, as a pipe would; returns the millijoules read.
double feed(const std::string& one, int documents)
{
    power::PlistSplitter splitter;
    power::WindowTracker windows;
    double sum = 0.0;
    Nanoseconds now = 0;
    for (int i = 0; i < documents; ++i) {
        for (std::size_t at = 0; at < one.size(); at += 65536)
            splitter.append(std::string_view(one).substr(at, 65536));
        splitter.append(std::string_view("\0", 1));
        while (const auto xml = splitter.next()) {
            const auto read = power::readPowermetricsDocument(*xml);
            if (!read || !read->elapsed_ns)
                continue;
            now += *read->elapsed_ns;
            const auto window = windows.place(*read->elapsed_ns, now + 1'000'000 * (i % 7));
            const auto sample = power::toPowerSample(*read, window.value_or(TimeRange{}), now);
            if (sample && sample->energy_mj[Rail::Cpu])
                sum += sample->energy_mj[Rail::Cpu]->value;
        }
    }
    return sum;
}

// 100 MB of concatenated documents.
void plistStream(benchmark::State& state)
{
    const std::string one = document();
    const int count = static_cast<int>(100'000'000 / one.size());
    feed(one, 100);
    const double before = residentMib();
    for (auto _ : state)
        benchmark::DoNotOptimize(feed(one, count));
    state.SetBytesProcessed(state.iterations() * count * static_cast<std::int64_t>(one.size()));
    state.counters["memory_growth_MiB"] = residentMib() - before;
}
BENCHMARK(plistStream)->Unit(benchmark::kMillisecond)->Iterations(3);

// Four hours of samples at 100 ms, as fast as they can be read: memory, and the share of one core
// that reading would have taken in real time.
void fourHours(benchmark::State& state)
{
    const std::string one = document();
    constexpr int kReadings = 4 * 3600 * 10;
    feed(one, 100);
    const double memory = residentMib();
    const double seconds = processorSeconds();
    for (auto _ : state)
        benchmark::DoNotOptimize(feed(one, kReadings));
    state.counters["memory_growth_MiB"] = residentMib() - memory;
    state.counters["core_share_percent"] = 100.0 * (processorSeconds() - seconds)
        / (4.0 * 3600.0 * static_cast<double>(state.iterations()));
}
BENCHMARK(fourHours)->Unit(benchmark::kSecond)->Iterations(1);

} // namespace
